// Writes the files of a site: images, the function's files, the responses to canonical requests, and the root. Responses
// are made from the snapshots as a function reads them.
import { setImmediate as turn } from 'node:timers/promises'
import { bodyBytes, etagOf } from '../api/api-response.ts'
import { utf8 } from '../api/bytes.ts'
import { isAbsoluteLink } from '../api/feeds.ts'
import { fieldParameters } from '../api/field-parameters.ts'
import { openApiDocument, openApiJson } from '../api/openapi.ts'
import { publicFolder } from '../api/paths.ts'
import { type Author, authorJson, type Term, type TermKind, termJson } from '../api/resources.ts'
import { respond } from '../api/respond.ts'
import type { Channel, Snapshot } from '../api/snapshot.ts'
import { visibilityAt } from '../api/visibility.ts'
import type { Settings } from '../config.ts'
import { indexedFields } from '../model/custom-fields.ts'
import type { Workspace } from '../model/library.ts'
import { fold } from '../search/fold.ts'
import {
  encodeRoot,
  functionFolder,
  type IndexTerm,
  type RootWorkspace,
  rootName,
  schema,
} from '../snapshot/format.ts'
import { DataFiles } from '../snapshot/frame.ts'
import { openSnapshot } from '../snapshot/open.ts'
import {
  jsonFile,
  type SnapshotFile,
  type SnapshotInput,
  type WrittenPost,
  writeSnapshot,
} from '../snapshot/write.ts'
import type { SiteBody } from './bodies.ts'
import type { BuildCache } from './cache.ts'
import { explorerPage } from './explorer-page.ts'
import { readRange, sha256 } from './file-storage.ts'
import { type BuiltWorkspace, changesUpTo } from './history.ts'
import { buildId, type Manifest, makeManifest, type WorkspaceCounts } from './manifest.ts'
import type { Output } from './output.ts'
import { planWorkspace } from './plan.ts'
import type { Site, SiteOptions, SiteWorkspace } from './site.ts'

interface BuiltSite extends BuiltWorkspace {
  readonly workspace: Workspace
  /** Name of its index. */
  readonly index: string
}

/** Adds every file of a site to the output, the manifest excepted. @param now milliseconds since 1970 */
export async function writeSite(
  { workspaces, cache }: Site,
  output: Output,
  settings: Settings,
  { now, onStep }: SiteOptions & { readonly now: number },
): Promise<Manifest> {
  const { limitAll, changes } = settings
  await addMedia(workspaces, output)
  onStep?.('snapshot')
  const built: BuiltSite[] = []
  for (const site of workspaces) {
    const { id, isV1Private, posts } = site.workspace
    const scheduled = posts.filter(({ publishedAt }) => publishedAt > now).length
    const { bodyOf, workspace } = site
    const input = inputOf(workspace, workspace.posts.map(bodyOf), scheduled, site.assets())
    const written = await addSnapshot(input, output, cache)
    built.push({ id, isV1Private, workspace, scheduled, ...written })
  }
  // Stored as data, so that the function does not need the code that generates it.
  const openapi = jsonFile('openapi', openApiDocument(settings), sha256)
  await addData(output, openapi)
  onStep?.('respond')
  for (const site of built) await addResponses(site, output, settings, now)
  const page = () =>
    explorerPage(
      'static',
      built.map(({ workspace }) => workspace),
    )
  await output.add({ bytes: page, paths: [`${publicFolder}/index.html`] })
  const openApi = () => openApiJson(settings)
  await output.add({ bytes: openApi, paths: [`${publicFolder}/openapi.json`] })
  // The build's id and the changes between builds are public, so neither depends on drafts.
  const roots = built.map(rootOf)
  const identity = JSON.stringify([openapi.name, limitAll, roots])
  const build = buildId(output.files, identity)
  for (const [at, { preview, bodyOf }] of workspaces.entries()) {
    if (preview === null) continue
    const input = inputOf(preview, preview.posts.map(bodyOf), 0, { media: [], fields: [] })
    const { index } = await addSnapshot(input, output, cache)
    roots[at] = { ...(roots[at] as RootWorkspace), draftIndex: index }
  }
  const past: { steps?: string } = {}
  if (changes) {
    const { responses, steps } = await changesUpTo(build, output.path, built, {
      ...settings.precompute,
      now,
    })
    for (const response of responses) await output.add(response)
    if (steps.length > 0) {
      const file = jsonFile('steps', steps, sha256)
      await addData(output, file)
      past.steps = file.name
    }
  }
  const head = { schema, build, openapi: openapi.name, limitAll, workspaces: roots, ...past }
  const bytes = () => encodeRoot(head, sha256)
  await output.add({ bytes, paths: [`${functionFolder}/${rootName}`] })
  return manifestOf(build, built, output, now)
}

