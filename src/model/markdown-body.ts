// The Markdown of a post, before it is rendered.
// Knows nothing of the post.

/** A post's Markdown, and where it stands. */
export interface MarkdownBody {
  readonly file: string
  readonly text: string
  /** Line of the file on which it begins, from 1. */
  readonly line: number
}
