// The manifest in an output folder, decoded lazily.
import { hash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { functionFolder } from '../snapshot/format.ts'
import {
  decodeHead,
  decodeManifest,
  decodeTrusted,
  type Manifest,
  manifestSchema,
  manifestSizes,
  wasManifest,
} from './manifest.ts'
import { OutputError } from './output-error.ts'
import { isBlank } from './whole-file.ts'

/**
 * Returns the id of the build that a manifest describes.
 *
 * @param file path of the manifest
 * @throws OutputError if the file does not begin like a manifest of this version; system errors
 *
 * Cost: one read of 256 bytes, independent of the number of files.
 */
export function readBuildId(file: string): string {
  const head = Buffer.alloc(256)
  const descriptor = openSync(file, 'r')
  try {
    const length = readSync(descriptor, head)
    const [, build] = buildIdPattern.exec(head.toString('latin1', 0, length)) ?? []
    if (build !== undefined) return build
  } finally {
    closeSync(descriptor)
  }
  throw new OutputError(`${file} does not begin as a manifest of this version does. Build again.`)
}

// regex: anchored, and a sign follows each run of white space
const buildIdPattern = new RegExp(
  `^\\s*{\\s*"quarry"\\s*:\\s*${manifestSchema}\\s*,\\s*"build"\\s*:\\s*"([0-9a-f]{16})"`,
)

/** The content of a `manifest.json`, not necessarily valid. */
export class ManifestFile {
  readonly #bytes: Uint8Array
  #decoded: Manifest | null | undefined
  #isKnown = false
  #sha256: string | undefined

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** SHA-256 of the file, hexadecimal. */
  get sha256(): string {
    this.#sha256 ??= hash('sha256', this.#bytes)
    return this.#sha256
  }

  /** The decoded manifest; null unless it is as a build wrote it. */
  get decoded(): Manifest | null {
    if (this.#decoded === undefined) {
      this.#decoded = this.#isKnown ? decodeTrusted(this.#bytes) : decodeManifest(this.#bytes)
    }
    return this.#decoded
  }

  /** Its workspace entries, even if the rest is invalid; undefined if they cannot be read. */
  get workspaces(): Manifest['workspaces'] | undefined {
    try {
      return decodeHead(this.#bytes).workspaces
    } catch (error) {
      if (error instanceof SyntaxError) return undefined
      throw error
    }
  }

  /** Marks the manifest as unmodified, so that it is decoded in half the time. */
  believe(): void {
    this.#isKnown = true
  }

  /** True if a build wrote it, even if it was modified since. */
  get isOurs(): boolean {
    return wasManifest(this.#bytes) || this.decoded !== null
  }

  /** True if it lost its data in a power cut. */
  get isBlank(): boolean {
    return isBlank(this.#bytes)
  }

  /** The manifest, which must be unmodified. Its files are decoded on first use. */
  get asWritten(): Manifest {
    const filesOf = () => {
      if (this.decoded === null) throw new Error('The manifest is not as it was written.')
      return this.decoded.files
    }
    return {
      ...decodeHead(this.#bytes),
      get files() {
        return filesOf()
      },
    }
  }

  /** Returns the files that functions read, which come first. The manifest must be unmodified. */
  functionPaths(): ReadonlySet<string> {
    const paths = new Set<string>()
    for (const path of this.paths()) {
      if (!path.startsWith(`${functionFolder}/`)) break
      paths.add(path)
    }
    return paths
  }

  /** Yields the paths of all files in upload order. The manifest must be unmodified. */
  *paths(): Generator<string> {
    for (const [path] of this.sizes()) yield path
  }

  /**
   * Returns path and size of every file in upload order. The manifest must be unmodified.
   *
   * Cost: a tenth of `decoded`.
   */
  sizes(): Iterable<readonly [path: string, bytes: number]> {
    return manifestSizes(this.#bytes)
  }
}
