// Data for the page of the API: its site, builds, and the content.
import type { Diagnostic } from '../diagnostics.ts'

/** The data of its site that a page has before any request. */
export interface PageSite {
  /** `dev` follows builds and shows the content; `static` is the reference alone. */
  readonly mode: 'static' | 'dev'
  /** Ids that are suggested. */
  readonly workspaces: readonly string[]
}

/** An event for a dev page. */
export type DevEvent =
  | {
      readonly type: 'built'
      /** The build's id. */
      readonly build: string
      readonly milliseconds: number
      /** Warnings alone. */
      readonly diagnostics: readonly Diagnostic[]
    }
  | {
      /** The last good responses stay up. */
      readonly type: 'broken'
      /** At least one is an error. */
      readonly diagnostics: readonly Diagnostic[]
    }

/** The JSON of the content view. */
export interface ContentView {
  /** The working folder, absolute, with `/`. */
  readonly root: string
  /** By id, in code unit order. */
  readonly workspaces: readonly ViewedWorkspace[]
}

/** A workspace and its posts. */
export interface ViewedWorkspace {
  readonly id: string
  readonly name: string
  /** Nothing of it is served under v1. */
  readonly isV1Private: boolean
  readonly categories: number
  readonly tags: number
  readonly authors: number
  /** Drafts by file; then all others, latest first. */
  readonly posts: readonly ViewedPost[]
}

/** A post. One whose date lies ahead is scheduled: the page knows the time. */
export interface ViewedPost {
  readonly title: string
  readonly isDraft: boolean
  /** Null for drafts. */
  readonly slug: string | null
  /** Null for drafts without a date. */
  readonly publishedAt: string | null
  /** Name of the category; null for drafts. */
  readonly category: string | null
  /** Below the working folder. */
  readonly file: string
}
