// The partition of posts into parts, by content: a new, edited or removed post changes its own part, and rarely the next.

/** What is cut, oldest first. */
interface Item {
  /** Decides, by its hash, whether a cut follows. */
  readonly id: string
  readonly weight: number
}

/** Minimum, mean and maximum of what a cut encloses. */
interface Bounds {
  readonly min: number
  readonly mean: number
  readonly max: number
}

/** Bytes of a part: hosts without ranges read it whole, and a change writes it again. */
const partBytes: Bounds = { min: 256 * 1024, mean: 512 * 1024, max: 1024 * 1024 }

/**
 * Parts of a search index at least, some 10 MB of text. An index of fewer repeats words: 23 % of the text for 4 MB of it,
 * 18 % for 16 MB (250,000 words, 2026-11). One of more takes longer to merge after a change: 1 s for 360 parts, 0.2 s for 48.
 */
const searchedParts = 48

/** @param posts weights are their bytes in a part @returns the number of posts of each part */
export function cutParts(posts: readonly Item[]): readonly number[] {
  return cut(posts, partBytes)
}

/**
 * Cuts parts into groups that are searched together.
 *
 * @param lastIds the id of the last post of each part, oldest part first
 * @returns the number of parts of each group
 */
export function cutSearch(lastIds: readonly string[]): readonly number[] {
  // Prefixed, so that groups do not end by the same hash as parts.
  const parts = lastIds.map((id) => ({ id: `part ${id}`, weight: 1 }))
  // Few groups, as a search reads all. A power of two: groups change only when the number of posts has doubled.
  const mean = Math.max(searchedParts, 2 ** Math.ceil(Math.log2(lastIds.length / 4)))
  return cut(parts, { min: (mean * 2) / 3, mean, max: (mean * 4) / 3 })
}

/** Cuts after items whose hash says so, or that are full. */
function cut(items: readonly Item[], { min, mean, max }: Bounds): readonly number[] {
  const counts: number[] = []
  let count = 0
  let total = 0
  for (const [at, { id, weight }] of items.entries()) {
    count += 1
    total += weight
    const next = items[at + 1]?.weight ?? Number.POSITIVE_INFINITY
    const isCut = total >= min && hashOf(id) / 2 ** 32 < weight / (mean - min)
    if (!isCut && total + next <= max) continue
    counts.push(count)
    count = 0
    total = 0
  }
  return counts
}

/** FNV-1a, and a mix of its bits: ids differ in few characters. @returns 32 bits */
function hashOf(id: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  return (hash ^ (hash >>> 16)) >>> 0
}
