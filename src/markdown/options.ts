// The options of Markdown rendering.

/** The rendering options of a site. */
export interface MarkdownOptions {
  /**
   * `sanitize` parses raw HTML as browsers do and sanitises it; `omit` removes it with its text. @default 'sanitize'
   */
  readonly html: 'sanitize' | 'omit'
  /** Adds ids to headings. @default true */
  readonly headingIds: boolean
  /** Renders quotes that begin with a marker such as `[!NOTE]` as GitHub alerts. @default true */
  readonly alerts: boolean
  /** Reads `~text~` as deleted text, as GitHub does. `~~text~~` is always deleted text. @default true */
  readonly singleTilde: boolean
  /** Keeps TeX between `$` and `$$`, so that a program of the site can render it. @default false */
  readonly math: boolean
  /** Also reads `.md` files as MDX. `.mdx` files are always MDX. @default false */
  readonly mdx: boolean
  /** Treats images with root-relative paths as possible files, because `media.roots` is set. @default false */
  readonly rootImages: boolean
}

export const markdownDefaults: MarkdownOptions = {
  html: 'sanitize',
  headingIds: true,
  alerts: true,
  singleTilde: true,
  math: false,
  mdx: false,
  rootImages: false,
}
