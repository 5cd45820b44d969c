// The snapshot of a workspace in a build: its files are written as a function reads them, and opened at once.
import { hash } from 'node:crypto'
import type { Assets } from '../api/assets.ts'
import { whenReady } from '../api/awaitable.ts'
import { utf8 } from '../api/bytes.ts'
import { isAbsoluteLink } from '../api/feed-posts.ts'
import { authorJson, termJson } from '../api/resources.ts'
import type { Channel, Snapshot } from '../api/snapshot.ts'
import type { StoredBody } from '../markdown/bodies.ts'
import { indexedFields } from '../model/indexed-fields.ts'
import type { Workspace } from '../model/library.ts'
import { fold } from '../search/fold.ts'
import { DataFiles } from '../snapshot/frame.ts'
import { openSnapshot } from '../snapshot/open.ts'
import { RecentValues } from '../snapshot/recent-values.ts'
import type { Storage } from '../snapshot/storage.ts'
import {
  type SnapshotFile,
  type SnapshotInput,
  type TermsCache,
  type WrittenSnapshot,
  writeSnapshot,
} from '../snapshot/write.ts'

/** A workspace with its rendered bodies. */
export interface BuiltWorkspace {
  readonly workspace: Workspace
  /** One per post, in the workspace's order. */
  readonly bodies: readonly StoredBody[]
  readonly assets: Assets
  /** Number of posts that are scheduled at the time of the build. */
  readonly scheduled: number
}

/** The files of a workspace, and the snapshot that they hold. */
export interface SiteSnapshot extends WrittenSnapshot {
  readonly snapshot: Snapshot
}

/** Returns 32 bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return hash('sha256', bytes, 'buffer')
}

/** Writes the snapshot of a workspace in memory, and opens it. */
export async function makeSnapshot(
  built: BuiltWorkspace,
  cache: TermsCache,
): Promise<SiteSnapshot> {
  const input = inputOf(built)
  const written = await writeSnapshot(input, { sha256, cache })
  const data = new DataFiles(madeFiles(written.files))
  const opened = await openSnapshot(written.index, data, input.fields)
  const history = () => {
    throw new Error('The build has no id yet.')
  }
  return { ...written, snapshot: { ...opened, history } }
}

function inputOf({ workspace, bodies, assets, scheduled }: BuiltWorkspace): SnapshotInput {
  const { categories, tags, authors, created } = workspace
  const isCreated = Object.values(created).flat()
  const own = new Set(isCreated)
  const entry = (id: string, slug: string, json: string) =>
    own.has(id) ? { slug, id, json, isCreated: true as const } : { slug, id, json }
  return {
    posts: workspace.posts.map(({ post, publishedAt, isDraft, aliases }, at) => {
      const body = bodies[at]
      if (body === undefined) throw new RangeError('a post has no rendered body')
      const part = (name: 'html' | 'markdown') => ({
        size: body.size(name),
        digest: body.digest(name),
        read: () => body.read(name),
      })
      const text = {
        digest: body.digest('text'),
        read: () => utf8(fold(new TextDecoder().decode(body.read('text')))),
      }
      const parts = { html: part('html'), markdown: part('markdown'), text }
      return { post, publishedAt, isDraft: isDraft === true, aliases, ...parts }
    }),
    terms: {
      categories: categories.map((term) => entry(term.id, term.slug, termJson(term))),
      tags: tags.map((term) => entry(term.id, term.slug, termJson(term))),
      authors: authors.map((author) => entry(author.id, author.slug, authorJson(author))),
    },
    fields: indexedFields(workspace.fields),
    channel: channelOf(workspace),
    assets,
    unindexed: scheduled,
  }
}

function channelOf({ id, name, destinations }: Workspace): Channel | null {
  const { post, baseUrl } = destinations.settings
  if (post === null || !isAbsoluteLink(post)) return null
  return { workspace: id, name, postLink: post, baseUrl }
}

/** A storage of files that are made when they are read, and kept for a while. */
function madeFiles(files: readonly SnapshotFile[]): Storage {
  const byName = new Map(files.map((file) => [file.name, file]))
  const recent = new RecentValues<Uint8Array>(keptBytes)
  return {
    sha256,
    read: (name, from, to) => {
      const file = byName.get(name)
      if (file === undefined) throw new Error(`There is no file ${name}.`)
      return whenReady(recent.get(name) ?? file.make(), (bytes) => {
        recent.set(name, bytes, bytes.length)
        return bytes.subarray(from, to)
      })
    },
  }
}

/** Responses to canonical requests read neighbouring parts one after the other. */
const keptBytes = 64 * 1024 * 1024
