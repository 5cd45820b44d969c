// A manifest in an output folder, decoded only as far as a caller asks for.
import { hash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { bundleFolder } from '../api/bundle.ts'
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

/**
 * The id of the build that a manifest describes.
 *
 * @param file path of the manifest
 * @throws OutputError where the file does not begin as a manifest of this version does; Error of the system
 *
 * Cost: one read of 256 bytes, whatever the number of files.
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

const buildIdPattern = new RegExp(
  `^\\s*{\\s*"quarry"\\s*:\\s*${manifestSchema}\\s*,\\s*"build"\\s*:\\s*"([0-9a-f]{16})"`,
)

/** The content of `manifest.json`, of any origin. */
export class ManifestFile {
  readonly #bytes: Uint8Array
  #decoded: Manifest | null | undefined
  #isKnown = false
  #sha256: string | undefined

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** The SHA-256 of the file, hexadecimal. */
  get sha256(): string {
    this.#sha256 ??= hash('sha256', this.#bytes)
    return this.#sha256
  }

  /** Its content; null where it is not as a build wrote it. */
  get decoded(): Manifest | null {
    if (this.#decoded === undefined) {
      this.#decoded = this.#isKnown ? decodeTrusted(this.#bytes) : decodeManifest(this.#bytes)
    }
    return this.#decoded
  }

  /** Its entries of workspaces, whatever has become of the rest; undefined where they cannot be read. */
  get workspaces(): Manifest['workspaces'] | undefined {
    try {
      return decodeHead(this.#bytes).workspaces
    } catch (error) {
      if (error instanceof SyntaxError) return undefined
      throw error
    }
  }

  /** From now on it is known to be as a build wrote it: it is taken apart in half the time. */
  believe(): void {
    this.#isKnown = true
  }

  /** True where a build wrote it, whatever has become of it. */
  get isOurs(): boolean {
    return wasManifest(this.#bytes) || this.decoded !== null
  }

  /** The same of a manifest that is known to be as it was written: its files are read when they are asked for. */
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

  /** The files that functions read, which come first; of a manifest that is known to be as it was written. */
  functionPaths(): ReadonlySet<string> {
    const paths = new Set<string>()
    for (const path of this.paths()) {
      if (!path.startsWith(`${bundleFolder}/`)) break
      paths.add(path)
    }
    return paths
  }

  /** The paths of all files, in the order of upload; of a manifest that is known to be as it was written. */
  *paths(): Generator<string> {
    for (const [path] of this.sizes()) yield path
  }

  /**
   * Path and bytes of every file in the order of upload; of a manifest that is known to be as it was written.
   *
   * Cost: a tenth of `decoded`.
   */
  sizes(): Iterable<readonly [path: string, bytes: number]> {
    return manifestSizes(this.#bytes)
  }
}
