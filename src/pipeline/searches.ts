// The search files of a site's workspaces: made in a thread of their own where there is much to make, and made over here
// where little has changed.
// Knows nothing of the output folder.
import type { Derive } from '../cache/derive.ts'
import { CacheDamageError } from '../cache/stored-bytes.ts'
import type { MadeSearch } from '../emit/search-files.ts'
import type { OnMade, SearchedPost, SearchInput } from '../emit/search-input.ts'
import type { ThreadSearch } from '../emit/search-thread.ts'
import { keepKeys, knownName, lastKeys, nameOfAll, termsKey } from './kept-search.ts'
import type { PreparedSearch } from './prepared-search.ts'
import type { Site, SiteWorkspace } from './site.ts'

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
  const inputs = workspaces.map((of) =>
    searchInput(of, derive, (key) => prepared?.placeOf(of.workspace.id, key)),
  )
  if (prepared === undefined) {
    return {
      made: inputs.map((one) => async () => {
        // Where a thread makes it, that alone needs the code.
        const { makeSearch } = await import('../emit/search-adder.ts')
        return makeSearch(one.input, termsKeeper(derive, one))
      }),
      keep: async () =>
        keepKeys(
          derive,
          inputs.map(({ id, keys }) => [id, keys]),
        ),
    }
  }
  const all = inputs.map((one) => {
    const made = prepared.thread.make(one.id, one.input, termsKeeper(derive, one))
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

/**
 * Makes the searches of all workspaces over from those of the last build: at once, and in this thread.
 *
 * @returns undefined where one of them has to be made of all posts
 */
export async function patchSearches(site: Site): Promise<StartedSearches | undefined> {
  try {
    return await patchAll(site)
  } catch (error) {
    // It may be damage to what nobody needs then.
    if (error instanceof CacheDamageError) return undefined
    throw error
  }
}

async function patchAll({ workspaces, derive }: Site): Promise<StartedSearches | undefined> {
  const { SearchAdder } = await import('../emit/search-adder.ts')
  const last = new Map(lastKeys(derive))
  const made: MadeSearch<Uint8Array>[] = []
  const begun: [workspace: string, keys: readonly string[]][] = []
  for (const of of workspaces) {
    const { id } = of.workspace
    const keys = last.get(id)
    if (keys === undefined || !keys.every((key) => derive.has(key))) return undefined
    // Not looked at here; wanted by the first build that has to join all posts again.
    derive.has(knownName(derive, id, 'posts'))
    const adder = new SearchAdder()
    adder.prepare({
      of: nameOfAll(derive, keys),
      known: { index: derive.find(knownName(derive, id, 'index')) },
      terms: { length: keys.length, at: (place) => derive.find(keys[place] ?? '') },
    })
    const places = new Map(keys.map((key, place) => [key, place]))
    const input = searchInput(of, derive, (key) => places.get(key))
    const patched = adder.patch(input.input, termsKeeper(derive, input))
    if (patched === undefined) return undefined
    made.push(patched)
    begun.push([id, keys])
  }
  return {
    made: made.map((one) => async () => one),
    keep: async () => keepKeys(derive, begun),
  }
}

/** Keeps terms for the next build. */
function termsKeeper(derive: Derive, { keys }: KeyedInput): OnMade {
  return (post, terms) => derive.keep(keys[post] ?? '', terms)
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
  placeOf: (key: string) => number | undefined,
): KeyedInput {
  const keys: string[] = []
  const posts = Array.from(of.snapshot.texts(), ({ title, digest, stored }): SearchedPost => {
    const key = termsKey(derive, title, digest)
    keys.push(key)
    const prepared = placeOf(key)
    if (prepared !== undefined) return { prepared }
    const terms = derive.find(key)
    return terms === undefined ? { title, text: stored() } : { terms }
  })
  const ids = of.workspace.posts.map(({ post }) => post.id)
  return { id: of.workspace.id, input: { ids, posts }, keys }
}
