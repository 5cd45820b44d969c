// A build on one page: reads the content, makes the site, plans every response, and writes what changed.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Settings } from '../config.ts'
import { BuildError, type Diagnostic, warningsIn } from '../diagnostics.ts'
import type { RenderPool } from '../markdown/pool.ts'
import { BuildCache, type BuildNotes, CacheError } from './cache.ts'
import type { Manifest } from './manifest.ts'
import { assertCacheFolder, type Changes, type Output, openOutput } from './output.ts'
import { type Content, readContent } from './read.ts'
import type { Site, SiteOptions, SiteTools } from './site.ts'

/** Options of a build. */
export interface BuildOptions extends SiteOptions {
  /** Ignores the cache: renders every body and writes every file again. @default false */
  readonly isForced?: boolean | undefined
  /** Allows a workspace that had posts in the last build to have none. @default false */
  readonly isEmptyAllowed?: boolean | undefined
  /** Writes only data of the function, without the search index and without responses. @default false */
  readonly isDataOnly?: boolean | undefined
}

/** The result of a build. */
export interface BuildResult extends BuildNotes {
  readonly manifest: Manifest
  readonly changes: Changes
  /** Number of rendered bodies, that is, bodies missing from the cache. */
  readonly rendered: number
  /** True if the last build could not be read, so that the recorded changes begin with this one. */
  readonly isHistoryLost: boolean
  /** Milliseconds. */
  readonly timings: { readonly total: number }
}

/**
 * Builds the content into the output folder.
 *
 * @throws as `Builder.build` does
 */
export async function build(settings: Settings, options: BuildOptions = {}): Promise<BuildResult> {
  const builder = new Builder(settings, options)
  try {
    return (await builder.build()).result
  } finally {
    await builder.close()
  }
}

/**
 * Checks and renders all content, and writes nothing but the cache.
 *
 * @returns warnings, sorted
 * @throws BuildError with every problem when one of them is an error
 * @throws UseError when there is no content folder
 */
export async function checkContent(
  settings: Settings,
  options: Pick<BuildOptions, 'onProgress' | 'now'> = {},
): Promise<readonly Diagnostic[]> {
  const builder = new Builder(settings, options)
  try {
    const { diagnostics } = await builder.makeSite()
    builder.cache.save()
    return diagnostics
  } finally {
    await builder.close()
  }
}

/** A build, and the site that it was made from. */
export interface Built {
  readonly result: BuildResult
  /** Undefined if nothing has changed since the last build. */
  readonly site?: Site
}

/** Builds one site, once or repeatedly. Keeps the cache and the threads between builds. */
export class Builder {
  cache: BuildCache
  readonly #settings: Settings
  readonly #options: BuildOptions
  readonly #version = versionOfTool()
  /** True if the cache was not read. */
  #isUnread: boolean
  #pool: RenderPool | undefined

  constructor(settings: Settings, options: BuildOptions = {}) {
    this.#settings = settings
    this.#options = options
    this.#isUnread = options.isForced === true
    this.cache = this.#openCache()
  }

