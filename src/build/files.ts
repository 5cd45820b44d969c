// The files of a site, but for the manifest: images, snapshots, the responses to canonical requests, and the root.
import { setImmediate as turn } from 'node:timers/promises'
import { bodyBytes, etagOf } from '../api/api-response.ts'
import { fieldParameters } from '../api/field-parameters.ts'
import { openApiDocument, openApiJson } from '../api/openapi.ts'
import { publicFolder } from '../api/paths.ts'
import { respond } from '../api/respond.ts'
import { type Visibility, visibilityAt } from '../api/visibility.ts'
import type { Settings } from '../config.ts'
import { indexedFields } from '../model/custom-fields.ts'
import type { Workspace } from '../model/library.ts'
import {
  encodeRoot,
  functionFolder,
  type RootWorkspace,
  rootName,
  schema,
} from '../snapshot/format.ts'
import { jsonFile } from '../snapshot/write.ts'
import { explorerPage } from './explorer-page.ts'
import { sha256 } from './file-storage.ts'
import { type BuiltWorkspace, writeChanges } from './history.ts'
import type { LoadOptions, Site } from './load.ts'
import { buildId, inOrder, type Manifest, makeManifest, type WorkspaceCounts } from './manifest.ts'
import { planWorkspace } from './plan.ts'
import { addData, addSnapshot } from './snapshots.ts'
import type { Writer } from './write.ts'

interface BuiltSite extends BuiltWorkspace {
  readonly workspace: Workspace
  /** Name of its index. */
  readonly index: string
}

/** Adds every file of a site to the output, the manifest excepted. */
export async function writeSite(
  { workspaces, media, images, cache }: Site,
  writer: Writer,
  settings: Settings,
  { now, onStep }: LoadOptions & { readonly now: number },
): Promise<Manifest> {
  const { limitAll, changes } = settings
  for (const file of media) {
    const paths = [`${publicFolder}/${file.path}`]
    const etag = `"${file.sha256}"`
    await writer.add({ bytes: () => images.read(file), etag, paths, stage: 'data' })
  }
  onStep?.('snapshot')
  const built: BuiltSite[] = []
  for (const { workspace, bodyOf, assets } of workspaces) {
    const scheduled = workspace.posts.filter(({ publishedAt }) => publishedAt > now).length
    const input = { workspace, bodies: workspace.posts.map(bodyOf), assets: await assets() }
    const written = await addSnapshot({ ...input, scheduled }, writer, cache.terms)
    const { id, isV1Private } = workspace
    built.push({ id, isV1Private, workspace, scheduled, ...written })
  }
  // Stored as data, so that the function does not need the code that generates it.
  const openapi = jsonFile('openapi', openApiDocument(settings), sha256)
  await addData(writer, openapi)
  onStep?.('respond')
  for (const of of built) await addResponses(of, writer, settings, now)
  await addReference(built, writer, settings)
  // The build's id and the changes between builds are public, so neither depends on drafts.
  const roots = built.map(rootOf)
  const identity = JSON.stringify([openapi.name, limitAll, roots])
  const build = buildId(inOrder(writer.files), identity)
  for (const [at, { preview, bodyOf }] of workspaces.entries()) {
    if (preview === null) continue
    const drafts = { workspace: preview, bodies: preview.posts.map(bodyOf), scheduled: 0 }
    const assets = { media: [], fields: [] }
    const { index } = await addSnapshot({ ...drafts, assets }, writer, cache.terms)
    roots[at] = { ...(roots[at] as RootWorkspace), draftIndex: index }
  }
  const past = changes
    ? await writeChanges(build, built, writer, { ...settings.precompute, now })
    : {}
  const head = { schema, build, openapi: openapi.name, limitAll, workspaces: roots, ...past }
  const bytes = () => encodeRoot(head, sha256)
  await writer.add({ bytes, paths: [`${functionFolder}/${rootName}`], stage: 'index' })
  const counts = built.map(({ workspace, snapshot }) =>
    countsOf(workspace, visibilityAt(snapshot, now)),
  )
  const from = counts.flatMap(({ validFrom }) => validFrom ?? [])
  const until = counts.flatMap(({ validUntil }) => validUntil ?? [])
  return makeManifest({
    build,
    // Dates in this form are in the order of their text.
    validFrom: from.sort().at(-1) ?? null,
    validUntil: until.sort()[0] ?? null,
    workspaces: Object.fromEntries(built.map((of, at) => [of.id, counts[at] as WorkspaceCounts])),
    files: writer.files,
  })
}

/** Adds the response to every canonical request of a workspace. */
async function addResponses(
  { workspace, snapshot }: BuiltSite,
  writer: Writer,
  { precompute }: Settings,
  now: number,
): Promise<void> {
  let count = 0
  for (const { request, paths, stage } of planWorkspace(workspace, snapshot, precompute, now)) {
    const { status, body } = await respond(request, snapshot, now)
    if (status !== 200) throw new Error(`a planned request failed: ${paths[0]}`)
    const etag = await etagOf(body, snapshot, sha256)
    await writer.add({ bytes: () => bodyBytes(body, snapshot), etag, paths, stage })
    if (count++ % 256 === 255) await turn()
  }
}

/** Adds the description of the interface: a page for people and a document for programs. */
async function addReference(
  built: readonly BuiltSite[],
  writer: Writer,
  settings: Settings,
): Promise<void> {
  const workspaces = built.map(({ workspace }) => workspace)
  const files = {
    'index.html': () => explorerPage('static', workspaces),
    'openapi.json': () => openApiJson(settings),
  }
  for (const [name, bytes] of Object.entries(files)) {
    await writer.add({ bytes, paths: [`${publicFolder}/${name}`], stage: 'list' })
  }
}

function rootOf({ workspace, scheduled, index }: BuiltSite): RootWorkspace {
  const { id, isV1Private, keys, posts } = workspace
  const fields = indexedFields(workspace.fields)
  const own = fields.length === 0 ? {} : { fields }
  const next = posts.slice(0, scheduled).map(({ publishedAt }) => publishedAt)
  const instants = [posts[scheduled]?.publishedAt ?? 0, ...new Set(next.reverse())]
  return { id, isV1Private, keys, scheduled, instants, ...own, index }
}

function countsOf(
  { name, createsTerms, posts, categories, tags, authors, fields }: Workspace,
  { first, validFrom, validUntil }: Visibility,
): WorkspaceCounts {
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
