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
import type { Site, SiteWorkspace } from './site.ts'

/** Posts from which on a thread is worth its start, which takes about as long as it takes to index them. */
const threadedPosts = 256

/** A thread, and what it was prepared with: by workspace and by the key of a post's terms, their place. */
export interface PreparedSearch {
  readonly thread: SearchThread
  readonly places: ReadonlyMap<string, ReadonlyMap<string, number>>
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
  const thread = new SearchThread()
  const prepare = ([workspace, keys]: WorkspaceKeys[number]): [string, Map<string, number>] => {
    const places = new Map<string, number>()
    const terms: StoredBytes[] = []
    for (const key of keys) {
      const found = derive.find(key)
      if (found === undefined) continue
      places.set(key, terms.length)
      terms.push(found)
    }
    // What is known of posts counts them by their place among all.
    const isWhole = terms.length === keys.length
    const known = isWhole ? derive.find(knownName(derive, workspace)) : undefined
    thread.prepare(workspace, { of: nameOfAll(derive, keys), known, terms })
    return [workspace, places]
  }
  return { thread, places: new Map(last.map(prepare)) }
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
  const inputs = workspaces.map((of) => {
    return searchInput(of, derive, prepared?.places.get(of.workspace.id) ?? new Map())
  })
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
  places: ReadonlyMap<string, number>,
): KeyedInput {
  const keys: string[] = []
  const posts = Array.from(of.snapshot.texts(), ({ title, digest, stored }): SearchedPost => {
    const madeOf = [foldedBy, title, Buffer.from(digest).toString('hex')]
    const key = derive.keyOf('terms', JSON.stringify(madeOf))
    keys.push(key)
    const prepared = places.get(key)
    if (prepared !== undefined) return { prepared }
    const terms = derive.find(key)
    return terms === undefined ? { title, text: stored() } : { terms }
  })
  const ids = of.workspace.posts.map(({ post }) => post.id)
  return { of, input: { ids, posts }, keys }
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
