// Shares packs between machines: reads them into the cache folder before a build, and writes them from it afterwards.
//
// A list names the packs of a folder after a build. `quarry build` writes list 0, and part i of `--shard` writes list
// i, so concurrent parts do not replace each other's lists. List 0 includes everything that it needs of the others,
// and empties them.
import { createHash } from 'node:crypto'
import { createReadStream, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CacheAccess } from '../cache/cache-access.ts'
import { packPaths, removeFile, temporaryPath } from '../cache/cache-folder.ts'
import { makeFolders } from '../cache/make-folders.ts'
import { PackReader } from '../cache/pack-reader.ts'
import { isRecord, parseJson } from '../emit/manifest-lines.ts'
import { decodeList, encodeList, fits, type ListedPack } from './pack-list.ts'
import { readRemote } from './remote-location.ts'
import { RemoteStore } from './remote-store.ts'

/** Options of `openRemoteCache`. */
export interface RemoteCacheOptions extends CacheAccess {
  /** The number of the list to write: 0, or that of a part. */
  readonly part: number
  /** Reads no pack. @default false */
  readonly isUnread?: boolean | undefined
}

/**
 * Opens the remote cache that the environment configures.
 *
 * @param folder the folder of the local cache
 * @throws UseError when the URL is missing or invalid
 */
export function openRemoteCache(
  folder: string,
  options: RemoteCacheOptions,
  environment: Readonly<Record<string, string | undefined>>,
): RemoteCache {
  return new RemoteCache(new RemoteStore(readRemote(environment)), folder, options)
}

/**
 * A folder of packs, and the remote cache that shares them. No method throws: a build does not depend on its remote
 * cache.
 */
export class RemoteCache {
  /** The number of transferred packs. */
  readonly transfers: { read: number; written: number } = { read: 0, written: 0 }
  readonly #store: RemoteStore
  readonly #folder: string
  readonly #options: RemoteCacheOptions
  /** The packs of each list that was read. */
  #lists: (readonly ListedPack[])[] = []
  /** Hashes of packs whose records are in the folder. */
  #known = new Set<string>()
  #hasFailed = false
  #hasWarned = false

  constructor(store: RemoteStore, folder: string, options: RemoteCacheOptions) {
    this.#store = store
    this.#folder = folder
    this.#options = options
  }

