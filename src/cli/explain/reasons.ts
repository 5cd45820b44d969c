// Explains the response to a request in sentences, and suggests fixes.
import { isDocumentKind } from '../../api/documents.ts'
import { operations } from '../../api/routes.ts'
import { nearest } from '../../content/nearest.ts'
import { didYouMean } from '../../model/problems.ts'
import { hashKey, isKey } from '../../runtime/key-format.ts'
import type { Explanation, Surroundings } from './explanation.ts'
import { parametersWithoutFile } from './parameters.ts'

/**
 * Returns sentences, the first one about the response itself. None contains a key.
 *
 * @returns may be empty: the message of an error may be sufficient
 */
export function reasonsOf(explanation: Explanation, around: Surroundings): readonly string[] {
  const { status } = explanation.reply
  if (status === 200) return [...sourceReason(explanation), ...untilWhen(explanation)]
  if (status === 308)
    return [
      explanation.route === null
        ? 'A path has no slash at its end.'
        : 'This is a former slug of the post: the front matter of the post names it in `aliases`.',
    ]
  if (status === 401) return [whyNoKey(around)]
  if (status === 403)
    return [`The key "${explanation.key?.id}" can read only ${scopes(explanation)}.`]
  if (status === 404) return whyNotFound(explanation, around)
  return []
}

function sourceReason({ reply, route, ...rest }: Explanation): readonly string[] {
  if (route === null) return ['The service says this of itself; no content is in it.']
  if (reply.source === 'file') {
    return [
      route.version === 'v1'
        ? 'The build wrote this response as a file, for a CDN; quarry serve makes the same bytes from the index.'
        : 'The build wrote this response as a file that only a function may read; quarry serve makes the same bytes from the index.',
    ]
  }
  return [whyNoFile({ reply, route, ...rest })]
}

function whyNoFile({ target, route, workspace, fields, file, isFileWritten }: Explanation): string {
  if (isFileWritten) {
    return 'There is a file, but another post has appeared or is not due yet: until the next build writes the file again, the response comes from the index.'
  }
  if (route?.isSdk) return "The paths of the vendor's SDKs have no files."
  if (route?.resource === 'changes') {
    return 'The build writes this file with `changes: true` in the configuration; requests with `since` have none.'
  }
  if (route?.resource === 'redirects' && file !== null) {
    return 'The build writes this file where a published post has an alias, and the configuration names the version.'
  }
  if (file !== null) {
    return 'The build did not write this file: `precompute` in the configuration says which versions, formats, page sizes, lists and ids have files.'
  }
  const query = target.slice(target.indexOf('?') + 1)
  const place = route === null ? null : { ...route, workspace: workspace ?? '', fields }
  const names = place === null ? [] : parametersWithoutFile(place, query)
  return `Requests with ${names.join(', ')} have no file: there are too many of them.`
}

function untilWhen({ validUntil }: Explanation): readonly string[] {
  if (validUntil === null) return []
  return [
    `The next scheduled post of the workspace appears at ${new Date(validUntil).toISOString()} without a build: no cache may keep a response longer.`,
  ]
}

/** Cases that a client must not distinguish, but the owner of the build may. */
function whyNoKey({ key, keyring, site }: Surroundings): string {
  if (key === null) {
    return 'This path needs a key: put it into QUARRY_KEY, or give it on stdin with --key-stdin.'
  }
  if (!isKey(key)) return 'What was given as the key is none: a character is wrong or missing.'
  const record = site.keys.find(({ sha256 }) => sha256 === hashKey(key))
  const wasValid = keyring.find(`Bearer ${key}`, Number.NEGATIVE_INFINITY)
  if (wasValid !== null) return `The key "${wasValid.id}" has expired.`
  if (record === undefined) {
    return 'Neither this build nor QUARRY_KEYS knows the key. Was the site built after it was made?'
  }
  return `The key "${record.id}" was revoked.`
}

function scopes({ key }: Explanation): string {
  return key?.scopes.join(', ') ?? ''
}

function whyNotFound(explanation: Explanation, { site }: Surroundings): readonly string[] {
  const { route, workspace, validUntil } = explanation
  if (route === null) return [whyNoPath(explanation.target)]
  if (workspace === null) return []
  const served = site.workspaces.get(workspace)
  if (served === undefined) {
    const ids = [...site.workspaces.keys()]
    return [didYouMean(workspace, ids) ?? `The workspaces of this build are ${ids.join(', ')}.`]
  }
  if (served.isV1Private && route.version === 'v1') {
    return ['The workspace says `v1: private`: it is served only under v2, with a key.']
  }
  if (validUntil !== null) {
    return ['There is such a post, but it is scheduled: it appears at that moment without a build.']
  }
  // The error itself explains a missing document.
  if (isDocumentKind(route.resource)) return []
  return [
    'No published post, category, tag or author of the build has this slug or id. Drafts need `status`, a key for them and a build with --drafts; quarry build takes in what is new.',
  ]
}

/** Suggests the path with its misspelt segment replaced, or lists all paths. */
function whyNoPath(target: string): string {
  const [path = ''] = target.split('?')
  const segments = path.split('/')
  const templates = [...operations.map(({ template }) => template), '/status', '/openapi.json']
  for (const [at, segment] of segments.entries()) {
    const found = nearest(segment, namesAt(at, segments, templates))
    if (found !== undefined) return `Did you mean "${segments.with(at, found).join('/')}"?`
  }
  return `The paths are ${templates.join(', ')} and /.`
}

/** Returns the fixed segments at a position, of templates that match in all other segments. */
function namesAt(
  position: number,
  segments: readonly string[],
  templates: readonly string[],
): readonly string[] {
  return templates
    .map((template) => template.split('/'))
    .filter(({ length }) => length === segments.length)
    .filter((parts) =>
      parts.every((part, at) => at === position || isPlaceholder(part) || part === segments[at]),
    )
    .map((parts) => parts[position] ?? '')
    .filter((part) => part !== '' && !isPlaceholder(part))
}

function isPlaceholder(part: string): boolean {
  return part.startsWith('{')
}
