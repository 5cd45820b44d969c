// The loop behind `quarry dev`: watches the content, rebuilds it after a change, and keeps the last good site.
// Terminals and browsers are listeners.
import type { BuildResult } from './build.ts'
import type { CacheAccess } from './cache/cache-access.ts'
import type { Settings } from './config.ts'
import { HashCache } from './content/hash-cache.ts'
import { fileChanged, fileGone } from './content/read-file.ts'
import { type Scan, Scanner } from './content/scan.ts'
import { BuildError, type Diagnostic, isError } from './diagnostics.ts'
import { openOutput } from './emit/output-folder.ts'
import { Publication } from './emit/publication.ts'
import { watchFolders } from './hosts/watch.ts'
import type { Workspace } from './model/library.ts'
import { BackgroundWriter } from './pipeline/background-writer.ts'
import { CacheSource } from './pipeline/cache-source.ts'
import { findContent, watchedFolders } from './pipeline/content-place.ts'
import { Loading } from './pipeline/loading.ts'
import { ServedImages } from './pipeline/served-images.ts'
import { emptySite, servedSite } from './pipeline/served-site.ts'
import type { LoadOptions, Site } from './pipeline/site.ts'
import { writeSite } from './pipeline/write-site.ts'
import type { ServedSite } from './runtime/site.ts'

/** An event of the loop. */
export type DevEvent =
  /** New responses are being served. */
  | {
      readonly kind: 'built'
      readonly site: ServedSite
      /** The workspaces behind the responses. */
      readonly workspaces: readonly Workspace[]
      /** Warnings, sorted. */
      readonly diagnostics: readonly Diagnostic[]
      /** Milliseconds from the start of the scan until the responses were served. */
      readonly milliseconds: number
    }
  /** The last good site is still being served; before the first good build, a site without workspaces. */
  | {
      readonly kind: 'broken'
      readonly error: unknown
      /** Errors and warnings of the content, sorted; empty for any other failure. */
      readonly diagnostics: readonly Diagnostic[]
    }
  /** The output folder holds the responses being served. Always follows their `built`. */
  | { readonly kind: 'written'; readonly result: BuildResult }

/** A running loop. */
export interface DevLoop {
  /** The last good site; before the first good build, a site without workspaces. */
  current(): ServedSite
  /**
   * Finds an image of the last good site: its bytes from the content, or the path of the built file once the content
   * has other bytes.
   *
   * @param path below the public folder
   * @returns null for every other path
   */
  image(path: string): Uint8Array | string | null
  /** The last `built` or `broken` event, for late subscribers. */
  latest(): DevEvent
  /** Calls a listener with every event from now on. Returns a function that unsubscribes it. */
  subscribe(listener: (event: DevEvent) => void): () => void
  /** Stops watching. Finishes a write in progress. */
  close(): Promise<void>
}

/** Options of a loop. */
export interface DevOptions extends Pick<LoadOptions, 'drafts' | 'onProgress'> {
  /** Called with every event, from the first build on. */
  readonly onEvent?: ((event: DevEvent) => void) | undefined
  /** Cache access. */
  readonly caching?: CacheAccess | undefined
}

/**
 * Builds the content, and rebuilds it after every change until the loop is closed.
 *
 * @throws the error of the first build, except errors of the content: the loop waits for a fix
 */
export async function startDev(settings: Settings, options: DevOptions = {}): Promise<DevLoop> {
  const { root, mounts } = await findContent(settings)
  const source = new CacheSource(settings.cache, options.caching)
  const loading = new Loading(root, source, { ...settings, ...options })
  const scanner = new Scanner(root, { hashes: new HashCache(root), mounts })
  const folders = watchedFolders(settings.content, { root, mounts })
  const loop = new Loop(settings, options, { loading, scanner })
  try {
    await loop.start(folders)
    return loop
  } catch (error) {
    await loading.close()
    throw error
  }
}

