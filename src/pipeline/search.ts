// The search of a site: each segment is taken from the cache, or made again from its shards where one of its posts has
// changed. Knows nothing of the output folder.
import { availableParallelism } from 'node:os'
import { basename } from 'node:path'
import { type BundledSegment, bundleFolder } from '../api/bundle.ts'
import { utf8 } from '../api/bytes.ts'
import type { Derive } from '../cache/derive.ts'
import { readStored } from '../cache/stored-bytes.ts'
import type { BundleFile } from '../emit/blocks.ts'
import type { NamedFile } from '../emit/search-files.ts'
import type { SegmentInput, SegmentPost, SegmentResult, ShardInput } from '../emit/segment.ts'
import { planSegments, type SegmentPlan, type ShardRange } from '../emit/segment-plan.ts'
import { SegmentThreads } from '../emit/segment-threads.ts'
import type { SectionTable } from '../query/sections.ts'
import type { SiteWorkspace } from './site.ts'

/** The files of a segment, and where each part of its index is. */
export interface SegmentFiles {
  readonly files: readonly BundleFile[]
  readonly segment: BundledSegment<SectionTable>
}

/** A segment on its way: nothing is waited for until it is called. @throws CacheDamageError when the cache is damaged */
export type PendingSegment = () => Promise<SegmentFiles>

/** How the search of a site is made. */
export interface SearchOptions {
  /** Keeps segments, shards and terms for the next build. */
  readonly derive: Derive
  /** How many posts the site has. */
  readonly posts: number
  /** Few of them have changed, so that no thread is worth its start. @default false */
  readonly isLittle?: boolean | undefined
}

/** The segments of all workspaces; made in threads, but where there is little to do. */
export class SiteSearch {
  readonly #derive: Derive
  readonly #threads: SegmentThreads | undefined

  constructor({ derive, posts, isLittle = false }: SearchOptions) {
    this.#derive = derive
    const isThreaded = !isLittle && posts >= threadedPosts
    // The main thread has something to do as well.
    this.#threads = isThreaded ? new SegmentThreads(availableParallelism() - 1) : undefined
  }

  /**
   * Starts the segments of a workspace, the latest posts first.
   *
   * @param scheduled how many posts are not published yet
   */
  start(of: SiteWorkspace, scheduled: number): readonly PendingSegment[] {
    const posts = new SearchedPosts(of, this.#derive)
    posts.touch()
    return planSegments(posts.ids, scheduled).map((plan) => this.#segment(plan, posts))
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await this.#threads?.close()
  }

  #segment({ shards, ...kind }: SegmentPlan, posts: SearchedPosts): PendingSegment {
    const keys = shards.map((range) => posts.shardKey(range, kind.isIndexed))
    const name = this.#derive.keyOf('segment', JSON.stringify([kind, keys]))
    const cached = this.#derive.find(name)
    let again: Promise<SegmentResult> | undefined
    // All files of the segment, for those that the output folder does not have.
    const makeAgain = () => {
      again ??= this.#make({ ...kind, shards: shards.map((range) => posts.shardInput(range)) })
      return again
    }
    if (cached !== undefined) {
      // The next build may need the shards: the cache holds on to them.
      for (const key of keys) this.#derive.has(key)
      return async () => withFiles(JSON.parse(decoder.decode(readStored(cached))), [], makeAgain)
    }
    const inputs = shards.map((range, at): ShardInput => {
      const record = this.#derive.find(keys[at] ?? '')
      return record === undefined ? posts.shardInput(range) : { record }
    })
    const make = () => this.#make({ ...kind, shards: inputs })
    const started = this.#threads && make()
    // A failure is thrown where the segment is awaited.
    started?.catch(() => {})
    return async () => {
      const made = await (started ?? make())
      for (const { shard, record, terms } of made.newShards) {
        this.#derive.keep(keys[shard] ?? '', record)
        posts.keepTerms(shards[shard]?.start ?? 0, terms)
      }
      this.#derive.keep(name, utf8(JSON.stringify(made.segment)))
      return withFiles(made.segment, made.files, makeAgain)
    }
  }

  async #make(input: SegmentInput): Promise<SegmentResult> {
    if (this.#threads !== undefined) return this.#threads.make(input)
    // Where a thread makes it, that alone needs the code.
    const { makeSegment } = await import('../emit/segment.ts')
    return makeSegment(input)
  }
}

/** Posts from which on a thread is worth its start, which takes about as long as it takes to index them. */
const threadedPosts = 256

/** What search needs of the posts of a workspace, latest first. */
class SearchedPosts {
  readonly ids: readonly string[]
  readonly #derive: Derive
  readonly #posts: readonly SearchedPost[]

  constructor({ workspace, snapshot }: SiteWorkspace, derive: Derive) {
    this.ids = workspace.posts.map(({ post }) => post.id)
    this.#derive = derive
    this.#posts = Array.from(snapshot.texts(), ({ title, digest, stored }) => {
      // Stands for all that the terms of a post are made of.
      const madeOf = [title, Buffer.from(digest).toString('hex')]
      return { key: derive.keyOf('terms', JSON.stringify(madeOf)), title, text: stored }
    })
  }

  /** Stands for all that a shard is made of. */
  shardKey({ start, end }: ShardRange, isIndexed: boolean): string {
    const terms = this.#posts.slice(start, end).map(({ key }) => key)
    return this.#derive.keyOf(
      'shard',
      JSON.stringify([isIndexed, this.ids.slice(start, end), terms]),
    )
  }

  shardInput({ start, end }: ShardRange): ShardInput {
    const posts = this.#posts.slice(start, end).map(({ key, title, text }): SegmentPost => {
      const terms = this.#derive.find(key)
      return terms === undefined ? { title, text: text() } : { terms }
    })
    return { ids: this.ids.slice(start, end), posts }
  }

  /** Has the cache hold on to the terms of all posts: the next build may need them. */
  touch(): void {
    for (const { key } of this.#posts) this.#derive.has(key)
  }

  /** @param first the ordinal of the first post of the shard */
  keepTerms(first: number, made: readonly (readonly [post: number, terms: Uint8Array])[]): void {
    for (const [post, terms] of made) this.#derive.keep(this.#posts[first + post]?.key ?? '', terms)
  }
}

interface SearchedPost {
  /** Of its terms in the cache. */
  readonly key: string
  readonly title: string
  /** The visible text without the title. */
  readonly text: () => Extract<SegmentPost, { title: string }>['text']
}

/**
 * A segment with its files, each of which is named by its content.
 *
 * @param made files whose bytes are there
 * @param makeAgain makes all of them, for those that the output folder does not have either
 */
function withFiles(
  segment: BundledSegment<SectionTable>,
  made: readonly NamedFile[],
  makeAgain: () => Promise<SegmentResult>,
): SegmentFiles {
  const known = new Map(made.map((file) => [file.name, file.bytes]))
  const bytesOf = async (name: string): Promise<Uint8Array> => {
    const bytes =
      known.get(name) ?? (await makeAgain()).files.find((file) => file.name === name)?.bytes
    if (bytes === undefined) throw new Error(`${name} is not a file of its segment.`)
    return bytes
  }
  const { vocabulary, tables, lists, texts } = segment
  const names = [...texts, ...lists, ...vocabulary.files, ...tables.files]
  const files = names.map((name) => ({
    path: `${bundleFolder}/${name}`,
    etag: basename(name, '.bin'),
    bytes: () => bytesOf(name),
  }))
  return { segment, files }
}

const decoder = new TextDecoder()
