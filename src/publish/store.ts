// Builds in a bucket. Nothing is relied on but that an object is created once: `If-None-Match: *`.
//
//   objects/{hash}             files and manifests, named by their content: 32 digits of a SHA-256
//   commits/000000000042.json  one for each publication; never changed, never removed
//   commits/000000000042.done  a collection of garbage that removes nothing any more
//   current.json               the number of a recent commit: a hint that saves requests
//   probes/{random}            trials of the store
import { hash, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type CommitRecord, decodeCommit, decodeHint, encodeCommit } from './commit-record.ts'
import { findLatest } from './latest-commit.ts'
import { readListPage } from './list-page.ts'
import { commitKey, doneKey, hintKey, objectKey } from './object-names.ts'
import type { S3Client, S3Response } from './s3-client.ts'
import { StoreError } from './store-error.ts'

/** A commit as it is in the bucket. */
export interface StoredCommit {
  readonly record: CommitRecord
  /** Since it was created, by the clock of the store. */
  readonly ageMilliseconds: number
}

/** The builds below one prefix of a bucket. */
export class BuildStore {
  readonly #client: S3Client
  readonly #onWait: (sequence: number) => void

  /** @param onWait called with the number of a collection of garbage that is waited for */
  constructor(client: S3Client, onWait: (sequence: number) => void = () => {}) {
    this.#client = client
    this.#onWait = onWait
  }

  /** As a user writes it. */
  get name(): string {
    return this.#client.location.name
  }

  /** Requests that were sent so far. */
  get requests(): number {
    return this.#client.requests
  }

  /**
   * Tries whether the store refuses to create an object a second time, later and at the same moment.
   *
   * @throws StoreError when it does not: two publications would overwrite each other
   */
  async assertCreatesOnce(): Promise<void> {
    const [one, other] = [`probes/${randomUUID()}`, `probes/${randomUUID()}`]
    const create = (key: string) => this.#create(key, Buffer.from(randomUUID()))
    const inTurn = [await create(one), await create(one)]
    const atOnce = await Promise.all([other, other, other, other].map(create))
    // Not every publisher may remove objects; a collection of garbage does.
    await Promise.allSettled([one, other].map((key) => this.remove(key)))
    const counts = [inTurn, atOnce].map((all) => all.filter((isNew) => isNew).length)
    // The response to a creation may be lost, and the next attempt be refused: fewer than one is no second one.
    if (counts.every((count) => count <= 1)) return
    throw new StoreError(
      `The store of ${this.name} created an object twice: it ignores If-None-Match. Publications would overwrite each other. Use a store that supports conditional writes.`,
    )
  }

  /** Creates the object of some bytes. @returns false when it was there */
  putObject(sha256: string, bytes: Uint8Array): Promise<boolean> {
    return this.#create(objectKey(sha256), bytes)
  }

  /**
   * Reads the object of a hash.
   *
   * @returns null when there is none
   * @throws StoreError when its bytes are others each time
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

  /** As `findLatest` says. */
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
   * @returns false when there is another one of this number
   */
  async commit(record: CommitRecord): Promise<boolean> {
    if (await this.#create(commitKey(record.sequence), encodeCommit(record))) return true
    // The response to the first attempt may have been lost.
    const there = await this.readCommit(record.sequence)
    return there?.record.writer === record.writer
  }

  /** Says where readers without a memory begin; an older number only costs them requests. */
  async putHint(sequence: number): Promise<void> {
    const body = Buffer.from(`${JSON.stringify({ sequence })}\n`)
    await this.#client.send({ method: 'PUT', key: hintKey, body })
  }

  async markCollected(sequence: number): Promise<void> {
    await this.#create(doneKey(sequence), new Uint8Array())
  }

  /**
   * Waits until a collection of garbage removes nothing any more: it said so, or its time is over.
   *
   * @param sequence of its commit; 0 for none
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

  /** Objects and probes, with their age in milliseconds by the clock of the store. */
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

  /** @returns false when there is one of this name */
  async #create(key: string, body: Uint8Array): Promise<boolean> {
    return (await this.#client.send({ method: 'PUT', key, body, isNew: true })).status !== 412
  }

  #get(key: string, options: Pick<Parameters<S3Client['send']>[0], 'bytesMax' | 'check'> = {}) {
    return this.#client.send({ method: 'GET', key, ...options })
  }
}

/**
 * A collection removes nothing later than `last` after its commit. A publication that must not meet it waits until it is
 * `over`: what lies between is for requests that were under way, and for clocks.
 */
export const collectionMilliseconds = { last: 60_000, over: 180_000 } as const

function bodyOf({ status, body }: S3Response): Uint8Array | null {
  return status === 200 ? body : null
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8').trimEnd()
}

/** 0 where the store does not say: then everything is new, and nothing is removed. */
function ageOf(headers: Headers): number {
  const age = timeOf(headers, 'date') - timeOf(headers, 'last-modified')
  return Number.isNaN(age) ? 0 : age
}

function timeOf(headers: Headers, name: string): number {
  return Date.parse(headers.get(name) ?? '')
}
