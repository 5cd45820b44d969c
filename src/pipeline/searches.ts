// The search files of a site's workspaces: made in a thread of their own where there is much to make.
// Knows nothing of the output folder.
import type { Derive } from '../cache/derive.ts'
import { readStored, type StoredBytes } from '../cache/stored-bytes.ts'
import type { MadeSearch } from '../emit/search-files.ts'
import type { KnownPart, OnMade, SearchedPost, SearchInput } from '../emit/search-input.ts'
import { SearchThread, type ThreadSearch } from '../emit/search-thread.ts'
import type { ExpectedPost } from './expected-posts.ts'
import type { Site, SiteWorkspace } from './site.ts'

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

/** The searches of all workspaces, in their order. */
export interface StartedSearches {
  /** Each under way, or not begun. @throws CacheDamageError when something kept is not what it was */
  readonly made: readonly (() => Promise<MadeSearch>)[]
  /** Keeps what a thread knows of the posts, once it has made their searches, for that of the next build. */
  readonly keep: () => Promise<void>
}

/**
 * Starts the searches of all workspaces: begun now where a thread makes them, else made when they are asked for. Terms
 * are kept for the next build.
 *
 * @param prepared a thread that is open until all files are read; undefined for none
 */
export function startSearches(
  { workspaces, derive }: Site,
  prepared: PreparedSearch | undefined,
): StartedSearches {
  const inputs = workspaces.map((of) => searchInput(of, derive, prepared))
  const keepTerms =
    ({ keys }: KeyedInput): OnMade =>
    (post, terms) =>
      derive.keep(keys[post] ?? '', terms)
  if (prepared === undefined) {
    return {
      made: inputs.map((one) => async () => {
        // Where a thread makes it, that alone needs the code.
        const { makeSearch } = await import('../emit/search-input.ts')
        return makeSearch(one.input, keepTerms(one))
      }),
      keep: async () =>
        keepKeys(
          derive,
          inputs.map(({ id, keys }) => [id, keys]),
        ),
    }
  }
  const all = inputs.map((one) => {
    const made = prepared.thread.make(one.id, one.input, keepTerms(one))
    // Whoever asks for it is told; until then nobody may have.
    made.catch(() => {})
    return { ...one, made }
  })
  return {
    made: all.map(
      ({ made }) =>
        () =>
          made,
    ),
    keep: async () => {
      const kept: [string, readonly string[]][] = []
      for (const { id, keys, made } of all) {
        const search = await made
        const begun = search.isKnown ? prepared.begun.get(id) : undefined
        kept.push([id, begun ?? keys])
        if (!search.isKnown) await keepKnown(derive, id, { search, of: nameOfAll(derive, keys) })
      }
      keepKeys(derive, kept)
    },
  }
}

async function keepKnown(
  derive: Derive,
  workspace: string,
  { search, of }: { readonly search: ThreadSearch; readonly of: string },
): Promise<void> {
  for (const part of ['posts', 'index'] as const) {
    const known = await search.known(of, part)
    if (known.length > 0) derive.keep(knownName(derive, workspace, part), known)
  }
}

/** Where it is kept what is known of a workspace's search; it says itself of which posts. */
function knownName(derive: Derive, workspace: string, part: KnownPart): string {
  return derive.keyOf(`known ${part}`, workspace)
}

/** Stands for the terms of all posts, in their order. */
function nameOfAll(derive: Derive, keys: readonly string[]): string {
  return derive.keyOf('all terms', keys.join(''))
}

interface KeyedInput {
  /** Of the workspace. */
  readonly id: string
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
  return { id: of.workspace.id, input: { ids, posts }, keys }
}

/** Stands for all that the terms of a post are made of. @param digest of its visible text */
function termsKey(derive: Derive, title: string, digest: Uint8Array): string {
  const madeOf = [title, Buffer.from(digest).toString('hex')]
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
