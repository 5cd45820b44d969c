// The pipeline on one page: content is read, made out and rendered; every canonical request is answered, and
// the answers are written down. Knows nothing of terminals.
import { rmSync } from 'node:fs'
import { bodyBytes, etagOf } from './api/answer.ts'
import { respond } from './api/respond.ts'
import { published } from './api/visibility.ts'
import { Cache } from './cache/cache.ts'
import { CacheDamageError } from './cache/pack-reader.ts'
import type { Settings } from './config.ts'
import type { ListFolder } from './content/entries.ts'
import { Scanner } from './content/scan.ts'
import { resolveFolder } from './content/tree.ts'
import type { Diagnostic } from './diagnostics.ts'
import { Bundle } from './emit/bundle.ts'
import { buildId, type Manifest, makeManifest, type WorkspaceCounts } from './emit/manifest.ts'
import { openOutput } from './emit/output-folder.ts'
import { type Precompute, planWorkspace } from './emit/plan.ts'
import { type Changes, Publication } from './emit/publication.ts'
import { referenceFiles } from './explorer/reference-files.ts'
import { KnownBuilds } from './known-builds.ts'
import type { LoadOptions, Site, SiteLoader, SiteWorkspace } from './site.ts'
import { readToolId } from './tool-id.ts'
import { Turns } from './turns.ts'

/** How a build is run. */
export interface BuildOptions extends Pick<LoadOptions, 'onProgress'> {
  /** How folders are listed. @default Node's file system */
  readonly listFolder?: ListFolder | undefined
  /** The moment that decides what is published, in milliseconds since 1970. @default the clock */
  readonly now?: number | undefined
  /** Writes every file again, also those that did not change. @default false */
  readonly isForced?: boolean | undefined
}

/** What a build did. */
export interface BuildResult {
  readonly manifest: Manifest
  readonly changes: Changes
  /** Bodies rendered: those that the cache did not hold. */
  readonly rendered: number
  /** Warnings, sorted. */
  readonly diagnostics: readonly Diagnostic[]
  /** Milliseconds. */
  readonly timings: {
    readonly read: number
    readonly render: number
    readonly write: number
    readonly total: number
  }
}

/**
 * Builds the content into the output folder.
 *
 * @throws BuildError with every problem when the content has errors; nothing is written
 * @throws ContentFolderError when there is no content folder
 * @throws OutputError when the output folder must not or cannot be written to
 * @throws LockError when another build is at work in it
 */
export async function build(settings: Settings, options: BuildOptions = {}): Promise<BuildResult> {
  const started = performance.now()
  const { now = Date.now() } = options
  let folder = settings.cache
  for (;;) {
    const cache = Cache.open(folder)
    try {
      const result = await buildWith(cache, settings, { ...options, now })
      return { ...result, timings: { ...result.timings, total: performance.now() - started } }
    } catch (error) {
      if (!(error instanceof CacheDamageError)) throw error
      // Seen before anything was moved in. Without that file, all that was in it is made again.
      folder = removeFile(error.path) ? folder : null
    } finally {
      cache.close()
    }
  }
}

function removeFile(path: string): boolean {
  try {
    rmSync(path)
    return true
  } catch {
    return false
  }
}

type Timed = Omit<BuildResult, 'timings'> & {
  readonly timings: Omit<BuildResult['timings'], 'total'>
}

async function buildWith(
  cache: Cache,
  settings: Settings,
  options: BuildOptions & { readonly now: number },
): Promise<Timed> {
  const { now } = options
  const tool = readToolId()
  const publication = new Publication(
    await openOutput(settings.out, settings.content),
    options.isForced,
  )
  let loader: SiteLoader | undefined
  try {
    const scanned = performance.now()
    const root = await resolveFolder(settings.content)
    const scan = new Scanner(root, options).scan()
    const known = new KnownBuilds(cache, { tool, settings, scan })
    const same = options.isForced === true ? undefined : known.find(now)
    const manifest = same === undefined ? undefined : publication.keepAll(same.build)
    if (same !== undefined && manifest !== undefined) {
      const changes = await publication.publish(manifest)
      const timings = { read: performance.now() - scanned, render: 0, write: 0 }
      return { manifest, changes, rendered: 0, diagnostics: same.diagnostics, timings }
    }
    // Most of the code, and all its packages: not needed where nothing changed.
    const { SiteLoader } = await import('./site.ts')
    loader = new SiteLoader(root, cache, tool, { ...settings, ...options })
    const site = await loader.load(scan)
    const loaded = performance.now()
    const written = await writeSite(site, publication, { ...settings, now })
    known.add(written.manifest, site.diagnostics)
    cache.save({ isComplete: true })
    const timings = { ...site.timings, write: performance.now() - loaded }
    return { ...written, rendered: site.rendered, diagnostics: site.diagnostics, timings }
  } catch (error) {
    // What was rendered need not be rendered again once the content is mended.
    cache.save({ isComplete: false })
    throw error
  } finally {
    await loader?.close()
    await publication.discard()
  }
}

