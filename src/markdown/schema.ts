// The elements, attributes and URL schemes that rendered HTML may contain.
import type { Element, Properties } from 'hast'
import { defaultSchema, type Schema, sanitize } from 'hast-util-sanitize'
import type { Blockquote, Nodes } from 'mdast'

/** GitHub's alerts and the classes of their HTML. */
const kinds = 'note|tip|important|warning|caution'
const alertClass = 'markdown-alert'
const titleClass = 'markdown-alert-title'

/** Gives alerts a class and a title; leaves other quotes unchanged. */
export function markAlerts(quotes: readonly Blockquote[]): void {
  for (const quote of quotes) {
    const kind = takeMarker(quote)
    if (kind === undefined) continue
    const title = `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`
    quote.children.unshift({
      type: 'paragraph',
      data: { hProperties: { className: [titleClass] } },
      children: [{ type: 'text', value: title }],
    })
    quote.data = { hProperties: { className: [alertClass, `${alertClass}-${kind}`] } }
  }
}

/** Keeps the text after the language of a fence: `js title="a.js"`. */
export function keepMeta(code: readonly Nodes[]): void {
  for (const node of code)
    if (node.type === 'code' && node.meta) node.data = { hProperties: { dataMeta: node.meta } }
}

/** Removes the marker of an alert and returns its kind; undefined for other quotes. */
function takeMarker(quote: Blockquote): string | undefined {
  const [paragraph] = quote.children
  if (paragraph?.type !== 'paragraph') return undefined
  const [text, after] = paragraph.children
  if (text?.type !== 'text') return undefined
  // regex: a choice of fixed names
  const pattern = new RegExp(`^\\[!(${kinds})\\][ \\t]*(?:\\r\\n|\\n|\\r|$)`, 'i')
  const [marker, kind] = pattern.exec(text.value) ?? []
  if (marker === undefined) return undefined
  const isLine = /[\r\n]$/.test(marker)
  // The line contains other text than the marker.
  if (!isLine && after !== undefined && after.type !== 'break') return undefined
  text.value = text.value.slice(marker.length)
  if (text.value === '') paragraph.children.splice(0, isLine ? 1 : 2)
  if (paragraph.children.length === 0) quote.children.shift()
  return kind?.toLowerCase()
}

/**
 * The schema of rendered HTML: GitHub's schema, and elements that have a meaning but no behaviour.
 *
 * It adds no prefix to ids. Footnotes have their own prefix, and headings have none.
 */
export const schema: Schema = {
  ...defaultSchema,
  clobberPrefix: '',
  attributes: {
    ...defaultSchema.attributes,
    // regex: a choice of fixed names
    blockquote: ['cite', ['className', alertClass, new RegExp(`^${alertClass}-(?:${kinds})$`)]],
    code: [...(defaultSchema.attributes?.['code'] ?? []), 'dataMeta'],
    div: [...(defaultSchema.attributes?.['div'] ?? []), ['className', 'math', 'math-display']],
    p: [['className', titleClass]],
    span: [['className', 'math', 'math-inline']],
  },
  tagNames: [
    ...(defaultSchema.tagNames ?? []),
    ...['abbr', 'figcaption', 'figure', 'mark', 'small', 'time', 'u'],
  ],
  // The text in these elements is code, or a fallback that no browser shows.
  strip: ['script', 'style', 'iframe', 'noembed', 'noframes'],
}

/** Prefix of authored ids, as on GitHub. It prevents collisions with names of the embedding page. */
export const idPrefix = 'user-content-'

/** The schema of raw HTML, which allows fewer elements than rendered Markdown has. */
export const authoredSchema: Schema = {
  ...schema,
  // Elements are checked one by one. The parser ensures that cells are inside tables.
  ancestors: {},
  clobberPrefix: idPrefix,
  // Attributes that name an element, or refer to one by name.
  clobber: ['ariaDescribedBy', 'ariaLabelledBy', 'headers', 'htmlFor', 'id', 'name'],
  required: {},
  // Only Markdown may set classes and data.
  attributes: {
    ...Object.fromEntries(
      Object.entries({ ...schema.attributes }).map(([tagName, all]) => [
        tagName,
        all.filter((one) => !/^(?:className|data[A-Z])/.test(`${[one].flat()[0]}`)),
      ]),
    ),
    code: defaultSchema.attributes?.['code'] ?? [],
  },
  protocols: { ...schema.protocols, href: ['http', 'https', 'mailto'] },
}

/** Returns the properties of an element that a schema allows. */
export function allowedProperties(
  { tagName, properties }: Pick<Element, 'tagName' | 'properties'>,
  rules: Schema,
): Properties {
  const clean = sanitize({ type: 'element', tagName, properties, children: [] }, rules)
  return clean.type === 'element' ? clean.properties : {}
}
