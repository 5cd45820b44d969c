// Cache records of blocks and shards: their inverted terms, and the files of their texts.
import { readHeaded, storeHeaded } from '../query/headed-sections.ts'
import { type InvertedTerms, type Postings, sumOf } from '../query/inverted-terms.ts'
import type { SectionReader } from '../query/section-reader.ts'
import type { SectionArray } from '../query/sections.ts'
import type { Block, Shard } from '../query/shard.ts'
import type { ShardGrams } from '../query/shard-grams.ts'

/** Normalized texts of posts, latest first. */
export interface PostTexts {
  readonly sizes: Uint32Array
  readonly checks: Uint32Array
  /** The files of the texts, and the number of posts in each. */
  readonly files: readonly { readonly etag: string; readonly posts: number }[]
}

/** A block or a shard; without terms if its posts are not indexed. */
export interface TextRecord<Terms = Shard> {
  readonly terms: Terms | undefined
  readonly texts: PostTexts
}

interface Head {
  readonly files: PostTexts['files']
  readonly terms: Pick<InvertedTerms, 'postCount' | 'textBytes' | 'counts'> | null
  /** Common words of a shard with grams. */
  readonly words?: readonly string[] | undefined
}

/** Encodes the record of a block. */
export function encodeBlock({ terms, texts }: TextRecord<Block>): Uint8Array<ArrayBuffer> {
  if (terms === undefined) return encode(texts)
  const { tokens, tokenEnds } = terms
  return encode(texts, terms, { tokens, tokenEnds })
}

/** Encodes the record of a shard. */
export function encodeShard({ terms, texts }: TextRecord): Uint8Array<ArrayBuffer> {
  if (terms === undefined || terms.grams === null) return encode(texts, terms)
  const { words, wordCounts, grams, ...postings } = terms.grams
  const arrays = { wordCounts, grams, ...storePostings('gram', postings) }
  return encode(texts, terms, arrays, words)
}

function encode(
  { files, ...arrays }: PostTexts,
  terms?: InvertedTerms,
  others: Readonly<Record<string, SectionArray>> = {},
  words?: readonly string[],
): Uint8Array<ArrayBuffer> {
  if (terms === undefined) return storeHeaded(arrays, { files, terms: null } satisfies Head)
  const { postCount, textBytes, counts, texts } = terms
  const head: Head = { files, terms: { postCount, textBytes, counts }, words }
  return storeHeaded({ ...arrays, texts, ...storePostings('term', terms), ...others }, head)
}

/**
 * Decodes the output of `encodeBlock`.
 *
 * @param bytes aligned to 8
 * @throws RangeError if the bytes are not such a record: a build cache may contain anything
 */
export function decodeBlock(bytes: Uint8Array): TextRecord<Block> {
  const { read, head } = readHeaded<Head>(bytes)
  const terms = readTerms(read, head)
  const tokens = () => ({ tokens: read('tokens', 'u8'), tokenEnds: read('tokenEnds', 'u32') })
  return { terms: terms && { ...terms, ...tokens() }, texts: readTexts(read, head) }
}

/** Decodes the output of `encodeShard`, as `decodeBlock` does. */
export function decodeShard(bytes: Uint8Array): TextRecord {
  const { read, head } = readHeaded<Head>(bytes)
  const terms = readTerms(read, head)
  const grams = head.words === undefined ? null : readGrams(read, head.words)
  return { terms: terms && { ...terms, grams }, texts: readTexts(read, head) }
}

function readTexts(read: SectionReader, { files }: Head): PostTexts {
  return { sizes: read('sizes', 'u32'), checks: read('checks', 'u32'), files }
}

function readTerms(read: SectionReader, { terms }: Head): InvertedTerms | undefined {
  if (terms === null) return undefined
  const postings = readPostings(read, 'term')
  const count = sumOf(terms.counts)
  if (count !== postings.frequencies.length) throw new RangeError(`${count} terms without lists`)
  return { ...terms, texts: read('texts', 'u8'), ...postings }
}

function readGrams(read: SectionReader, words: readonly string[]): ShardGrams {
  const [wordCounts, grams] = [read('wordCounts', 'u32'), read('grams', 'u32')]
  return { words, wordCounts, grams, ...readPostings(read, 'gram') }
}

/** 16-bit, as a shard has fewer than 65,536 posts. */
function storePostings(
  name: string,
  { frequencies, posts }: Postings,
): Readonly<Record<string, Uint16Array>> {
  return {
    [`${name}Frequencies`]: new Uint16Array(frequencies),
    [`${name}Posts`]: new Uint16Array(posts),
  }
}

function readPostings(read: SectionReader, name: string): Postings {
  const frequencies = new Uint32Array(read(`${name}Frequencies`, 'u16'))
  const posts = new Uint32Array(read(`${name}Posts`, 'u16'))
  if (sumOf(frequencies) !== posts.length) throw new RangeError('lists of other lengths')
  return { frequencies, posts }
}
