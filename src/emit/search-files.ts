// The search index of a workspace as files: vocabulary, tables, posting lists, and folded texts in blocks.
// Knows nothing of the disk: it yields bytes and where they go.
import type { BundledSearch, BundledSections } from '../api/bundle.ts'
import type { Awaitable } from '../api/snapshot.ts'
import { checksum } from '../query/checksum.ts'
import { IndexBuilder, type StoredIndex } from '../query/index-builder.ts'
import type { GivenPosts } from '../query/post-joiner.ts'
import { readPostTerms, termsVersion } from '../query/post-terms.ts'
import type { SectionTable } from '../query/sections.ts'
import { pageBytes, pageNumber } from '../query/stored-lists.ts'
import { type SectionBuffer, textRoom } from '../query/text-index.ts'
import { layOutTextIndex, type TextPlaces } from '../query/text-index-layout.ts'
import {
  assignBlocks,
  type BundleFile,
  contentHash,
  contentNamed,
  namedBy,
  powerOfTwo,
} from './blocks.ts'

/** Bytes of texts in a block, on average at most; a post lies in one block, however long it is. */
const textBlockBytes = 1024 * 1024

/** The largest file of anything else: some hosts take none over 25 MiB, and a small one is fetched sooner. */
const fileBytesMax = 4 * 1024 * 1024

/** The smallest file of posting lists but for the last one. */
const listBytesMin = 64 * 1024

/** The files of a workspace's search, and what is in them. */
export interface MadeSearch<Bytes = Awaitable<Uint8Array>> {
  readonly files: readonly BundleFile<Bytes>[]
  readonly search: BundledSearch<SectionTable>
}

/** What is known of posts beside their terms. */
export interface KnownTexts {
  /** Version of the terms. */
  readonly terms: string
  /** Checksum of each text. */
  readonly checks: readonly number[]
  /** Blocks of texts: their posts, with commas between, and what the file is called for its content. */
  readonly blocks: readonly (readonly [posts: string, etag: string])[]
}

/** Posts that a maker begins with, which have the first numbers. */
export interface GivenSearch extends GivenPosts {
  readonly texts: KnownTexts
}

/** Makes the search files of one workspace. All folded texts but those of given posts are in memory. */
export class SearchMaker {
  readonly #builder: IndexBuilder
  readonly #texts: CheckedText[]
  readonly #termsVersion: string
  readonly #knownBlocks: ReadonlyMap<string, string>

  constructor(given?: GivenSearch) {
    this.#builder = new IndexBuilder({}, given)
    // Otherwise found out before there is anything to add: it takes as long as some ten posts.
    this.#termsVersion = given?.texts.terms ?? termsVersion()
    this.#knownBlocks = new Map(given?.texts.blocks)
    this.#texts = given === undefined ? [] : givenTexts(given)
  }

  /** Adds a post, in any order. @param terms what `postTerms` gave @returns its number */
  add(terms: Uint8Array): number {
    const bytes = readPostTerms(terms).text.slice()
    this.#texts.push({ size: bytes.length, bytes: () => bytes, check: checksum(bytes) })
    return this.#builder.add(terms)
  }

