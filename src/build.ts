// The build pipeline: scans, parses and renders the content, responds to every canonical request, and writes the
// responses.
import type { Cache } from './cache/cache.ts'
import type { CacheAccess } from './cache/cache-access.ts'
import type { Settings } from './config.ts'
import type { ListFolder } from './content/entries.ts'
import { type Scan, Scanner } from './content/scan.ts'
import { StatCache } from './content/stat-cache.ts'
import { type Diagnostic, sortDiagnostics } from './diagnostics.ts'
import type { Manifest } from './emit/manifest.ts'
import { type OutputFolder, openOutput } from './emit/output-folder.ts'
import { type Changes, Publication } from './emit/publication.ts'
import { Memo } from './memo/memo.ts'
import { assertPosts } from './pipeline/build-checks.ts'
import { CacheSource } from './pipeline/cache-source.ts'
import { type ContentPlace, findContent } from './pipeline/content-place.ts'
import {
  type BuildInput,
  buildParts,
  manifestParts,
  type StoredBuild,
  wholeBuild,
  writtenManifest,
} from './pipeline/rules/build.ts'
import type { LoadOptions } from './pipeline/site.ts'
import { isSmallBuild } from './pipeline/small-build.ts'
import { readToolId, type ToolId } from './pipeline/tool-id.ts'
import { Stopwatch } from './pipeline/trace.ts'

/** Options of a build. */
export interface BuildOptions extends Pick<LoadOptions, 'drafts' | 'onProgress' | 'trace'> {
  /** Lists a folder. @default Node's file system */
  readonly listFolder?: ListFolder | undefined
  /** Time in milliseconds since 1970. Later posts are scheduled. @default the clock */
  readonly now?: number | undefined
  /** Ignores the cache: renders every body and writes every file again. @default false */
  readonly isForced?: boolean | undefined
  /** Allows a workspace that had posts in the last build to have none. @default false */
  readonly isEmptyAllowed?: boolean | undefined
  /** Cache access. */
  readonly caching?: CacheAccess | undefined
}

