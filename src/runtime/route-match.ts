// The target of an admitted request, and what its client may read.
import type { Target } from '../api/request.ts'

/** The target of a request, its workspace, and the client's rights. */
export interface RouteMatch {
  readonly target: Target
  readonly workspace: string
  /** False for a key that may not read posts: then they are not included in anything either. */
  readonly mayReadPosts: boolean
  /** True for a key that may read drafts. */
  readonly mayReadDrafts: boolean
}

/** The message for a key without the scope of its request. */
export const forbidden = 'Insufficient permissions for this resource.'
