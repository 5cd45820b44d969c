// Stored fragments of a workspace's posts. Those around a body are serialized once and stored together; the body stays
// where it is stored.

import { hex } from '../api/bytes.ts'
import type { Format } from '../api/request.ts'
import { type Post, postItemJson, postJson } from '../api/resources.ts'
import type { PostPart } from '../api/snapshot.ts'
import { digestOf } from '../cache/digested.ts'
import type { StoredBytes } from '../cache/stored-bytes.ts'
import type { StoredBody } from '../markdown/bodies.ts'
import type { ReadPost } from '../model/posts.ts'
import { blockSizes, cutChunks } from './blocks.ts'
import { FragmentRows, TagRows } from './fragment-rows.ts'

/** Caches data of post chunks across builds. */
export interface FragmentStore {
  /** @param input identifies everything that the bytes depend on @returns undefined if it is not stored */
  find(kind: StoredKind, input: string): Uint8Array | undefined
  add(kind: StoredKind, input: string, bytes: Uint8Array): void
}

export type StoredKind = 'fragments' | 'entity tags'

/** Options of fragments. */
export interface FragmentOptions {
  /** Identifies all terms that posts name. */
  readonly terms: string
  readonly store: FragmentStore
  /** Maximum bytes of fragments in memory. @default about 50,000 posts */
  readonly bytesMax?: number | undefined
}

/** Adjacent posts in publication order. */
interface Chunk {
  readonly ordinals: readonly number[]
  rows?: FragmentRows
  tags?: { readonly rows: TagRows; readonly input: string; isNew: boolean }
}

/**
 * Fragments by ordinal and part. Sizes and digests of a chunk are computed on first use. Beyond the memory limit, bytes
 * are serialized again for each read.
 */
export class PostFragments {
  readonly #posts: readonly ReadPost[]
  readonly #bodies: readonly StoredBody[]
  readonly #options: FragmentOptions
  readonly #chunks: readonly Chunk[]
  /** The chunk of each post, and its row in it. */
  readonly #places: { readonly chunks: Uint32Array; readonly rows: Uint32Array }
  readonly #cached: (Uint8Array | undefined)[]
  #madeBytes = 0
  /** The latest post beyond the memory limit: its parts are read in sequence. */
  #latest: { readonly ordinal: number; readonly bytes: Uint8Array } | undefined

  /** @param bodies one per post, in the same order @throws RangeError if the numbers differ */
  constructor(posts: readonly ReadPost[], bodies: readonly StoredBody[], options: FragmentOptions) {
    if (bodies.length !== posts.length) throw new RangeError('a post has no rendered body')
    this.#posts = posts
    this.#bodies = bodies
    this.#options = options
    this.#cached = new Array(posts.length)
    const ids = posts.map(({ post }) => post.id)
    this.#chunks = cutChunks(ids, blockSizes).map((ordinals) => ({ ordinals }))
    this.#places = { chunks: new Uint32Array(ids.length), rows: new Uint32Array(ids.length) }
    for (const [chunk, { ordinals }] of this.#chunks.entries()) {
      for (const [row, ordinal] of ordinals.entries()) {
        this.#places.chunks[ordinal] = chunk
        this.#places.rows[ordinal] = row
      }
    }
  }

  size(ordinal: number, part: PostPart): number {
    if (isBodyPart(part)) return this.#body(ordinal).size(part)
    const { rows, row } = this.#rowOf(ordinal)
    const { start, end } = rows.range(row, part)
    return end - start
  }

  digest(ordinal: number, part: PostPart): Uint8Array {
    if (isBodyPart(part)) return this.#body(ordinal).digest(part)
    const { rows, row } = this.#rowOf(ordinal)
    return rows.digest(row, part)
  }

  /** @throws CacheDamageError if a body is damaged */
  read(ordinal: number, part: PostPart): Uint8Array {
    if (isBodyPart(part)) return this.#body(ordinal).read(part)
    const { rows, row } = this.#rowOf(ordinal)
    const { start, end } = rows.range(row, part)
    return this.#bytesOf(ordinal).subarray(start, end)
  }

  /** Returns the visible text, in UTF-8. */
  text(ordinal: number): Uint8Array {
    return this.#body(ordinal).read('text')
  }

  /** Returns a reference to the visible text that threads can read. */
  storedText(ordinal: number): StoredBytes {
    return this.#body(ordinal).stored('text')
  }

  /** Identifies the visible text, without reading it. */
  textDigest(ordinal: number): Uint8Array {
    return this.#body(ordinal).digest('text')
  }

  /** Returns the entity tag of the post's response, if an earlier build stored it. */
  tagOf(ordinal: number, format: Format): string | undefined {
    return this.#tagsOf(this.#chunkOf(ordinal)).rows.find(this.#places.rows[ordinal] ?? 0, format)
  }

