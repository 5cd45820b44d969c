// A search segment made from shards, shards from blocks, and blocks from posts, each from the cache or made again. They may
// come from another thread.
import type { BundledSegment } from '../api/bundle.ts'
import { readStored, type StoredBytes } from '../cache/stored-bytes.ts'
import { postTerms, readPostTerms } from '../query/post-terms.ts'
import type { SectionTable } from '../query/sections.ts'
import { type Block, joinBlocks, joinPosts } from '../query/shard.ts'
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

/** Bytes of the cache, by the key under which the cache has them, or is to have them. */
interface Cached {
  readonly key: string
}

interface CachedRecord extends Cached {
  readonly record: StoredBytes
}

/** A post as search knows it: its terms, or the title and the visible text without it, as UTF-8. */
export type PostInput =
  | CachedRecord
  | (Cached & { readonly title: string; readonly text: StoredBytes })

/** A block: from the cache, or the posts to make it of, latest first. */
export type BlockInput = CachedRecord | (Cached & { readonly posts: readonly PostInput[] })

/** A shard: from the cache, or the blocks to make it of, the latest posts first. */
export type ShardInput = CachedRecord | (Cached & { readonly blocks: readonly BlockInput[] })

/** A segment to be made from shards, the latest posts first. */
export interface SegmentInput extends SegmentKind {
  readonly shards: readonly ShardInput[]
}

/** A segment, and what the cache did not hold. */
export interface SegmentResult {
  /** All but the texts of blocks from the cache, whose bytes are not known here. */
  readonly files: readonly NamedFile[]
  readonly segment: BundledSegment<SectionTable>
  /** What the cache is to hold. */
  readonly records: readonly NewRecord[]
}

/** What was made. */
export interface NewRecord extends Cached {
  readonly bytes: Uint8Array
}

/** @throws CacheDamageError when cached bytes are not those that were written */
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
  readonly #decoder = new TextDecoder()

  constructor(kind: SegmentKind) {
    this.#kind = kind
  }

  shard(input: ShardInput): TextRecord {
    if ('record' in input) return decodeShard(readStored(input.record))
    const blocks = input.blocks.map((block) => this.#block(block))
    const oldestFirst = blocks.flatMap(({ terms }) => terms ?? []).reverse()
    const { isIndexed, hasGrams } = this.#kind
    const terms = isIndexed ? joinBlocks(oldestFirst, hasGrams) : undefined
    const shard = { terms, texts: joinTexts(blocks.map(({ texts }) => texts)) }
    this.records.push({ key: input.key, bytes: encodeShard(shard) })
    return shard
  }

  #block(input: BlockInput): TextRecord<Block> {
    if ('record' in input) return decodeBlock(readStored(input.record))
    const posts = input.posts.map((post) => this.#post(post))
    const { file, texts } = textFile(posts.map((post) => readPostTerms(post).text))
    this.files.push(file)
    const terms = this.#kind.isIndexed ? joinPosts(posts.toReversed()) : undefined
    const block = { terms, texts }
    this.records.push({ key: input.key, bytes: encodeBlock(block) })
    return block
  }

  #post(input: PostInput): Uint8Array {
    if ('record' in input) return readStored(input.record)
    const bytes = postTerms(input.title, this.#decoder.decode(readStored(input.text)))
    this.records.push({ key: input.key, bytes })
    return bytes
  }
}

function joinTexts(parts: readonly PostTexts[]): PostTexts {
  return {
    sizes: Uint32Array.from(parts.flatMap(({ sizes }) => [...sizes])),
    checks: Uint32Array.from(parts.flatMap(({ checks }) => [...checks])),
    files: parts.flatMap(({ files }) => files),
  }
}
