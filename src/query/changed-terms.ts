// Which terms came to posts and which left them, as the posts changed.
// Knows nothing of the index.
import { GrowingNumbers } from './growing.ts'
import { readPostTerms } from './post-terms.ts'
import { TermTable } from './term-table.ts'

/** A post that is another by now. */
export interface PostChange {
  /** Counted from the oldest one. */
  readonly post: number
  /** What `postTerms` gave; undefined for none. */
  readonly before: Uint8Array | undefined
  readonly after: Uint8Array | undefined
}

/** A term that some posts have and had not, or the other way round. */
export interface ChangedTerm {
  /** Which of the lexicons it belongs to: runs of ASCII, other runs, pairs. */
  readonly kind: number
  /** In UTF-8. */
  readonly text: Uint8Array
  readonly hash: number
  readonly added: readonly number[]
  readonly removed: readonly number[]
}

/** What changed. */
export interface TermChanges {
  /** By kind, and in the order of the lexicons within each. */
  readonly terms: readonly ChangedTerm[]
  /** `NUL run NUL run … NUL` of each post as it is now, in the order of the changes; empty for one that is gone. */
  readonly runs: readonly string[]
}

/** Cost: O(terms of the changed posts). */
export function changedTerms(changes: readonly PostChange[]): TermChanges {
  const table = new TermTable()
  const numbered = changes.map(({ post, before, after }) => ({
    post,
    before: numbersOf(table, before),
    after: numbersOf(table, after),
  }))
  const added = new Map<number, number[]>()
  const removed = new Map<number, number[]>()
  for (const { post, before, after } of numbered) {
    const [old, now] = [new Set(before), new Set(after)]
    for (const term of now) if (!old.has(term)) push(added, term, post)
    for (const term of old) if (!now.has(term)) push(removed, term, post)
  }
  const isChanged = new Uint32Array(table.size)
  for (const of of [added, removed]) for (const term of of.keys()) isChanged[term] = 1
  const terms = Array.from(table.inOrder(isChanged), (term) => ({
    ...table.at(term),
    added: added.get(term) ?? [],
    removed: removed.get(term) ?? [],
  }))
  return { terms, runs: numbered.map(({ after }) => runsOf(table, after)) }
}

function numbersOf(table: TermTable, terms: Uint8Array | undefined): Uint32Array {
  const numbers = new GrowingNumbers()
  if (terms !== undefined) table.addNumbers(readPostTerms(terms), numbers)
  return numbers.view()
}

function push(lists: Map<number, number[]>, term: number, post: number): void {
  const list = lists.get(term)
  if (list === undefined) lists.set(term, [post])
  else list.push(post)
}

function runsOf(table: TermTable, terms: Uint32Array): string {
  const texts = Array.from(terms, (term) => table.at(term)).filter(({ kind }) => kind < 2)
  return texts.length === 0 ? '' : `\0${texts.map(({ text }) => decoder.decode(text)).join('\0')}\0`
}

// A mark of byte order is a character as any other.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
