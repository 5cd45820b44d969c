// Makes the search files of a workspace of its posts, as far as they are known: all of them joined, or the index of an
// earlier build made over for the few that are others since.
// Knows nothing of threads.
import { CacheDamageError, readStored, type StoredBytes } from '../cache/stored-bytes.ts'
import { readKnownIndex, storeKnownIndex } from '../query/known-index.ts'
import { readKnownPosts, storeKnownPosts } from '../query/known-posts.ts'
import { postTerms } from '../query/post-terms.ts'
import type { MadeSearch } from './search-files.ts'
import type {
  ExpectedText,
  KnownPart,
  OnMade,
  PreparedPosts,
  SearchedPost,
  SearchInput,
  StoredTerms,
} from './search-input.ts'
import { type KnownSearch, type KnownTexts, SearchMaker } from './search-maker.ts'
import { changesMax, type GivenIndex, type PatchedPost, patchSearch } from './search-patch.ts'

/** The search of a workspace. */
export interface AddedSearch extends MadeSearch<Uint8Array> {
  /** What it was prepared with does for the next one too. */
  readonly isKnown: boolean
}

/** Posts on their way into search files: their numbers there, and those of terms that were read before. */
export class SearchAdder {
  #maker: SearchMaker | undefined
  #known: KnownSearch | undefined
  #given: GivenIndex | undefined
  #prepared: PreparedPosts<StoredTerms> = { of: '', terms: [] }
  /** What the posts are of which nothing new is known. */
  #knownOf: string | undefined
  /** Of posts that the maker has, by their place among those that are likely. */
  readonly #numbers: number[] = []
  /** Terms of posts that were expected, by their place, and are in no maker yet. */
  readonly #expected = new Map<number, Uint8Array>()
  readonly #decoder = new TextDecoder()

  /**
   * Takes posts that are likely to be there still. Nothing but what is known of their index is read.
   *
   * @throws CacheDamageError when that is not what it was
   */
  prepare(posts: PreparedPosts<StoredTerms>): void {
    this.#prepared = posts
    this.#given = this.#givenIndex(posts)
  }

