// Writes a site: the responses to canonical requests, the reference, and the function's files.
import { bodyBytes, etagOf } from '../api/api-response.ts'
import { fieldParameters } from '../api/field-parameters.ts'
import { openApiDocument } from '../api/openapi.ts'
import { publicFolder } from '../api/paths.ts'
import { respond } from '../api/respond.ts'
import type { Snapshot } from '../api/snapshot.ts'
import { type Visibility, visibilityAt } from '../api/visibility.ts'
import { inUploadOrder } from '../emit/file-entries.ts'
import { buildId, type Manifest, makeManifest, type WorkspaceCounts } from '../emit/manifest.ts'
import { type PlannedFile, type Precompute, planWorkspace } from '../emit/plan.ts'
import type { Changes, Publication } from '../emit/publication.ts'
import { sha256 } from '../emit/site-snapshot.ts'
import { referenceFiles } from '../explorer/reference-files.ts'
import { indexedFields } from '../model/indexed-fields.ts'
import {
  encodeRoot,
  functionFolder,
  type Root,
  type RootWorkspace,
  rootName,
  schema,
} from '../snapshot/format.ts'
import { jsonFile, type SnapshotFile } from '../snapshot/write.ts'
import type { Site, SiteWorkspace } from './site.ts'
import { Stopwatch, type Trace } from './trace.ts'
import { Yielder } from './yielder.ts'

/** Options of `writeSite`. */
export interface WriteOptions {
  readonly precompute: Precompute
  /** False when `limit=all` is disabled. */
  readonly limitAll: boolean
  /** The origin of the API in the OpenAPI document. @default the origin that serves the document */
  readonly baseUrl?: string | undefined
  readonly now: number
  /** Stores the changes of earlier builds. @default false */
  readonly changes?: boolean | undefined
  /** True when there is likely too little new content for threads. @default false */
  readonly isSmall?: boolean | undefined
  /** Stops writing before anything is moved in. */
  readonly signal?: AbortSignal | undefined
  /** Called with the duration of each stage. */
  readonly trace?: Trace | undefined
}

/**
 * Writes the responses of a site. Yields to the event loop regularly.
 *
 * @throws OutputError when it cannot be written; the signal's reason when it is aborted
 */
export async function writeSite(
  site: Site,
  publication: Publication,
  options: WriteOptions,
): Promise<{ readonly manifest: Manifest; readonly changes: Changes }> {
  const stopwatch = new Stopwatch(options.trace)
  const workspaces = site.workspaces.map(({ workspace }) => workspace)
  const visible = site.workspaces.map(({ snapshot }) => visibilityAt(snapshot, options.now))
  await writeMedia(site, publication)
  await writeResponses(site, publication, options)
  for (const file of referenceFiles(workspaces, options)) await publication.add(file)
  stopwatch.lap('responses')
  const manifest = await writeData(site, visible, publication, options)
  stopwatch.lap('index')
  options.signal?.throwIfAborted()
  const changes = await publication.publish(manifest)
  stopwatch.lap('publish')
  return { manifest, changes }
}

/** Images must precede the posts that reference them. */
async function writeMedia({ media, readMedia }: Site, publication: Publication): Promise<void> {
  for (const file of media) {
    const paths = [`${publicFolder}/${file.path}`]
    const bytes = () => readMedia(file)
    await publication.add({ bytes, etag: `"${file.sha256}"`, paths, stage: 'data' })
  }
}

/** Writes the response to every canonical request, except existing ones. */
async function writeResponses(
  { workspaces }: Site,
  publication: Publication,
  { precompute, now, signal }: WriteOptions,
): Promise<void> {
  const turns = new Yielder(signal)
  for (const { workspace, snapshot } of workspaces) {
    for (const planned of planWorkspace(workspace, snapshot, precompute, now)) {
      await writeResponse(planned, snapshot, publication, now)
      await turns.next()
    }
  }
}

async function writeResponse(
  { request, paths, stage }: PlannedFile,
  snapshot: Snapshot,
  publication: Publication,
  now: number,
): Promise<void> {
  const response = await respond(request, snapshot, now)
  if (response.status !== 200) throw new Error(`a planned request failed: ${paths[0]}`)
  const etag = await etagOf(response.body, snapshot, sha256)
  await publication.add({ bytes: () => bodyBytes(response.body, snapshot), etag, paths, stage })
}

