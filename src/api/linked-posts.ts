// Posts that a response lists with a post: neighbours and related posts.

import type { Chunk } from './api-response.ts'
import type { Parameters } from './request.ts'
import type { Snapshot } from './snapshot.ts'

/** Returns a post as it is listed with another resource. */
export function itemChunks(ordinal: number): Chunk[] {
  return [{ of: 'posts', part: 'item', ordinal }]
}

/**
 * Returns the members of a response that follow `post`.
 *
 * @param first ordinal of the latest published post
 */
export function linkedChunks(
  ordinal: number,
  { include }: Pick<Parameters, 'include'>,
  snapshot: Pick<Snapshot, 'postCount' | 'related' | 'shown'>,
  first: number,
): readonly Chunk[] {
  return [
    ...(include.includes('neighbours') ? neighbourChunks(ordinal, snapshot, first) : []),
    ...(include.includes('related') ? relatedChunks(ordinal, snapshot, first) : []),
  ]
}

/** The previous post is the older one. */
function neighbourChunks(
  ordinal: number,
  { postCount, shown }: Pick<Snapshot, 'postCount' | 'shown'>,
  first: number,
): Chunk[] {
  const place = shown === undefined ? ordinal : shown.indexOf(ordinal)
  const chunksAt = (at: number): Chunk[] => {
    if (at < first || at >= (shown?.length ?? postCount)) return ['null']
    return itemChunks(shown?.[at] ?? at)
  }
  const [previous, next] = [chunksAt(place + 1), chunksAt(place - 1)]
  return [',"neighbours":{"previous":', ...previous, ',"next":', ...next, '}']
}

function relatedChunks(
  ordinal: number,
  snapshot: Pick<Snapshot, 'related'>,
  first: number,
): Chunk[] {
  const related = snapshot.related(ordinal, first, relatedMax)
  const items = related.flatMap((post, at) => [...(at === 0 ? [] : [',']), ...itemChunks(post)])
  return [',"related":[', ...items, ']']
}

const relatedMax = 5
