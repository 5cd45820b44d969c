// Explains a request: calls the functions of the service, and records what they return.

import { ApiError } from '../../api/errors.ts'
import type { IndexedField } from '../../api/field-parameters.ts'
import { filePath } from '../../api/paths.ts'
import type { ApiRequest, Target } from '../../api/request.ts'
import { matchRoute, operations } from '../../api/routes.ts'
import { visibilityAt } from '../../api/visibility.ts'
import type { HttpReply } from '../../runtime/http.ts'
import type { ApiKey, Keyring } from '../../runtime/keys.ts'
import { createResponder } from '../../runtime/responder.ts'
import type { ServedSite } from '../../runtime/site.ts'
import { type ExplainedParameters, explainParameters } from './parameters.ts'

/** The build, the time and the client of a request. */
export interface Surroundings {
  readonly site: ServedSite
  readonly keyring: Keyring
  /** Null without a key. */
  readonly key: string | null
  /** Milliseconds since 1970. */
  readonly now: number
  /** Reports whether the build wrote a file, by its path below the output folder. */
  readonly isWritten: (path: string) => boolean
  readonly readFile: (path: string) => Uint8Array | null
}

/** A request and its response. */
export interface Explanation {
  /** Path and query. */
  readonly target: string
  /** Null for a path that the API does not have. */
  readonly route: (Target & { readonly operation: string }) | null
  /** Workspace of the path or, for v2, of the key; null for neither. */
  readonly workspace: string | null
  /** Custom fields that its posts can be filtered by. */
  readonly fields: readonly IndexedField[]
  /** The key, if it is valid. */
  readonly key: ApiKey | null
  /** Null without a route. */
  readonly parameters: ExplainedParameters | null
  readonly reply: HttpReply
  /** The problem in an error response. */
  readonly problem: Problem | null
  /** The file of the request, written or not; null if such requests have none. */
  readonly file: string | null
  readonly isFileWritten: boolean
  /**
   * Publication of the workspace's next scheduled post, which may change the response without a build, or of the
   * requested post: milliseconds since 1970; null for neither.
   */
  readonly validUntil: number | null
}

/** An error body. */
export interface Problem {
  readonly error: string
  readonly message: string
  readonly details?: unknown
}

/** Sends a request to the service, and explains the response. */
export async function explain(target: string, around: Surroundings): Promise<Explanation> {
  const mark = target.indexOf('?')
  const path = mark === -1 ? target : target.slice(0, mark)
  const query = mark === -1 ? '' : target.slice(mark + 1)
  const reply = await send(target, around)
  const route = routeOf(path)
  const key = around.keyring.find(authorization(around.key), around.now)
  const workspace = route?.workspace ?? (route?.version === 'v2' ? (key?.workspace ?? null) : null)
  const { limitAll } = around.site
  const fields = around.site.workspaces.get(workspace ?? '')?.fields ?? []
  const parameters =
    route === null ? null : explainParameters({ ...route, limitAll, fields }, query)
  const apiRequest =
    route === null || workspace === null || !parameters?.parsed
      ? null
      : { ...route, workspace, parameters: parameters.parsed }
  const file = apiRequest === null ? null : filePath(apiRequest)
  return {
    target,
    route: route === null ? null : { ...route, operation: operationOf(route) },
    workspace,
    fields,
    key,
    parameters,
    reply,
    problem: reply.status < 400 ? null : await problemOf(reply),
    file,
    isFileWritten: file !== null && around.isWritten(file),
    validUntil: apiRequest === null ? null : await changeOf(apiRequest, reply, around),
  }
}

/** Returns the value of a response header; null if it is absent. */
export function headerOf(reply: HttpReply, wanted: string): string | null {
  return reply.headers.find(([name]) => name === wanted)?.[1] ?? null
}

async function send(target: string, { site, now, readFile, ...around }: Surroundings) {
  const faults: unknown[] = []
  const respondTo = createResponder(() => site, {
    now: () => now,
    keyring: () => around.keyring,
    readFile,
    replyCacheBytes: 0,
    onError: (error) => faults.push(error),
  })
  const reply = await respondTo({
    method: 'GET',
    target,
    clientAddress: '',
    header: (name) => (name === 'authorization' ? authorization(around.key) : null),
  })
  if (faults.length > 0) throw faults[0]
  return reply
}

function authorization(key: string | null): string | null {
  return key === null ? null : `Bearer ${key}`
}

function routeOf(path: string): Target | null {
  try {
    return matchRoute(path)
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

function operationOf({ version, resource, identifier, isSdk }: Target): string {
  if (isSdk) return `GET /v1/${resource}${identifier === null ? '' : '/{identifier}'}`
  const found = operations.find(
    (operation) =>
      operation.version === version &&
      operation.resource === resource &&
      operation.isList === (identifier === null),
  )
  return `GET ${found?.template ?? ''}`
}

async function problemOf({ body }: HttpReply): Promise<Problem> {
  return JSON.parse(new TextDecoder().decode(body instanceof Uint8Array ? body : undefined))
}

/** An error changes too, if the requested post is scheduled. */
async function changeOf(
  apiRequest: ApiRequest,
  { status }: HttpReply,
  { site, now }: Surroundings,
): Promise<number | null> {
  const workspace = site.workspaces.get(apiRequest.workspace)
  if (workspace === undefined || (workspace.isV1Private && apiRequest.version === 'v1')) return null
  const snapshot = await workspace.open()
  if (status === 200) {
    const { validUntil } = visibilityAt(snapshot, now)
    return Number.isFinite(validUntil) ? validUntil : null
  }
  if (status !== 404 || apiRequest.resource !== 'posts') return null
  const publishedAt = snapshot.publishedAt(snapshot.findPost(apiRequest.identifier ?? ''))
  return publishedAt > now ? publishedAt : null
}
