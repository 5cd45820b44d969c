// The elements, attributes and URL schemes that rendered HTML may contain.
import type { Element, Properties } from 'hast'
import { defaultSchema, type Schema, sanitize } from 'hast-util-sanitize'
import { alertClass, alertKindClass, alertTitleClass } from './alerts.ts'

/**
 * The schema of rendered HTML: GitHub's, plus elements with a meaning and no behaviour.
 *
 * Adds no prefix to ids: footnotes have their own, and headings have none. Authored ids get theirs in
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

/** The elements that authors may write: fewer than in rendered Markdown. */
export const authoredSchema: Schema = {
  ...schema,
  // Elements are checked one by one; the parser leaves no cell outside a table.
  ancestors: {},
  required: {},
  attributes: {
    ...schema.attributes,
    a: ['ariaDescribedBy', 'ariaLabel', 'ariaLabelledBy', 'href'],
    h2: [],
    li: [],
    ol: ['ariaDescribedBy', 'ariaLabel', 'ariaLabelledBy'],
    blockquote: ['cite'],
    p: [],
    section: [],
    ul: ['ariaDescribedBy', 'ariaLabel', 'ariaLabelledBy'],
  },
  protocols: { ...schema.protocols, href: ['http', 'https', 'mailto'] },
}

/** The properties of an element that a schema allows. */
export function allowedProperties(
  { tagName, properties }: Pick<Element, 'tagName' | 'properties'>,
  rules: Schema,
): Properties {
  const clean = sanitize({ type: 'element', tagName, properties, children: [] }, rules)
  return clean.type === 'element' ? clean.properties : {}
}
