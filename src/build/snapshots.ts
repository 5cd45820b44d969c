// The snapshot of a workspace: its files are written first, as a function reads them, and then opened to respond from.
import { utf8 } from '../api/bytes.ts'
import { isAbsoluteLink } from '../api/feeds.ts'
import { type Author, authorJson, type Term, type TermKind, termJson } from '../api/resources.ts'
import type { Channel, Snapshot } from '../api/snapshot.ts'
import { indexedFields } from '../model/custom-fields.ts'
import type { Workspace } from '../model/library.ts'
import { fold } from '../search/fold.ts'
import { functionFolder, type IndexTerm, type RootWorkspace } from '../snapshot/format.ts'
import { DataFiles } from '../snapshot/frame.ts'
import { openSnapshot } from '../snapshot/open.ts'
import {
  type SnapshotFile,
  type SnapshotInput,
  type WrittenPost,
  writeSnapshot,
} from '../snapshot/write.ts'
import type { SiteBody } from './bodies.ts'
import type { BuildCache } from './cache.ts'
import { readRange, sha256 } from './file-storage.ts'
import type { Output } from './output.ts'

/** Adds a file of the function, or of the public view. Files are named by their content: workspaces share them. */
export async function addData(
  output: Output,
  { name, make }: SnapshotFile,
  folder: string = functionFolder,
): Promise<void> {
  const path = `${folder}/${name}`
  if (!output.files.has(path)) await output.add({ bytes: make, etag: name, paths: [path] })
}

/** Adds the files of a workspace, and opens them: the snapshot can be read until the build is published. */
export async function addSnapshot(
  input: SnapshotInput,
  output: Output,
  cache: BuildCache,
): Promise<{ readonly index: string; readonly snapshot: Snapshot }> {
  const { files, index } = await writeSnapshot(input, { sha256, cache: cache.terms })
  for (const file of files) await addData(output, file)
  const data = new DataFiles({
    sha256,
    read: (name, from, to) => readRange(output.fileOf(`${functionFolder}/${name}`), from, to),
  })
  const opened = await openSnapshot(index, data, input.fields)
  const history = () => {
    throw new Error('The build has no id yet.')
  }
  return { index, snapshot: { ...opened, history } }
}

/**
 * What the function knows of a workspace.
 *
 * @param bodies one per post
 * @param scheduled number of posts that are scheduled at the time of the build
 */
export function inputOf(
  workspace: Workspace,
  bodies: readonly SiteBody[],
  scheduled: number,
  assets: SnapshotInput['assets'],
): SnapshotInput {
  const termsOf = <T extends Term | Author>(
    kind: TermKind,
    all: readonly T[],
    json: (term: T) => string,
  ) => {
    const created = new Set(workspace.created[kind])
    return all.map((term): IndexTerm => {
      const { id, slug } = term
      return { slug, id, json: json(term), ...(created.has(id) ? { isCreated: true } : {}) }
    })
  }
  return {
    posts: workspace.posts.map((each, at): WrittenPost => {
      const { post, publishedAt, expiresAt, isDraft, aliases } = each
      const body = bodies[at] as SiteBody
      const part = (name: 'html' | 'markdown') => ({
        size: body.size(name),
        digest: body.digest(name),
        read: () => body.read(name),
      })
      const read = () => utf8(fold(Buffer.from(body.read('text')).toString()))
      const text = { digest: body.digest('text'), read }
      const parts = { html: part('html'), markdown: part('markdown'), text }
      return { post, publishedAt, expiresAt, isDraft: isDraft === true, aliases, ...parts }
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

function channelOf({ id, name, destinations, posts }: Workspace): Channel | null {
  const { post, baseUrl } = destinations.settings
  if (post === null || !isAbsoluteLink(post)) return null
  const own = posts.flatMap(({ post, url }) => (url === null ? [] : [[post.id, url] as const]))
  const urls = own.length === 0 ? {} : { urls: Object.fromEntries(own) }
  return { workspace: id, name, postLink: post, baseUrl, ...urls }
}

/** A workspace as the root has it. */
export function rootOf(workspace: Workspace, scheduled: number, index: string): RootWorkspace {
  const { id, isV1Private, keys, posts } = workspace
  const fields = indexedFields(workspace.fields)
  const own = fields.length === 0 ? {} : { fields }
  const next = posts.slice(0, scheduled).map(({ publishedAt }) => publishedAt)
  const expiries = posts.flatMap(({ expiresAt }) => expiresAt ?? [])
  const later = [...new Set([...next, ...expiries])].sort((a, b) => a - b)
  const instants = [posts[scheduled]?.publishedAt ?? 0, ...later]
  const expiring = expiries.length === 0 ? {} : { expiring: expiries.length }
  return { id, isV1Private, keys, scheduled, ...expiring, instants, ...own, index }
}
