// GitHub alerts: block quotes whose first line is `[!NOTE]` or another marker.
import type { Blockquote, Paragraph } from 'mdast'
import type {} from 'mdast-util-to-hast'

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
