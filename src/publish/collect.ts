// Collection of garbage: removes the objects of builds that were replaced, and of publications that were killed.
import { randomUUID } from 'node:crypto'
import pMap from 'p-map'
import { keysOf, transfer } from './publish.ts'
import { type BuildStore, collectionMilliseconds, type StoredCommit } from './store.ts'

/** The result of a collection. */
export interface Collected {
  readonly removed: number
  /** Objects that are left to the next collection, as the time of this one was over. */
  readonly left: number
}

/**
 * Removes the objects that no build in use names. In use are the last two builds, and every build that was the latest
 * at some moment of the last hours. Objects that are younger stay too.
 *
 * The collection is a commit itself, so a publication that began before it does not get its number. It looks at its
 * objects again, once the collection is over. No publication can rely on an object that is about to be removed.
 *
 * @param hours by the clock of the store
 * @throws StoreError when the store fails
 */
export async function collectGarbage(store: BuildStore, hours: number): Promise<Collected> {
  for (;;) {
    const latest = await store.latestAfter(0)
    if (latest === null) return { removed: 0, left: 0 }
    await store.awaitCollection(latest.record.collection)
    const unused = await findUnused(store, latest, hours * 3_600_000)
    if (unused.length === 0) return { removed: 0, left: 0 }
    const sequence = latest.record.sequence + 1
    const endsAt = performance.now() + collectionMilliseconds.last
    const record = { ...latest.record, sequence, collection: sequence, writer: randomUUID() }
    if (!(await store.commit(record))) continue
    const removed = await removeAll(store, unused, endsAt)
    await store.markCollected(sequence)
    await store.putHint(sequence)
    return { removed, left: unused.length - removed }
  }
}

async function removeAll(
  store: BuildStore,
  keys: readonly string[],
  endsAt: number,
): Promise<number> {
  let removed = 0
  const remove = async (key: string) => {
    if (performance.now() >= endsAt) return
    await store.remove(key)
    removed++
  }
  await pMap(keys, remove, { concurrency: transfer.requests })
  return removed
}

async function findUnused(
  store: BuildStore,
  latest: StoredCommit,
  milliseconds: number,
): Promise<readonly string[]> {
  const used = await findUsed(store, latest, milliseconds)
  const unused: string[] = []
  for await (const { key, ageMilliseconds } of store.list()) {
    const least = key.startsWith('probes/') ? probeMilliseconds : milliseconds
    if (ageMilliseconds >= least && !used.has(key)) unused.push(key)
  }
  return unused
}

/** A trial of the store takes much less. */
const probeMilliseconds = 3_600_000

/** Keys of the objects of all builds in use. */
async function findUsed(
  store: BuildStore,
  latest: StoredCommit,
  milliseconds: number,
): Promise<ReadonlySet<string>> {
  const used = new Set<string>()
  const builds = new Set<string>()
  let commit: StoredCommit | null = latest
  // The latest one was not replaced.
  let replacedAgo = 0
  while (commit !== null && (builds.size < 2 || replacedAgo < milliseconds)) {
    const { record, ageMilliseconds } = commit
    if (!builds.has(record.manifest)) {
      for (const key of await keysOf(store, record)) used.add(key)
    }
    builds.add(record.manifest)
    replacedAgo = ageMilliseconds
    commit = await store.readCommit(record.sequence - 1)
  }
  return used
}
