// Builds in a bucket. The only guarantee required of the store is put-if-absent: `If-None-Match: *`.
//
//   objects/{hash}             files and manifests, named by content: 32 digits of a SHA-256
//   commits/000000000042.json  one for each publication; never changed, never removed
//   commits/000000000042.done  a garbage collection has ended
//   current.json               the number of a recent commit: a hint that saves requests
//   probes/{random}            checks of the store
import { hash, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type CommitRecord, decodeCommit, decodeHint, encodeCommit } from './commit-record.ts'
import { findLatest } from './latest-commit.ts'
import { readListPage } from './list-page.ts'
import { commitKey, doneKey, hintKey, objectKey } from './object-names.ts'
import type { S3Client, S3Response } from './s3-client.ts'
import { StoreError } from './store-error.ts'

/** A commit as stored in the bucket. */
export interface StoredCommit {
  readonly record: CommitRecord
  /** Age by the clock of the store. */
  readonly ageMilliseconds: number
}

/** The builds under one prefix of a bucket. */
export class BuildStore {
  readonly #client: S3Client
  readonly #onWait: (sequence: number) => void

  /** @param onWait called with the number of a garbage collection before waiting for it */
  constructor(client: S3Client, onWait: (sequence: number) => void = () => {}) {
    this.#client = client
    this.#onWait = onWait
  }

  /** `s3://bucket/prefix`, for messages. */
  get name(): string {
    return this.#client.location.name
  }

  /** Number of requests sent so far. */
  get requests(): number {
    return this.#client.requests
  }

  /**
   * Checks that the store refuses a second creation of an object, both later and at the same time.
   *
   * @throws StoreError when it accepts one: two publications would overwrite each other
   */
  async assertCreatesOnce(): Promise<void> {
    const [one, other] = [`probes/${randomUUID()}`, `probes/${randomUUID()}`]
    const create = (key: string) => this.#create(key, Buffer.from(randomUUID()))
    const inTurn = [await create(one), await create(one)]
    const atOnce = await Promise.all([other, other, other, other].map(create))
    // A publisher may lack the permission to delete; then a garbage collection removes the probes.
    await Promise.allSettled([one, other].map((key) => this.remove(key)))
    const counts = [inTurn, atOnce].map((all) => all.filter((isNew) => isNew).length)
    // None may be new: the response to a creation was lost, and its second attempt refused.
    if (counts.every((count) => count <= 1)) return
    throw new StoreError(
      `The store of ${this.name} created an object twice: it ignores If-None-Match, or is no store of S3. Publications would overwrite each other. Check the endpoint, or use a store that supports conditional writes.`,
    )
  }

  /** Creates an object. @returns false when it exists */
  putObject(sha256: string, bytes: Uint8Array): Promise<boolean> {
    return this.#create(objectKey(sha256), bytes)
  }

