// Files that a host may serve without the function, and the parameters that decide whether a request has one.
import { type ParameterName, parameterTable } from './parameter-table.ts'
import { type ApiRequest, includesPosts } from './request.ts'

/**
 * Parameters that affect a response without a key. Every other parameter is ignored: it does not change the response,
 * and the host may still serve the file. `strict` is included and has no file.
 */
export const decidingParameters: readonly ParameterName[] = (
  Object.keys(parameterTable) as ParameterName[]
).filter((name) => {
  const { on, needsKey } = parameterTable[name]
  return needsKey !== true && on.some((operation) => !/^(?:sdk|media|asset)/.test(operation))
})

/** Facts about a workspace that decide which of its files stay valid until the next build. */
export interface WorkspaceSchedule {
  /** Number of scheduled posts; only whether it is 0 matters. */
  readonly scheduled: number
  /** True if references create terms, so that a scheduled post may add an author. */
  readonly createsTerms: boolean
}

/**
 * Reports whether the file of a canonical request stays valid until the next build, so that a host may serve it without
 * the function and with full cache times.
 *
 * In a workspace with scheduled posts, these are single posts and plain authors. The function serves everything that
 * any scheduled post could change, whichever posts are scheduled, so that the choice reveals nothing about them.
 *
 * Files with neighbours are only for hosts without a function: the routes of the other hosts have no room for them.
 */
export function isServedFile(
  request: Pick<ApiRequest, 'resource' | 'identifier' | 'parameters'>,
  { scheduled, createsTerms }: WorkspaceSchedule,
): boolean {
  const { resource, identifier, parameters } = request
  if (parameters.include.includes('neighbours')) return false
  if (scheduled === 0) return true
  if (includesPosts(parameters)) return false
  if (resource === 'authors') return identifier !== null || !createsTerms
  return resource === 'posts' && identifier !== null
}
