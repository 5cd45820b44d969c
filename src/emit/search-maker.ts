// Makes the search files of a workspace of the terms of all its posts.
// Knows nothing of the disk.
import { checksum } from '../query/checksum.ts'
import { IndexBuilder, type StoredIndex } from '../query/index-builder.ts'
import type { GivenPosts } from '../query/post-joiner.ts'
import { readPostTerms, termsVersion } from '../query/post-terms.ts'
import { type CheckedText, type MadeSearch, makeSearchFiles } from './search-files.ts'

/** What is known of posts beside their terms. */
export interface KnownTexts {
  /** Version of the terms. */
  readonly terms: string
  /** Of each text: its bytes, and their checksum. */
  readonly sizes: readonly number[]
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
    this.#texts = given === undefined ? [] : givenTexts(given.texts, given.bytesOf)
  }

  /** Adds a post, in any order. @param terms what `postTerms` gave @returns its number */
  add(terms: Uint8Array): number {
    this.#texts.push(textOf(terms))
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
    const texts = posts.flatMap((post) => this.#texts[post] ?? [])
    const stored = this.#builder.finish(posts)
    const terms = this.#termsVersion
    const knownBlock = (block: readonly number[]) =>
      this.#knownBlocks.get(block.map((post) => posts[post]).join())
    const { files, search, blocks } = makeSearchFiles({ ids, texts, stored, knownBlock })
    const [sizes, checks] = [texts.map(({ size }) => size), texts.map(({ check }) => check)]
    const { known, knownIndex, wereKnown } = stored
    const ofTexts = { terms, sizes, checks, blocks }
    return {
      files,
      search: { terms, ...search },
      known: { posts: known, index: knownIndex, wereKnown, texts: ofTexts },
    }
  }
}

/** What another maker may begin with. */
export interface KnownSearch {
  readonly posts: StoredIndex['known']
  readonly index: StoredIndex['knownIndex']
  readonly wereKnown: boolean
  readonly texts: KnownTexts
}

/** The text of a post that is new; a copy, as its terms may be large. */
export function textOf(terms: Uint8Array): CheckedText {
  const bytes = readPostTerms(terms).text.slice()
  return { size: bytes.length, bytes: () => bytes, check: checksum(bytes) }
}

/** Texts that are read when their bytes are asked for. */
export function givenTexts(
  { sizes, checks }: KnownTexts,
  bytesOf: GivenPosts['bytesOf'],
): CheckedText[] {
  return sizes.map((size, post) => ({
    size,
    check: checks[post] ?? 0,
    bytes: () => readPostTerms(bytesOf(post)).text,
  }))
}