class Loop implements DevLoop {
  readonly #settings: Settings
  readonly #loading: Loading
  readonly #scanner: Scanner
  readonly #listeners = new Set<(event: DevEvent) => void>()
  #served: ServedSite | undefined
  readonly #images: ServedImages
  #latest: DevEvent | undefined
  /** Fingerprint of the latest scan, whether or not its content is valid. */
  #fingerprint = ''
  #unwatch: () => void = () => {}
  #looking: Promise<void> | undefined
  #isClosing = false
  readonly #writer = new BackgroundWriter<LiveSite>({
    write: (made, signal) => this.#writeDown(made, signal),
    onError: (error) => void this.#failed(error),
  })

  constructor(
    settings: Settings,
    options: DevOptions,
    { loading, scanner }: { readonly loading: Loading; readonly scanner: Scanner },
  ) {
    this.#settings = settings
    this.#loading = loading
    this.#scanner = scanner
    this.#images = new ServedImages(settings.out)
    if (options.onEvent !== undefined) this.#listeners.add(options.onEvent)
  }

  async start(folders: readonly string[]): Promise<void> {
    const started = performance.now()
    const scan = await this.#scanner.scan()
    try {
      await this.#writeDown(await this.#load(scan, started))
    } catch (error) {
      if (await this.#loading.recovers(error)) return this.start(folders)
      if (!(error instanceof BuildError)) throw error
      this.#served = emptySite(scan, this.#settings.limitAll)
      this.#emitBroken(error)
    } finally {
      this.#loading.save()
    }
    this.#unwatch = watchFolders(folders, () => this.#look())
  }

  current(): ServedSite {
    if (this.#served === undefined) throw new Error('The loop has not started.')
    return this.#served
  }

  image(path: string): Uint8Array | string | null {
    return this.#images.find(path)
  }

  latest(): DevEvent {
    if (this.#latest === undefined) throw new Error('The loop has not started.')
    return this.#latest
  }

  subscribe(listener: (event: DevEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async close(): Promise<void> {
    this.#isClosing = true
    this.#unwatch()
    // Cancels a load in progress: its result is no longer needed.
    await this.#loading.stop()
    await this.#looking
    await this.#writer.close()
    await this.#loading.close()
  }

  /** Scans the content, and builds it if it changed. Never rejects. */
  #look(): Promise<void> {
    this.#looking = this.#lookNow()
    return this.#looking
  }

  async #lookNow(): Promise<void> {
    const started = performance.now()
    try {
      const scan = await this.#scanner.scan()
      if (this.#isClosing || scan.fingerprint === this.#fingerprint) return
      // Responses are served before they are written to disk.
      this.#writer.stop()
      this.#writer.write(await this.#load(scan, started))
    } catch (error) {
      if (this.#isClosing) return
      // A file that is being saved is read again at the next scan, within a second.
      if (isOfChangedFiles(error)) this.#fingerprint = ''
      else this.#emitBroken(error)
      this.#writer.resume()
    }
  }

  /** Handles a failed write. If the cache is damaged, everything is built again. */
  async #failed(error: unknown): Promise<void> {
    if (this.#isClosing) return
    if (!(await this.#loading.recovers(error))) return this.#emitBroken(error)
    // Forces a rebuild at the next scan, within a second.
    this.#fingerprint = ''
  }

  /** Loads a scan and serves its responses. */
  async #load(scan: Scan, started: number): Promise<LiveSite> {
    this.#fingerprint = scan.fingerprint
    const now = Date.now()
    const site = await this.#loading.load(scan, now)
    this.#served = servedSite(site, scan, { now, limitAll: this.#settings.limitAll })
    this.#images.show(site)
    const total = performance.now() - started
    const { diagnostics } = site
    this.#emit({
      kind: 'built',
      site: this.#served,
      workspaces: site.workspaces.map(({ workspace }) => workspace),
      diagnostics,
      milliseconds: total,
    })
    return { site, now, started }
  }

  async #writeDown({ site, now, started }: LiveSite, signal?: AbortSignal): Promise<void> {
    const { out, content, ownerOnly: isOwnerOnly } = this.#settings
    const began = performance.now()
    const publication = new Publication(await openOutput(out, content), { isOwnerOnly })
    try {
      const written = await writeSite(site, publication, { ...this.#settings, now, signal })
      const ended = performance.now()
      const timings = { ...site.timings, write: ended - began, total: ended - started }
      const { rendered, diagnostics } = site
      this.#emit({ kind: 'written', result: { ...written, rendered, diagnostics, timings } })
    } finally {
      await publication.discard()
    }
  }

  #emitBroken(error: unknown): void {
    const diagnostics = error instanceof BuildError ? error.diagnostics : []
    this.#emit({ kind: 'broken', error, diagnostics })
  }

  #emit(event: DevEvent): void {
    if (event.kind !== 'written') this.#latest = event
    for (const listener of this.#listeners) listener(event)
  }
}

/** Reports whether the only errors are files that changed between the scan and the read. */
export function isOfChangedFiles(error: unknown): boolean {
  if (!(error instanceof BuildError)) return false
  return error.diagnostics
    .filter(isError)
    .every(({ message }) => [fileChanged.message, fileGone.message].includes(message))
}

/** A site that is being served, and its times. */
interface LiveSite {
  readonly site: Site
  readonly now: number
  readonly started: number
}
