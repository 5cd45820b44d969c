// Rules of the search index, from the place of a post's terms to a segment. Their values are made in threads, from those below.
import type { StoredBytes } from '../../cache/stored-bytes.ts'
import type { StoredRule } from '../../memo/memo.ts'

/** Bytes by what they are made of: titles and digests of texts, or the keys of values below. */
export type SearchRule = StoredRule<readonly unknown[], StoredBytes>

/** The block that has the terms of a post, and its number there: for when a neighbour of the post changes. */
export const termsPlace: SearchRule = searchRule('place of terms')

/** The texts and terms of some posts. */
export const textBlock: SearchRule = searchRule('text block')

/** The merged terms of some blocks. */
export const searchShard: SearchRule = searchRule('shard')

/** The index of some shards, as the names of its files. */
export const searchSegment: SearchRule = searchRule('segment')

/** The version of the tokenizer: a hash of what it makes of samples. */
export const tokenizer: StoredRule<string, string> = {
  name: 'tokenizer',
  keyOf: (input) => input,
  valueOf: (record) => record.text('version'),
}

function searchRule(name: string): SearchRule {
  return {
    name,
    keyOf: (madeOf) => JSON.stringify(madeOf),
    valueOf: (record) => record.stored('bytes'),
  }
}
