// Follows the latest build in a bucket for a function: one build at a time, never back to an older one.
import { indexName } from '../../api/bundle.ts'
import { hex } from '../../api/bytes.ts'
import { sha256 } from '../../api/sha256.ts'
import type { MemoryBounds } from '../../platforms/memory-bounds.ts'
import { changed } from '../../query/checksum.ts'
import { openBundle } from '../../runtime/bundle.ts'
import { openedOnce } from '../../runtime/opened-once.ts'
import type { ServedSite } from '../../runtime/site.ts'
import type { Storage } from '../../runtime/storage.ts'
import { type CommitRecord, decodeCommit, decodeHint } from '../commit-record.ts'
import { findLatest } from '../latest-commit.ts'
import { commitKey, hintKey, objectKey } from '../object-names.ts'
import type { Bucket } from './bucket.ts'
import { ByteBudget } from './byte-budget.ts'
import { ObjectPages } from './object-pages.ts'

/** Milliseconds between two checks for a newer commit. */
export const lookMilliseconds: number = 10_000

/** A commit has about 500 bytes. */
const commitBytesMax = 64 * 1024

interface Served {
  readonly record: CommitRecord
  readonly site: ServedSite
}

/** The latest site of a bucket. */
export class PublishedSite {
  readonly #bucket: Bucket
  readonly #pages: ObjectPages
  readonly #bounds: MemoryBounds
  readonly #texts: ByteBudget
  #served: Served | undefined
  #lookedAt = 0
  /** Opens the latest build, once. */
  readonly open: () => Promise<this>

  constructor(bucket: Bucket, bounds: MemoryBounds) {
    this.#bucket = bucket
    this.#bounds = bounds
    this.#pages = new ObjectPages(bucket, bounds)
    this.#texts = new ByteBudget(bounds.texts)
    const open = openedOnce(async () => {
      await this.#goForward()
      return this
    })
    this.open = async () => open()
  }

  /** The current build. @throws Error before `open` */
  get site(): ServedSite {
    if (this.#served === undefined) throw new Error('No build of the bucket is open.')
    return this.#served.site
  }

  /**
   * Switches to the latest commit if the next check for it is due. One request checks while the others go on.
   *
   * @throws Error when it cannot be read; the current build stays
   */
  async look(): Promise<void> {
    const isDue = Date.now() - this.#lookedAt >= lookMilliseconds
    if (this.#served !== undefined && isDue) await this.#goForward()
  }

  /** Drops all cached pages and switches to the latest commit. @throws as `look` */
  recover(): Promise<void> {
    this.#pages.forget()
    return this.#goForward()
  }

  async #goForward(): Promise<void> {
    this.#lookedAt = Date.now()
    const known = this.#served?.record.sequence ?? 0
    const reader = {
      readCommit: (n: number) => this.#readCommit(n),
      readHint: () => this.#readHint(),
    }
    const record = await findLatest(reader, known)
    if (record === null) {
      if (known === 0) throw new Error('There is no build in the bucket. Run quarry publish first.')
      return
    }
    const isSame = record.root !== undefined && record.root === this.#served?.record.root
    const site = isSame ? this.site : await this.#openBuild(record)
    // Another request may have switched to a later commit meanwhile.
    if (record.sequence > (this.#served?.record.sequence ?? 0)) this.#served = { record, site }
  }

  async #openBuild({ sequence, build, root }: CommitRecord): Promise<ServedSite> {
    if (root === undefined) {
      throw new Error(
        `Commit ${sequence} is of an older version of quarry. Publish the build again.`,
      )
    }
    const { records, lists } = this.#bounds
    const caches = { recordCacheBytes: records, searchCacheBytes: lists }
    return (await openBundle(this.#storageOf(root), { build, ...caches })).site
  }

  #storageOf(root: string): Storage {
    const keyOf = (name: string) =>
      name === indexName
        ? objectKey(root)
        : objectKey(/\/([0-9a-f]{32})\.bin$/.exec(name)?.[1] ?? '')
    return {
      batchBytes: this.#bounds.texts,
      gate: (bytes, read) => this.#texts.run(bytes, read),
      read: async (name) => {
        const bytes = await this.#pages.readAll(keyOf(name))
        // The names of all other files are their hashes.
        if (name === indexName && hex(sha256(bytes)) !== root) throw changed(name)
        return bytes
      },
      readRange: (name, offset, length) => this.#pages.read(keyOf(name), offset, length),
    }
  }

  async #readCommit(sequence: number): Promise<CommitRecord | null> {
    const check = (bytes: Uint8Array) =>
      decodeCommit(bytes, sequence) === null ? 'the commit is damaged' : null
    const range = { offset: 0, length: commitBytesMax }
    const part = await this.#bucket.read(commitKey(sequence), range, check)
    return part === null ? null : decodeCommit(part.bytes, sequence)
  }

  async #readHint(): Promise<number> {
    const part = await this.#bucket.read(hintKey, { offset: 0, length: commitBytesMax })
    return part === null ? 0 : decodeHint(part.bytes)
  }
}
