// Joins adjacent posts in two steps: posts to blocks, blocks to shards.
import { joinBytes } from '../api/bytes.ts'
import { cutTerms } from './cut-terms.ts'
import { type InvertedTerms, mergeTerms, termsOfPost } from './inverted-terms.ts'
import { readPostTerms } from './post-terms.ts'
import { type ShardGrams, shardGrams, type TokenSequences } from './shard-grams.ts'

/** The joined posts of a block. */
export interface Block extends InvertedTerms, TokenSequences {}

/** The joined blocks of a shard. */
export interface Shard extends InvertedTerms {
  /** Null when phrases of common words are not indexed. */
  readonly grams: ShardGrams | null
}

/** Joins posts. @param oldestFirst results of `postTerms` */
export function joinPosts(oldestFirst: readonly Uint8Array[]): Block {
  return joinNeighbours(oldestFirst.map(blockOfPost))
}

/** Returns a post as a block. @param bytes the result of `postTerms` */
export function blockOfPost(bytes: Uint8Array): Block {
  const post = readPostTerms(bytes)
  const { tokens } = post
  return { ...termsOfPost(post), tokens, tokenEnds: Uint32Array.of(tokens.length) }
}

/** Joins adjacent blocks. */
export function joinNeighbours(oldestFirst: readonly Block[]): Block {
  const tokens = joinBytes(oldestFirst.map(({ tokens }) => tokens))
  let start = 0
  const tokenEnds = oldestFirst.flatMap(({ tokens, tokenEnds }) => {
    const ends = Array.from(tokenEnds, (end) => start + end)
    start += tokens.length
    return ends
  })
  return { ...mergeTerms(oldestFirst), tokens, tokenEnds: Uint32Array.from(tokenEnds) }
}

/**
 * Extracts adjacent posts of a block; the inverse of `joinNeighbours`.
 *
 * @param start counted from the oldest post
 * @param textBytes of the normalized texts of these posts
 *
 * Cost: O(block).
 */
export function cutBlock(block: Block, start: number, end: number, textBytes: number): Block {
  const first = block.tokenEnds[start - 1] ?? 0
  const tokenEnds = block.tokenEnds.slice(start, end).map((tokenEnd) => tokenEnd - first)
  const tokens = block.tokens.subarray(first, first + (tokenEnds.at(-1) ?? 0))
  return { ...cutTerms(block, start, end), textBytes, tokens, tokenEnds }
}

/** Joins blocks to a shard. */
export function joinBlocks(oldestFirst: readonly Block[], hasGrams: boolean): Shard {
  const terms = mergeTerms(oldestFirst.map(({ tokens, tokenEnds, ...terms }) => terms))
  return { ...terms, grams: hasGrams ? shardGrams(terms, oldestFirst) : null }
}
