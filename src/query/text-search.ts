// Indexed text search: exactly the posts whose normalized title or text contains the normalized query. Lists and
// texts are read through a `TextReader`.
import type { Awaitable } from '../api/snapshot.ts'
import { addAll, addOrdinal, type Bitmap, emptyBitmap, keepAll, keepBelow } from './bitmaps.ts'
import { lastAtOrBefore } from './posting-lists.ts'
import { cutQuery, type QueryToken, unionTerm } from './query-parts.ts'
import type { Steps } from './steps.ts'
import { isCommon, isSingle, refMask } from './stored-lists.ts'
import { eachTermWith, findTerm } from './term-dictionary.ts'
import type { TextIndex, TextReader } from './text-index.ts'
import { verify } from './text-verify.ts'
import { links } from './words.ts'

/**
 * Finds the posts that contain a text.
 *
 * A query within one token is a part of a term: the vocabulary is scanned and the posts of all matching terms are
 * united. One or two characters that are no token are themselves a term. Any other query narrows the posts down to
 * those with all of its terms, whose texts are then verified.
 *
 * @param query normalized, not empty
 * @param first excludes posts below this ordinal before any text is read
 * @returns posts counted from the oldest, so that a new post moves no other
 */
export function* searchText(
  index: TextIndex,
  reader: TextReader,
  query: string,
  first = 0,
): Steps<Bitmap> {
  const search = new Search(index, reader, first)
  const { tokens, bigrams, isWhole } = cutQuery(query)
  const possible = yield* search.narrow(tokens, bigrams)
  if (isWhole) return possible
  const { certain } = search
  if (certain !== undefined) keepAll(possible, keepAll(certain, possible), -1)
  yield* verify(index, reader, possible, query)
  if (certain !== undefined) addAll(possible, certain)
  return possible
}

/** Searches by scanning the text of each post from `first` on. */
export function* scanTexts(
  index: TextIndex,
  reader: TextReader,
  query: string,
  first = 0,
): Steps<Bitmap> {
  const posts = emptyBitmap(index.postCount)
  for (let post = 0; post < index.postCount - first; post++) addOrdinal(posts, post)
  yield* verify(index, reader, posts, query)
  return posts
}

/** Tokens of the index that match a token of the query, and their posts. */
interface MatchedToken {
  readonly posts: Bitmap
  /** The posts of the rarer tokens. */
  readonly rare: Bitmap
  /** The common tokens. */
  readonly common: readonly number[]
  /** The common word equal to the token of the query, or -1. */
  readonly word: number
}

/** The state of one search: the lists read so far. */
class Search {
  readonly #index: TextIndex
  readonly #reader: TextReader
  /** The index counts posts from the oldest; posts from here on are excluded. */
  readonly #bound: number
  readonly #matched = new Map<string, MatchedToken>()
  /** Posts that certainly match, if known. */
  certain: Bitmap | undefined

  constructor(index: TextIndex, reader: TextReader, first: number) {
    this.#index = index
    this.#reader = reader
    this.#bound = index.postCount - first
  }

  /** Returns all candidate posts. */
  *narrow(tokens: readonly QueryToken[], bigrams: readonly string[]): Steps<Bitmap> {
    let possible: Bitmap | undefined
    const narrower = [
      ...bigrams.map((bigram) => this.#postsOfBigram(bigram)),
      ...tokens.map((token, at) => this.#postsOfToken(token, tokens[at + 1])),
    ]
    for (const matching of narrower) {
      const posts: Bitmap = yield* matching
      // Intersects: a match has every token and bigram of the query.
      possible = possible === undefined ? keepBelow(posts, this.#bound) : keepAll(possible, posts)
      if (possible.every((word) => word === 0)) break
    }
    // Every query has a token or a bigram.
    return possible as Bitmap
  }

  *#postsOfBigram(bigram: string): Steps<Bitmap> {
    const { bigrams, bigramRefs } = this.#index
    const ref = bigramRefs[findTerm(bigrams, bigram)]
    return yield* this.#unite(ref === undefined ? [] : [ref])
  }

  /**
   * For a token linked to the next one. When one of them is a whole common word, its gram lists cover every common
   * neighbour. When it is only a part of common words, the lists of those words do.
   */
  *#postsOfToken(first: QueryToken, second: QueryToken | undefined): Steps<Bitmap> {
    const a = yield* this.#match(first)
    if (second === undefined || first.link === -1) return a.posts
    const b = yield* this.#match(second)
    const posts = yield* this.#unite(this.#gramRefs(a, b, first.link))
    if (first.isPhrase) this.certain = posts.slice()
    if (b.word === -1) addAll(posts, keepAll(a.posts.slice(), b.rare))
    if (a.word === -1) addAll(posts, keepAll(b.posts.slice(), a.rare))
    return posts
  }

  #gramRefs(a: MatchedToken, b: MatchedToken, link: number): readonly number[] {
    const { gramRows, gramSeconds, gramRefs } = this.#index
    const seconds = b.word === -1 ? b.common : [b.word]
    const refs: number[] = []
    for (const word of a.word === -1 ? a.common : [a.word]) {
      const row = word * links.length + link
      for (let gram = gramRows[row] ?? 0; gram < (gramRows[row + 1] ?? 0); gram++) {
        if (seconds.includes(gramSeconds[gram] ?? 0)) refs.push(gramRefs[gram] ?? 0)
      }
    }
    return refs
  }

  *#match({ part }: QueryToken): Steps<MatchedToken> {
    const known = this.#matched.get(part)
    if (known !== undefined) return known
    const { commonWords, commonRefs } = this.#index
    const words = [...commonWords.keys()].filter((word) => commonWords[word]?.includes(part))
    const rare = yield* this.#unite(this.#rareRefs(part))
    const matched = {
      rare,
      posts:
        words.length === 0
          ? rare
          : yield* this.#unite(
              words.map((word) => commonRefs[word] ?? 0),
              rare.slice(),
            ),
      common: words,
      word: commonWords.indexOf(`\0${part.replaceAll('\0', '')}\0`),
    }
    this.#matched.set(part, matched)
    return matched
  }

  #rareRefs(part: string): readonly number[] {
    const { ascii, other, unions, unionRefs, refs } = this.#index
    const materialized = unionRefs[findTerm(unions, unionTerm(part))]
    if (materialized !== undefined) return [materialized]
    const found: number[] = []
    let first = 0
    for (const dictionary of [ascii, other]) {
      const add = (term: number) => {
        const ref = refs[first + term] ?? 0
        if (ref >= isSingle || (ref & isCommon) === 0) found.push(ref)
      }
      eachTermWith(dictionary, part, add)
      first += dictionary.starts.length - 1
    }
    return found
  }

  /** Reads lists in batches and unites them with `posts`. */
  *#unite(
    refs: readonly number[],
    posts: Bitmap = emptyBitmap(this.#index.postCount),
  ): Steps<Bitmap> {
    const places: number[] = []
    for (const ref of refs) {
      if (ref >= isSingle) addOrdinal(posts, ref & ~isSingle)
      else places.push(ref & refMask)
    }
    // In storage order: a read for one list often contains the next one.
    const ordered = new Uint32Array(places).sort()
    const { areaStarts, areaLengths } = this.#index
    let later: Awaitable<unknown>[] = []
    let area = 0
    for (const place of ordered) {
      area = lastAtOrBefore(areaStarts, place, area)
      const read = this.#reader.addList(place, areaLengths[area] ?? 0, posts)
      if (read instanceof Promise && later.push(read) === listsAtOnce) {
        yield later
        later = []
      }
    }
    yield later
    return posts
  }
}

const listsAtOnce = 256
