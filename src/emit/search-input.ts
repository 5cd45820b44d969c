// What the search files of a workspace are made from, in a form that may go to another thread.
// Knows nothing of threads.
import { type FilePlace, readStored, type StoredBytes } from '../cache/stored-bytes.ts'
import { postTerms } from '../query/post-terms.ts'
import { type MadeSearch, SearchMaker } from './search-files.ts'

/** A post as search knows it: its terms as they were kept, or what they are made of. */
export type SearchedPost =
  | { readonly terms: StoredBytes }
  /** The title, and the visible text without it, as UTF-8. */
  | { readonly title: string; readonly text: StoredBytes }

/** The posts of a workspace, latest first. */
export interface SearchInput {
  readonly ids: readonly string[]
  readonly posts: readonly SearchedPost[]
}

/** Told the terms that were made, by the post's place in the input. */
export type OnMade = (post: number, terms: Uint8Array) => void

/** Posts on their way into search files: their numbers there, and those of terms that were read before. */
export class SearchAdder {
  readonly maker: SearchMaker = new SearchMaker()
  /** By where they lie. */
  readonly #prepared = new Map<string, number>()

  /**
   * Adds terms that some post is likely to have.
   *
   * @throws CacheDamageError when they are not what they were
   */
  prepare(terms: StoredBytes): void {
    if (!(terms instanceof Uint8Array)) {
      this.#prepared.set(nameOf(terms), this.maker.add(readStored(terms)))
    }
  }

  /**
   * Adds posts; gives their numbers.
   *
   * @throws CacheDamageError when something kept is not what it was
   */
  add(posts: readonly SearchedPost[], onMade: OnMade): readonly number[] {
    const decoder = new TextDecoder()
    return posts.map((post, place) => {
      if ('terms' in post) return this.#addKept(post.terms)
      const terms = postTerms(post.title, decoder.decode(readStored(post.text)))
      onMade(place, terms)
      return this.maker.add(terms)
    })
  }

  #addKept(terms: StoredBytes): number {
    const prepared = terms instanceof Uint8Array ? undefined : this.#prepared.get(nameOf(terms))
    return prepared ?? this.maker.add(readStored(terms))
  }
}

function nameOf({ file, offset }: FilePlace): string {
  return `${file} ${offset}`
}

/** The search files of a workspace, made now. @throws CacheDamageError when something kept is not what it was */
export function makeSearch(
  { ids, posts }: SearchInput,
  onMade: OnMade,
  adder: SearchAdder = new SearchAdder(),
): MadeSearch<Uint8Array> {
  return adder.maker.make(ids, adder.add(posts, onMade))
}
