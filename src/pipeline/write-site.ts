// Writes a site: the responses to canonical requests, the reference, and the function's files.
import { hash } from 'node:crypto'
import { bodyBytes, etagOf } from '../api/api-response.ts'
import type { BundledSegment } from '../api/bundle.ts'
import { utf8 } from '../api/bytes.ts'
import { fieldParameters } from '../api/field-parameters.ts'
import { publicFolder } from '../api/paths.ts'
import { respond } from '../api/respond.ts'
import { type Visibility, visibilityAt } from '../api/visibility.ts'
import type { BundleFile } from '../emit/blocks.ts'
import { Bundle, type BundleInput } from '../emit/bundle.ts'
import { inUploadOrder } from '../emit/file-entries.ts'
import { buildId, type Manifest, makeManifest, type WorkspaceCounts } from '../emit/manifest.ts'
import { type PlannedFile, type Precompute, planWorkspace } from '../emit/plan.ts'
import type { Changes, Publication } from '../emit/publication.ts'
import type { MemorySnapshot } from '../emit/snapshot.ts'
import { referenceFiles } from '../explorer/reference-files.ts'
import { indexedFields } from '../model/indexed-fields.ts'
import { termsVersion } from '../query/post-terms.ts'
import type { SectionTable } from '../query/sections.ts'
import { tokenizer } from './rules/search.ts'
import { type PendingSegment, SiteSearch } from './search.ts'
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
  const posts = workspaces.reduce((sum, { posts }) => sum + posts.length, 0)
  const search = new SiteSearch({ ...options, memo: site.memo, posts })
  try {
    const segments = site.workspaces.map((of, at) => search.start(of, visible[at]?.first ?? 0))
    const previews = site.workspaces.flatMap(({ preview }) => preview ?? [])
    const draftSegments = previews.map((of) => search.start(of, 0))
    await writeMedia(site, publication)
    await writeResponses(site, publication, options)
    for (const file of referenceFiles(workspaces, options)) await publication.add(file)
    stopwatch.lap('responses')
    const bundled = { site, visible, segments, previews, draftSegments }
    const manifest = await writeBundle(bundled, publication, options)
    for (const { snapshot } of site.workspaces) snapshot.storeTags()
    stopwatch.lap('index')
    options.signal?.throwIfAborted()
    const changes = await publication.publish(manifest)
    stopwatch.lap('publish')
    return { manifest, changes }
  } finally {
    await search.close()
  }
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
      if (!keepKnown(planned, snapshot, publication)) {
        await writeResponse(planned, snapshot, publication, now)
      }
      await turns.next()
    }
  }
}

/** A post with unchanged fragments keeps its entity tag, so no response is produced to compute it. */
function keepKnown(
  { request, post, paths, stage }: PlannedFile,
  snapshot: MemorySnapshot,
  publication: Publication,
): boolean {
  const etag = post === null ? undefined : snapshot.tagOf(post, request.parameters.format)
  return etag !== undefined && publication.keep({ etag, paths, stage })
}

async function writeResponse(
  { request, post, paths, stage }: PlannedFile,
  snapshot: MemorySnapshot,
  publication: Publication,
  now: number,
): Promise<void> {
  const response = await respond(request, snapshot, now)
  if (response.status !== 200) throw new Error(`a planned request failed: ${paths[0]}`)
  const etag = etagOf(response.body, snapshot, sha256)
  if (post !== null) snapshot.noteTag(post, request.parameters.format, etag)
  await publication.add({ bytes: () => bodyBytes(response.body, snapshot), etag, paths, stage })
}

function sha256(bytes: Uint8Array): Uint8Array {
  return hash('sha256', bytes, 'buffer')
}

/** Workspaces and previews, with the state of each by index. */
interface BundledSite {
  readonly site: Site
  readonly visible: readonly Visibility[]
  readonly segments: readonly (readonly PendingSegment[])[]
  readonly previews: readonly SiteWorkspace[]
  readonly draftSegments: BundledSite['segments']
}

/** Writes the files that the function needs for all other requests; the manifest describes both kinds. */
async function writeBundle(
  { site, visible, segments, previews, draftSegments }: BundledSite,
  publication: Publication,
  options: WriteOptions,
): Promise<Manifest> {
  const { limitAll, baseUrl, signal } = options
  const turns = new Yielder(signal)
  const bundle = new Bundle(site.memo, { limitAll, baseUrl })
  const add = async ({ path, ...file }: BundleFile) => {
    // Files are named by their content: drafts share most of them with other posts.
    const isThere = publication.files.has(path)
    if (!isThere) await publication.add({ ...file, paths: [path], stage: 'data' })
    await turns.next()
  }
  const terms = site.memo.getMade(tokenizer, '', () => ({ version: utf8(termsVersion()) }))
  const addAll = async (
    inputs: readonly Omit<BundleInput, 'assets'>[],
    searches: BundledSite['segments'],
  ) => {
    // Files without search first: threads may still work on the segments.
    for (const input of inputs) {
      const assets = await input.snapshot.assets()
      for (const file of bundle.add({ ...input, assets })) await add(file)
    }
    for (const pending of searches) {
      const bundled: BundledSegment<SectionTable>[] = []
      for (const made of pending) {
        const { segment, files } = await made()
        for (const file of files) await add(file)
        bundled.push(segment)
      }
      await add(bundle.addSearch({ terms, segments: bundled }))
    }
  }
  const built = site.workspaces.map((of, at) => ({ ...of, scheduled: visible[at]?.first ?? 0 }))
  await addAll(built, segments)
  // The build's id and the changes between builds are public, so neither depends on drafts.
  const identified = inUploadOrder(publication.files, publication.lastFiles)
  const withDrafts = previews.map((of) => ({ ...of, scheduled: 0, hasDrafts: true }))
  await addAll(withDrafts, draftSegments)
  const hasNew = previews.length > 0
  const files = hasNew ? inUploadOrder(publication.files, publication.lastFiles) : identified
  const { build, path, bytes } = await bundle.root(async (fingerprint) => {
    const id = buildId(identified, fingerprint)
    if (options.changes !== true) return { build: id }
    const { writeChanges } = await import('./write-changes.ts')
    const changed = built.map((of) => ({ ...of.workspace, ...of }))
    const surroundings = { ...options.precompute, now: options.now }
    return { build: id, ...(await writeChanges(id, changed, publication, surroundings)) }
  })
  await publication.add({ bytes: () => bytes, paths: [path], stage: 'index' })
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
    files: inUploadOrder(publication.files, files),
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
