// The search files of a site's workspaces: made in a thread of their own where there is much to make.
// Knows nothing of the output folder.
import type { Derive } from '../cache/derive.ts'
import { readStored } from '../cache/stored-bytes.ts'
import type { MadeSearch } from '../emit/search-files.ts'
import {
  makeSearch,
  type OnMade,
  type SearchedPost,
  type SearchInput,
} from '../emit/search-input.ts'
import { SearchThread } from '../emit/search-thread.ts'
import { termsVersion } from '../query/post-terms.ts'
import type { Site, SiteWorkspace } from './site.ts'

/** Posts from which on a thread is worth its start, which takes about as long as it takes to index them. */
const threadedPosts = 256

/** A thread for the search of so many posts, where it is worth it. */
export function searchThreadFor(posts: number): SearchThread | undefined {
  return posts < threadedPosts ? undefined : new SearchThread()
}

/** Lets a thread begin with the terms of the build before, while it is found out what has changed since. */
export function prepareSearch(thread: SearchThread, derive: Derive): void {
  for (const [workspace, keys] of lastKeys(derive)) {
    const terms = keys.flatMap((key) => derive.find(key) ?? [])
    thread.prepare(workspace, terms)
  }
}

/** The search of each workspace; its terms are kept for the next build. */
export class Searches {
  readonly #made: ReadonlyMap<SiteWorkspace, () => Promise<MadeSearch>>

  /** Begins to make them where a thread does it. @param thread open until all files are read */
  constructor({ workspaces, derive }: Site, thread: SearchThread | undefined) {
    const keys = new Map(workspaces.map((made) => [made, termsKeys(made, derive)]))
    this.#made = new Map(
      [...keys].map(([made, keys]) => [made, begin(made, { keys, derive, thread })]),
    )
    keepKeys(derive, keys)
  }

  /** @throws CacheDamageError when something kept is not what it was */
  async of(workspace: SiteWorkspace): Promise<MadeSearch> {
    const made = this.#made.get(workspace)
    if (made === undefined) throw new RangeError('a workspace of another site')
    return made()
  }
}

interface Means {
  /** Of the terms of each post. */
  readonly keys: readonly string[]
  readonly derive: Derive
  readonly thread: SearchThread | undefined
}

function begin(
  { workspace, snapshot }: SiteWorkspace,
  { keys, derive, thread }: Means,
): () => Promise<MadeSearch> {
  const input: SearchInput = {
    ids: workspace.posts.map(({ post }) => post.id),
    posts: Array.from(snapshot.texts(), ({ title, stored }, post): SearchedPost => {
      const terms = derive.find(keys[post] ?? '')
      return terms === undefined ? { title, text: stored() } : { terms }
    }),
  }
  const keep: OnMade = (post, terms) => derive.keep(keys[post] ?? '', terms)
  if (thread === undefined) return async () => makeSearch(input, keep)
  const made = thread.make(workspace.id, input, keep)
  // Whoever asks for it is told; until then nobody may have.
  made.catch(() => {})
  return () => made
}

/** Stand for all that the terms of each post are made of. */
function termsKeys({ snapshot }: SiteWorkspace, derive: Derive): readonly string[] {
  const version = termsVersion()
  return Array.from(snapshot.texts(), ({ title, digest }) =>
    derive.keyOf('terms', JSON.stringify([version, title, Buffer.from(digest).toString('hex')])),
  )
}

/** The keys of the last build, by workspace. */
function lastKeys(derive: Derive): readonly (readonly [string, readonly string[]])[] {
  const kept = derive.find(derive.keyOf('searched', ''))
  if (kept === undefined) return []
  const all: Readonly<Record<string, string>> = JSON.parse(Buffer.from(readStored(kept)).toString())
  return Object.entries(all).map(([workspace, keys]) => [workspace, keys.match(/.{64}/g) ?? []])
}

function keepKeys(derive: Derive, keys: ReadonlyMap<SiteWorkspace, readonly string[]>): void {
  const name = derive.keyOf('searched', '')
  const all = [...keys].map(([{ workspace }, ofPosts]) => [workspace.id, ofPosts.join('')])
  const json = Buffer.from(JSON.stringify(Object.fromEntries(all)))
  const kept = derive.find(name)
  if (kept === undefined || Buffer.compare(readStored(kept), json) !== 0) derive.keep(name, json)
}