  /** Reads the packs that the folder lacks. */
  async pull(): Promise<void> {
    await this.#unlessFailed(async () => {
      await this.#readLists()
      if (this.#options.isUnread === true) return
      const listed = this.#listed
      this.#known = new Set(knownPacks(this.#folder).filter((sha256) => listed.has(sha256)))
      for (const { sha256 } of await packsOf(this.#folder, [...listed.values()])) {
        if (listed.has(sha256)) this.#known.add(sha256)
      }
      for (const pack of listed.values()) {
        if (!this.#known.has(pack.sha256)) await this.#read(pack)
      }
      if (listed.size > 0) this.#storeKnown()
    })
  }

  /** Writes the packs that are in no list, then the list. Does nothing without a writer's credential. */
  async push(): Promise<void> {
    if (!this.#store.canWrite) return
    await this.#unlessFailed(async () => {
      const { part } = this.#options
      const packs = await packsOf(this.#folder)
      if (!fits(packs)) throw new Error('the local cache is larger than 4 GiB')
      const listed = this.#listed
      for (const pack of packs) {
        if (!listed.has(pack.sha256) || !this.#known.has(pack.sha256)) await this.#write(pack)
      }
      await this.#store.writeList(part, encodeList(packs))
      for (const { sha256 } of packs) this.#known.add(sha256)
      this.#storeKnown()
      if (part === 0) await this.#removeReplaced(packs)
    })
  }

  /** Packs of all lists, by hash. */
  get #listed(): ReadonlyMap<string, ListedPack> {
    return new Map(this.#lists.flat().map((pack) => [pack.sha256, pack]))
  }

  /** Empties the lists of parts, and removes the packs that are no longer in list 0. */
  async #removeReplaced(packs: readonly ListedPack[]): Promise<void> {
    for (const [part, list] of this.#lists.entries()) {
      if (part > 0 && list.length > 0) await this.#store.writeList(part, encodeList([]))
    }
    const kept = new Set(packs.map(({ sha256 }) => sha256))
    for (const pack of this.#listed.values()) {
      if (!kept.has(pack.sha256)) await this.#store.removePack(pack)
    }
  }

  /**
   * Reads groups of lists concurrently, until a list is damaged or a whole group is missing: parts finish in any
   * order.
   */
  async #readLists(): Promise<void> {
    for (let start = 0; start < partsMax; start += listsAtOnce) {
      const parts = Array.from({ length: listsAtOnce }, (_, index) => start + index)
      const files = await Promise.all(parts.map((part) => this.#store.readList(part)))
      if (files.every((file) => file === null)) return
      const areUsable = files.map((file) => this.#addList(file))
      if (areUsable.includes(false)) return
    }
  }

  /** @returns false for a list that is damaged or too large */
  #addList(file: Uint8Array | null): boolean {
    const list = file === null ? [] : decodeList(file)
    if (list === null) this.#warn('a list of packs is damaged')
    const isUsable = fits([...this.#listed.values(), ...(list ?? [])])
    if (!isUsable) this.#warn('its lists name more than 64 packs or 4 GiB')
    this.#lists.push(isUsable ? (list ?? []) : [])
    return isUsable && list !== null
  }

  async #read(pack: ListedPack): Promise<void> {
    makeFolders(this.#folder)
    const path = temporaryPath(this.#folder)
    try {
      const isWhole = await this.#store.readPack(pack, path)
      // It was replaced since the list was read.
      if (isWhole === null) return
      const problem = isWhole ? problemOf(path, this.#options) : 'damaged'
      if (problem !== null) {
        this.#warn(`a pack is ${problem}`)
        return
      }
      // Sorts before all packs of this machine, whose names begin with 1.
      renameSync(path, join(this.#folder, `00000000-${pack.sha256.slice(0, 12)}.pack`))
      this.#known.add(pack.sha256)
      this.transfers.read += 1
    } finally {
      removeFile(path)
    }
  }

  async #write(pack: LocalPack): Promise<void> {
    await this.#store.writePack(pack, pack.path)
    this.transfers.written += 1
  }

  /** Builds merge packs, so the files of the folder do not show which packs it includes. */
  #storeKnown(): void {
    makeFolders(this.#folder)
    writeFileSync(join(this.#folder, memoryName), JSON.stringify({ packs: [...this.#known] }))
  }

  async #unlessFailed(work: () => Promise<void>): Promise<void> {
    if (this.#hasFailed) return
    try {
      await work()
    } catch (error) {
      this.#hasFailed = true
      this.#warn(reasonOf(error))
    }
  }

  #warn(reason: string): void {
    if (this.#hasWarned) return
    this.#hasWarned = true
    this.#options.onWarning?.(
      `The remote cache ${this.#store.name} is not fully used: ${reason}. The build goes on without it.`,
    )
  }
}

/** More than `--shard` allows. */
const partsMax = 1000
const listsAtOnce = 8

const memoryName = 'remote.json'

/** A pack in the cache folder. */
interface LocalPack extends ListedPack {
  readonly path: string
}

/** The packs of a folder. @param candidates skips packs that have the size of none of them */
async function packsOf(
  folder: string,
  candidates?: readonly ListedPack[],
): Promise<readonly LocalPack[]> {
  const packs: LocalPack[] = []
  for (const path of packPaths(folder)) {
    const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0
    if (candidates?.some((pack) => pack.bytes === bytes) === false) continue
    packs.push({ path, bytes, sha256: await hashOf(path) })
  }
  return packs
}

async function hashOf(path: string): Promise<string> {
  const digest = createHash('sha256')
  for await (const chunk of createReadStream(path)) digest.update(chunk)
  return digest.digest('hex')
}

/** The reason to reject a pack; null for a valid one. */
function problemOf(path: string, { secret }: CacheAccess): string | null {
  const opened = PackReader.open(path, secret)
  if (opened.kind === 'unsigned') return 'not signed with QUARRY_CACHE_SECRET'
  if (opened.kind !== 'pack') return 'damaged'
  opened.pack.close()
  return null
}

/** Hashes of packs whose records were moved into the folder; none when its packs were removed. */
function knownPacks(folder: string): readonly string[] {
  if (packPaths(folder).length === 0) return []
  try {
    const value = parseJson(readFileSync(join(folder, memoryName), 'utf8'))
    const packs = isRecord(value) ? value['packs'] : null
    return Array.isArray(packs) ? packs.filter((name) => typeof name === 'string') : []
  } catch {
    return []
  }
}

/** Connection errors over several addresses have their reason only in `code`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message === '' && 'code' in error ? String(error.code) : error.message
}
