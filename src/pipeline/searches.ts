// The search files of a site's workspaces: made in a thread of their own where there is much to make.
// Knows nothing of the output folder.
import type { Derive } from '../cache/derive.ts'
import { readStored, type StoredBytes } from '../cache/stored-bytes.ts'
import type { MadeSearch } from '../emit/search-files.ts'
import {
  makeSearch,
  type OnMade,
  type SearchedPost,
  type SearchInput,
} from '../emit/search-input.ts'
import { SearchThread } from '../emit/search-thread.ts'
import type { ExpectedPost } from './expected-posts.ts'
import type { Site, SiteWorkspace } from './site.ts'

/** Posts from which on a thread is worth its start, which takes about as long as it takes to index them. */
const threadedPosts = 256

/** A thread that has begun with posts that the site is likely to have. */
export class PreparedSearch {
  readonly thread: SearchThread
  readonly #derive: Derive
  readonly #workspaces = new Map<string, PreparedPlaces>()

  constructor(derive: Derive) {
    this.#derive = derive
    this.thread = new SearchThread((workspace, place, terms) => {
      derive.keep(this.#of(workspace).keys[place] ?? '', terms)
    })
  }

  /** Begins with the posts that a workspace had. @throws CacheDamageError when something kept is not what it was */
  prepare(workspace: string, keys: readonly string[]): void {
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
    const known = isWhole ? this.#derive.find(knownName(this.#derive, workspace)) : undefined
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
  const last = lastKeys(derive)
  const search = new PreparedSearch(derive)
  for (const [workspace, keys] of last) search.prepare(workspace, keys)
  return search
}

/** The search of one workspace, under way or not begun. */
export interface StartedSearch {
  /** @throws CacheDamageError when something kept is not what it was */
  readonly made: () => Promise<MadeSearch>
  /** Keeps what a thread knows of the posts, once it has made their search, for that of the next build. */
  readonly keep: () => Promise<void>
}

/**
 * The searches of all workspaces, in their order: begun now where a thread makes them, else made when they are asked
 * for. Terms are kept for the next build.
 *
 * @param prepared a thread that is open until all files are read; undefined for none
 */
export function startSearches(
  { workspaces, derive }: Site,
  prepared: PreparedSearch | undefined,
): readonly StartedSearch[] {
  const inputs = workspaces.map((of) => searchInput(of, derive, prepared))
  const started = inputs.map(({ of, keys, input }): StartedSearch => {
    const keepTerms: OnMade = (post, terms) => derive.keep(keys[post] ?? '', terms)
    if (prepared === undefined) {
      return { made: async () => makeSearch(input, keepTerms), keep: async () => {} }
    }
    const made = prepared.thread.make(of.workspace.id, input, keepTerms)
    // Whoever asks for it is told; until then nobody may have.
    made.catch(() => {})
    const keep = async () => {
      const known = await (await made).known(nameOfAll(derive, keys))
      if (known.length > 0) derive.keep(knownName(derive, of.workspace.id), known)
    }
    return { made: () => made, keep }
  })
  keepKeys(
    derive,
    inputs.map(({ of, keys }) => [of.workspace.id, keys]),
  )
  return started
}

/** Where it is kept what is known of the posts of a workspace, as they are folded; it says itself of which. */
function knownName(derive: Derive, workspace: string): string {
  return derive.keyOf('known posts', JSON.stringify([foldedBy, workspace]))
}

/** Stands for the terms of all posts, in their order. */
function nameOfAll(derive: Derive, keys: readonly string[]): string {
  return derive.keyOf('all terms', keys.join(''))
}

/** By what texts are folded, beside quarry itself: by another version a text may have other terms. */
const foldedBy = `ICU ${process.versions['icu']}, Unicode ${process.versions['unicode']}`

interface KeyedInput {
  readonly of: SiteWorkspace
  readonly input: SearchInput
  /** Of the terms of each post: stand for all that they are made of. */
  readonly keys: readonly string[]
}

function searchInput(
  of: SiteWorkspace,
  derive: Derive,
  search: PreparedSearch | undefined,
): KeyedInput {
  const keys: string[] = []
  const posts = Array.from(of.snapshot.texts(), ({ title, digest, stored }): SearchedPost => {
    const key = termsKey(derive, title, digest)
    keys.push(key)
    const prepared = search?.placeOf(of.workspace.id, key)
    if (prepared !== undefined) return { prepared }
    const terms = derive.find(key)
    return terms === undefined ? { title, text: stored() } : { terms }
  })
  const ids = of.workspace.posts.map(({ post }) => post.id)
  return { of, input: { ids, posts }, keys }
}

/** Stands for all that the terms of a post are made of. @param digest of its visible text */
function termsKey(derive: Derive, title: string, digest: Uint8Array): string {
  const madeOf = [foldedBy, title, Buffer.from(digest).toString('hex')]
  return derive.keyOf('terms', JSON.stringify(madeOf))
}

/** Keys of the terms of each post, by workspace. */
type WorkspaceKeys = readonly (readonly [workspace: string, keys: readonly string[]])[]

/** The keys of the last build, by workspace. */
function lastKeys(derive: Derive): WorkspaceKeys {
  const kept = derive.find(derive.keyOf('searched', ''))
  if (kept === undefined) return []
  const all: Readonly<Record<string, string>> = JSON.parse(Buffer.from(readStored(kept)).toString())
  return Object.entries(all).map(([workspace, keys]) => [workspace, keys.match(/.{64}/g) ?? []])
}

function keepKeys(derive: Derive, workspaces: WorkspaceKeys): void {
  const name = derive.keyOf('searched', '')
  const all = workspaces.map(([workspace, keys]) => [workspace, keys.join('')])
  const json = Buffer.from(JSON.stringify(Object.fromEntries(all)))
  const kept = derive.find(name)
  if (kept === undefined || Buffer.compare(readStored(kept), json) !== 0) derive.keep(name, json)
}
