// A search segment made from shards, some from the cache and some of posts; what it is made from may come from another
// thread. Knows nothing of threads.
import type { BundledSegment } from '../api/bundle.ts'
import { readStored, type StoredBytes } from '../cache/stored-bytes.ts'
import { postTerms, readPostTerms } from '../query/post-terms.ts'
import type { SectionTable } from '../query/sections.ts'
import { joinShard } from '../query/shard.ts'
import { indexFiles, type NamedFile, shardTexts } from './search-files.ts'
import type { SegmentKind } from './segment-plan.ts'
import { decodeShard, encodeShard, type ShardRecord } from './shard-record.ts'

/** A post as search knows it: its cached terms, or the title and the visible text without it, as UTF-8. */
export type SegmentPost =
  | { readonly terms: StoredBytes }
  | { readonly title: string; readonly text: StoredBytes }

/** A shard: from the cache, or the posts to make it of, latest first. */
export type ShardInput =
  | { readonly record: StoredBytes }
  | { readonly ids: readonly string[]; readonly posts: readonly SegmentPost[] }

/** What a segment is made from: shards, the latest posts first. */
export interface SegmentInput extends SegmentKind {
  readonly shards: readonly ShardInput[]
}

/** A segment, and what the cache did not hold. */
export interface SegmentResult {
  /** All but the texts of shards from the cache, whose bytes are not known here. */
  readonly files: readonly NamedFile[]
  readonly segment: BundledSegment<SectionTable>
  readonly newShards: readonly NewShard[]
}

/** A shard that was made of posts. */
export interface NewShard {
  /** Its place among all. */
  readonly shard: number
  /** What the cache is to hold of it. */
  readonly record: Uint8Array
  /** Terms that were made, by the place of the post. */
  readonly terms: readonly (readonly [post: number, terms: Uint8Array])[]
}

/** @throws CacheDamageError when cached bytes are not those that were written */
export function makeSegment({ shards, isIndexed, hasPairs }: SegmentInput): SegmentResult {
  const files: NamedFile[] = []
  const newShards: NewShard[] = []
  const records = shards.map((input, shard): ShardRecord => {
    if ('record' in input) return decodeShard(readStored(input.record))
    const { terms, made } = termsOf(input.posts)
    const { texts, files: blocks } = shardTexts(
      input.ids,
      terms.map((post) => readPostTerms(post).text),
    )
    files.push(...blocks)
    const joined = isIndexed ? joinShard(terms.toReversed()) : undefined
    const record = { shard: joined, texts }
    newShards.push({ shard, record: encodeShard(record), terms: made })
    return record
  })
  const { segment, files: ofIndex } = indexFiles(records, { isIndexed, hasPairs })
  return { files: [...files, ...ofIndex], segment, newShards }
}

function termsOf(posts: readonly SegmentPost[]): {
  readonly terms: readonly Uint8Array[]
  readonly made: NewShard['terms']
} {
  const decoder = new TextDecoder()
  const made: [number, Uint8Array][] = []
  const terms = posts.map((post, number) => {
    if ('terms' in post) return readStored(post.terms)
    const own = postTerms(post.title, decoder.decode(readStored(post.text)))
    made.push([number, own])
    return own
  })
  return { terms, made }
}
