// The search files of a workspace in which a few posts are others than when they were made the last time.
// Knows nothing of the disk.
import type { PostChange } from '../query/changed-terms.ts'
import { patchIndex } from '../query/index-patch.ts'
import type { KnownIndex } from '../query/known-index.ts'
import { type MadeSearch, makeSearchFiles } from './search-files.ts'
import { givenTexts, type KnownTexts, textOf } from './search-maker.ts'

/** A search as it was made before. */
export interface GivenIndex {
  readonly known: KnownIndex
  readonly texts: KnownTexts
  /** The terms of one of its posts, latest first. */
  readonly bytesOf: (post: number) => Uint8Array
}

/** A post by the number that it had, or the terms of one that is new. */
export type PatchedPost = number | Uint8Array

/** As many may be others: it takes about as long then to join all, and that is known to the next build. */
export const changesMax = 32

/**
 * Makes the files.
 *
 * @param posts latest first, as `ids` are
 * @returns undefined where too much has changed, or the index has to be made of all posts
 */
export function patchSearch(
  given: GivenIndex,
  ids: readonly string[],
  posts: readonly PatchedPost[],
): MadeSearch<Uint8Array> | undefined {
  const changed = changedPosts(given, posts)
  if (changed.length > changesMax) return undefined
  const { bytesOf, known, texts } = given
  const changes = changed.map((post): PostChange => {
    const [before, after] = [numberOf(given.texts, post), posts[posts.length - 1 - post]]
    return {
      post,
      before: before < 0 ? undefined : bytesOf(before),
      after: typeof after === 'number' ? bytesOf(after) : after,
    }
  })
  const stored = patchIndex(known, { postCount: posts.length, changes })
  if (stored === undefined) return undefined
  const old = givenTexts(texts, bytesOf)
  const blocks = new Map(texts.blocks)
  const { files, search } = makeSearchFiles({
    ids,
    texts: posts.flatMap((post) => (typeof post === 'number' ? (old[post] ?? []) : textOf(post))),
    stored,
    knownBlock: (block) =>
      blocks.get(block.map((at) => (typeof posts[at] === 'number' ? posts[at] : 'new')).join()),
  })
  return { files, search: { terms: texts.terms, ...search } }
}

/** Posts that are others, or stand elsewhere, counted from the oldest; one more than are wanted at most. */
function changedPosts(
  { texts }: Pick<GivenIndex, 'texts'>,
  posts: readonly PatchedPost[],
): readonly number[] {
  const changed: number[] = []
  const count = Math.max(posts.length, texts.sizes.length)
  for (let post = 0; post < count && changed.length <= changesMax; post++) {
    const now = posts[posts.length - 1 - post]
    if (now === undefined || now !== numberOf(texts, post)) changed.push(post)
  }
  return changed
}

/** The number that a post had, latest first; below 0 for one that was not there. */
function numberOf({ sizes }: KnownTexts, post: number): number {
  return sizes.length - 1 - post
}
