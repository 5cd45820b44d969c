// Garbage collection: removes objects of replaced builds and of killed publications.
import { randomUUID } from 'node:crypto'
import pMap from 'p-map'
import { keysOf, transfer } from './publish.ts'
import { type BuildStore, collectionMilliseconds, type StoredCommit } from './store.ts'

/** The result of a garbage collection. */
export interface Collected {
  readonly removed: number
  /** Objects left for the next collection because this one ran out of time. */
  readonly left: number
}

/**
 * Removes objects that no build in use references. Builds in use are the last two, and every build that was the latest
 * one at some time within the last `hours`. Younger objects stay, too.
 *
 * The collection is itself a commit, so it takes the number of any publication that is in progress. That publication
 * checks its objects again after the collection. No publication can rely on an object that is about to be removed.
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

/** Age at which a probe is garbage; a probe is used for seconds. */
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
  // The latest build has not been replaced.
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