  /**
   * Begins with what was prepared: as it was joined where that is known, else one by one.
   *
   * @throws CacheDamageError when it is not what it was
   */
  begin(): void {
    // Until it turns out that the index cannot be made of the one before, nothing else is read.
    if (this.#given === undefined) this.#making()
  }

  /** Adds a post that is likely to be there. @returns its terms */
  expect({ place, title, text }: ExpectedText): Uint8Array {
    const terms = postTerms(title, this.#decoder.decode(text))
    // Few are held on to: with more of them the index is made of all posts, which takes them as they come.
    if (this.#expected.size === changesMax) this.#joinAll()
    if (this.#given === undefined) this.#numbers[place] = this.#making().add(terms)
    else this.#expected.set(place, terms)
    return terms
  }

  /**
   * Makes the search files of a workspace of the index that was laid out before.
   *
   * @returns undefined where that cannot be done, or there are more than a few other posts
   * @throws CacheDamageError when something kept is not what it was
   */
  patch(input: SearchInput, onMade: OnMade): MadeSearch<Uint8Array> | undefined {
    return this.#countOthers(input.posts) > changesMax
      ? undefined
      : this.#patch(input, onMade).patched
  }

  /**
   * Makes the search files of a workspace; once.
   *
   * @throws CacheDamageError when something kept is not what it was
   */
  make({ ids, posts }: SearchInput, onMade: OnMade): AddedSearch {
    const haveFewOthers = this.#countOthers(posts) <= changesMax
    const { taken, patched } = haveFewOthers ? this.#patch({ ids, posts }, onMade) : nothing
    if (patched !== undefined) return { ...patched, isKnown: true }
    this.#joinAll()
    const maker = this.#making()
    const numbers = posts.map((post, place) => {
      if ('prepared' in post) return this.#numberOf(post.prepared)
      const terms = taken?.[place] ?? this.#take(post, place, onMade)
      return typeof terms === 'number' ? this.#numberOf(terms) : maker.add(terms)
    })
    const { known, ...made } = maker.make(ids, numbers)
    // Of an index that could not be made of the one before, what is kept would not do the next time either.
    const isKnown = known.index === undefined && known.wereKnown && haveFewOthers
    if (!isKnown) this.#known = known
    return { ...made, isKnown }
  }

  /**
   * What the next one may prepare itself with: of the posts that files were made of.
   *
   * @param of stands for the terms of them all
   * @returns nothing where that is known already, or too much to be kept
   */
  known(of: string, part: KnownPart): Uint8Array<ArrayBuffer> {
    const { posts, index, texts } = this.#known ?? {}
    const isNew = this.#knownOf !== of
    if (isNew && part === 'posts' && posts) return storeKnownPosts(posts(), { of, texts })
    if (isNew && part === 'index' && index) return storeKnownIndex(index(), { of, texts })
    return new Uint8Array(0)
  }

  #patch({ ids, posts }: SearchInput, onMade: OnMade): Patch {
    const given = this.#given
    if (given === undefined) return nothing
    const taken = posts.map((post, place) => this.#take(post, place, onMade))
    return { taken, patched: patchSearch(given, ids, taken) }
  }

  #givenIndex({ of, known = {} }: PreparedPosts<StoredTerms>): GivenIndex | undefined {
    const stored = known.index === undefined ? undefined : readKnownIndex(aligned(known.index))
    if (stored === undefined || ofRest(stored.rest).of !== of) return undefined
    this.#knownOf = of
    return { known: stored.known, ...ofRest(stored.rest), bytesOf: (post) => this.#bytesOf(post) }
  }

  /** The maker, with the posts that are likely: those that were joined before have the first numbers. */
  #making(): SearchMaker {
    if (this.#maker !== undefined) return this.#maker
    const { terms } = this.#prepared
    const stored = this.#joined()
    const bytesOf = (post: number) => this.#bytesOf(post)
    this.#maker = new SearchMaker(stored && { ...stored, bytesOf })
    for (let place = 0; place < terms.length; place++) {
      if (stored === undefined) this.#numberOf(place)
      else this.#numbers[place] = place
    }
    return this.#maker
  }

  /** Posts as they were joined; undefined where that is not known of just these, or is damaged. */
  #joined() {
    const { of, known = {} } = this.#prepared
    if (known.posts === undefined) return undefined
    try {
      const { known: posts, rest } = readKnownPosts(aligned(known.posts))
      if (ofRest(rest).of !== of) return undefined
      this.#knownOf = of
      return { known: posts, texts: ofRest(rest).texts }
    } catch (error) {
      if (error instanceof CacheDamageError) return undefined
      throw error
    }
  }

  /** What the maker calls a post that is likely. Of damaged terms, which nobody may want, it is told here. */
  #numberOf(place: number): number {
    this.#numbers[place] ??= this.#making().add(this.#bytesOf(place))
    return this.#numbers[place]
  }

  #bytesOf(place: number): Uint8Array {
    const terms = this.#expected.get(place) ?? this.#prepared.terms.at(place)
    if (terms === undefined) throw new RangeError('no such post was prepared')
    return readStored(terms)
  }

  /** From now on all posts are joined: the index is not made of the one before. */
  #joinAll(): void {
    this.#given = undefined
    for (const [place, terms] of this.#expected) this.#numbers[place] = this.#making().add(terms)
    this.#expected.clear()
  }

  /** Posts that are none of those that were there before; to leave out those that are gone costs nothing. */
  #countOthers(posts: readonly SearchedPost[]): number {
    const before = this.#prepared.terms.length
    return posts.filter((post) => !('prepared' in post) || post.prepared >= before).length
  }

  /** @returns the place of a post that was there before, or the terms of another */
  #take(post: SearchedPost, place: number, onMade: OnMade): PatchedPost {
    if ('prepared' in post) {
      const wasThere = post.prepared < this.#prepared.terms.length
      return wasThere ? post.prepared : this.#bytesOf(post.prepared)
    }
    if ('terms' in post) return readStored(post.terms)
    const terms = postTerms(post.title, this.#decoder.decode(readStored(post.text)))
    onMade(place, terms)
    return terms
  }
}

/** What became of making an index of the one before. */
interface Patch {
  /** What was taken for it. */
  readonly taken: readonly PatchedPost[] | undefined
  readonly patched: MadeSearch<Uint8Array> | undefined
}

const nothing: Patch = { taken: undefined, patched: undefined }

interface KnownRest {
  readonly of: string
  readonly texts: KnownTexts
}

/** What stands beside something known: its checksum holds, and it is what `known` wrote. */
function ofRest(rest: unknown): KnownRest {
  return rest as KnownRest
}

/** What was read from a file lies at an address of its own. */
function aligned(stored: StoredBytes): Uint8Array {
  const bytes = readStored(stored)
  return bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes)
}

/** The search files of a workspace, made now. @throws CacheDamageError when something kept is not what it was */
export function makeSearch(input: SearchInput, onMade: OnMade): MadeSearch<Uint8Array> {
  const { isKnown: _, ...made } = new SearchAdder().make(input, onMade)
  return made
}
