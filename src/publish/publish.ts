// Publishes a build: its objects, then the commit that makes it the latest, then the hint.
import { randomUUID } from 'node:crypto'
import pMap from 'p-map'
import { decodeManifest, type Manifest } from '../emit/manifest.ts'
import { rootOf } from '../platforms/deployment-list.ts'
import type { BuiltSite } from './built-site.ts'
import { ByteGate } from './byte-gate.ts'
import type { CommitRecord } from './commit-record.ts'
import type { Lineage } from './lineage.ts'
import { objectKey } from './object-names.ts'
import type { BuildStore, StoredCommit } from './store.ts'
import { StoreError } from './store-error.ts'

/** The input of a publication. */
export interface Publishing {
  readonly built: BuiltSite
  readonly lineage: Lineage
  /** Publish content even if it is older than the latest commit, or not known to be newer. */
  readonly isRollback: boolean
}

/** The result of a publication. */
export interface Published {
  /** The commit's number. */
  readonly sequence: number
  /** False when the latest commit already had this build. */
  readonly isNew: boolean
  /** Number of created objects, and their bytes. */
  readonly objects: number
  readonly bytes: number
}

/** Concurrent requests, and bytes in memory, of uploads and of downloads. */
export const transfer: Readonly<{ requests: number; bytes: number }> = {
  requests: 16,
  bytes: 64 * 1024 * 1024,
}

/**
 * Publishes a build. Readers see none of it until its commit exists.
 *
 * @throws StoreError when the store fails, or the source of the latest commit is no ancestor of the build's source
 */
export async function publishBuild(store: BuildStore, publishing: Publishing): Promise<Published> {
  const { built, lineage } = publishing
  await store.assertCreatesOnce()
  const upload = new Upload(store, built)
  let latest = await store.latestAfter(0)
  const first = latest?.record ?? null
  for (;;) {
    const before = latest?.record ?? null
    if (before?.manifest === built.sha256 && before.source === lineage.source) {
      return { sequence: before.sequence, isNew: false, ...upload.created }
    }
    if (before !== null && !publishing.isRollback) await assertNewer(before, lineage, first)
    await upload.complete(before)
    const record = recordAfter(before, built, lineage)
    if (await store.commit(record)) {
      await giveHint(store, record.sequence)
      return { sequence: record.sequence, isNew: true, ...upload.created }
    }
    latest = await newerThan(store, record.sequence - 1)
  }
}

function recordAfter(
  before: CommitRecord | null,
  { manifest, manifestFile, sha256 }: BuiltSite,
  { source }: Lineage,
): CommitRecord {
  const root = rootOf(manifest)
  return {
    quarry: 1,
    sequence: (before?.sequence ?? 0) + 1,
    build: manifest.build,
    manifest: sha256,
    manifestBytes: manifestFile.length,
    ...(root === undefined ? {} : { root }),
    source,
    collection: before?.collection ?? 0,
    writer: randomUUID(),
  }
}

/** @throws StoreError when the latest commit may have newer content */
async function assertNewer(
  before: CommitRecord,
  lineage: Lineage,
  first: CommitRecord | null,
): Promise<void> {
  const { source, sequence } = before
  if (source !== null && (await lineage.descendsFrom(source))) return
  // Without git, only the build that was the latest at the start is known to be older.
  if (source === null && before.manifest === first?.manifest) return
  const ours = lineage.source === null ? 'content without git' : lineage.source
  throw new StoreError(
    source === null
      ? `Commit ${sequence} was published at the same time, from content without git. Publish again.`
      : `Commit ${sequence} was published from ${source}, which is no known ancestor of ${ours}. Fetch the whole history and build the latest commit, or publish this build with --rollback.`,
  )
}

async function newerThan(store: BuildStore, sequence: number): Promise<StoredCommit> {
  const latest = await store.latestAfter(sequence)
  if (latest !== null) return latest
  throw new StoreError(`Commit ${sequence + 1} was refused as existing, and cannot be read.`)
}

/** The commit exists, so an outdated hint only costs readers some requests. */
async function giveHint(store: BuildStore, sequence: number): Promise<void> {
  try {
    await store.putHint(sequence)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
  }
}

/** Uploads the objects of one build. */
class Upload {
  created = { objects: 0, bytes: 0 }
  readonly #store: BuildStore
  readonly #built: BuiltSite
  /** Keys of objects that exist since the last garbage collection. */
  readonly #sure = new Set<string>()
  readonly #gate = new ByteGate(transfer.bytes)
  #collection = 0

  constructor(store: BuildStore, built: BuiltSite) {
    this.#store = store
    this.#built = built
  }

  /** Creates missing objects. @param before the latest commit; its objects exist */
  async complete(before: CommitRecord | null): Promise<void> {
    const collection = before?.collection ?? 0
    if (collection !== this.#collection) {
      // The collection may have removed objects that this upload found, and must not remove the next ones.
      this.#sure.clear()
      this.#collection = collection
    }
    await this.#store.awaitCollection(collection)
    const known = before === null ? new Set<string>() : await keysOf(this.#store, before)
    const files = [...this.#built.manifest.files].map(([path, entry]) => ({ path, ...entry }))
    const create = (file: (typeof files)[number]) => {
      if (known.has(objectKey(file.sha256))) return
      return this.#create(file.sha256, file.bytes, () => this.#built.read(file.path, file))
    }
    const concurrency = transfer.requests
    await pMap(
      files.filter(({ stage }) => stage !== 'index'),
      create,
      { concurrency },
    )
    await pMap(
      files.filter(({ stage }) => stage === 'index'),
      create,
      { concurrency },
    )
    const { sha256, manifestFile } = this.#built
    await this.#create(sha256, manifestFile.length, async () => manifestFile)
  }

  async #create(sha256: string, bytes: number, read: () => Promise<Uint8Array>): Promise<void> {
    const key = objectKey(sha256)
    if (this.#sure.has(key)) return
    this.#sure.add(key)
    await this.#gate.run(bytes, async () => {
      if (!(await this.#store.putObject(sha256, await read()))) return
      this.created = { objects: this.created.objects + 1, bytes: this.created.bytes + bytes }
    })
  }
}

/** Keys of a commit's objects. @throws StoreError when its manifest is missing */
export async function keysOf(store: BuildStore, commit: CommitRecord): Promise<Set<string>> {
  const { files } = await manifestOf(store, commit)
  const keys = new Set([objectKey(commit.manifest)])
  for (const { sha256 } of files.values()) keys.add(objectKey(sha256))
  return keys
}

/** Reads the manifest of a commit. @throws StoreError when it is missing */
export async function manifestOf(
  store: BuildStore,
  { manifest, manifestBytes, sequence }: CommitRecord,
): Promise<Manifest> {
  const file = await store.readObject(manifest, manifestBytes)
  const decoded = file === null ? null : decodeManifest(file)
  if (decoded === null) {
    throw new StoreError(
      `The manifest of commit ${sequence} of ${store.name} ${file === null ? 'is missing' : 'is of another version'}.`,
    )
  }
  return decoded
}
