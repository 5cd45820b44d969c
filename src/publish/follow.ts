// Keeps an output folder equal to the latest commit of a bucket.
import pMap from 'p-map'
import type { FileEntry } from '../emit/file-entries.ts'
import { decodeManifest, type Manifest } from '../emit/manifest.ts'
import { openOutput } from '../emit/output-folder.ts'
import { Publication } from '../emit/publication.ts'
import { ByteGate } from './byte-gate.ts'
import type { CommitRecord } from './commit-record.ts'
import { transfer } from './publish.ts'
import type { BuildStore } from './store.ts'
import { StoreError } from './store-error.ts'

/** The folder of a follower. */
export interface FollowedFolder {
  readonly out: string
  /** The content folder; the output folder must not contain it. */
  readonly content: string
  /** See `restrictAccess`. */
  readonly isOwnerOnly?: boolean | undefined
}

/** A build that was moved into the folder. */
export interface FollowedBuild {
  readonly sequence: number
  readonly build: string
  /** Number of fetched files, and their bytes. */
  readonly files: number
  readonly bytes: number
}

/** Follows a bucket with a folder, never back to an older commit. */
export class Follower {
  readonly #store: BuildStore
  readonly #folder: FollowedFolder
  #sequence = 0

  constructor(store: BuildStore, folder: FollowedFolder) {
    this.#store = store
    this.#folder = folder
  }

  /**
   * Updates the folder to the latest commit.
   *
   * @returns null when the folder is up to date
   * @throws StoreError when the store fails or data is damaged; OutputError; LockError. The folder stays whole.
   */
  async update(): Promise<FollowedBuild | null> {
    let latest = await this.#store.latestAfter(this.#sequence)
    while (latest !== null) {
      const { record } = latest
      const taken = await this.#take(record)
      if (taken !== null) {
        this.#sequence = record.sequence
        return { sequence: record.sequence, build: record.build, ...taken }
      }
      // A garbage collection may remove an old build while it is fetched.
      latest = await this.#store.latestAfter(record.sequence)
      if (latest === null) {
        throw new StoreError(
          `Objects of commit ${record.sequence} of ${this.#store.name} are missing.`,
        )
      }
    }
    return null
  }

  /** @returns null when an object is missing; the folder is unchanged then */
  async #take({ manifest: sha256, manifestBytes, sequence }: CommitRecord) {
    const { out, content, isOwnerOnly } = this.#folder
    const folder = await openOutput(out, content)
    const publication = new Publication(folder, { isOwnerOnly })
    try {
      if (publication.publishLast(sha256) !== undefined) return { files: 0, bytes: 0 }
      const file = await this.#store.readObject(sha256, manifestBytes)
      if (file === null) return null
      const manifest = decodeManifest(file)
      if (manifest === null)
        throw new StoreError(`Commit ${sequence} is of another version of quarry.`)
      const fetched = await fetchMissing(this.#store, publication, manifest)
      if (fetched !== null) await publication.publish(manifest)
      return fetched
    } finally {
      await publication.discard()
    }
  }
}

interface Download {
  readonly entry: FileEntry
  readonly paths: string[]
}

/** Fetches missing files. @returns null when the store lacks one of them */
async function fetchMissing(store: BuildStore, publication: Publication, { files }: Manifest) {
  const downloads = new Map<string, Download>()
  for (const [path, entry] of publication.takeOver(files)) {
    const key = `${entry.stage} ${entry.sha256} ${entry.etag}`
    const download = downloads.get(key)
    if (download === undefined) downloads.set(key, { entry, paths: [path] })
    else download.paths.push(path)
  }
  const gate = new ByteGate(transfer.bytes)
  let bytes = 0
  // After a failure the stage is removed, so nothing more may be staged.
  let isOver = false
  let isMissing = false
  const fetchOne = async ({ entry: { stage, sha256, bytes: size, etag }, paths }: Download) => {
    if (isOver) return
    const body = await store.readObject(sha256, size)
    isMissing ||= body === null
    isOver ||= isMissing
    if (isOver || body === null) return
    bytes += size
    const tag = etag === undefined ? {} : { etag }
    await publication.add({ bytes: () => body, paths, stage, ...tag })
  }
  const work = (download: Download) => gate.run(download.entry.bytes, () => fetchOne(download))
  try {
    await pMap(downloads.values(), work, { concurrency: transfer.requests })
  } finally {
    isOver = true
  }
  return isMissing ? null : { files: downloads.size, bytes }
}
