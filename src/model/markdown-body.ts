/** The Markdown body of a post: its hash and location. */
export interface MarkdownBody {
  readonly file: string
  /** SHA-256 of its UTF-8, hexadecimal. */
  readonly bodyHash: string
  /** Line of the file on which it begins, from 1. */
  readonly bodyLine: number
}
