// The past of a workspace: changes of posts from build to build.

/** A change of a post. */
export interface Change {
  readonly type: 'published' | 'updated' | 'removed'
  readonly id: string
  readonly slug: string
  /** The tag of the post in HTML, with its quotes; the last one of a removed post. */
  readonly etag: string
  /** Publication or update of the post as it states them; of a removed post the moment of the build. */
  readonly at: string
}

/** The changes from one build to the next one, by workspace. */
export interface BuildStep {
  /** The id of the earlier build. */
  readonly since: string
  readonly changes: Readonly<Record<string, readonly Change[]>>
}

/** The past of a workspace. */
export interface History {
  readonly workspace: string
  /** The id of this build. */
  readonly build: string
  /** Posts that were scheduled when it was made. */
  readonly scheduled: number
  /** The latest first. */
  readonly steps: readonly BuildStep[]
}
