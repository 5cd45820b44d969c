// The latest build in a bucket, as a function serves it: one build at a time, and never an older one after a newer one.
import { indexName } from '../../api/bundle.ts'
import { hex } from '../../api/bytes.ts'
import { sha256 } from '../../api/sha256.ts'
import { changed } from '../../query/checksum.ts'
import { openBundle } from '../../runtime/bundle.ts'
import { openedOnce } from '../../runtime/opened-once.ts'
import type { ServedSite } from '../../runtime/site.ts'
import type { Storage } from '../../runtime/storage.ts'
import { type CommitRecord, decodeCommit, decodeHint } from '../commit-record.ts'
import { findLatest } from '../latest-commit.ts'
import { commitKey, hintKey, objectKey } from '../object-names.ts'
import type { Bucket } from './bucket.ts'
import { ObjectPages } from './object-pages.ts'

/** Between two looks for a newer commit, in milliseconds. */
export const lookMilliseconds: number = 10_000

/** Texts that a search reads at once: three seconds of waiting less for a phrase, at 20 ms a read (2026-11). */
const batchBytes = 8 * 1024 * 1024

/** A commit has 500 bytes. */
const commitBytesMax = 64 * 1024

interface Served {
  readonly record: CommitRecord
  readonly site: ServedSite
}

/** A site that follows a bucket. */
export class PublishedSite {
  readonly #bucket: Bucket
  readonly #pages: ObjectPages
  #served: Served | undefined
  #lookedAt = 0
  #look: Promise<void> | undefined
  /** Opens the latest build, once. */
  readonly open: () => Promise<this>

  /** @param cacheBytes of the pages that are kept */
  constructor(bucket: Bucket, cacheBytes: number) {
    this.#bucket = bucket
    this.#pages = new ObjectPages(bucket, cacheBytes)
    const open = openedOnce(async () => {
      await this.#goForward()
      return this
    })
    this.open = async () => open()
  }

  /** The build that is served now. @throws Error before it was opened */
  get site(): ServedSite {
    if (this.#served === undefined) throw new Error('No build of the bucket is open.')
    return this.#served.site
  }

  /** True when it is time to look for a newer commit. */
  get isDue(): boolean {
    return this.#served !== undefined && Date.now() - this.#lookedAt >= lookMilliseconds
  }

  /** Goes over to the latest commit when it is a newer one. @throws Error when it cannot be read; the build stays */
  look(): Promise<void> {
    this.#look ??= this.#goForward().finally(() => {
      this.#look = undefined
    })
    return this.#look
  }

  /** Trusts nothing that was read, and goes over to the latest commit. @throws as `look` */
  recover(): Promise<void> {
    this.#pages.forget()
    return this.look()
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
    this.#served = { record, site }
  }

  async #openBuild({ sequence, build, root }: CommitRecord): Promise<ServedSite> {
    if (root === undefined) {
      throw new Error(
        `Commit ${sequence} is of an older version of quarry. Publish the build again.`,
      )
    }
    return (await openBundle(this.#storageOf(root), { build })).site
  }

  #storageOf(root: string): Storage {
    const keyOf = (name: string) =>
      name === indexName
        ? objectKey(root)
        : objectKey(/\/([0-9a-f]{32})\.bin$/.exec(name)?.[1] ?? '')
    return {
      batchBytes,
      read: async (name) => {
        const bytes = await this.#pages.readAll(keyOf(name))
        // All other files are compared with their names.
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
