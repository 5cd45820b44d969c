// The elements, attributes and URL schemes that rendered HTML may contain.
import { defaultSchema, type Schema } from 'hast-util-sanitize'
import { alertClass, alertKindClass, alertTitleClass } from './alerts.ts'

/**
 * The schema of rendered HTML: GitHub's, plus elements with a meaning and no behaviour.
 *
 * Adds no prefix to ids: footnotes have their own, and headings have none. Authored ids already have theirs: see
 * `authored-html.ts`.
 */
export const schema: Schema = {
  ...defaultSchema,
  clobberPrefix: '',
  attributes: {
    ...defaultSchema.attributes,
    blockquote: ['cite', ['className', alertClass, alertKindClass]],
    p: [['className', alertTitleClass]],
  },
  tagNames: [
    ...(defaultSchema.tagNames ?? []),
    ...['abbr', 'figcaption', 'figure', 'mark', 'small', 'time', 'u'],
  ],
  // The text in these is code or a fallback that no browser shows.
  strip: ['script', 'style', 'iframe', 'noembed', 'noframes'],
}
