// The loop behind `quarry dev`: watches the content, builds it after a change, and serves the last good build.
// Terminals and browsers are listeners.
import { EventEmitter, once } from 'node:events'
import { existsSync, type FSWatcher, statSync, watch } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { openApiDocument } from '../api/openapi.ts'
import type { Settings } from '../config.ts'
import { BuildError } from '../diagnostics.ts'
import type { Workspace } from '../model/library.ts'
import { openBuild, type ServedSite } from '../runtime/open-build.ts'
import { functionFolder, rootName } from '../snapshot/format.ts'
import { Builder, type BuildOptions, type BuildResult } from './build.ts'
import { createFileStorage } from './disk.ts'
import { LockError } from './lock.ts'
import { planChanges, planSite } from './plan.ts'
import { watchedFolders } from './read.ts'
import { shapesOf, writeTypes } from './types.ts'

/** An event of the loop. */
export type DevEvent =
  | BuiltEvent
  /** The last good site is still being served; before the first good build, a site without workspaces. */
  | { readonly kind: 'broken'; readonly error: unknown }

/** New responses are being served. */
export interface BuiltEvent {
  readonly kind: 'built'
  /** The workspaces behind the responses. */
  readonly workspaces: readonly Workspace[]
  readonly result: BuildResult
}

/** Options of a loop. */
export interface DevOptions extends Pick<BuildOptions, 'drafts' | 'now' | 'onProgress'> {
  /** The files of the configuration, and a function that reads it again. @default changes of it are ignored */
  readonly config?:
    | { readonly files: readonly string[]; readonly read: () => Promise<Settings> }
    | undefined
  /** The folder of `quarry schema`, which is kept current if it exists. @default none is */
  readonly types?: string
  /** Creates that folder. @default false */
  readonly createsTypes?: boolean
}

/**
 * Builds the content, and builds it again after every change until the loop is closed.
 *
 * @param settings the output folder must belong to the loop
 * @throws the error of the first build, except errors of the content: the loop waits for a fix
 */
export async function startDev(settings: Settings, options: DevOptions = {}): Promise<DevLoop> {
  const loop = new DevLoop(settings, options)
  try {
    await loop.start()
    return loop
  } catch (error) {
    await loop.close()
    throw error
  }
}

