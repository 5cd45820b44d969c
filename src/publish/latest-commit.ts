// Finds the latest commit. Runs without Node.

/** Reads commits. */
export interface CommitReader<Commit> {
  /** The commit of a number; null when there is none. */
  readCommit(sequence: number): Promise<Commit | null>
  /** The number in the hint; 0 without a hint. */
  readHint(): Promise<number>
}

/**
 * Finds the latest commit by galloping search, because commit numbers have no gaps.
 *
 * @param known number of an existing commit; 0 starts from the hint
 * @returns null when no commit follows `known`
 *
 * Cost: one request when no commit follows; O(log n) for n commits after `known`.
 */
export async function findLatest<Commit>(
  { readCommit, readHint }: CommitReader<Commit>,
  known: number,
): Promise<Commit | null> {
  const hint = known === 0 ? await readHint() : 0
  let found = hint === 0 ? null : await readCommit(hint)
  const start = found === null ? known : hint
  let low = start
  let high = Number.POSITIVE_INFINITY
  while (low + 1 < high) {
    const isBounded = high !== Number.POSITIVE_INFINITY
    const middle = isBounded ? Math.floor((low + high) / 2) : low + Math.max(1, low - start)
    const commit = await readCommit(middle)
    if (commit === null) high = middle
    else {
      found = commit
      low = middle
    }
  }
  return found
}