  noteTag(ordinal: number, format: Format, tag: string): void {
    const tags = this.#tagsOf(this.#chunkOf(ordinal))
    tags.rows.set(this.#places.rows[ordinal] ?? 0, format, tag)
    tags.isNew = true
  }

  /** Stores the entity tags of this build. */
  storeTags(): void {
    for (const { tags } of this.#chunks) {
      if (tags?.isNew === true) this.#options.store.add('entity tags', tags.input, tags.rows.bytes)
    }
  }

  #rowOf(ordinal: number): { readonly rows: FragmentRows; readonly row: number } {
    const row = this.#places.rows[ordinal] ?? 0
    return { rows: this.#rowsOf(this.#chunkOf(ordinal)), row }
  }

  #rowsOf(chunk: Chunk): FragmentRows {
    if (chunk.rows !== undefined) return chunk.rows
    const { store, terms } = this.#options
    const posts = chunk.ordinals.map((ordinal) => ownFields(this.#post(ordinal)))
    const input = JSON.stringify([terms, posts])
    const stored = store.find('fragments', input)
    chunk.rows = stored === undefined ? this.#makeRows(chunk) : new FragmentRows(stored)
    if (stored === undefined) store.add('fragments', input, chunk.rows.bytes)
    return chunk.rows
  }

  #makeRows({ ordinals }: Chunk): FragmentRows {
    const rows = new FragmentRows(ordinals.length)
    for (const [row, ordinal] of ordinals.entries()) {
      const texts = fragmentsOf(this.#post(ordinal))
      const bytes = Buffer.from(texts.join(''))
      let end = 0
      const ends = texts.map((text) => {
        end += Buffer.byteLength(text)
        return end
      })
      rows.fill(row, bytes, ends)
      this.#keep(ordinal, bytes)
    }
    return rows
  }

  #tagsOf(chunk: Chunk): NonNullable<Chunk['tags']> {
    if (chunk.tags !== undefined) return chunk.tags
    const bodies = chunk.ordinals.flatMap((ordinal) => {
      const body = this.#body(ordinal)
      return [body.digest('html'), body.digest('markdown')]
    })
    const input = hex(digestOf(Buffer.concat([this.#rowsOf(chunk).bytes, ...bodies])))
    const stored = this.#options.store.find('entity tags', input)
    const rows = new TagRows(stored === undefined ? chunk.ordinals.length : Buffer.from(stored))
    chunk.tags = { rows, input, isNew: false }
    return chunk.tags
  }

  #bytesOf(ordinal: number): Uint8Array {
    const cached = this.#cached[ordinal]
    if (cached !== undefined) return cached
    if (this.#latest?.ordinal === ordinal) return this.#latest.bytes
    const bytes = Buffer.from(fragmentsOf(this.#post(ordinal)).join(''))
    this.#keep(ordinal, bytes)
    return bytes
  }

  #keep(ordinal: number, bytes: Uint8Array): void {
    const { bytesMax = defaultBytesMax } = this.#options
    if (this.#madeBytes + bytes.length > bytesMax) this.#latest = { ordinal, bytes }
    else {
      this.#cached[ordinal] = bytes
      this.#madeBytes += bytes.length
    }
  }

  #chunkOf(ordinal: number): Chunk {
    const chunk = this.#chunks[this.#places.chunks[ordinal] ?? -1]
    if (chunk === undefined) throw new RangeError(`no post ${ordinal}`)
    return chunk
  }

  #post(ordinal: number): Post {
    const entry = this.#posts[ordinal]
    if (entry === undefined) throw new RangeError(`no post ${ordinal}`)
    return entry.post
  }

  #body(ordinal: number): StoredBody {
    const body = this.#bodies[ordinal]
    if (body === undefined) throw new RangeError(`no post ${ordinal}`)
    return body
  }
}

/** The first posts stay in memory: reads are sequential, so evicting the least recent would miss every time. */
const defaultBytesMax = 64 * 1024 * 1024

function isBodyPart(part: PostPart): part is 'html' | 'markdown' {
  return part === 'html' || part === 'markdown'
}

/** In the order of `fragmentParts`; none is empty. */
function fragmentsOf(post: Post): readonly string[] {
  const { head, tail } = postJson(post)
  return [head, tail, postItemJson(post)]
}

/** Returns a post with the slugs of its terms in place of the terms. */
function ownFields(post: Post): unknown {
  return {
    ...post,
    authors: post.authors.map(({ slug }) => slug),
    category: post.category.slug,
    tags: post.tags.map(({ slug }) => slug),
  }
}
