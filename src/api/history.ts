// The history of a workspace: changes of posts between builds.

/** A change of a post. */
export interface Change {
  readonly type: 'published' | 'updated' | 'removed'
  readonly id: string
  readonly slug: string
  /** ETag of the post in HTML, with quotes; for a removed post, its last one. */
  readonly etag: string
  /** Date of publication or update, as the post states it; for a removed post, the time of the build. */
  readonly at: string
}

/** Changes from one build to the next, by workspace. */
export interface BuildStep {
  /** Id of the earlier build. */
  readonly since: string
  readonly changes: Readonly<Record<string, readonly Change[]>>
}

/** The history of a workspace. */
export interface History {
  readonly workspace: string
  /** Id of this build. */
  readonly build: string
  /** Number of posts that were scheduled at this build. */
  readonly scheduled: number
  /** Latest first. */
  readonly steps: readonly BuildStep[]
}
