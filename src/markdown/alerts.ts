// GitHub's alerts: quotes that begin with `[!NOTE]` on a line of its own.
import type { Blockquote, Paragraph } from 'mdast'
import type {} from 'mdast-util-to-hast'

const titles: ReadonlyMap<string, string> = new Map([
  ['note', 'Note'],
  ['tip', 'Tip'],
  ['important', 'Important'],
  ['warning', 'Warning'],
  ['caution', 'Caution'],
])

/** Classes of what alerts are rendered to: GitHub's. */
export const alertClass = 'markdown-alert'
export const alertTitleClass = 'markdown-alert-title'
export const alertKindClass: RegExp = new RegExp(
  `^markdown-alert-(?:${[...titles.keys()].join('|')})$`,
)

/** Makes quotes that are alerts quotes with a class and a title; leaves the others alone. */
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

/** The kind of an alert, whose marker is taken out of the text; undefined for other quotes. */
function takeMarker(quote: Blockquote): string | undefined {
  const [paragraph] = quote.children
  if (paragraph?.type !== 'paragraph') return undefined
  const [text, after] = paragraph.children
  if (text?.type !== 'text') return undefined
  const [marker, name = ''] = /^\[!([a-z]+)\][ \t]*(?:\r\n|\n|\r|$)/i.exec(text.value) ?? []
  const kind = name.toLowerCase()
  if (marker === undefined || !titles.has(kind)) return undefined
  const isLine = /[\r\n]$/.test(marker)
  // A mark that is not alone on its line.
  if (!isLine && after !== undefined && after.type !== 'break') return undefined
  text.value = text.value.slice(marker.length)
  if (text.value === '') paragraph.children.splice(0, isLine ? 1 : 2)
  if (paragraph.children.length === 0) quote.children.shift()
  return kind
}
