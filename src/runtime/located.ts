// What a request that was let in asks for, and what its asker may read.
// Knows nothing of how either was found out.
import type { Target } from '../api/request.ts'

/** What is asked for, of which workspace, and how much of it may be shown. */
export interface Located {
  readonly target: Target
  readonly workspace: string
  /** False for a key that may not read posts: then they are not included in anything either. */
  readonly mayReadPosts: boolean
}

/** What a key is told that has no scope for what it asks. */
export const forbidden = 'Insufficient permissions for this resource.'
