// The paths of the interface: which operation a path names.
import { type DocumentKind, documentKinds, documentTable, isDocumentKind } from './documents.ts'
import { ApiError, type ErrorForm } from './errors.ts'
import { assetKinds, type Target, type TargetKind, type Version } from './request.ts'
import { type ResourceKind, resourceKinds } from './resources.ts'

/** The longest target that is read, in characters of the raw path and query. */
export const targetLengthMax: number = 8 * 1024

/** The error of a target beyond `targetLengthMax`. */
export function targetTooLong(): ApiError {
  return new ApiError(414, `The target is longer than ${targetLengthMax} characters.`)
}

/** One path of the interface, as it is documented. */
export interface Operation {
  readonly version: Version
  readonly resource: ResourceKind | DocumentKind
  readonly isList: boolean
  /** With `{workspaceId}` and `{identifier}` in it. */
  readonly template: string
}

/** Every operation, v2 (the recommended version) first. */
export const operations: readonly Operation[] = (['v2', 'v1'] as const).flatMap(
  (version: Version): Operation[] => {
    const root = version === 'v1' ? '/v1/{workspaceId}' : '/v2'
    const resources = resourceKinds.flatMap((resource) => {
      const base = `${root}/${resource}`
      return [
        { version, resource, isList: true, template: base },
        { version, resource, isList: false, template: `${base}/{identifier}` },
      ]
    })
    const documents = documentsOf(version).map((resource) => {
      return { version, resource, isList: true, template: `${root}/${resource}` }
    })
    return [...resources, ...documents]
  },
)

/**
 * The target of a path.
 *
 * @param path the raw path of the target, still percent-encoded, with its leading `/`
 * @returns null when the interface has no such path
 * @throws ApiError 400 when a segment is not percent-encoded UTF-8
 */
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

/** First segments after `/v1` that belong to the vendor's SDKs: no workspace has such a name. */
export const reservedWorkspaces: readonly string[] = [...resourceKinds, ...assetKinds]

/** True for paths of the surface of the vendor's SDKs, `/v1/{kind}`, which asks for a key as v2 does. */
export function isSdkPath(path: string): boolean {
  const [, version, first = ''] = path.split('/', 3)
  return version === 'v1' && reservedWorkspaces.includes(first)
}

/** The form of the errors of a path: that of v2 for all that does not begin with `/v1`. */
export function errorFormOf(path: string): ErrorForm {
  if (isSdkPath(path)) return 'sdk'
  return path === '/v1' || path.startsWith('/v1/') ? 'v1' : 'v2'
}

/**
 * A query string's pairs, in order.
 *
 * @param query without its `?`; `+` is a blank
 * @returns decoded names and values; a value is null, and a name is left out, when it is not
 *   percent-encoded UTF-8
 */
export function splitQuery(query: string): readonly (readonly [string, string | null])[] {
  const pairs: [string, string | null][] = []
  for (const part of query.split('&')) {
    const equals = part.indexOf('=')
    const name = decodePart(equals === -1 ? part : part.slice(0, equals))
    if (name === null || name === '') continue
    pairs.push([name, equals === -1 ? '' : decodePart(part.slice(equals + 1))])
  }
  return pairs
}

/** The documents of a version. */
function documentsOf(version: Version): readonly DocumentKind[] {
  return documentKinds.filter((kind) => documentTable[kind].versions.includes(version))
}

/** First segments behind a version, or behind a workspace. */
const contentKinds: Readonly<Record<Version, readonly TargetKind[]>> = {
  v1: [...resourceKinds, ...documentsOf('v1')],
  v2: [...resourceKinds, ...documentsOf('v2')],
}

const sdkKinds: readonly TargetKind[] = [...resourceKinds, ...assetKinds]

/** @param rest `posts` or `posts/hello`, as it follows the version or the workspace */
function targetOf(
  version: Version,
  workspace: string | null,
  rest: string,
  kinds: readonly TargetKind[],
): Target | null {
  const slash = rest.indexOf('/')
  const name = slash === -1 ? rest : rest.slice(0, slash)
  const resource = kinds.find((kind) => kind === name)
  if (resource === undefined) return null
  const identifier = slash === -1 ? null : rest.slice(slash + 1)
  if (identifier === '' || identifier?.includes('/')) return null
  if (identifier !== null && isDocumentKind(resource)) return null
  return {
    version,
    workspace: workspace === null ? null : decodeSegment(workspace),
    resource,
    identifier: identifier === null ? null : decodeSegment(identifier),
  }
}

function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new ApiError(400, 'The path is not percent-encoded UTF-8.')
  }
}

function decodePart(part: string): string | null {
  if (!/[%+]/.test(part)) return part
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    return null
  }
}
