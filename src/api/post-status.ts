// Posts by status: drafts, or drafts and published posts. Scheduled posts have no status.

import type { Chunk } from './api-response.ts'
import type { PostStatus } from './request.ts'
import type { FragmentRef, Snapshot } from './snapshot.ts'
import { visibilityAt } from './visibility.ts'

/**
 * Returns a snapshot in which exactly the posts of a status are visible, whatever their dates.
 *
 * @param snapshot with drafts, if the build has any
 * @param now milliseconds since 1970
 *
 * Cost: O(posts).
 */
export function withStatus(
  snapshot: Snapshot,
  status: Exclude<PostStatus, 'published'>,
  now: number,
): Snapshot {
  const { drafts, postCount } = snapshot
  const first = status === 'all' ? visibilityAt(snapshot, now).first : postCount
  const isShown = (post: number) => post >= first || drafts.has(post)
  const shown = new Uint32Array(postCount).map((_, post) => post).filter(isShown)
  return {
    ...snapshot,
    shown,
    publishedAt: () => Number.NEGATIVE_INFINITY,
    findPost: (identifier) => {
      const post = snapshot.findPost(identifier)
      return isShown(post) ? post : -1
    },
    aliases: () => snapshot.aliases().filter(({ post }) => isShown(post)),
    select: (filter, first, by) => snapshot.select(filter, first, by, shown),
    related: (post, first, most) => snapshot.related(post, first, most, shown),
  }
}

/**
 * Adds the status of each post to a body: after its title, or at the end of a post that is listed with another one.
 *
 * @param tailOf maps the tail of a post. @default the identity
 */
export async function withStatuses(
  body: readonly Chunk[],
  snapshot: Pick<Snapshot, 'drafts' | 'read'>,
  tailOf?: (text: string) => string,
): Promise<readonly Chunk[]> {
  const textOf = async (ref: FragmentRef) => new TextDecoder().decode(await snapshot.read(ref))
  const chunks: Chunk[] = []
  for (const chunk of body) {
    if (typeof chunk === 'string' || chunk.of !== 'posts') {
      chunks.push(chunk)
      continue
    }
    const { part, ordinal } = chunk
    const member = statusMember(ordinal, snapshot)
    if (part === 'item') chunks.push(`${(await textOf(chunk)).slice(0, -1)}${member}}`)
    else chunks.push(part === 'tail' && tailOf ? tailOf(await textOf(chunk)) : chunk)
    if (part === 'head') chunks.push(member)
  }
  return chunks
}

/** Returns the status of a post as JSON: `,"status":"draft"`. */
export function statusMember(post: number, { drafts }: Pick<Snapshot, 'drafts'>): string {
  return `,"status":"${drafts.has(post) ? 'draft' : 'published'}"`
}