/** A running loop. */
export class DevLoop {
  #settings: Settings
  readonly #options: DevOptions
  #builder: Builder
  /** Emits `change` for a change of files, and `event` with each event of the loop. */
  readonly #news = new EventEmitter().setMaxListeners(0)
  #served: ServedSite = {
    build: '',
    openapi: () => Buffer.from(JSON.stringify(openApiDocument())),
    workspaces: new Map(),
    keys: [],
    steps: () => [],
  }
  #latest: DevEvent = { kind: 'broken', error: null }
  #built: BuiltEvent | undefined
  /** Fingerprint of the latest content that was read, valid or not. */
  #fingerprint = ''
  #configuration: string
  readonly #watchers = new Map<string, FSWatcher>()
  #isChanged = false
  #following: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(settings: Settings, options: DevOptions) {
    this.#settings = settings
    this.#options = options
    this.#builder = this.#newBuilder()
    this.#configuration = this.#timesOfConfiguration()
  }

  /** @throws the error of the build, except errors of the content */
  async start(): Promise<void> {
    try {
      await this.#build()
    } catch (error) {
      if (!(error instanceof BuildError)) throw error
      this.#fail(error)
    }
    this.#following = this.#follow()
  }

  /** The last good site; before the first good build, a site without workspaces. */
  current(): ServedSite {
    return this.#served
  }

  /** Returns the last event. The first event is that of the first build. */
  latest(): DevEvent {
    return this.#latest
  }

  /** Returns the paths of the responses that `build` would write for the last good site. */
  async plannedPaths(): Promise<ReadonlySet<string>> {
    const { precompute, changes } = this.#settings
    const { workspaces, result } = this.#built ?? { workspaces: [] }
    // At this time, the same posts are visible as when the site was built.
    const now = Date.parse(result?.manifest.validFrom ?? '0')
    const paths: string[] = []
    for await (const { files } of planSite(workspaces, this.#served, precompute, now))
      for (const file of files) paths.push(...file.paths)
    for (const file of planChanges(changes ? workspaces : [], precompute.versions))
      paths.push(...file.paths)
    return new Set(paths)
  }

  /** Calls a listener with every event from now on. Returns a function that unsubscribes it. */
  subscribe(listener: (event: DevEvent) => void): () => void {
    this.#news.on('event', listener)
    return () => this.#news.off('event', listener)
  }

  /** Stops watching, after the build in progress. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#news.emit('change')
    await this.#following
    await this.#builder.close()
  }

  /** Reads the content after each change, and regularly: events may get lost, and some file systems send none. */
  async #follow(): Promise<void> {
    let took = 0
    while (!this.#isClosed) {
      await this.#change(Math.max(heartbeatMs, Math.ceil(took * heartbeatShare)))
      const started = performance.now()
      if (!this.#isClosed) await this.#look()
      took = performance.now() - started
    }
  }

  /** Waits for a change, but at most for the number of milliseconds. */
  async #change(milliseconds: number): Promise<void> {
    const signal = AbortSignal.timeout(milliseconds)
    if (!this.#isChanged) await once(this.#news, 'change', { signal }).catch(() => {})
    while (this.#isChanged) {
      this.#isChanged = false
      await pause(quietMs)
    }
  }

  /** Builds changed content. Never rejects. */
  async #look(): Promise<void> {
    try {
      await this.#followConfiguration()
      await this.#build()
    } catch (error) {
      // Another loop is writing to the folder. The next attempt follows within a second.
      if (error instanceof LockError) this.#fingerprint = ''
      else if (!this.#isClosed) this.#fail(error)
    }
  }

  async #followConfiguration(): Promise<void> {
    const times = this.#timesOfConfiguration()
    if (times === this.#configuration || this.#options.config === undefined) return
    this.#configuration = times
    const { out } = this.#settings
    this.#settings = { ...(await this.#options.config.read()), out }
    await this.#builder.close()
    this.#builder = this.#newBuilder()
    this.#fingerprint = ''
  }

  #newBuilder(): Builder {
    // The loop responds from data. Searches scan the texts, which takes 10 ms for 1,000 posts of 8 kB (2026-11).
    const own = { isEmptyAllowed: true, isDataOnly: true }
    return new Builder(this.#settings, { ...this.#options, ...own })
  }

  #timesOfConfiguration(): string {
    const files = this.#options.config?.files ?? []
    return files.map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? '').join()
  }

  /** Builds and serves the content, unless it has not changed since the last build. */
  async #build(): Promise<void> {
    const content = await this.#builder.read()
    const { config } = this.#options
    this.#watch([
      ...(config?.files ?? []).map((file) => dirname(file)),
      ...watchedFolders(this.#settings.content, content),
    ])
    const folder = join(this.#settings.out, functionFolder)
    // Whoever empties the cache also removes the build that is served.
    const isLost = this.#served.build !== '' && !existsSync(join(folder, rootName))
    if ((content.fingerprint === this.#fingerprint && !isLost) || this.#isClosed) return
    this.#fingerprint = content.fingerprint
    const { result, site } = await this.#builder.build(content)
    if (this.#isClosed) return
    // The next build leaves the files of this one: responses in progress may still read them.
    this.#served = await openBuild(createFileStorage(folder))
    const { workspaces = [] } = site ?? {}
    this.#emit({ kind: 'built', workspaces, result })
    const { types, createsTypes = false } = this.#options
    if (types !== undefined && (createsTypes || existsSync(join(types, '.gitignore'))))
      writeTypes(shapesOf(workspaces, Date.now()), this.#settings, types)
  }

  /** Watches folders, each of which reports changes of its files: Node's recursive watching adds a watcher per file. */
  #watch(folders: readonly string[]): void {
    const wanted = new Set(folders)
    for (const [folder, watcher] of this.#watchers) if (!wanted.has(folder)) watcher.close()
    for (const folder of wanted) {
      if (this.#watchers.has(folder)) continue
      try {
        const watcher = watch(folder, { persistent: false }, () => {
          this.#isChanged = true
          this.#news.emit('change')
        })
        watcher.on('error', () => watcher.close())
        watcher.on('close', () => this.#watchers.delete(folder))
        this.#watchers.set(folder, watcher)
      } catch {
        // The folder was removed, or the system has no watchers left. It is still read every second.
      }
    }
  }

  #fail(error: unknown): void {
    const event = { kind: 'broken', error } as const
    if (!isDeepStrictEqual(this.#latest, event)) this.#emit(event)
  }

  #emit(event: DevEvent): void {
    this.#latest = event
    if (event.kind === 'built') this.#built = event
    this.#news.emit('event', event)
  }
}

/** Quiet time after an event, in milliseconds: editors write in several steps. */
const quietMs = 10

/** Time between two readings without an event, in milliseconds. */
const heartbeatMs = 1000

/** Reading takes at most a thirtieth of the time. */
const heartbeatShare = 30
