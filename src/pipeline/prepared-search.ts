// A search thread that has begun with posts that the site is likely to have, before it is known which those are.
// Knows nothing of what a site is.
import type { Derive } from '../cache/derive.ts'
import type { StoredBytes } from '../cache/stored-bytes.ts'
import type { KnownPart } from '../emit/search-input.ts'
import { SearchThread } from '../emit/search-thread.ts'
import type { ExpectedPost } from './expected-posts.ts'
import { knownName, lastKeys, nameOfAll, termsKey, type WorkspaceKeys } from './kept-search.ts'

/** Posts from which on a thread is worth its start, which takes about as long as it takes to index them. */
const threadedPosts = 256

/** A thread that has begun with posts that the site is likely to have. */
export class PreparedSearch {
  readonly thread: SearchThread
  /** Keys of the posts that it began with, by workspace. */
  readonly begun: ReadonlyMap<string, readonly string[]>
  readonly #derive: Derive
  readonly #workspaces = new Map<string, PreparedPlaces>()

  /** @param begun keys of the posts that each workspace had @throws CacheDamageError when something kept is damaged */
  constructor(derive: Derive, begun: WorkspaceKeys) {
    this.#derive = derive
    this.begun = new Map(begun)
    this.thread = new SearchThread((workspace, place, terms) => {
      derive.keep(this.#of(workspace).keys[place] ?? '', terms)
    })
    for (const [workspace, keys] of begun) this.#prepare(workspace, keys)
  }

  #prepare(workspace: string, keys: readonly string[]): void {
    const of = this.#of(workspace)
    const terms: StoredBytes[] = []
    for (const key of keys) {
      const found = this.#derive.find(key)
      if (found === undefined) continue
      addPlace(of, key)
      terms.push(found)
    }
    // What is known of posts counts them by their place among all.
    const isWhole = terms.length === keys.length
    const find = (part: KnownPart) => this.#derive.find(knownName(this.#derive, workspace, part))
    const known = isWhole ? { posts: find('posts'), index: find('index') } : {}
    this.thread.prepare(workspace, { of: nameOfAll(this.#derive, keys), known, terms })
  }

  /** Goes on with a post as it is rendered. Its terms are kept for the next build. */
  expect({ workspace, title, text }: ExpectedPost): void {
    const of = this.#of(workspace)
    const key = termsKey(this.#derive, title, text.digest)
    if (of.places.has(key) || this.#derive.find(key) !== undefined) return
    const place = addPlace(of, key)
    this.thread.expect(workspace, { place, title, text: new Uint8Array(text.bytes) })
  }

  /** Where the thread has the terms of a post; undefined where it has not. */
  placeOf(workspace: string, key: string): number | undefined {
    return this.#workspaces.get(workspace)?.places.get(key)
  }

  #of(workspace: string): PreparedPlaces {
    const of = this.#workspaces.get(workspace) ?? { keys: [], places: new Map() }
    this.#workspaces.set(workspace, of)
    return of
  }
}

/** What a thread has of a workspace. */
interface PreparedPlaces {
  /** Of terms, by their places. */
  readonly keys: string[]
  readonly places: Map<string, number>
}

/** @returns the next place, from now on that of the key */
function addPlace({ keys, places }: PreparedPlaces, key: string): number {
  const place = keys.push(key) - 1
  places.set(key, place)
  return place
}

/**
 * Starts a thread for the search of so many posts, where it is worth it, and lets it begin with the posts of the build
 * before, while it is found out what has changed since.
 *
 * @throws CacheDamageError when what is kept of that build is not what it was; no thread runs then
 */
export function prepareSearch(posts: number, derive: Derive): PreparedSearch | undefined {
  if (posts < threadedPosts) return undefined
  return new PreparedSearch(derive, lastKeys(derive))
}