  /**
   * Builds the content into the output folder.
   *
   * @param known the content, if it has just been read. The site is then made even if nothing has changed
   * @param now milliseconds since 1970
   * @throws BuildError with every problem when the content has errors; nothing is written
   * @throws UseError when there is no content folder
   * @throws OutputError when writing to the output folder is not allowed or not possible
   * @throws LockError when another build is writing to the output folder
   */
  async build(known?: Content, now: number = this.#options.now ?? Date.now()): Promise<Built> {
    return this.#withCache(async () => {
      const { content, out } = this.#settings
      const output = await openOutput(out, content, this.#options.isForced)
      try {
        return await this.#buildInto(output, known, now)
      } finally {
        output.close()
      }
    })
  }

  /** Reads, checks and renders the content. @throws as `build` does */
  makeSite(): Promise<Site> {
    return this.#withCache(async () => {
      const { makeSite } = await import('./site.ts')
      return makeSite(await this.read(), await this.#tools(), this.#settings, this.#options)
    })
  }

  /** Reads the content. @throws UseError when there is no content folder */
  async read(): Promise<Content> {
    return readContent(this.#settings, this.cache)
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await this.#pool?.close()
    this.#pool = undefined
  }

  async #buildInto(output: Output, known: Content | undefined, now: number): Promise<Built> {
    const started = performance.now()
    const options = { ...this.#options, now }
    const content = this.#isUnread || known === undefined ? await this.read() : known
    const tools = await this.#tools()
    const key = this.#keyOf(content, tools)
    const last = known === undefined ? this.#lastNotes(key, output, now) : undefined
    if (last !== undefined && output.isLastWhole()) {
      this.cache.save()
      const manifest = output.last as Manifest
      const changes = { written: 0, unchanged: manifest.fileCount, removed: 0 }
      const timings = { total: performance.now() - started }
      return { result: { ...last, manifest, changes, rendered: 0, isHistoryLost: false, timings } }
    }
    // Most of the code and all packages are needed only if something has changed.
    const { assertPosts, makeSite } = await import('./site.ts')
    const site = await makeSite(content, tools, this.#settings, options)
    // The threads of a single build have no more work, and hold 110 MB (2026-11).
    if (known === undefined) await this.close()
    if (options.isEmptyAllowed !== true) assertPosts(site.workspaces, output.last)
    const { writeSite } = await import('./write.ts')
    const written = await writeSite(site, output, this.#settings, options)
    const { manifest, lost, isLastDamaged } = written
    const isHistoryLost = isLastDamaged && this.#settings.changes
    const changes = output.publish(manifest)
    const notes = notesOf(site)
    // The key changes when a build has read the history of the repository for the first time.
    const later = this.#keyOf(content, tools)
    this.cache.last = { key: later, manifest: output.manifestSha256, notes }
    this.cache.save(true)
    const all = [...notes.diagnostics, ...lost]
    const diagnostics = warningsIn(this.#settings.ignoredWarnings, all)
    const timings = { total: performance.now() - started }
    const { rendered } = site
    return {
      site,
      result: { ...notes, manifest, changes, rendered, isHistoryLost, diagnostics, timings },
    }
  }

  /** Returns a key. Builds with equal keys and the same scheduled posts write equal files and report equal warnings. */
  #keyOf({ fingerprint, commit: ask }: Content, { scaling }: SiteTools): string {
    const { drafts = false, isDataOnly } = this.#options
    const commit = this.cache.git && ask()
    const used = [this.#version, fingerprint, this.#settings, drafts, isDataOnly, commit, scaling]
    return hash('sha256', JSON.stringify(used))
  }

  /** Loads sharp if images are scaled, so that a missing package is reported before anything is built. */
  async #tools(): Promise<SiteTools> {
    const { widths, preview } = this.#settings.scaling
    const tools = { cache: this.cache, threads: this.#threads }
    if (widths.length === 0 && !preview) return { ...tools, scaling: null }
    const { default: sharp } = await import('sharp')
    const version = Object.values(sharp.versions).join(' ')
    return { ...tools, scaling: { sharp, version, widths, preview } }
  }

  /** Returns the notes of the last build; undefined unless it had the same key and the same scheduled posts. */
  #lastNotes(key: string, { last, manifestSha256 }: Output, now: number): BuildNotes | undefined {
    const known = this.cache.last
    if (this.#isUnread || known?.key !== key || known.manifest !== manifestSha256) return undefined
    const from = Date.parse(last?.validFrom ?? '') || Number.NEGATIVE_INFINITY
    const until = Date.parse(last?.validUntil ?? '') || Number.POSITIVE_INFINITY
    return from <= now && now < until ? known.notes : undefined
  }

  /** Runs a function; runs it again with an empty cache if the cache is damaged. */
  async #withCache<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof BuildError) error.folder = this.#settings.content
      if (!(error instanceof CacheError)) throw error
      this.#isUnread = true
      this.cache = this.#openCache()
      return work()
    }
  }

  #openCache(): BuildCache {
    const { cache, out, content, workspaces, mediaRoots, frontMatterBytes } = this.#settings
    assertCacheFolder(cache, out, content)
    const layout = JSON.stringify([workspaces, mediaRoots, frontMatterBytes])
    return new BuildCache(cache, this.#version, layout, this.#isUnread)
  }

  /** Returns the threads that render. They start with the first body. */
  readonly #threads = async (): Promise<RenderPool> => {
    if (this.#pool !== undefined) return this.#pool
    const { workers, markdown } = this.#settings
    const { createRenderPool } = await import('../markdown/pool.ts')
    // Reports a missing package before a thread needs it.
    if (markdown.math) await import('remark-math')
    this.#pool = createRenderPool({ ...(workers === undefined ? {} : { workers }), markdown })
    return this.#pool
  }
}

const templateLink = /^https?:\/\/example\.com\//

function notesOf({ workspaces, diagnostics }: Site): BuildNotes {
  const unlinked = workspaces
    .filter(({ destinations }) => templateLink.test(destinations.settings.post ?? ''))
    .map(({ id }) => id)
  const drafts = workspaces.map(({ id, drafts, draftPosts }): [string, number] => {
    const all = drafts.filter(({ hidden }) => hidden === 'draft')
    return [id, all.length - draftPosts.length]
  })
  return { diagnostics, unlinked, drafts: Object.fromEntries(drafts) }
}

/** Returns what changes with any code, and with Node's Unicode version, on which slugs and texts depend. */
function versionOfTool(): string {
  const id = readFileSync(new URL(import.meta.resolve('#tool-id')), 'utf8')
  return `${id} ICU ${process.versions['icu']}, Unicode ${process.versions['unicode']}`
}
