// A shard as the cache holds it: its posts joined, and the names of the blocks in which their texts are.
// Knows nothing of the cache.
import { readHeaded, storeHeaded } from '../query/headed-sections.ts'
import type { Shard } from '../query/shard.ts'

/** The folded texts of a shard's posts, by the place of each post, latest first. */
export interface ShardTexts {
  readonly sizes: Uint32Array
  readonly checks: Uint32Array
  /** Blocks that they are in: the posts of each, in the order in which their texts are there. */
  readonly blocks: readonly { readonly etag: string; readonly posts: readonly number[] }[]
}

/** What the cache holds of a shard. */
export interface ShardRecord {
  /** Undefined for posts that are in no index. */
  readonly shard: Shard | undefined
  readonly texts: ShardTexts
}

interface Head {
  readonly blocks: ShardTexts['blocks']
  readonly sizes: Pick<Shard, 'postCount' | 'textBytes'> | null
}

/** A record as bytes. */
export function encodeShard({ shard, texts }: ShardRecord): Uint8Array<ArrayBuffer> {
  const { blocks, sizes, checks } = texts
  const { postCount, textBytes, ...arrays } = shard ?? noShard
  const head: Head = { blocks, sizes: shard === undefined ? null : { postCount, textBytes } }
  return storeHeaded({ sizes, checks, ...arrays }, head)
}

/** Reads what `encodeShard` gave. @param bytes at an address that is a multiple of 8 */
export function decodeShard(bytes: Uint8Array): ShardRecord {
  const { read, head } = readHeaded<Head>(bytes)
  const texts = { sizes: read('sizes', 'u32'), checks: read('checks', 'u32'), blocks: head.blocks }
  if (head.sizes === null) return { shard: undefined, texts }
  const shard: Shard = {
    ...head.sizes,
    counts: read('counts', 'u32'),
    texts: read('texts', 'u8'),
    hashes: read('hashes', 'u32'),
    starts: read('starts', 'u32'),
    posts: read('posts', 'u32'),
    runs: read('runs', 'u8'),
    runEnds: read('runEnds', 'u32'),
  }
  return { shard, texts }
}

const noShard: Shard = {
  postCount: 0,
  textBytes: 0,
  counts: new Uint32Array(3),
  texts: new Uint8Array(0),
  hashes: new Uint32Array(0),
  starts: new Uint32Array(1),
  posts: new Uint32Array(0),
  runs: new Uint8Array(0),
  runEnds: new Uint32Array(0),
}
