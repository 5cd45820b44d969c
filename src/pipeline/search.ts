// The search of a site: each segment is taken from the cache, or made again from its shards where one of its posts has
// changed.
import { availableParallelism } from 'node:os'
import { basename } from 'node:path'
import { type BundledSegment, bundleFolder } from '../api/bundle.ts'
import { utf8 } from '../api/bytes.ts'
import { readStored, type StoredBytes } from '../cache/stored-bytes.ts'
import type { BundleFile } from '../emit/blocks.ts'
import type { NamedFile } from '../emit/search-files.ts'
import type {
  BlockInput,
  JoinedPost,
  NewRecord,
  SegmentInput,
  SegmentResult,
  ShardInput,
} from '../emit/segment.ts'
import {
  type PlannedPost,
  type PostRange,
  planSegments,
  type SegmentKind,
  type SegmentPlan,
  type ShardPlan,
} from '../emit/segment-plan.ts'
import { SegmentThreads } from '../emit/segment-threads.ts'
import type { Memo } from '../memo/memo.ts'
import type { SectionTable } from '../query/sections.ts'
import {
  type SearchRule,
  searchSegment,
  searchShard,
  termsPlace,
  textBlock,
} from './rules/search.ts'
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
  /** Stores segments, shards, blocks and terms. */
  readonly memo: Memo
  /** How many posts the site has. */
  readonly posts: number
  /** Few of them have changed, so that no thread is worth its start. @default false */
  readonly isSmall?: boolean | undefined
}

/** The segments of all workspaces; made in threads, but where there is little to do. */
export class SiteSearch {
  readonly #memo: Memo
  readonly #threads: SegmentThreads | undefined

  constructor({ memo, posts, isSmall = false }: SearchOptions) {
    this.#memo = memo
    const isThreaded = !isSmall && posts >= threadedPosts
    // The main thread has something to do as well.
    this.#threads = isThreaded ? new SegmentThreads(availableParallelism() - 1) : undefined
  }

  /**
   * Starts the segments of a workspace, the latest posts first.
   *
   * @param scheduled how many posts are not published yet
   */
  start(of: SiteWorkspace, scheduled: number): readonly PendingSegment[] {
    const posts = new SearchedPosts(of, this.#memo, this.#threads !== undefined)
    return planSegments(posts.planned, scheduled).map((plan) => this.#segment(plan, posts))
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await this.#threads?.close()
  }

  #segment({ shards, ...kind }: SegmentPlan, posts: SearchedPosts): PendingSegment {
    const memo = this.#memo
    const keyed = shards.map((shard) => posts.keyed(shard, kind))
    const madeOf = [kind, keyed.map(({ key }) => key)]
    const cached = memo.find(searchSegment, madeOf)
    let again: Promise<SegmentResult> | undefined
    // All files of the segment, for those that the output folder does not have.
    const makeAgain = () => {
      again ??= this.#make({ ...kind, shards: keyed.map((shard) => posts.input(shard, true)) })
      return again
    }
    if (cached !== undefined) {
      return async () => withFiles(JSON.parse(decoder.decode(readStored(cached))), [], makeAgain)
    }
    const inputs = keyed.map((shard) => posts.input(shard, false))
    const make = () => this.#make({ ...kind, shards: inputs })
    const started = this.#threads && make()
    // A failure is thrown where the segment is awaited.
    started?.catch(() => {})
    return async () => {
      const { segment, files, records } = await (started ?? make())
      posts.store(records, keyed)
      memo.add(searchSegment, madeOf, { bytes: utf8(JSON.stringify(segment)) })
      return withFiles(segment, files, makeAgain)
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

/** A shard with the keys under which the cache has it and its blocks. */
interface KeyedShard {
  readonly key: string
  readonly blocks: readonly KeyedBlock[]
}

interface KeyedBlock {
  readonly key: string
  readonly range: PostRange
}

/** The key of a block, and the number of a post counted from its oldest one. */
type TermsPlace = readonly [block: string, post: number]

/** The posts of a workspace as search needs them, latest first. */
class SearchedPosts {
  readonly planned: readonly PlannedPost[]
  readonly #memo: Memo
  readonly #posts: readonly SearchedPost[]

  /** @param isThreaded texts are read in threads; in this one, records that were read for other files are in memory */
  constructor({ workspace, snapshot }: SiteWorkspace, memo: Memo, isThreaded: boolean) {
    this.planned = workspace.posts.map(({ post }, ordinal) => ({
      id: post.id,
      bytes: snapshot.size({ of: 'posts', part: 'markdown', ordinal }),
    }))
    this.#memo = memo
    this.#posts = Array.from(snapshot.texts(), ({ title, digest, read, stored }) => {
      const key = this.#keyOf(termsPlace, [title, Buffer.from(digest).toString('hex')])
      return { key, title, text: isThreaded ? stored : () => utf8(read()) }
    })
  }

  /** The keys represent all that a block and a shard are made of. */
  keyed(shard: ShardPlan, kind: SegmentKind): KeyedShard {
    const blocks = shard.map((range) => {
      const posts = this.#posts.slice(range.start, range.end).map(({ key }) => key)
      return { key: this.#keyOf(textBlock, [kind.isIndexed, posts]), range }
    })
    return { key: this.#keyOf(searchShard, [kind, blocks.map(({ key }) => key)]), blocks }
  }

  /** @param isWhole with all texts, to make the files of texts */
  input({ key, blocks }: KeyedShard, isWhole: boolean): ShardInput {
    const record = this.#stored(key)
    if (record !== undefined && !isWhole) return { key, record }
    return { key, record, blocks: blocks.map((block) => this.#block(block, isWhole)) }
  }

  #block({ key, range }: KeyedBlock, isWhole: boolean): BlockInput {
    const record = this.#stored(key)
    if (record !== undefined && !isWhole) return { key, record }
    const posts = this.#posts.slice(range.start, range.end).map(({ key, title, text }) => {
      const joined = record === undefined ? this.#joined(key) : undefined
      return { title, text: text(), joined }
    })
    return { key, record, posts }
  }

  /** Stores what was made, and where the terms of posts are. */
  store(records: readonly NewRecord[], shards: readonly KeyedShard[]): void {
    for (const { key, bytes } of records) this.#memo.addKey(key, { bytes })
    const keys = new Set(records.map(({ key }) => key))
    for (const { key, range } of shards.flatMap(({ blocks }) => blocks)) {
      if (!keys.has(key)) continue
      for (let ordinal = range.start; ordinal < range.end; ordinal++) {
        const place: TermsPlace = [key, range.end - 1 - ordinal]
        this.#memo.addKey(this.#posts[ordinal]?.key ?? '', { bytes: utf8(JSON.stringify(place)) })
      }
    }
  }

  #joined(key: string): JoinedPost | undefined {
    const place = this.#memo.findKey(key)?.text('bytes')
    if (place === undefined) return undefined
    const [blockKey, post]: TermsPlace = JSON.parse(place)
    const block = this.#stored(blockKey)
    return block && { key: blockKey, block, post }
  }

  #stored(key: string): StoredBytes | undefined {
    return this.#memo.findKey(key)?.stored('bytes')
  }

  /** The next build may need any of the values: the cache drops what is not found. */
  #keyOf(rule: SearchRule, madeOf: readonly unknown[]): string {
    const key = this.#memo.keyOf(rule, madeOf)
    this.#memo.findKey(key)
    return key
  }
}

interface SearchedPost {
  /** The key of its terms in the cache. */
  readonly key: string
  readonly title: string
  /** The visible text without the title. */
  readonly text: () => StoredBytes
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
