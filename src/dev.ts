// The loop behind `quarry dev`: watches the content, builds again when it changes, keeps the last good site.
// Knows nothing of terminals, of pages nor of requests: whoever wants to know listens.
import { type BuildResult, build } from './build.ts'
import type { Settings } from './config.ts'
import { resolveFolder } from './content/tree.ts'
import { BuildError, type Diagnostic } from './diagnostics.ts'
import { watchFolder } from './platforms/node/watch.ts'
import type { ServedSite, ServedWorkspace } from './runtime/site.ts'

/** What has just happened. */
export type DevEvent =
  /** New answers are up. */
  | {
      readonly kind: 'built'
      readonly site: ServedSite
      /** Warnings, sorted. */
      readonly diagnostics: readonly Diagnostic[]
      /** From the first look at the content until the answers were up. */
      readonly milliseconds: number
    }
  /** The last good answers stay up. */
  | {
      readonly kind: 'broken'
      readonly error: unknown
      /** Errors and warnings of the content, sorted; empty when something else went wrong. */
      readonly diagnostics: readonly Diagnostic[]
    }
  /** The answers that are up stand in the output folder too; never before their `built`. */
  | { readonly kind: 'written'; readonly result: BuildResult }

/** A running loop. */
export interface DevLoop {
  /** The last good site. */
  current(): ServedSite
  /** The last `built` or `broken`: for those who come later. */
  latest(): DevEvent
  /** Tells a listener of everything from now on; returns what ends that. */
  subscribe(listener: (event: DevEvent) => void): () => void
  /** Ends watching; what is being written is finished. */
  close(): Promise<void>
}

/** How a loop runs. */
export interface DevOptions {
  /** Told now and then how many bodies are rendered. */
  readonly onProgress?: ((rendered: number, total: number) => void) | undefined
  /** Told everything, from the first build on. */
  readonly onEvent?: ((event: DevEvent) => void) | undefined
}

/**
 * Builds, and goes on building until it is closed.
 *
 * @throws what the first build throws: there are no good answers to keep up yet
 */
export async function startDev(settings: Settings, options: DevOptions = {}): Promise<DevLoop> {
  const loop = new Loop(settings, options)
  await loop.start()
  return loop
}

class Loop implements DevLoop {
  readonly #settings: Settings
  readonly #options: DevOptions
  readonly #listeners = new Set<(event: DevEvent) => void>()
  #served: ServedSite | undefined
  #latest: DevEvent | undefined
  #unwatch: () => void = () => {}
  #isWanted = false
  #running: Promise<void> | undefined

  constructor(settings: Settings, options: DevOptions) {
    this.#settings = settings
    this.#options = options
    if (options.onEvent !== undefined) this.#listeners.add(options.onEvent)
  }

  async start(): Promise<void> {
    await resolveFolder(this.#settings.content)
    this.#unwatch = watchFolder(this.#settings.content, () => this.#want())
    try {
      await this.#build()
    } catch (error) {
      this.#unwatch()
      throw error
    }
  }

  current(): ServedSite {
    if (this.#served === undefined) throw new Error('The loop has not started.')
    return this.#served
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
    this.#unwatch()
    this.#isWanted = false
    await this.#running
  }

  /** A change during a run makes one more run behind it, however many changes there were. */
  #want(): void {
    this.#isWanted = true
    if (this.#served !== undefined) this.#running ??= this.#runWanted()
  }

  async #runWanted(): Promise<void> {
    while (this.#isWanted) {
      this.#isWanted = false
      await this.#build().catch((error: unknown) => this.#tellBroken(error))
    }
    this.#running = undefined
  }

  async #build(): Promise<void> {
    const { onProgress } = this.#options
    const result = await build(this.#settings, { onProgress })
    const { diagnostics, timings } = result
    const site = servedSite(result)
    this.#served = site
    this.#tell({ kind: 'built', site, diagnostics, milliseconds: timings.total })
    this.#tell({ kind: 'written', result })
  }

  #tellBroken(error: unknown): void {
    const diagnostics = error instanceof BuildError ? error.diagnostics : []
    this.#tell({ kind: 'broken', error, diagnostics })
  }

  #tell(event: DevEvent): void {
    if (event.kind !== 'written') this.#latest = event
    for (const listener of this.#listeners) listener(event)
  }
}

function servedSite({ manifest, site }: BuildResult): ServedSite {
  const workspaces = new Map<string, ServedWorkspace>()
  for (const { workspace, snapshot } of site.workspaces) {
    const { id, isV1Private } = workspace
    const scheduled = manifest.workspaces[id]?.scheduled ?? 0
    workspaces.set(id, { snapshot, isV1Private, scheduled })
  }
  const keys = site.workspaces.flatMap(({ workspace }) => workspace.keys)
  return { build: manifest.build, workspaces, keys }
}
