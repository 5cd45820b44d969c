// The snapshot of a workspace: its files are written first, as a function reads them, and then opened to respond from.

import type { Assets } from '../api/assets.ts'
import { utf8 } from '../api/bytes.ts'
import { isAbsoluteLink } from '../api/feeds.ts'
import { type Author, authorJson, type Term, type TermKind, termJson } from '../api/resources.ts'
import type { Channel, Snapshot } from '../api/snapshot.ts'
import { indexedFields } from '../model/custom-fields.ts'
import type { Workspace } from '../model/library.ts'
import { fold } from '../search/fold.ts'
import { functionFolder } from '../snapshot/format.ts'
import { DataFiles } from '../snapshot/frame.ts'
import { openSnapshot } from '../snapshot/open.ts'
import {
  type SnapshotFile,
  type SnapshotInput,
  type TermsCache,
  writeSnapshot,
} from '../snapshot/write.ts'
import type { SiteBody } from './bodies.ts'
import { readRange, sha256 } from './file-storage.ts'
import type { Writer } from './write.ts'

/** A workspace to write. */
export interface WorkspaceInput {
  readonly workspace: Workspace
  /** One per post, in the workspace's order. */
  readonly bodies: readonly SiteBody[]
  readonly assets: Assets
  /** Number of posts that are scheduled at the time of the build. */
  readonly scheduled: number
}

/** A workspace that was written. */
export interface WrittenWorkspace {
  /** Name of its index. */
  readonly index: string
  /** Can be read until the build is published. */
  readonly snapshot: Snapshot
}

/** Adds a file of the function to a build. Files are named by their content: workspaces share them. */
export async function addData(writer: Writer, { name, make }: SnapshotFile): Promise<void> {
  const path = `${functionFolder}/${name}`
  if (writer.files.has(path)) return
  await writer.add({ bytes: make, etag: name, paths: [path], stage: 'data' })
}

/** Adds the files of a workspace to a build, and opens them. */
export async function addSnapshot(
  built: WorkspaceInput,
  writer: Writer,
  cache: TermsCache,
): Promise<WrittenWorkspace> {
  const input = inputOf(built)
  const { files, index } = await writeSnapshot(input, { sha256, cache })
  for (const file of files) await addData(writer, file)
  const data = new DataFiles({
    sha256,
    read: (name, from, to) => readRange(writer.fileOf(`${functionFolder}/${name}`), from, to),
  })
  const opened = await openSnapshot(index, data, input.fields)
  const history = () => {
    throw new Error('The build has no id yet.')
  }
  return { index, snapshot: { ...opened, history } }
}

function inputOf({ workspace, bodies, assets, scheduled }: WorkspaceInput): SnapshotInput {
  const termsOf = <T extends Term | Author>(
    kind: TermKind,
    terms: readonly T[],
    json: (term: T) => string,
  ) => {
    const created = new Set(workspace.created[kind])
    return terms.map((term) => {
      const { id, slug } = term
      return {
        slug,
        id,
        json: json(term),
        ...(created.has(id) ? { isCreated: true as const } : {}),
      }
    })
  }
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
      categories: termsOf('categories', workspace.categories, termJson),
      tags: termsOf('tags', workspace.tags, termJson),
      authors: termsOf('authors', workspace.authors, authorJson),
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
