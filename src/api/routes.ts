// Routing: from the path of a request to its target.
import decode from 'fast-decode-uri-component'
import { type DocumentKind, documentKinds, isDocumentKind, isFeedKind } from './documents.ts'
import { ApiError, type ErrorForm } from './errors.ts'
import { assetKinds, type Target, type TargetKind, type Version } from './request.ts'
import { resourceKinds } from './resources.ts'

/** Maximum length of a request target, in characters of the raw path and query. */
export const targetLengthMax: number = 8 * 1024

/** Returns the error for a target longer than `targetLengthMax`. */
export function targetTooLong(): ApiError {
  return new ApiError(414, `The target is longer than ${targetLengthMax} characters.`)
}

/**
 * The path of every operation, with `{workspaceId}` and `{identifier}`; `.md` is the Markdown of a post. v2 (the
 * recommended version) is first.
 */
export const operations: readonly string[] = (['v2', 'v1'] as const).flatMap((version) =>
  [
    ...resourceKinds.flatMap((kind) => [kind, `${kind}/{identifier}`]),
    ...(version === 'v1' ? ['posts/{identifier}.md'] : []),
    ...documentsOf(version),
  ].map((path) => (version === 'v1' ? `/v1/{workspaceId}/${path}` : `/v2/${path}`)),
)

/** Returns the target of a raw path; null if the API has no such path. @throws ApiError 400 for malformed encoding */
export function matchRoute(path: string): Target | null {
  const version = path.startsWith('/v1/') ? 'v1' : path.startsWith('/v2/') ? 'v2' : null
  if (version === null) return null
  if (version === 'v2') return targetOf('v2', null, path.slice(4), contentKinds.v2)
  if (isSdkPath(path)) {
    const target = targetOf('v2', null, path.slice(4), sdkKinds)
    return target && { ...target, isSdk: true }
  }
  const end = path.indexOf('/', 4)
  return end <= 4 ? null : targetOf('v1', path.slice(4, end), path.slice(end + 1), contentKinds.v1)
}

const ownPaths = ['collections', 'singletons'] as const

const sdkKinds: readonly TargetKind[] = [...resourceKinds, ...assetKinds, ...ownPaths]

/** First segments after `/v1` of the vendor's SDK API: no workspace has such a name. */
export const reservedWorkspaces: readonly string[] = sdkKinds

/** Reports whether a path belongs to the vendor's SDK API, `/v1/{kind}`, which requires a key as v2 does. */
export function isSdkPath(path: string): boolean {
  const [, version, first = ''] = path.split('/', 3)
  return version === 'v1' && reservedWorkspaces.includes(first)
}

/** Returns the form of a path's errors: v2 for every path that does not begin with `/v1`. */
export function errorFormOf(path: string): ErrorForm {
  if (isSdkPath(path)) return 'sdk'
  return path === '/v1' || path.startsWith('/v1/') ? 'v1' : 'v2'
}

/** Decoded names and values, in order; null for a value that could not be decoded. */
export type Pairs = readonly (readonly [name: string, value: string | null])[]

/** Parses a query string; `+` is a space. A name that is not percent-encoded UTF-8 stays as it is. */
export function splitQuery(query: string): Pairs {
  const pairs: [string, string | null][] = []
  for (const part of query.split('&')) {
    const [encoded = '', value = ''] = part.split(/=(.*)/s)
    const name = decodePart(encoded) ?? encoded
    if (name !== '') pairs.push([name, decodePart(value)])
  }
  return pairs
}

/** Decodes the percent-encoded characters of a path that need no encoding (RFC 3986 §2.3). */
export function decodeUnreserved(path: string): string {
  return path.replace(/%[2-7][\da-f]/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : encoded
  })
}

function documentsOf(version: Version): readonly DocumentKind[] {
  return documentKinds.filter((kind) => version === 'v1' || !isFeedKind(kind))
}

/** First segments after a version or a workspace. */
export const contentKinds: Readonly<Record<Version, readonly TargetKind[]>> = {
  v1: [...resourceKinds, ...documentsOf('v1'), ...ownPaths],
  v2: [...resourceKinds, ...documentsOf('v2'), ...ownPaths],
}

/** @param rest `posts` or `posts/hello`: the path after the version or workspace */
function targetOf(
  version: Version,
  workspace: string | null,
  rest: string,
  kinds: readonly TargetKind[],
): Target | null {
  const [name, ...segments] = rest.split('/')
  const resource = kinds.find((kind) => kind === name)
  if (resource === undefined || segments.includes('')) return null
  const of = { version, workspace: workspace === null ? null : decodeSegment(workspace) }
  const [identifier = null, ...below] = segments.map(decodeSegment)
  if (resource === 'collections' && identifier !== null) {
    const item = itemIdentifier(below)
    return item === ''
      ? null
      : { ...of, resource: 'items', collection: identifier, identifier: item }
  }
  const isList = identifier === null
  const isKnown = isList ? resource !== 'singletons' : !isDocumentKind(resource)
  return isKnown && below.length === 0 ? { ...of, resource, identifier } : null
}

/** Returns the slug of an item, which may have several segments; null for a list; empty if no item can have it. */
function itemIdentifier(segments: readonly string[]): string | null {
  if (segments.some((segment) => segment.includes('/'))) return ''
  return segments.length === 0 ? null : segments.join('/')
}

function decodeSegment(segment: string): string {
  const decoded = decode(segment)
  if (decoded === null) throw new ApiError(400, 'The path is not percent-encoded UTF-8.')
  return decoded
}

function decodePart(part: string): string | null {
  return decode(part.replaceAll('+', ' '))
}