/** The result of a build. */
export interface BuildResult {
  readonly manifest: Manifest
  readonly changes: Changes
  /** Number of rendered bodies, that is, bodies missing from the cache. */
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
 * @throws LockError when another build is writing to the output folder
 */
export async function build(settings: Settings, options: BuildOptions = {}): Promise<BuildResult> {
  const started = performance.now()
  const { now = Date.now() } = options
  const source = new CacheSource(settings.cache, { ...options.caching, isUnread: options.isForced })
  for (;;) {
    const cache = source.open()
    try {
      const result = await buildWith(cache, settings, { ...options, now })
      return { ...result, timings: { ...result.timings, total: performance.now() - started } }
    } catch (error) {
      if (!source.recovers(error)) throw error
    } finally {
      cache.close()
    }
  }
}

/** A result without its total time. */
type Timed = Omit<BuildResult, 'timings'> & {
  readonly timings: Omit<BuildResult['timings'], 'total'>
}

async function buildWith(
  cache: Cache,
  settings: Settings,
  options: BuildOptions & { readonly now: number },
): Promise<Timed> {
  const { now, trace, drafts } = options
  const stopwatch = new Stopwatch(trace)
  const tool = readToolId()
  const folder = await openOutput(settings.out, settings.content)
  const publication = new Publication(folder, {
    isForced: options.isForced,
    isOwnerOnly: settings.ownerOnly,
  })
  try {
    const scanned = performance.now()
    const { root, mounts } = await findContent(settings)
    const scanOptions = { ...options, tool, mounts }
    const { scan, newFiles, isStored } = await scanContent(root, cache, scanOptions)
    const memo = new Memo(cache, { version: tool.tool })
    const { renderer } = tool
    const input = { settings, renderer, fingerprint: scan.fingerprint, drafts }
    const same = scan.isWhole ? findBuild(memo, input, now) : undefined
    believeManifest(folder, memo)
    trace?.onScan?.({ files: scan.files.length, newFiles })
    stopwatch.lap('scan')
    const unchanged = same && (await publication.publishLast(same.manifest))
    if (same !== undefined && unchanged !== undefined) {
      if (isStored) cache.save({ isComplete: false })
      stopwatch.lap('publish')
      const timings = { read: performance.now() - scanned, render: 0, write: 0 }
      return { ...unchanged, rendered: 0, diagnostics: same.diagnostics, timings }
    }
    const lastWorkspaces = folder.manifestFile?.workspaces
    const found = { cache, tool, root, scan, newFiles, lastWorkspaces }
    const built = await runBuild(publication, settings, { ...options, ...found })
    const { manifestHash: manifest } = publication
    if (manifest !== undefined) {
      memo.add(writtenManifest, manifest, manifestParts(input))
      const { diagnostics } = built
      const parts = buildParts({ manifest, diagnostics }, built.manifest)
      if (scan.isWhole) memo.add(wholeBuild, input, parts)
    }
    cache.save({ isComplete: true })
    return { ...built, diagnostics: sortDiagnostics([...built.diagnostics, ...built.lost]) }
  } catch (error) {
    // Keeps rendered bodies, so that the next build does not render them again.
    cache.save({ isComplete: false })
    throw error
  } finally {
    await publication.discard()
  }
}

function believeManifest({ manifestFile }: OutputFolder, memo: Memo): void {
  if (manifestFile !== null && memo.has(writtenManifest, manifestFile.sha256))
    manifestFile.believe()
}

/** Returns the stored build of the same input if the same posts are scheduled now. */
function findBuild(memo: Memo, input: BuildInput, now: number): StoredBuild | undefined {
  const stored = memo.find(wholeBuild, input)
  return stored?.isTrueAt(now) === true ? stored : undefined
}

/** Scans the content. The stat cache goes out of scope here, as it may hold many files. */
async function scanContent(
  root: string,
  cache: Cache,
  { listFolder, tool, mounts }: BuildOptions & Pick<Input, 'tool'> & Pick<ContentPlace, 'mounts'>,
): Promise<Pick<Input, 'scan' | 'newFiles'> & { readonly isStored: boolean }> {
  const stats = new StatCache(root, tool.tool, mounts)
  stats.load(cache)
  const { hashes, listings } = stats
  const scan = await new Scanner(root, {
    listFolder,
    listings,
    hashes,
    mounts,
  }).scan()
  const paths = scan.files.map(({ path }) => path)
  return { scan, newFiles: hashes.newFiles, isStored: stats.store(cache, paths) }
}

interface Input {
  readonly cache: Cache
  readonly tool: ToolId
  /** The content folder: absolute, with links resolved. */
  readonly root: string
  readonly scan: Scan
  /** Number of files that are new to the cache, an estimate of the bodies to render. */
  readonly newFiles: number
  /** The workspaces of the last build, from its manifest; undefined without one. */
  readonly lastWorkspaces: Manifest['workspaces'] | undefined
  readonly now: number
}

/** A build result. `lost` holds the warnings that depend on the previous build; they are not stored. */
type Built = Timed & { readonly lost: readonly Diagnostic[] }

/** Loads, renders and writes the scanned content. */
async function runBuild(
  publication: Publication,
  settings: Settings,
  { cache, tool, root, scan, newFiles, lastWorkspaces, ...options }: BuildOptions & Input,
): Promise<Built> {
  // Imported here because an unchanged build needs none of this code, which is most of the code and all packages. The
  // rendering threads start during the import.
  const { renderThreads } = await import('./pipeline/render-threads.ts')
  const isSmall = isSmallBuild({ files: scan.files.length, newFiles })
  const threads = renderThreads({ ...settings, ...options })
  try {
    const { SiteLoader } = await import('./pipeline/site.ts')
    const { writeSite } = await import('./pipeline/write-site.ts')
    const { lostSlugs } = await import('./pipeline/lost-slugs.ts')
    const loader = new SiteLoader(root, cache, tool, { ...settings, ...options }, threads)
    const site = await loader.load(scan, options.now)
    const workspaces = site.workspaces.map(({ workspace }) => workspace)
    if (options.isEmptyAllowed !== true) {
      assertPosts(workspaces, lastWorkspaces)
    }
    // Frees their memory early; the `finally` block awaits their end.
    void threads.close()
    const loaded = performance.now()
    const writing = { ...settings, ...options, isSmall }
    const written = await writeSite(site, publication, writing)
    options.trace?.onRules?.(site.memo.runs)
    const timings = { ...site.timings, write: performance.now() - loaded }
    const { rendered, diagnostics } = site
    const lost = lostSlugs(workspaces, publication, settings.ignoredWarnings)
    return { ...written, rendered, diagnostics, lost, timings }
  } finally {
    await threads.close()
  }
}
