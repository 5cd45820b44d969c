// The bodies on the surface of the vendor's SDKs: those of v2 with what the SDKs' schemas want besides.
import type { Chunk } from './api-response.ts'
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
 * The body of a response in the SDKs' form: single resources have a wrapping, posts have `status`, `fields` and
 * `attribution` as an object. Content stays as it is stored, and is not read.
 *
 * Cost: one small JSON text parsed for each post.
 */
export function sdkBody(
  { resource, identifier }: { readonly resource: ResourceKind } & Pick<Target, 'identifier'>,
  body: readonly Chunk[],
  snapshot: Pick<Snapshot, 'read'>,
): Awaitable<readonly Chunk[]> {
  if (resource === 'posts') return withPostExtras(body, snapshot)
  return identifier === null ? body : [`{"${wrappings[resource]}":`, ...body, '}']
}

async function withPostExtras(
  body: readonly Chunk[],
  snapshot: Pick<Snapshot, 'read'>,
): Promise<readonly Chunk[]> {
  const chunks: Chunk[] = []
  for (const chunk of body) {
    if (typeof chunk === 'string' || chunk.of !== 'posts') chunks.push(chunk)
    else if (chunk.part === 'head') chunks.push(chunk, ',"status":"published"')
    else if (chunk.part === 'tail') chunks.push(tailWithExtras(await snapshot.read(chunk)))
    else chunks.push(chunk)
  }
  return chunks
}

/** @param tail `,"featured":…}` */
function tailWithExtras(tail: Uint8Array): string {
  const text = new TextDecoder().decode(tail)
  const post = JSON.parse(`{${text.slice(1)}`)
  const attribution = post.attribution === null ? null : { author: post.attribution, url: '' }
  return `,${JSON.stringify({ ...post, attribution, fields: post.fields ?? {} }).slice(1)}`
}
