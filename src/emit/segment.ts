// Search segments built from shards, shards from blocks, and blocks from posts, each cached or built again. May run in
// another thread.
import type { BundledSegment } from '../api/bundle.ts'
import { readStored, type StoredBytes } from '../cache/stored-bytes.ts'
import { sumOf } from '../query/inverted-terms.ts'
import { foldedTerms, foldPost } from '../query/post-terms.ts'
import type { SectionTable } from '../query/sections.ts'
import { type Block, blockOfPost, cutBlock, joinBlocks, joinNeighbours } from '../query/shard.ts'
import { indexFiles, type NamedFile, textFile } from './search-files.ts'
import type { SegmentKind } from './segment-plan.ts'
import {
  decodeBlock,
  decodeShard,
  encodeBlock,
  encodeShard,
  type PostTexts,
  type TextRecord,
} from './shard-record.ts'

/** Cached bytes, or bytes to be cached, by their key. */
interface Cached {
  readonly key: string
}

/** A post: its title, and its visible text without the title, in UTF-8. */
export interface PostInput {
  readonly title: string
  readonly text: StoredBytes
  /** A cached block that contains its terms; undefined if there is none. */
  readonly joined?: JoinedPost | undefined
}

/** A post of a cached block. */
export interface JoinedPost extends Cached {
  readonly block: StoredBytes
  /** Its number, counted from the oldest post of the block. */
  readonly post: number
}

/** A block. Has a cached record, or posts whose texts are to be written, latest first, or both. */
export interface BlockInput extends Cached {
  readonly record?: StoredBytes | undefined
  readonly posts?: readonly PostInput[]
}

/** A shard. Has a cached record, or blocks to be written, latest posts first, or both. */
export interface ShardInput extends Cached {
  readonly record?: StoredBytes | undefined
  readonly blocks?: readonly BlockInput[]
}

/** A segment to be built from shards, latest posts first. */
export interface SegmentInput extends SegmentKind {
  readonly shards: readonly ShardInput[]
}

/** A segment, and records that were missing from the cache. */
export interface SegmentResult {
  /** All files except the texts of cached blocks, whose bytes are unknown here. */
  readonly files: readonly NamedFile[]
  readonly segment: BundledSegment<SectionTable>
  /** Records to be cached. */
  readonly records: readonly NewRecord[]
}

export interface NewRecord extends Cached {
  readonly bytes: Uint8Array
}

/** @throws CacheDamageError if cached bytes are damaged */
export function makeSegment(input: SegmentInput): SegmentResult {
  const maker = new SegmentMaker(input)
  const { segment, files } = indexFiles(
    input.shards.map((shard) => maker.shard(shard)),
    input.isIndexed,
  )
  return { segment, files: [...maker.files, ...files], records: maker.records }
}

class SegmentMaker {
  readonly files: NamedFile[] = []
  readonly records: NewRecord[] = []
  readonly #kind: SegmentKind
  readonly #joinedBlocks = new Map<string, Block | undefined>()
  readonly #decoder = new TextDecoder()
  readonly #encoder = new TextEncoder()

  constructor(kind: SegmentKind) {
    this.#kind = kind
  }

  shard({ key, record, blocks: inputs = [] }: ShardInput): TextRecord {
    const blocks = inputs.map((block) => this.#block(block))
    if (record !== undefined) return decodeShard(readStored(record))
    const oldestFirst = blocks.flatMap(({ terms }) => terms ?? []).reverse()
    const { isIndexed, hasGrams } = this.#kind
    const terms = isIndexed ? joinBlocks(oldestFirst, hasGrams) : undefined
    const shard = { terms, texts: joinTexts(blocks.map(({ texts }) => texts)) }
    this.records.push({ key, bytes: encodeShard(shard) })
    return shard
  }

  #block({ key, record, posts = [] }: BlockInput): TextRecord<Block> {
    const folded = posts.map(({ title, text }) =>
      foldPost(title, this.#decoder.decode(readStored(text))),
    )
    const encoded = folded.map((text) => this.#encoder.encode(text))
    const { file, texts } = textFile(encoded)
    if (posts.length > 0) this.files.push(file)
    if (record !== undefined) return decodeBlock(readStored(record))
    const sizes = encoded.map(({ length }) => length)
    const terms = this.#kind.isIndexed
      ? joinNeighbours([...this.#oldestFirst(posts, folded, sizes)])
      : undefined
    const block = { terms, texts }
    this.records.push({ key, bytes: encodeBlock(block) })
    return block
  }

  /** Yields the terms of posts, oldest first. Adjacent posts of a cached block are cut from it; others are inverted. */
  *#oldestFirst(
    posts: readonly PostInput[],
    folded: readonly string[],
    sizes: readonly number[],
  ): Generator<Block> {
    for (let at = posts.length - 1, next: number; at >= 0; at = next) {
      const joined = posts[at]?.joined
      const block = joined && this.#joinedBlock(joined)
      next = block === undefined ? at - 1 : endOfRun(posts, at)
      if (joined === undefined || block === undefined) {
        yield blockOfPost(foldedTerms(folded[at] ?? ''))
      } else {
        const textBytes = sumOf(sizes.slice(next + 1, at + 1))
        yield cutBlock(block, joined.post, joined.post + at - next, textBytes)
      }
    }
  }

  /** Undefined for a block of posts that were not indexed. */
  #joinedBlock({ key, block }: JoinedPost): Block | undefined {
    if (!this.#joinedBlocks.has(key)) {
      this.#joinedBlocks.set(key, decodeBlock(readStored(block)).terms)
    }
    return this.#joinedBlocks.get(key)
  }
}

/**
 * Returns the end of a range of posts that are adjacent in one block, in the same order. @param at the oldest of them
 */
function endOfRun(posts: readonly PostInput[], at: number): number {
  const first = posts[at]?.joined
  let end = at - 1
  for (; end >= 0; end--) {
    const joined = posts[end]?.joined
    if (joined?.key !== first?.key || joined?.post !== (first?.post ?? 0) + at - end) break
  }
  return end
}

function joinTexts(parts: readonly PostTexts[]): PostTexts {
  return {
    sizes: Uint32Array.from(parts.flatMap(({ sizes }) => [...sizes])),
    checks: Uint32Array.from(parts.flatMap(({ checks }) => [...checks])),
    files: parts.flatMap(({ files }) => files),
  }
}
