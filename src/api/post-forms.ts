// Other forms of posts: with selected keys, with their status, and as the SDKs of the vendor read them.
import type { Piece } from './api-response.ts'
import type { Parameters, PostStatus, Target } from './request.ts'
import { postKeys, type TermKind } from './resources.ts'
import { type Awaitable, type JsonRef, type Snapshot, whenAllReady } from './snapshot.ts'
import { visibilityAt, withPosts } from './visibility.ts'

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
  const { first, expired } = visibilityAt(snapshot, now)
  const from = status === 'all' ? first : postCount
  return withPosts(snapshot, (post) => drafts.has(post) || (post >= from && !expired.has(post)))
}

/**
 * Adds the status of each post to a body: after its title, or at the end of a post that is listed with another one.
 *
 * @param tailOf maps the tail of a post. @default the identity
 */
export async function withStatuses(
  body: readonly Piece[],
  snapshot: Pick<Snapshot, 'drafts' | 'read'>,
  tailOf?: (text: string) => string,
): Promise<readonly Piece[]> {
  const textOf = async (ref: JsonRef) => new TextDecoder().decode(await snapshot.read(ref))
  const pieces: Piece[] = []
  for (const piece of body) {
    if (typeof piece === 'string' || piece.of !== 'posts') {
      pieces.push(piece)
      continue
    }
    const { part, ordinal } = piece
    const member = statusMember(ordinal, snapshot)
    if (part === 'item') pieces.push(`${(await textOf(piece)).slice(0, -1)}${member}}`)
    else pieces.push(part === 'tail' && tailOf ? tailOf(await textOf(piece)) : piece)
    if (part === 'head') pieces.push(member)
  }
  return pieces
}

/** Returns the status of a post as JSON: `,"status":"draft"`. */
export function statusMember(post: number, { drafts }: Pick<Snapshot, 'drafts'>): string {
  return `,"status":"${drafts.has(post) ? 'draft' : 'published'}"`
}

/**
 * Returns a post with the keys that a request selects, in document order, followed by its status if requested. Does not
 * read `content`.
 *
 * Cost: one parse of a small JSON text.
 */
export function selectedPieces(
  ordinal: number,
  {
    select,
    excludeContent,
    format,
    status,
  }: Pick<Parameters, 'select' | 'excludeContent' | 'format' | 'status'>,
  snapshot: Pick<Snapshot, 'read' | 'drafts' | 'isData'>,
): Awaitable<readonly Piece[]> {
  const parts = (['head', 'tail'] as const).map((part) =>
    snapshot.read({ of: 'posts', part, ordinal }),
  )
  return whenAllReady(parts, (read) => {
    const [head = '', tail = ''] = read.map((bytes) => new TextDecoder().decode(bytes))
    const post: Readonly<Record<string, unknown>> = JSON.parse(head + tail)
    const hasContent = !excludeContent && snapshot.isData?.(ordinal) !== true
    const isWanted = (key: string) => (key === 'content' ? hasContent : Object.hasOwn(post, key))
    const pieces = postKeys
      .filter((key) => (key === 'id' || select.includes(key)) && isWanted(key))
      .flatMap((key, at): readonly Piece[] => {
        const name = `${at === 0 ? '{' : ','}"${key}":`
        return key === 'content'
          ? [name, { of: 'posts', part: format, ordinal }]
          : [name + JSON.stringify(post[key])]
      })
    return [...pieces, status === 'published' ? '}' : `${statusMember(ordinal, snapshot)}}`]
  })
}

/** Envelope keys of single resources. */
const wrappings: Readonly<Record<TermKind, string>> = {
  categories: 'category',
  tags: 'tag',
  authors: 'author',
}

/**
 * Converts a body to the SDKs' form: single resources have an envelope, posts have `status`, `fields`, and
 * `attribution` as an object. Content is not read.
 *
 * Cost: one parse of a small JSON text per post.
 */
export function sdkBody(
  { resource, identifier }: Pick<Target, 'resource' | 'identifier'>,
  body: readonly Piece[],
  snapshot: Pick<Snapshot, 'drafts' | 'read'>,
): Awaitable<readonly Piece[]> {
  if (resource === 'posts') return withStatuses(body, snapshot, tailWithExtras)
  const wrapping = wrappings[resource as TermKind]
  return identifier === null || wrapping === undefined ? body : [`{"${wrapping}":`, ...body, '}']
}

/** @param tail `,"featured":…}` */
function tailWithExtras(tail: string): string {
  const post = JSON.parse(`{${tail.slice(1)}`)
  const attribution = post.attribution === null ? null : { author: post.attribution, url: '' }
  return `,${JSON.stringify({ ...post, attribution, fields: post.fields ?? {} }).slice(1)}`
}
