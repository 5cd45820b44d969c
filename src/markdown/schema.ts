// The elements, attributes and URL schemes that rendered HTML may have.
import { defaultSchema, type Schema } from 'hast-util-sanitize'
import { alertClass, alertKindClass, alertTitleClass } from './alerts.ts'

/**
 * The schema of rendered HTML: GitHub's, and elements that have a meaning and no behaviour.
 *
 * No prefix is put before ids here, because those of footnotes bring their own and those of headings have none.
 * Ids that an author writes have theirs by then: see `authored-html.ts`.
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
  // The text in these is code or a stand-in, and no browser shows it.
  strip: ['script', 'style', 'iframe', 'noembed', 'noframes'],
}
