// Responses of v1 that differ between the manifests of two builds.
import { isDocumentKind } from '../api/documents.ts'
import { publicFolder, requestOfFile, versionRoots } from '../api/paths.ts'
import { includesPosts } from '../api/request.ts'
import type { Manifest } from '../emit/manifest.ts'
import { fileTag, othersTag, workspaceTag } from '../platforms/cache-tags.ts'

/** With more changed files, the whole workspace is purged. */
const filesMax = 500

/**
 * Tags of all responses that may differ. A workspace without precomputed files is purged as a whole, because its manifest
 * does not list responses.
 *
 * @param before null to purge everything
 */
export function changedTags(before: Manifest | null, after: Manifest): readonly string[] {
  if (before?.build === after.build) return []
  const workspaces = new Set([before, after].flatMap((one) => Object.keys(one?.workspaces ?? {})))
  const [changed, known] = changedByWorkspace(before, after)
  return [...workspaces].flatMap((workspace) => {
    const paths = changed.get(workspace) ?? []
    const isKnown = before !== null && known.has(workspace)
    if (!isKnown || paths.length > filesMax) return [workspaceTag(workspace)]
    // Any change may appear in a filter or a search.
    return paths.length === 0 ? [] : [...paths.map(fileTag), othersTag(workspace)]
  })
}

/** Targets of the canonical requests whose responses differ: `/v1/acme/posts?page=2`. */
export function changedTargets(before: Manifest | null, after: Manifest): readonly string[] {
  const [changed] = changedByWorkspace(before, after)
  return [...changed.values()].flat().flatMap((path) => targetOfFile(path) ?? [])
}

/** Changed files by workspace, and the workspaces that have files. */
function changedByWorkspace(before: Manifest | null, after: Manifest) {
  const changed = new Map<string, string[]>()
  const known = new Set<string>()
  const files = [before?.files ?? new Map<string, never>(), after.files] as const
  for (const path of new Set([...files[0].keys(), ...files[1].keys()])) {
    if (!path.startsWith(`${versionRoots.v1}/`)) continue
    const [, , workspace = ''] = path.split('/')
    known.add(workspace)
    if (files[0].get(path)?.sha256 === files[1].get(path)?.sha256) continue
    const paths = changed.get(workspace)
    if (paths === undefined) changed.set(workspace, [path])
    else paths.push(path)
  }
  return [changed, known] as const
}

/** The request target of a v1 file; null for other files. */
export function targetOfFile(path: string): string | null {
  const request = requestOfFile(path)
  if (request === null) return null
  const { resource, identifier, parameters, workspace } = request
  if (isDocumentKind(resource)) return path.slice(publicFolder.length)
  const { limit, page, format, order, excludeContent } = parameters
  const query = [
    ...(limit === 10 ? [] : [`limit=${limit}`]),
    ...(page === 1 ? [] : [`page=${page}`]),
    ...(order === 'desc' ? [] : [`order=${order}`]),
    ...(format === 'html' ? [] : [`format=${format}`]),
    ...(excludeContent ? ['excludeContent=true'] : []),
    ...(includesPosts(parameters) ? ['include=posts'] : []),
  ].join('&')
  const place = identifier === null ? '' : `/${encodeURIComponent(identifier)}`
  const base = `/v1/${encodeURIComponent(workspace)}/${resource}${place}`
  return query === '' ? base : `${base}?${query}`
}