/** Adds the response to every canonical request of a workspace. */
async function addResponses(
  { workspace, snapshot }: BuiltSite,
  output: Output,
  { precompute }: Settings,
  now: number,
): Promise<void> {
  let count = 0
  for (const { request, paths } of planWorkspace(workspace, snapshot, precompute, now)) {
    const { status, body } = await respond(request, snapshot, now)
    if (status !== 200) throw new Error(`a planned request failed: ${paths[0]}`)
    const etag = await etagOf(body, snapshot, sha256)
    await output.add({ bytes: () => bodyBytes(body, snapshot), etag, paths })
    if (count++ % 256 === 255) await turn()
  }
}

async function addMedia(workspaces: readonly SiteWorkspace[], output: Output): Promise<void> {
  const added = new Set<string>()
  for (const { media, readMedia } of workspaces) {
    for (const file of media) {
      if (added.has(file.path)) continue
      added.add(file.path)
      const paths = [`${publicFolder}/${file.path}`]
      await output.add({ bytes: () => readMedia(file), etag: `"${file.sha256}"`, paths })
    }
  }
}

/** Adds a file of the function. Files are named by their content: workspaces share them. */
async function addData(output: Output, { name, make }: SnapshotFile): Promise<void> {
  const path = `${functionFolder}/${name}`
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
    posts: workspace.posts.map(({ post, publishedAt, isDraft, aliases }, at): WrittenPost => {
      const body = bodies[at] as SiteBody
      const part = (name: 'html' | 'markdown' | 'text') => ({
        size: body.size(name),
        digest: body.digest(name),
        read: () => body.read(name),
      })
      const read = () => utf8(fold(Buffer.from(body.read('text')).toString()))
      const text = { digest: body.digest('text'), read }
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

function channelOf({ id, name, destinations, posts }: Workspace): Channel | null {
  const { post, baseUrl } = destinations.settings
  if (post === null || !isAbsoluteLink(post)) return null
  const own = posts.flatMap(({ post, url }) => (url === null ? [] : [[post.id, url] as const]))
  const urls = own.length === 0 ? {} : { urls: Object.fromEntries(own) }
  return { workspace: id, name, postLink: post, baseUrl, ...urls }
}

function rootOf({ workspace, scheduled, index }: BuiltSite): RootWorkspace {
  const { id, isV1Private, keys, posts } = workspace
  const fields = indexedFields(workspace.fields)
  const own = fields.length === 0 ? {} : { fields }
  const next = posts.slice(0, scheduled).map(({ publishedAt }) => publishedAt)
  const instants = [posts[scheduled]?.publishedAt ?? 0, ...new Set(next.reverse())]
  return { id, isV1Private, keys, scheduled, instants, ...own, index }
}

function manifestOf(
  build: string,
  built: readonly BuiltSite[],
  { files }: Output,
  now: number,
): Manifest {
  const workspaces = Object.fromEntries(built.map((site) => [site.id, countsOf(site, now)]))
  const counts = Object.values(workspaces)
  // Dates in this form are in the order of their text.
  const from = counts.flatMap(({ validFrom }) => validFrom ?? []).sort()
  const until = counts.flatMap(({ validUntil }) => validUntil ?? []).sort()
  const period = { validFrom: from.at(-1) ?? null, validUntil: until[0] ?? null }
  return makeManifest({ build, ...period, workspaces, files })
}

function countsOf({ workspace, snapshot }: BuiltSite, now: number): WorkspaceCounts {
  const { name, createsTerms, posts, categories, tags, authors, fields } = workspace
  const { first, validFrom, validUntil } = visibilityAt(snapshot, now)
  const names = fieldParameters(indexedFields(fields)).map((parameter) => parameter.name)
  const isoDate = (time: number) => (Number.isFinite(time) ? new Date(time).toISOString() : null)
  return {
    name,
    posts: posts.length - first,
    scheduled: first,
    createsTerms,
    validFrom: isoDate(validFrom),
    validUntil: isoDate(validUntil),
    categories: categories.length,
    tags: tags.length,
    authors: authors.length,
    ...(names.length === 0 ? {} : { fields: names }),
  }
}
