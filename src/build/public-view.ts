// The public view of a site: what anyone may read at the instant of a build, for functions in browsers. Nothing in it
// depends on keys, drafts, scheduled posts or closed workspaces.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { browserFolder, browserPrograms, publicFolder } from '../api/paths.ts'
import type { Author, Term, TermKind } from '../api/resources.ts'
import type { Workspace } from '../model/library.ts'
import {
  encodeRoot,
  functionFolder,
  type RootWorkspace,
  rootName,
  schema,
} from '../snapshot/format.ts'
import { type SnapshotFile, writeSnapshot } from '../snapshot/write.ts'
import type { BuildCache } from './cache.ts'
import { sha256 } from './file-storage.ts'
import type { Output } from './output.ts'
import type { SiteWorkspace } from './site.ts'
import { addData, inputOf, rootOf, type WrittenCollection } from './snapshots.ts'

/**
 * Adds the public view and the function to the output.
 *
 * @param openapi the description of the interface
 */
export async function addPublicView(
  sites: readonly SiteWorkspace[],
  openapi: SnapshotFile,
  output: Output,
  cache: BuildCache,
  { limitAll, now }: { readonly limitAll: boolean; readonly now: number },
): Promise<void> {
  const workspaces: RootWorkspace[] = []
  await addData(output, openapi, browserFolder)
  const write = async ({ workspace: all, bodyOf }: SiteWorkspace) => {
    const workspace = visibleAt(all, now)
    // Images and custom fields are listed with a key alone.
    const input = inputOf(workspace, workspace.posts.map(bodyOf), 0, { media: [], fields: [] })
    const { files, index } = await writeSnapshot(input, { sha256, cache: cache.terms })
    for (const { name, make } of files) {
      const path = `${functionFolder}/${name}`
      // Most files are the function's too, and were made for it.
      const bytes = output.files.has(path) ? () => readFileSync(output.fileOf(path)) : make
      await addData(output, { name, make: bytes }, browserFolder)
    }
    return { workspace, index }
  }
  for (const site of sites) {
    if (site.workspace.isV1Private) continue
    const own: WrittenCollection[] = []
    for (const each of site.collections) {
      const { workspace, index } = await write(each)
      own.push([workspace, 0, index])
    }
    const { workspace, index } = await write(site)
    workspaces.push(rootOf(workspace, 0, index, own))
  }
  const view = { openapi: openapi.name, limitAll, workspaces }
  const build = hash('sha256', JSON.stringify(view)).slice(0, 16)
  const root = () => encodeRoot({ schema, build, ...view }, sha256)
  for (const name of browserPrograms) {
    const file = createRequire(import.meta.url).resolve(`#functions/${name}`)
    const bytes = () => readFileSync(file)
    await output.add({ bytes, paths: [`${publicFolder}/${name}`] })
  }
  await output.add({ bytes: root, paths: [`${browserFolder}/${rootName}`] })
}

/** A workspace without its keys, its scheduled posts, and the terms that only these name. */
function visibleAt(workspace: Workspace, now: number): Workspace {
  const posts = workspace.posts.filter(({ publishedAt }) => publishedAt <= now)
  const named = new Set<string>()
  for (const { post } of posts) {
    for (const { id } of [post.category, ...post.tags, ...post.authors]) named.add(id)
  }
  const shown = <T extends Term | Author>(kind: TermKind, terms: readonly T[]) => {
    const hidden = new Set(workspace.created[kind].filter((id) => !named.has(id)))
    return terms.filter(({ id }) => !hidden.has(id))
  }
  return {
    ...workspace,
    keys: [],
    posts,
    lastExpiry: 0,
    categories: shown('categories', workspace.categories),
    tags: shown('tags', workspace.tags),
    authors: shown('authors', workspace.authors),
  }
}