  /**
   * Makes the files; nothing may be added afterwards.
   *
   * @param ids of the posts, latest first
   * @param posts their numbers, in the same order; others are left out
   * @returns the files, and what `GivenSearch` needs of these posts, in their order
   *
   * Cost: O(terms of all posts).
   */
  make(
    ids: readonly string[],
    posts: readonly number[],
  ): MadeSearch<Uint8Array> & { readonly known: KnownSearch } {
    const texts = posts.map((post) => this.#texts[post] ?? noText)
    const stored = this.#builder.finish(posts)
    const terms = this.#termsVersion
    const blocks: [string, string][] = []
    const nameBlock: NameBlock = (block, bytes) => {
      const known = this.#knownBlocks.get(block.map((post) => posts[post]).join())
      const etag = known ?? contentHash(bytes())
      blocks.push([block.join(), etag])
      return etag
    }
    const steps = searchFiles(ids, texts, { stored, nameBlock })
    const files: BundleFile<Uint8Array>[] = []
    for (;;) {
      const step = steps.next()
      if (step.done === true) {
        const checks = texts.map(({ check }) => check)
        const known = { posts: stored.known, texts: { terms, checks, blocks } }
        return { files, search: { terms, ...step.value }, known }
      }
      files.push(step.value)
    }
  }
}

/** What another maker may begin with. */
export interface KnownSearch {
  readonly posts: StoredIndex['known']
  readonly texts: KnownTexts
}

/** A folded text as it is stored. */
interface CheckedText {
  readonly size: number
  readonly check: number
  readonly bytes: () => Uint8Array
}

function givenTexts({ known, texts, bytesOf }: GivenSearch): CheckedText[] {
  return Array.from(known.textSizes, (size, post) => ({
    size,
    check: texts.checks[post] ?? 0,
    bytes: () => readPostTerms(bytesOf(post)).text,
  }))
}

/** What a block of texts is called for its content. @param posts ordinals */
type NameBlock = (posts: readonly number[], bytes: () => Uint8Array) => string

type SearchFiles<Result> = Generator<BundleFile<Uint8Array>, Result>

function* searchFiles(
  ids: readonly string[],
  texts: readonly CheckedText[],
  { stored, nameBlock }: { readonly stored: StoredIndex; readonly nameBlock: NameBlock },
): SearchFiles<Omit<BundledSearch<SectionTable>, 'terms'>> {
  const { places, blocks } = placeTexts(ids, texts)
  const textNames: string[] = []
  for (const block of blocks) {
    const join = () => joinTexts(block.map((post) => texts[post] ?? noText))
    const file = namedBy(nameBlock(block, join), 'texts', join)
    textNames.push(file.name)
    yield file
  }
  const { pageChecks, ...lists } = yield* listFiles(stored)
  const { vocabulary, tables } = layOutTextIndex(stored, { ...places, pageChecks })
  return {
    vocabulary: yield* sectionFiles(vocabulary),
    tables: yield* sectionFiles(tables),
    ...lists,
    texts: textNames,
  }
}

function placeTexts(
  ids: readonly string[],
  texts: readonly CheckedText[],
): {
  readonly places: Omit<TextPlaces, 'pageChecks'>
  readonly blocks: readonly (readonly number[])[]
} {
  const bytes = texts.reduce((sum, { size }) => sum + size, 0)
  const blocks = assignBlocks(ids, powerOfTwo(bytes / textBlockBytes)).filter(
    ({ length }) => length > 0,
  )
  const places = {
    textBlocks: new Uint32Array(texts.length),
    textOffsets: new Uint32Array(texts.length),
    textSizes: Uint32Array.from(texts, ({ size }) => size),
    textChecks: Uint32Array.from(texts, ({ check }) => check),
  }
  blocks.forEach((posts, block) => {
    let offset = 0
    for (const post of posts) {
      places.textBlocks[post] = block
      places.textOffsets[post] = offset
      offset += textRoom(texts[post]?.size ?? 0)
    }
  })
  return { places, blocks }
}

const noText: CheckedText = { size: 0, check: 0, bytes: () => new Uint8Array(0) }

function joinTexts(texts: readonly CheckedText[]): Uint8Array {
  const joined = new Uint8Array(texts.reduce((sum, { size }) => sum + textRoom(size), 0))
  let at = 0
  for (const { size, bytes } of texts) {
    joined.set(bytes(), at)
    at += textRoom(size)
  }
  return joined
}

interface ListFiles extends Pick<BundledSearch<SectionTable>, 'lists' | 'listStarts'> {
  readonly pageChecks: Uint32Array
}

function* listFiles({ lists, cuts }: StoredIndex): SearchFiles<ListFiles> {
  const names: string[] = []
  const starts = [0]
  const checks: number[] = []
  const ends = [...cuts, lists.length]
  for (const [at, end] of ends.entries()) {
    const start = starts.at(-1) ?? 0
    const isLast = end === lists.length
    // A list lies in one file: what would be too long with the next part ends here.
    const next = ends[at + 1] ?? end
    if (end === start || (!isLast && end - start < listBytesMin && next - start <= fileBytesMax))
      continue
    const file = contentNamed('search', () => lists.subarray(start, end))
    names.push(file.name)
    starts.push(end)
    for (let page = start; page < end; page += pageBytes) {
      const bytes = lists.subarray(page, Math.min(page + pageBytes, end))
      checks[pageNumber(page, names.length - 1)] = checksum(bytes)
    }
    yield file
  }
  return {
    lists: names,
    listStarts: starts,
    pageChecks: Uint32Array.from(checks, (check = 0) => check),
  }
}

function* sectionFiles({
  bytes,
  table,
}: SectionBuffer): SearchFiles<BundledSections<SectionTable>> {
  const files: string[] = []
  for (let start = 0; start < bytes.length; start += fileBytesMax) {
    const file = contentNamed('search', () => bytes.subarray(start, start + fileBytesMax))
    files.push(file.name)
    yield file
  }
  return { files, sections: table }
}
