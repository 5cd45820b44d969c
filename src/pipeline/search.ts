// The search index of a site: segments come from the cache, or are rebuilt from their shards when one of their posts
// has changed.
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

/** The files of a segment, and the location of each part of its index. */
export interface SegmentFiles {
  readonly files: readonly BundleFile[]
  readonly segment: BundledSegment<SectionTable>
}

/** A segment in progress; the call waits for it. @throws CacheDamageError when the cache is damaged */
export type PendingSegment = () => Promise<SegmentFiles>

/** Options of `SiteSearch`. */
export interface SearchOptions {
  /** Stores segments, shards, blocks and terms. */
  readonly memo: Memo
  /** The number of posts of the site. */
  readonly posts: number
  /** True when too few posts have changed for threads. @default false */
  readonly isSmall?: boolean | undefined
}

/** Builds the segments of all workspaces, in threads unless there is little work. */
export class SiteSearch {
  readonly #memo: Memo
  readonly #threads: SegmentThreads | undefined

  constructor({ memo, posts, isSmall = false }: SearchOptions) {
    this.#memo = memo
    const isThreaded = !isSmall && posts >= threadedPosts
    // One core less, as the main thread has work, too.
    this.#threads = isThreaded ? new SegmentThreads(availableParallelism() - 1) : undefined
  }

  /**
   * Starts the segments of a workspace, newest posts first.
   *
   * @param scheduled the number of unpublished posts
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
    // Produces all files of the segment, for those that the output folder lacks.
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
    // Thrown where the segment is awaited.
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
    // Loaded on demand: when a thread makes the segment, only the thread needs this code.
    const { makeSegment } = await import('../emit/segment.ts')
    return makeSegment(input)
  }
}

/** The number of posts that takes about as long to index as a thread takes to start. */
const threadedPosts = 256

/** A shard with the cache keys of itself and its blocks. */
interface KeyedShard {
  readonly key: string
  readonly blocks: readonly KeyedBlock[]
}

interface KeyedBlock {
  readonly key: string
  readonly range: PostRange
}

/** The key of a block, and the index of a post in it, counted from the oldest. */
type TermsPlace = readonly [block: string, post: number]

/** The posts of a workspace as inputs of search, newest first. */
class SearchedPosts {
  readonly planned: readonly PlannedPost[]
  readonly #memo: Memo
  readonly #posts: readonly SearchedPost[]

  /** @param isThreaded true when threads read texts; otherwise records read for other files are in memory */
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

  /** The keys cover all inputs of a block and a shard. */
  keyed(shard: ShardPlan, kind: SegmentKind): KeyedShard {
    const blocks = shard.map((range) => {
      const posts = this.#posts.slice(range.start, range.end).map(({ key }) => key)
      return { key: this.#keyOf(textBlock, [kind.isIndexed, posts]), range }
    })
    return { key: this.#keyOf(searchShard, [kind, blocks.map(({ key }) => key)]), blocks }
  }

  /** @param isWhole includes all texts, to write the files of texts */
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

  /** Stores new records, and the locations of posts' terms. */
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

  /** The next build may need any of the values: the cache drops records without a look-up. */
  #keyOf(rule: SearchRule, madeOf: readonly unknown[]): string {
    const key = this.#memo.keyOf(rule, madeOf)
    this.#memo.findKey(key)
    return key
  }
}

interface SearchedPost {
  /** The cache key of its terms. */
  readonly key: string
  readonly title: string
  /** The visible text without the title. */
  readonly text: () => StoredBytes
}

/**
 * A segment with its files, which are named by their content.
 *
 * @param made files whose bytes are in memory
 * @param makeAgain produces all of them, for files that the output folder lacks, too
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
