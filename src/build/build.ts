// A build on one page: reads the content, makes the site of it, plans every response, and writes what changed.
import { hash } from 'node:crypto'
import type { Settings } from '../config.ts'
import type { ListFolder } from '../content/entries.ts'
import { type Diagnostic, sortDiagnostics } from '../diagnostics.ts'
import type { BuildCache, CacheAccess } from './cache.ts'
import { assertPosts, lostSlugs } from './checks.ts'
import type { BuildStepName, LoadOptions, Site } from './load.ts'
import type { Manifest } from './manifest.ts'
import { type OutputFolder, openOutput } from './output.ts'
import { type Content, findContent, readContent } from './read.ts'
import { Tools } from './tools.ts'
import { type Changes, Writer } from './write.ts'

export type { BuildStepName }

/** Options of a build. */
export interface BuildOptions extends LoadOptions {
  /** Lists a folder. @default Node's file system */
  readonly listFolder?: ListFolder | undefined
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
  const tools = new Tools(settings, options)
  try {
    return (await buildWith(tools, settings, options)).result
  } finally {
    await tools.close()
  }
}

/**
 * Checks and renders all content, and writes nothing but the cache.
 *
 * @returns warnings, sorted
 * @throws BuildError with every problem when one of them is an error
 * @throws ContentFolderError when there is no content folder
 */
export async function checkContent(
  settings: Settings,
  options: Pick<BuildOptions, 'onProgress' | 'caching' | 'now'> = {},
): Promise<readonly Diagnostic[]> {
  const tools = new Tools(settings, options)
  try {
    const { diagnostics } = await tools.withCache(async (cache) => {
      const content = await readContent(await findContent(settings), cache)
      const { loadSite } = await import('./load.ts')
      return loadSite(content, tools, settings, options)
    })
    tools.cache.save()
    return diagnostics
  } finally {
    await tools.close()
  }
}

/** A build, and what it was made of. */
export interface Built {
  readonly result: BuildResult
  /** Undefined for a build that found everything as it was. */
  readonly site?: Site
}

/** Options of a build that only this process reads. */
interface LocalOptions extends BuildOptions {
  /** The content, if it was just read with these tools. */
  readonly content?: Content
  /** Loads the site even if it is as the last build left it. @default false */
  readonly isLoaded?: boolean
}

/** Builds with tools that later builds use too. @throws as `build` does */
export function buildWith(tools: Tools, settings: Settings, options: LocalOptions): Promise<Built> {
  const now = options.now ?? Date.now()
  return tools.withCache(async (cache, isUnread) => {
    const { isForced, isLoaded = false, listFolder } = options
    const folder = await openOutput(settings.out, settings.content)
    const writer = new Writer(folder, { isForced, isOwnerOnly: settings.ownerOnly })
    try {
      const started = performance.now()
      options.onStep?.('read')
      const known = isUnread ? undefined : options.content
      const content = known ?? (await readContent(await findContent(settings), cache, listFolder))
      const key = keyOf(content, tools, settings, options)
      const isSame = !(isUnread || isLoaded) && isLastBuild(folder, key, cache, now)
      const last = isSame && writer.isLastWhole() ? folder.last : null
      if (last === null)
        return await write(content, key, writer, { ...options, tools, settings, now, started })
      if (content.isNew) cache.save()
      const { diagnostics = [] } = cache.last ?? {}
      const changes = { written: 0, unchanged: last.fileCount, removed: 0 }
      return {
        result: { manifest: last, changes, rendered: 0, diagnostics, timings: timingsOf(started) },
      }
    } finally {
      writer.close()
    }
  })
}

/** Makes the site of the content, and writes what changed. */
async function write(
  content: Content,
  key: string,
  writer: Writer,
  options: LocalOptions & {
    readonly tools: Tools
    readonly settings: Settings
    readonly now: number
    readonly started: number
  },
): Promise<Built> {
  const { tools, settings, started, isEmptyAllowed = false } = options
  const { cache } = tools
  // Most of the code and all packages are not needed where nothing changed.
  const { loadSite } = await import('./load.ts')
  const { writeSite } = await import('./files.ts')
  const site = await loadSite(content, tools, settings, options)
  const workspaces = site.workspaces.map(({ workspace }) => workspace)
  if (!isEmptyAllowed) assertPosts(workspaces, writer.last?.workspaces)
  const loaded = performance.now()
  const manifest = await writeSite(site, writer, settings, options)
  options.onStep?.('write')
  const changes = writer.publish(manifest)
  const { diagnostics, bodies } = site
  const last = { key, manifest: writer.manifestSha256, diagnostics }
  cache.last = content.isWhole ? last : undefined
  cache.save(bodies.used)
  const lost = lostSlugs(workspaces, writer, settings.ignoredWarnings)
  return {
    site,
    result: {
      manifest,
      changes,
      rendered: bodies.rendered,
      diagnostics: sortDiagnostics([...diagnostics, ...lost]),
      timings: timingsOf(started, site.rendering, loaded),
    },
  }
}

/** Equal for builds that write equal files, and report equal warnings, while the same posts are scheduled. */
function keyOf(
  { fingerprint }: Content,
  { id }: Tools,
  settings: Settings,
  { drafts = false }: BuildOptions,
): string {
  const { precompute, limitAll, changes, frontMatter, baseUrl, links, markdown } = settings
  const used = { precompute, limitAll, changes, frontMatter, baseUrl, links, markdown, drafts }
  return hash('sha256', JSON.stringify([id, fingerprint, used, settings.ignoredWarnings]))
}

/** Reports whether the last build had the same key, and the same posts are scheduled. */
function isLastBuild(
  { last, manifestSha256 }: OutputFolder,
  key: string,
  cache: BuildCache,
  now: number,
): boolean {
  if (cache.last?.key !== key || cache.last.manifest !== manifestSha256) return false
  const { validFrom = null, validUntil = null } = last ?? {}
  return (
    now >= (validFrom === null ? -Infinity : Date.parse(validFrom)) &&
    now < (validUntil === null ? Infinity : Date.parse(validUntil))
  )
}

/** @param loaded when the site was loaded. @default it was not */
function timingsOf(started: number, render = 0, loaded?: number): BuildResult['timings'] {
  const now = performance.now()
  const write = loaded === undefined ? 0 : now - loaded
  return { read: now - started - render - write, render, write, total: now - started }
}
