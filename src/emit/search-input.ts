// What the search files of a workspace are made from, in a form that may go to another thread.
// Knows nothing of threads.
import { readStored, type StoredBytes } from '../cache/stored-bytes.ts'
import { type KnownPosts, readKnownPosts, storeKnownPosts } from '../query/known-posts.ts'
import { postTerms } from '../query/post-terms.ts'
import { type KnownSearch, type KnownTexts, type MadeSearch, SearchMaker } from './search-files.ts'

/** A post as search knows it: its terms as they were kept, or what they are made of. */
export type SearchedPost =
  | { readonly terms: StoredBytes }
  /** The same, by their place among those that were prepared and expected. */
  | { readonly prepared: number }
  /** The title, and the visible text without it, as UTF-8. */
  | { readonly title: string; readonly text: StoredBytes }

/** The posts of a workspace, latest first. */
export interface SearchInput {
  readonly ids: readonly string[]
  readonly posts: readonly SearchedPost[]
}

/** Told the terms that were made, by the post's place in the input. */
export type OnMade = (post: number, terms: Uint8Array) => void

/** Posts of a workspace as it was made before. */
export interface PreparedPosts {
  /** Stands for the terms of all posts. */
  readonly of: string
  /** What `SearchAdder.known` gave of some posts, likely of these. */
  readonly known: StoredBytes | undefined
  /** The terms of each, latest first. */
  readonly terms: readonly StoredBytes[]
}

/** A post that a workspace is likely to have, as it is rendered. */
export interface ExpectedText {
  /** Among those that were prepared and expected. */
  readonly place: number
  readonly title: string
  /** The visible text without the title, as UTF-8. */
  readonly text: Uint8Array<ArrayBuffer>
}

/** Posts on their way into search files: their numbers there, and those of terms that were read before. */
export class SearchAdder {
  #maker: SearchMaker | undefined
  #known: KnownSearch | undefined
  /** What the posts are of which nothing new is known. */
  #knownOf: string | undefined
  /** The posts that are likely, by their place: their terms, and the numbers of those that were read. */
  #likely: readonly StoredBytes[] = []
  readonly #prepared: number[] = []
  readonly #decoder = new TextDecoder()

  /**
   * Adds posts that are likely to be there still: as they were joined where that is known, else one by one.
   *
   * @throws CacheDamageError when they are not what they were
   */
  prepare({ of, known, terms }: PreparedPosts): void {
    this.#likely = terms
    const stored = known === undefined ? undefined : readKnownSearch(known)
    if (stored !== undefined && stored.of === of) {
      this.#knownOf = of
      const bytesOf = (post: number) => readStored(terms[post] ?? new Uint8Array(0))
      this.#maker = new SearchMaker({ ...stored, bytesOf })
    }
    for (const [post, kept] of terms.entries()) {
      this.#prepared[post] = this.#knownOf === of ? post : this.#adding().add(readStored(kept))
    }
  }

  /** Adds a post that is likely to be there. @returns its terms */
  expect({ place, title, text }: ExpectedText): Uint8Array {
    const terms = postTerms(title, this.#decoder.decode(text))
    this.#prepared[place] = this.#adding().add(terms)
    return terms
  }

  /**
   * Makes the search files of a workspace; once.
   *
   * @throws CacheDamageError when something kept is not what it was
   */
  make({ ids, posts }: SearchInput, onMade: OnMade): MadeSearch<Uint8Array> {
    const { known, ...made } = this.#adding().make(ids, this.#add(posts, onMade))
    this.#known = known
    return made
  }

  /**
   * What the next one may prepare itself with: of the posts that files were made of.
   *
   * @param of stands for the terms of them all
   * @returns nothing where that is known already, or too much to be kept
   */
  known(of: string): Uint8Array<ArrayBuffer> {
    const posts = this.#knownOf === of ? undefined : this.#known?.posts
    return posts === undefined
      ? new Uint8Array(0)
      : storeKnownPosts(posts(), { of, texts: this.#known?.texts })
  }

  /** Of damaged terms, which nobody may want, it is told here. */
  #addLikely(place: number): number {
    const terms = this.#likely[place]
    if (terms === undefined) throw new RangeError('no such post was prepared')
    return this.#adding().add(readStored(terms))
  }

  #adding(): SearchMaker {
    this.#maker ??= new SearchMaker()
    return this.#maker
  }

  #add(posts: readonly SearchedPost[], onMade: OnMade): readonly number[] {
    const maker = this.#adding()
    return posts.map((post, place) => {
      if ('prepared' in post) return this.#prepared[post.prepared] ?? this.#addLikely(post.prepared)
      if ('terms' in post) return maker.add(readStored(post.terms))
      const terms = postTerms(post.title, this.#decoder.decode(readStored(post.text)))
      onMade(place, terms)
      return maker.add(terms)
    })
  }
}

interface StoredKnowledge {
  readonly of: string
  readonly known: KnownPosts
  readonly texts: KnownTexts
}

function readKnownSearch(stored: StoredBytes): StoredKnowledge {
  const bytes = readStored(stored)
  // What was read from a file lies at an address of its own.
  const aligned = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes)
  const { known, rest } = readKnownPosts(aligned)
  return { ...(rest as Pick<StoredKnowledge, 'of' | 'texts'>), known }
}

/** The search files of a workspace, made now. @throws CacheDamageError when something kept is not what it was */
export function makeSearch(input: SearchInput, onMade: OnMade): MadeSearch<Uint8Array> {
  return new SearchAdder().make(input, onMade)
}
