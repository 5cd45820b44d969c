// How Markdown is rendered: what a site decides.

/** The rendering of the bodies of a site. */
export interface MarkdownOptions {
  /** Raw HTML is parsed as a browser does and sanitised, or left out with its text. @default 'sanitize' */
  readonly html: 'sanitize' | 'omit'
  /** Headings have ids. @default true */
  readonly headingIds: boolean
  /** Quotes that begin with `[!NOTE]` and the like are GitHub's alerts. @default true */
  readonly alerts: boolean
  /** Bodies of files that end in `.md` are MDX too, as those of `.mdx` always are. @default false */
  readonly mdx: boolean
  /** Images named by paths from the root of a site may be files: `media.roots` is set. @default false */
  readonly rootImages: boolean
  /**
   * The parser: `auto` is satteri for every body that it is known to read as remark-parse does. `verify` renders by both,
   * and an unlike tree or result is an error. @default 'remark'
   */
  readonly parser: 'auto' | 'remark' | 'verify'
}

export const markdownDefaults: MarkdownOptions = {
  html: 'sanitize',
  headingIds: true,
  alerts: true,
  mdx: false,
  rootImages: false,
  parser: 'remark',
}
