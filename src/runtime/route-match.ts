// The target of an admitted request and the rights of its client.
import type { Target } from '../api/request.ts'

/** The target of a request, its workspace, and the client's rights. */
export interface RouteMatch {
  readonly target: Target
  readonly workspace: string
  /** False for a key without access to posts: posts are then not included in other resources either. */
  readonly mayReadPosts: boolean
  /** True for a key with access to drafts. */
  readonly mayReadDrafts: boolean
}

/** The message for a key without the scope of its request. */
export const forbidden = 'Insufficient permissions for this resource.'
