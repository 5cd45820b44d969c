// The search files of a site's workspaces: made in a thread of their own where there is much to make.
// Knows nothing of the output folder.
import type { Derive } from '../cache/derive.ts'
import { type MadeSearch, makeSearch } from '../emit/search-files.ts'
import { type OnMade, type SearchedPost, type SearchInput, termsOf } from '../emit/search-input.ts'
import { SearchThread } from '../emit/search-thread.ts'
import { termsVersion } from '../query/post-terms.ts'
import type { Site, SiteWorkspace } from './site.ts'

/** Posts from which on a thread is worth its start, which takes about as long as it takes to index them. */
const threadedPosts = 256

/** A thread for the search of so many posts, where it is worth it. */
export function searchThreadFor(posts: number): SearchThread | undefined {
  return posts < threadedPosts ? undefined : new SearchThread()
}

/** The search of each workspace; its terms are kept for the next build. */
export class Searches {
  readonly #thread: SearchThread | undefined
  readonly #made: ReadonlyMap<SiteWorkspace, () => Promise<MadeSearch>>

  /** Begins to make them where a thread does it. @param thread ended by `close` */
  constructor({ workspaces, derive }: Site, thread: SearchThread | undefined) {
    this.#thread = thread
    this.#made = new Map(
      workspaces.map((workspace) => [workspace, begin(workspace, derive, thread)]),
    )
  }

  /** @throws CacheDamageError when something kept is not what it was */
  async of(workspace: SiteWorkspace): Promise<MadeSearch> {
    const made = this.#made.get(workspace)
    if (made === undefined) throw new RangeError('a workspace of another site')
    return made()
  }

  /** The bytes of files that a thread made are gone. */
  async close(): Promise<void> {
    await this.#thread?.close()
  }
}

function begin(
  { workspace, snapshot }: SiteWorkspace,
  derive: Derive,
  thread: SearchThread | undefined,
): () => Promise<MadeSearch> {
  const keys = termsKeys(snapshot)
  const input: SearchInput = {
    ids: workspace.posts.map(({ post }) => post.id),
    posts: searchedPosts(snapshot, derive, keys),
  }
  const keep: OnMade = (post, terms) => derive.keep('terms', keys[post] ?? '', terms)
  if (thread === undefined) return async () => makeSearch(input.ids, termsOf(input, keep))
  const made = thread.make(input, keep)
  // Whoever asks for it is told; until then nobody may have.
  made.catch(() => {})
  return () => made
}

/** All that the terms of each post are made of. */
function termsKeys(snapshot: SiteWorkspace['snapshot']): readonly string[] {
  const version = termsVersion()
  return Array.from(snapshot.texts(), ({ title, digest }) =>
    JSON.stringify([version, title, Buffer.from(digest).toString('hex')]),
  )
}

function searchedPosts(
  snapshot: SiteWorkspace['snapshot'],
  derive: Derive,
  keys: readonly string[],
): readonly SearchedPost[] {
  return Array.from(snapshot.texts(), ({ title, stored }, post) => {
    const terms = derive.find('terms', keys[post] ?? '')
    return terms === undefined ? { title, text: stored() } : { terms }
  })
}