  /**
   * Reads and verifies an object.
   *
   * @returns null when there is none
   * @throws StoreError when every attempt returns other bytes
   */
  async readObject(sha256: string, bytes: number): Promise<Uint8Array | null> {
    const check = (body: Uint8Array) =>
      body.length === bytes && hash('sha256', body) === sha256
        ? null
        : `${body.length} bytes with another hash than that of the ${bytes} bytes that were published`
    return bodyOf(await this.#get(objectKey(sha256), { bytesMax: bytes, check }))
  }

  /** The commit of a number; null when there is none. */
  async readCommit(sequence: number): Promise<StoredCommit | null> {
    const check = (body: Uint8Array) =>
      decodeCommit(body, sequence) === null ? 'the commit is damaged' : null
    const response = await this.#get(commitKey(sequence), { check })
    const body = bodyOf(response)
    const record = body === null ? null : decodeCommit(body, sequence)
    return record === null ? null : { record, ageMilliseconds: ageOf(response.headers) }
  }

  /** See `findLatest`. */
  latestAfter(known: number): Promise<StoredCommit | null> {
    const readHint = async () => {
      const body = bodyOf(await this.#get(hintKey))
      return body === null ? 0 : decodeHint(body)
    }
    return findLatest({ readCommit: (sequence) => this.readCommit(sequence), readHint }, known)
  }

  /**
   * Creates a commit.
   *
   * @returns false when another commit has this number
   */
  async commit(record: CommitRecord): Promise<boolean> {
    if (await this.#create(commitKey(record.sequence), encodeCommit(record))) return true
    // It may be this commit: the response to the first attempt may have been lost.
    const there = await this.readCommit(record.sequence)
    return there?.record.writer === record.writer
  }

  /** Sets the commit at which new readers start; an older number only costs requests. */
  async putHint(sequence: number): Promise<void> {
    const body = Buffer.from(`${JSON.stringify({ sequence })}\n`)
    await this.#client.send({ method: 'PUT', key: hintKey, body })
  }

  async markCollected(sequence: number): Promise<void> {
    await this.#create(doneKey(sequence), new Uint8Array())
  }

  /**
   * Waits for the end of a garbage collection: its mark, or its time limit.
   *
   * @param sequence of the collection's commit; 0 for none
   */
  async awaitCollection(sequence: number): Promise<void> {
    if (sequence === 0) return
    const commit = await this.readCommit(sequence)
    const endsAt = performance.now() + collectionMilliseconds.over - (commit?.ageMilliseconds ?? 0)
    for (let looks = 0; performance.now() < endsAt; looks++) {
      if ((await this.#get(doneKey(sequence))).status === 200) return
      if (looks === 0) this.#onWait(sequence)
      await pause(500)
    }
  }

  /** Lists objects and probes, with their age by the clock of the store. */
  async *list(): AsyncGenerator<{ readonly key: string; readonly ageMilliseconds: number }> {
    for (const folder of ['objects/', 'probes/']) {
      let after: string | undefined
      do {
        const page = await this.#listPage(folder, after)
        yield* page.entries
        after = page.isTruncated ? page.entries.at(-1)?.key : undefined
      } while (after !== undefined)
    }
  }

  async remove(key: string): Promise<void> {
    await this.#client.send({ method: 'DELETE', key })
  }

  async #listPage(folder: string, after: string | undefined) {
    const { prefix } = this.#client.location
    const response = await this.#client.send({
      method: 'GET',
      query: {
        'list-type': '2',
        prefix: `${prefix}${folder}`,
        ...(after === undefined ? {} : { 'start-after': `${prefix}${after}` }),
      },
      bytesMax: 4 * 1024 * 1024,
      check: (body) =>
        textOf(body).endsWith('</ListBucketResult>') ? null : 'the list breaks off',
    })
    return readListPage(textOf(response.body), folder, timeOf(response.headers, 'date'))
  }

  /** @returns false when an object has this name */
  async #create(key: string, body: Uint8Array): Promise<boolean> {
    return (await this.#client.send({ method: 'PUT', key, body, isNew: true })).status !== 412
  }

  #get(key: string, options: Pick<Parameters<S3Client['send']>[0], 'bytesMax' | 'check'> = {}) {
    return this.#client.send({ method: 'GET', key, ...options })
  }
}

/**
 * A collection removes nothing later than `last` after its commit. Publications wait until `over`. The difference allows
 * for requests in progress and for different clocks.
 */
export const collectionMilliseconds = { last: 60_000, over: 180_000 } as const

function bodyOf({ status, body }: S3Response): Uint8Array | null {
  return status === 200 ? body : null
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8').trimEnd()
}

/** 0 when the store sends no times: then every object is new, and none is removed. */
function ageOf(headers: Headers): number {
  const age = timeOf(headers, 'date') - timeOf(headers, 'last-modified')
  return Number.isNaN(age) ? 0 : age
}

function timeOf(headers: Headers, name: string): number {
  return Date.parse(headers.get(name) ?? '')
}
