// Rules of the search index, from the location of a post's terms up to a segment. Threads compute each value from
// those of the rules before it.
import type { StoredBytes } from '../../cache/stored-bytes.ts'
import type { StoredRule } from '../../memo/memo.ts'

/** Bytes by their inputs: titles and digests of texts, or keys of other values. */
export type SearchRule = StoredRule<readonly unknown[], StoredBytes>

/** The block that contains the terms of a post, and the post's number in it; used when an adjacent post changes. */
export const termsPlace: SearchRule = searchRule('place of terms')

/** The texts and terms of some posts. */
export const textBlock: SearchRule = searchRule('text block')

/** The merged terms of some blocks. */
export const searchShard: SearchRule = searchRule('shard')

/** The index of some shards, as the names of its files. */
export const searchSegment: SearchRule = searchRule('segment')

/** The version of the tokenizer: a hash of its output for samples. */
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
