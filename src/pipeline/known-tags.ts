// The entity tags of answers, from one build to the next.
// Knows nothing of what they stand for.
import type { Derive } from '../cache/derive.ts'
import { readStored } from '../cache/stored-bytes.ts'
import type { Precompute } from '../emit/plan.ts'

/** Everything that tags hang on, but for the bodies of posts. */
export interface TaggedAnswers {
  readonly workspace: string
  /** As in `Site`. */
  readonly library: string
  readonly precompute: Precompute
  /** How many posts are not published yet. */
  readonly scheduled: number
}

/** What earlier builds learned; empty for nothing. @throws CacheDamageError as `readStored` */
export function recallTags(derive: Derive, answers: TaggedAnswers): Uint8Array {
  const kept = answers.library === '' ? undefined : derive.find(keyOf(derive, answers))
  return kept === undefined ? new Uint8Array() : readStored(kept)
}

/** Keeps what was learned, where it would be found again. */
export function keepTags(derive: Derive, answers: TaggedAnswers, learned: Uint8Array): void {
  if (answers.library !== '') derive.keep(keyOf(derive, answers), learned)
}

function keyOf(
  derive: Derive,
  { workspace, library, precompute, scheduled }: TaggedAnswers,
): string {
  const { versions, formats, pageSizes, ids } = precompute
  return derive.keyOf(
    'tags',
    JSON.stringify([workspace, library, versions, formats, pageSizes, ids, scheduled]),
  )
}
