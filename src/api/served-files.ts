// Which files a host may serve by itself, and which parameters decide whether a request has one.
import { type ParameterName, parameterTable } from './parameter-table.ts'
import { type ApiRequest, includesPosts } from './request.ts'

/**
 * The parameters that decide a response without a key. Every other parameter is ignored, so that it neither changes a
 * response nor keeps a host from serving the file. `strict` is among them and has no file.
 */
export const decidingParameters: readonly ParameterName[] = (
  Object.keys(parameterTable) as ParameterName[]
).filter((name) => {
  const { on, needsKey } = parameterTable[name]
  return needsKey !== true && on.some((operation) => !/^(?:sdk|media|asset)/.test(operation))
})

/** The facts about a workspace that decide which of its files stay true without a build. */
export interface WorkspaceSchedule {
  /** Posts whose time has not come; only whether there are any decides. */
  readonly scheduled: number
  /** True where references create terms, so that a scheduled post may bring an author. */
  readonly createsTerms: boolean
}

/**
 * True when the file of a canonical request stays true until the next build, so that a host may serve it without the
 * function and with the full cache times.
 *
 * In a workspace with scheduled posts these are single posts and plain authors. Everything that any scheduled post
 * could change is left to the function, whichever posts are scheduled: the choice reveals nothing about them.
 *
 * Files with neighbours are for hosts without a function: the routes of the others have no room for them.
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
