// The elements, attributes and URL schemes that rendered HTML may contain.
import type { Element, Properties } from 'hast'
import { defaultSchema, type Schema, sanitize } from 'hast-util-sanitize'
import type { Blockquote, Paragraph } from 'mdast'

const titles: ReadonlyMap<string, string> = new Map([
  ['note', 'Note'],
  ['tip', 'Tip'],
  ['important', 'Important'],
  ['warning', 'Warning'],
  ['caution', 'Caution'],
])

/** GitHub's class names for rendered alerts. */
export const alertClass = 'markdown-alert'
export const alertTitleClass = 'markdown-alert-title'
// regex: a choice of fixed names
export const alertKindClass: RegExp = new RegExp(
  `^markdown-alert-(?:${[...titles.keys()].join('|')})$`,
)

/** Gives alerts a class and a title; leaves other quotes unchanged. */
export function markAlerts(quotes: readonly Blockquote[]): void {
  for (const quote of quotes) {
    const kind = takeMarker(quote)
    if (kind === undefined) continue
    const title: Paragraph = {
      type: 'paragraph',
      data: { hProperties: { className: [alertTitleClass] } },
      children: [{ type: 'text', value: titles.get(kind) ?? kind }],
    }
    quote.children.unshift(title)
    quote.data = { hProperties: { className: [alertClass, `${alertClass}-${kind}`] } }
  }
}

/** Removes the marker of an alert and returns its kind; undefined for other quotes. */
function takeMarker(quote: Blockquote): string | undefined {
  const [paragraph] = quote.children
  if (paragraph?.type !== 'paragraph') return undefined
  const [text, after] = paragraph.children
  if (text?.type !== 'text') return undefined
  const [marker, name = ''] = /^\[!([a-z]+)\][ \t]*(?:\r\n|\n|\r|$)/i.exec(text.value) ?? []
  const kind = name.toLowerCase()
  if (marker === undefined || !titles.has(kind)) return undefined
  const isLine = /[\r\n]$/.test(marker)
  // The marker is not alone on its line.
  if (!isLine && after !== undefined && after.type !== 'break') return undefined
  text.value = text.value.slice(marker.length)
  if (text.value === '') paragraph.children.splice(0, isLine ? 1 : 2)
  if (paragraph.children.length === 0) quote.children.shift()
  return kind
}

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
