// Creates paragraphs and line breaks from line ends, as WordPress does.
import type { Element, ElementContent, Root } from 'hast'
import { element } from '../html/clean.ts'

const blocks =
  'address|article|aside|blockquote|center|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|iframe|li|main|nav|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul'
// regex: code as a whole, or a tag, which `[^<>]` ends at the bracket
const blockTag = new RegExp(
  `<pre\\b[^<>]*>[\\s\\S]*?</pre>|</?(?:${blocks})\\b[^<>]*>|<!--more[^<>]*-->`,
  'gi',
)
// regex: a post of the site's own export: code that does not end makes it slow, and loses nothing
const verbatim = /<(pre|script|style|textarea|svg|code)\b[^<>]*>[\s\S]*?<\/\1>/gi
/** The only paragraph of a list item, a cell and the like. */
const only =
  /(<(?:li|td|th|dd|dt|div|center|figure|figcaption)\b[^<>]*>)\s*<p>((?:(?!<\/?p>)[\s\S])*)<\/p>(?!\s*<p>)/gi
/** A placeholder for line ends that stay: a Unicode noncharacter, which no text contains. */
const kept = '\uFDD5'

/**
 * Makes paragraphs of the parts between blank lines and blocks.
 *
 * @param breaks true to convert single line ends to `br`, as for texts of the classic editor; false to leave blocks alone
 */
export function withParagraphs(html: string, breaks: boolean): string {
  const text = html.replace(/\r/g, '').replace(verbatim, (code) => code.replaceAll('\n', kept))
  const parts = (breaks ? text.replace(blockTag, '\n\n$&\n\n') : text).split(/\n\s*\n/)
  const made = parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      if (part.startsWith('<') && (!breaks || part.search(blockTag) === 0)) return part
      const lines = breaks ? part.replace(/(?<![ \t])[ \t]*(?:<br ?\/?>\s*|\n)/gi, '<br>') : part
      return `<p>${lines}</p>`
    })
  return made.join('\n').replace(only, '$1$2').replaceAll(kept, '\n')
}

/** Converts URLs that are alone in a paragraph, which WordPress shows as players, to links. */
export function linkAddresses(node: Root | Element): void {
  const isBlank = (child: Root['children'][number]) =>
    child.type === 'text' && child.value.trim() === ''
  const [first, ...others] = node.children.filter((child) => !isBlank(child))
  const href = first?.type === 'text' && others.length === 0 ? first.value.trim() : ''
  const isPlace = node.type === 'element' && /^(?:p|div|figure)$/.test(node.tagName)
  const text: ElementContent = { type: 'text', value: href }
  if (isPlace && /^https?:\/\/[^\s<>"]+$/.test(href))
    node.children = [element('a', { href }, [text])]
  else for (const child of node.children) if (child.type === 'element') linkAddresses(child)
}
