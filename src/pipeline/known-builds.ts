// Builds that were made before: when content, settings and version are the same, so is every file.
// Knows nothing of what is in the files.
import { hash } from 'node:crypto'
import type { Cache } from '../cache/cache.ts'
import type { Settings } from '../config.ts'
import type { Scan } from '../content/scan.ts'
import type { Diagnostic } from '../diagnostics.ts'
import type { Manifest } from '../emit/manifest.ts'
import type { ToolId } from './tool-id.ts'

/** A build that was made of the same. */
export interface KnownBuild {
  /** SHA-256 of its manifest, hexadecimal. */
  readonly manifest: string
  /** Warnings, sorted. */
  readonly diagnostics: readonly Diagnostic[]
}

/** All that a build is made of, but for the moment. */
export interface BuildInput {
  readonly tool: ToolId
  readonly settings: Pick<
    Settings,
    'precompute' | 'limitAll' | 'frontMatter' | 'baseUrl' | 'links' | 'markdown'
  >
  readonly scan: Scan
}

/** The builds of one content under one configuration. */
export class KnownBuilds {
  readonly #cache: Cache
  readonly #tool: string
  /** Null where not all content could be read. */
  readonly #key: string | null

  constructor(cache: Cache, { tool, settings, scan }: BuildInput) {
    const { precompute, limitAll, frontMatter, baseUrl, links, markdown } = settings
    const given = { precompute, limitAll, frontMatter, baseUrl, links, markdown }
    const parts = [tool.tool, tool.renderer, scan.fingerprint, given]
    this.#cache = cache
    this.#tool = tool.tool
    this.#key = scan.isWhole ? hash('sha256', `build ${JSON.stringify(parts)}`) : null
  }

  /** A build that is still true at a moment. */
  find(now: number): KnownBuild | undefined {
    const record = this.#key === null ? undefined : this.#cache.find(this.#key)
    if (record === undefined) return undefined
    const { validFrom, validUntil, ...known }: BuildRecord = JSON.parse(record.text('json'))
    const isTrue = now >= (validFrom ?? -Infinity) && now < (validUntil ?? Infinity)
    return isTrue ? known : undefined
  }

  /** Whether a build wrote just this manifest, whatever it was made of. @param manifest as in `KnownBuild` */
  hasWritten(manifest: string): boolean {
    return this.#cache.find(this.#manifestKey(manifest)) !== undefined
  }

  add(
    build: KnownBuild,
    { validFrom, validUntil }: Pick<Manifest, 'validFrom' | 'validUntil'>,
  ): void {
    this.#cache.add(this.#manifestKey(build.manifest), { json: Buffer.from('{}') })
    if (this.#key === null) return
    const record: BuildRecord = {
      ...build,
      validFrom: validFrom === null ? null : Date.parse(validFrom),
      validUntil: validUntil === null ? null : Date.parse(validUntil),
    }
    this.#cache.add(this.#key, { json: Buffer.from(JSON.stringify(record)) })
  }

  #manifestKey(manifest: string): string {
    return hash('sha256', `manifest ${this.#tool} ${manifest}`)
  }
}

/** Moments in milliseconds since 1970; null for always and for ever. */
interface BuildRecord extends KnownBuild {
  readonly validFrom: number | null
  readonly validUntil: number | null
}
