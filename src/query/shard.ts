// Neighbouring posts joined, in two steps: posts to blocks, and blocks to shards.
import { joinBytes } from '../api/bytes.ts'
import { type InvertedTerms, mergeTerms, termsOfPost } from './inverted-terms.ts'
import { readPostTerms } from './post-terms.ts'
import { type ShardGrams, shardGrams, type TokenSequences } from './shard-grams.ts'

/** The posts of a block, joined. */
export interface Block extends InvertedTerms, TokenSequences {}

/** The blocks of a shard, joined. */
export interface Shard extends InvertedTerms {
  /** Null where no phrase of common words is looked up. */
  readonly grams: ShardGrams | null
}

/** Joins posts. @param oldestFirst what `postTerms` gave */
export function joinPosts(oldestFirst: readonly Uint8Array[]): Block {
  const posts = oldestFirst.map(readPostTerms)
  const tokens = joinBytes(posts.map(({ tokens }) => tokens))
  let end = 0
  const tokenEnds = Uint32Array.from(posts, ({ tokens }) => (end += tokens.length))
  return { ...mergeTerms(posts.map(termsOfPost)), tokens, tokenEnds }
}

/** Joins blocks. */
export function joinBlocks(oldestFirst: readonly Block[], hasGrams: boolean): Shard {
  const terms = mergeTerms(oldestFirst.map(({ tokens, tokenEnds, ...terms }) => terms))
  return { ...terms, grams: hasGrams ? shardGrams(terms, oldestFirst) : null }
}
