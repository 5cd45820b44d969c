// How Markdown is rendered: what a site decides.

/** What becomes of the bodies of a site. */
export interface MarkdownOptions {
  /** Raw HTML is parsed as a browser does and sanitised, or left out with its text. @default 'sanitize' */
  readonly html: 'sanitize' | 'omit'
}

export const markdownDefaults: MarkdownOptions = { html: 'sanitize' }
