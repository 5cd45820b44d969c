// Posts with selected keys.

import type { Chunk } from './api-response.ts'
import { whenAllReady } from './awaitable.ts'
import { statusMember } from './post-status.ts'
import type { Parameters } from './request.ts'
import { postKeys } from './resources.ts'
import type { Awaitable, Snapshot } from './snapshot.ts'

/**
 * Returns a post with the keys that a request selects, in document order, followed by its status if requested. Does not
 * read `content`.
 *
 * Cost: one parse of a small JSON text.
 */
export function selectedChunks(
  ordinal: number,
  {
    select,
    excludeContent,
    format,
    status,
  }: Pick<Parameters, 'select' | 'excludeContent' | 'format' | 'status'>,
  snapshot: Pick<Snapshot, 'read' | 'drafts'>,
): Awaitable<readonly Chunk[]> {
  const parts = (['head', 'tail'] as const).map((part) =>
    snapshot.read({ of: 'posts', part, ordinal }),
  )
  return whenAllReady(parts, (read) => {
    const [head = '', tail = ''] = read.map((bytes) => new TextDecoder().decode(bytes))
    const post: Readonly<Record<string, unknown>> = JSON.parse(head + tail)
    const isWanted = (key: string) =>
      key === 'content' ? !excludeContent : Object.hasOwn(post, key)
    const chunks = postKeys
      .filter((key) => (key === 'id' || select.includes(key)) && isWanted(key))
      .flatMap((key, at): readonly Chunk[] => {
        const name = `${at === 0 ? '{' : ','}"${key}":`
        return key === 'content'
          ? [name, { of: 'posts', part: format, ordinal }]
          : [name + JSON.stringify(post[key])]
      })
    return [...chunks, status === 'published' ? '}' : `${statusMember(ordinal, snapshot)}}`]
  })
}
