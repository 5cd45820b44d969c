// Responds to a target as a server does, but without HTTP: route, parameters, response.
import { type ApiResponse, bodyBytes } from '../../src/api/api-response.ts'
import { ApiError, errorJson } from '../../src/api/errors.ts'
import type { IndexedField } from '../../src/api/parameter-values.ts'
import { parseParameters } from '../../src/api/parameters.ts'
import type { ApiRequest } from '../../src/api/request.ts'
import { respond, snapshotOf } from '../../src/api/respond.ts'
import { errorFormOf, matchRoute, splitQuery } from '../../src/api/routes.ts'
import type { Snapshot } from '../../src/api/snapshot.ts'

/** Returns the response to a raw target. A v2 target is one of the workspace `acme`. */
export async function ask(
  target: string,
  snapshot: Snapshot,
  now: number,
  fields?: readonly IndexedField[],
): Promise<{ readonly status: number; readonly text: string }> {
  try {
    const request = requestOf(target, fields)
    const current = await snapshotOf(request, snapshot, now)
    return await replyOf(await respond(request, current, now), current)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { status: error.status, text: errorJson(errorFormOf(target), error) }
  }
}

/**
 * Returns the request that a raw target names.
 *
 * @throws ApiError for an unknown path and for bad parameters
 */
export function requestOf(target: string, fields?: readonly IndexedField[]): ApiRequest {
  const [path = '', ...query] = target.split('?')
  const place = matchRoute(path)
  if (place === null) throw new ApiError(404, 'There is no such path.')
  const parameters = parseParameters({ ...place, fields }, splitQuery(query.join('?')))
  return { ...place, workspace: place.workspace ?? 'acme', parameters }
}

async function replyOf({ status, body }: ApiResponse, snapshot: Snapshot) {
  return { status, text: new TextDecoder().decode(await bodyBytes(body, snapshot)) }
}