/** How a site is written down. */
export interface WriteOptions {
  readonly precompute: Precompute
  readonly now: number
  /** Ends the writing before anything is moved in. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Writes down what a site answers. Others get a turn now and then.
 *
 * @throws OutputError when it cannot be written; the signal's reason when it was ended
 */
export async function writeSite(
  site: Site,
  publication: Publication,
  options: WriteOptions,
): Promise<{ readonly manifest: Manifest; readonly changes: Changes }> {
  await writeAnswers(site, publication, options)
  const workspaces = site.workspaces.map(({ workspace }) => workspace)
  for (const file of referenceFiles(workspaces)) await publication.add(file)
  const manifest = await writeBundle(site, publication, options)
  options.signal?.throwIfAborted()
  return { manifest, changes: await publication.publish(manifest) }
}

/** Every canonical request, answered and written down. */
async function writeAnswers(
  { workspaces }: Site,
  publication: Publication,
  { precompute, now, signal }: WriteOptions,
): Promise<void> {
  const turns = new Turns(signal)
  for (const { workspace, snapshot } of workspaces) {
    for (const { request, paths, stage } of planWorkspace(workspace, snapshot, precompute, now)) {
      const answer = await respond(request, snapshot, now)
      if (answer.status !== 200) throw new Error(`a planned request failed: ${paths[0]}`)
      await publication.add({
        bytes: () => bodyBytes(answer.body, snapshot),
        etag: etagOf(answer.body, snapshot),
        paths,
        stage,
      })
      await turns.next()
    }
  }
}

/** What the function needs to answer everything else; the manifest describes both. */
async function writeBundle(
  site: Site,
  publication: Publication,
  { now, signal }: WriteOptions,
): Promise<Manifest> {
  const turns = new Turns(signal)
  const bundle = new Bundle(site.derive)
  const moments = site.workspaces.map((workspace) => momentsOf(workspace, now))
  for (const [index, { workspace, snapshot }] of site.workspaces.entries()) {
    const scheduled = moments[index]?.scheduled ?? 0
    for (const { path, ...file } of bundle.add({ workspace, snapshot, scheduled })) {
      await publication.add({ ...file, paths: [path], stage: 'data' })
      await turns.next()
    }
  }
  const build = buildId(publication.files, bundle.fingerprint())
  const { path, bytes } = await bundle.index(build)
  await publication.add({ bytes: () => bytes, paths: [path], stage: 'index' })
  return makeManifest({
    build,
    validFrom: isoDate(Math.max(...moments.map(({ validFrom }) => validFrom))),
    validUntil: isoDate(Math.min(...moments.map(({ validUntil }) => validUntil))),
    workspaces: Object.fromEntries(
      site.workspaces.map(({ workspace }, index) => [
        workspace.id,
        countsOf(workspace, moments[index]?.scheduled ?? 0),
      ]),
    ),
    files: publication.files,
  })
}

/** Posts of a workspace that are scheduled at a moment. */
export function scheduledCount(workspace: SiteWorkspace, now: number): number {
  return momentsOf(workspace, now).scheduled
}

/** When a workspace's files begin and cease to be true; infinite for always and for ever. */
function momentsOf(
  { workspace, snapshot }: SiteWorkspace,
  now: number,
): { readonly validFrom: number; readonly validUntil: number; readonly scheduled: number } {
  const all = Uint32Array.from(workspace.posts, (_, ordinal) => ordinal)
  const { posts, validUntil } = published(all, snapshot, now)
  const [latest] = posts
  return {
    validFrom: latest === undefined ? Number.NEGATIVE_INFINITY : snapshot.publishedAt(latest),
    validUntil: validUntil ?? Number.POSITIVE_INFINITY,
    scheduled: all.length - posts.length,
  }
}

function countsOf(workspace: SiteWorkspace['workspace'], scheduled: number): WorkspaceCounts {
  const { name, posts, categories, tags, authors } = workspace
  return {
    name,
    posts: posts.length - scheduled,
    scheduled,
    categories: categories.length,
    tags: tags.length,
    authors: authors.length,
  }
}

function isoDate(time: number): string | null {
  return Number.isFinite(time) ? new Date(time).toISOString() : null
}
