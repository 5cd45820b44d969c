// Which answers of the last build are the same now: where nothing but bodies has changed since, all that hold none of
// those. Knows nothing of the disk.
import { hex, joinBytes } from '../api/bytes.ts'
import { digestBytes } from '../api/piece.ts'
import { visibilityAt } from '../api/visibility.ts'
import { readStored } from '../cache/stored-bytes.ts'
import type { OrdinalRange, Precompute } from '../emit/plan.ts'
import type { Site, SiteWorkspace } from './site.ts'

/** Says whether one of the bodies is another one. */
export type HasChanged = (workspace: SiteWorkspace, bodies: OrdinalRange) => boolean

/**
 * What the answers of the last build were made of: a digest of 128 bits for each body in each format, behind the hash
 * of the manifest that names them. Found again by everything else that answers are made of.
 */
export class LastAnswers {
  readonly #site: Site
  readonly #formats: Precompute['formats']
  /** Undefined where not all is known that answers are made of. */
  readonly #key: string | undefined
  #bodies: Uint8Array | undefined

  constructor(site: Site, precompute: Precompute, now: number) {
    this.#site = site
    this.#formats = precompute.formats
    const { library, workspaces, derive } = site
    if (library === '') return
    const scheduled = workspaces.map(({ snapshot }) => visibilityAt(snapshot, now).first)
    const { versions, formats, pageSizes, lists, ids } = precompute
    const madeOf = [library, versions, formats, pageSizes, lists, ids, scheduled]
    this.#key = derive.keyOf('answers', JSON.stringify(madeOf))
  }

  /**
   * What has changed since a build.
   *
   * @param manifest SHA-256 of its manifest, hexadecimal
   * @returns undefined where it was not the last one, or more than bodies has changed
   * @throws CacheDamageError when what is kept is not what it was
   */
  changedSince(manifest: string): HasChanged | undefined {
    const kept = this.#key === undefined ? undefined : this.#site.derive.find(this.#key)
    if (kept === undefined) return undefined
    const bytes = readStored(kept)
    const before = Buffer.from(bytes.buffer, bytes.byteOffset + hashBytes, bytes.length - hashBytes)
    const now = this.#digests()
    const isLast = hex(bytes.subarray(0, hashBytes)) === manifest && before.length === now.length
    if (!isLast) return undefined
    const changed = this.#changedPosts(before, now)
    return (workspace, { start, end }) =>
      changed.get(workspace)?.some((ordinal) => ordinal >= start && ordinal < end) === true
  }

  /** Keeps what the answers of this build are made of. @param manifest as above */
  keep(manifest: string): void {
    if (this.#key === undefined) return
    this.#site.derive.keep(this.#key, joinBytes([Buffer.from(manifest, 'hex'), this.#digests()]))
  }

  /** Ordinals of the posts whose bodies are others. */
  #changedPosts(before: Buffer, now: Uint8Array): ReadonlyMap<SiteWorkspace, readonly number[]> {
    const row = digestBytes * this.#formats.length
    const changed = new Map<SiteWorkspace, number[]>()
    let at = 0
    for (const workspace of this.#site.workspaces) {
      const ordinals: number[] = []
      for (const ordinal of workspace.workspace.posts.keys()) {
        if (before.compare(now, at, at + row, at, at + row) !== 0) ordinals.push(ordinal)
        at += row
      }
      changed.set(workspace, ordinals)
    }
    return changed
  }

  #digests(): Uint8Array {
    if (this.#bodies !== undefined) return this.#bodies
    const digests: Uint8Array[] = []
    for (const { workspace, snapshot } of this.#site.workspaces) {
      for (const ordinal of workspace.posts.keys()) {
        for (const part of this.#formats) {
          digests.push(snapshot.digest({ of: 'posts', part, ordinal }))
        }
      }
    }
    this.#bodies = joinBytes(digests)
    return this.#bodies
  }
}

/** Of a SHA-256. */
const hashBytes = 32
