// The bodies on the surface of the vendor's SDKs: those of v2 with what the SDKs' schemas want besides.
import type { Chunk } from './api-response.ts'
import { withStatuses } from './post-status.ts'
import type { Target } from './request.ts'
import type { ResourceKind, TermKind } from './resources.ts'
import type { Awaitable, Snapshot } from './snapshot.ts'

/** The names of single resources around their bodies. */
const wrappings: Readonly<Record<TermKind, string>> = {
  categories: 'category',
  tags: 'tag',
  authors: 'author',
}

/**
 * The body of a response in the SDKs' form: single resources have a wrapping, posts have `status`, `fields`, and
 * `attribution` as an object. Content stays as it is stored, and is not read.
 *
 * Cost: one small JSON text parsed for each post.
 */
export function sdkBody(
  { resource, identifier }: { readonly resource: ResourceKind } & Pick<Target, 'identifier'>,
  body: readonly Chunk[],
  snapshot: Pick<Snapshot, 'drafts' | 'read'>,
): Awaitable<readonly Chunk[]> {
  if (resource === 'posts') return withStatuses(body, snapshot, tailWithExtras)
  return identifier === null ? body : [`{"${wrappings[resource]}":`, ...body, '}']
}

/** @param tail `,"featured":…}` */
function tailWithExtras(tail: string): string {
  const post = JSON.parse(`{${tail.slice(1)}`)
  const attribution = post.attribution === null ? null : { author: post.attribution, url: '' }
  return `,${JSON.stringify({ ...post, attribution, fields: post.fields ?? {} }).slice(1)}`
}