/** Writes the files that the function needs for all other requests; the manifest describes both kinds. */
async function writeData(
  site: Site,
  visible: readonly Visibility[],
  publication: Publication,
  options: WriteOptions,
): Promise<Manifest> {
  const { limitAll, signal } = options
  const turns = new Yielder(signal)
  const add = async ({ name, make }: SnapshotFile) => {
    const path = `${functionFolder}/${name}`
    // Files are named by their content: drafts share most of them with other posts.
    if (!publication.files.has(path))
      await publication.add({ bytes: make, etag: name, paths: [path], stage: 'data' })
    await turns.next()
  }
  for (const { files } of site.workspaces) for (const file of files) await add(file)
  // Stored as data, so that the function does not need the code that generates it.
  const openapi = jsonFile('openapi', openApiDocument(options), sha256)
  await add(openapi)
  // The build's id and the changes between builds are public, so neither depends on drafts.
  const identified = inUploadOrder(publication.files, publication.lastFiles)
  for (const { preview } of site.workspaces)
    for (const file of preview?.files ?? []) await add(file)
  const workspaces = site.workspaces.map(({ workspace, index, preview }, at): RootWorkspace => {
    const { id, isV1Private, keys } = workspace
    const fields = indexedFields(workspace.fields)
    return {
      ...{ id, isV1Private, keys, scheduled: visible[at]?.first ?? 0 },
      ...(fields.length === 0 ? {} : { fields }),
      index,
      ...(preview === undefined ? {} : { draftIndex: preview.index }),
    }
  })
  const withoutDrafts = workspaces.map(({ draftIndex: _, ...workspace }) => workspace)
  const id = buildId(identified, JSON.stringify([openapi.name, limitAll, withoutDrafts]))
  const steps =
    options.changes === true ? await changesOf(id, site, visible, publication, options) : {}
  const root: Root = {
    ...{ schema, build: id, openapi: openapi.name, limitAll, workspaces },
    ...steps,
  }
  const bytes = encodeRoot(root, sha256)
  const path = `${functionFolder}/${rootName}`
  await publication.add({ bytes: () => bytes, paths: [path], stage: 'index' })
  return manifestOf(id, site, visible, publication)
}

async function changesOf(
  id: string,
  site: Site,
  visible: readonly Visibility[],
  publication: Publication,
  options: WriteOptions,
): Promise<{ readonly steps?: string }> {
  const { writeChanges } = await import('./write-changes.ts')
  const built = site.workspaces.map(({ workspace, snapshot }, at) => ({
    ...workspace,
    snapshot,
    scheduled: visible[at]?.first ?? 0,
  }))
  return writeChanges(id, built, publication, { ...options.precompute, now: options.now })
}

function manifestOf(
  build: string,
  site: Site,
  visible: readonly Visibility[],
  publication: Publication,
): Manifest {
  const workspaces = site.workspaces.map(({ workspace }, index) => ({
    id: workspace.id,
    counts: countsOf(workspace, visible[index]),
  }))
  const from = workspaces.map(({ counts }) => timeOf(counts.validFrom, Number.NEGATIVE_INFINITY))
  const until = workspaces.map(({ counts }) => timeOf(counts.validUntil, Number.POSITIVE_INFINITY))
  return makeManifest({
    build,
    validFrom: isoDate(Math.max(...from)),
    validUntil: isoDate(Math.min(...until)),
    workspaces: Object.fromEntries(workspaces.map(({ id, counts }) => [id, counts])),
    files: inUploadOrder(publication.files, publication.lastFiles),
  })
}

function countsOf(
  { name, createsTerms, posts, categories, tags, authors, ...own }: SiteWorkspace['workspace'],
  {
    first = 0,
    validFrom = Number.NEGATIVE_INFINITY,
    validUntil = Number.POSITIVE_INFINITY,
  }: Partial<Visibility> = {},
): WorkspaceCounts {
  const fields = fieldParameters(indexedFields(own.fields)).map((parameter) => parameter.name)
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
    ...(fields.length === 0 ? {} : { fields }),
  }
}

/** The inverse of `isoDate`. */
function timeOf(date: string | null, infinity: number): number {
  return date === null ? infinity : Date.parse(date)
}

function isoDate(time: number): string | null {
  return Number.isFinite(time) ? new Date(time).toISOString() : null
}
