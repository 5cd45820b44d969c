// Adds cache tags to cacheable responses, for a shared cache in front of the server.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseParameters } from '../../api/parameters.ts'
import { matchRoute, splitQuery } from '../../api/routes.ts'
import type { HttpReply, HttpRequest } from '../../runtime/http.ts'
import type { Responder } from '../../runtime/responder.ts'
import type { ServedSite } from '../../runtime/site.ts'
import { type TaggingCache, tagHeaders, tagsOf } from '../cache-tags.ts'

/**
 * Wraps a responder: responses that a shared cache may store get the cache's tag header.
 *
 * @param out the output folder; responses without a file in it get the tag `others`
 */
export function withCacheTags(
  responder: Responder,
  cache: TaggingCache,
  out: string,
  site: () => ServedSite,
): Responder {
  const [name, separator] = tagHeaders[cache]
  const isFile = (path: string) => existsSync(join(out, path))
  return async (request) => {
    const reply = await responder(request)
    if (!isShared(reply)) return reply
    const tags = requestTags(request, site(), isFile)
    if (tags === null) return reply
    return { ...reply, headers: [...reply.headers, [name, tags.join(separator)]] }
  }
}

function isShared({ headers }: HttpReply): boolean {
  return headers.some(([name, value]) => name === 'cache-control' && value.startsWith('public'))
}

/** @returns null for requests other than v1 content */
function requestTags(
  { target: text }: HttpRequest,
  site: ServedSite,
  isFile: (path: string) => boolean,
): readonly string[] | null {
  const mark = text.indexOf('?')
  const [path, query] = mark === -1 ? [text, ''] : [text.slice(0, mark), text.slice(mark + 1)]
  const target = matchRoute(path)
  if (target?.version !== 'v1' || target.workspace === null) return null
  const { workspace } = target
  const fields = site.workspaces.get(workspace)?.fields
  const parameters = parseParameters(
    { ...target, limitAll: site.limitAll, fields },
    splitQuery(query),
  )
  return tagsOf({ ...target, workspace, parameters }, isFile)
}
