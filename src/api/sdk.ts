// Bodies of the vendor's SDK API: those of v2, with the extra keys that the SDKs' schemas require.
import type { Chunk } from './api-response.ts'
import { withStatuses } from './post-status.ts'
import type { Target } from './request.ts'
import type { ResourceKind, TermKind } from './resources.ts'
import type { Awaitable, Snapshot } from './snapshot.ts'

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
