// Rewrites only the destinations in a Markdown text, in both Markdown and HTML syntax.
import { replaceOutsideCode } from './code-mask.ts'

/** @param rewrite maps a destination, decoded from HTML, to its new form */
export function rewriteDestinations(body: string, rewrite: (url: string) => string): string {
  const steps: readonly ((text: string) => string)[] = [
    (text) =>
      replaceOutsideCode(text, inline, ([all = '', url = '']) =>
        all.replace(url, () => markdownUrl(url, rewrite)),
      ),
    (text) =>
      replaceOutsideCode(
        text,
        definition,
        ([, start = '', url = '']) => start + markdownUrl(url, rewrite),
      ),
    (text) =>
      replaceOutsideCode(text, tag, ([all = '']) =>
        all.replace(attribute, (_, name: string, url: string) => name + htmlUrl(url, rewrite)),
      ),
  ]
  return steps.reduce((text, step) => step(text), body)
}

/** `](url)`, `](<url>)`, `](url "title")`; parentheses in a URL are balanced one level deep. */
const inline =
  /\]\([ \t]?\n?[ \t]?(<[^<>\n]*>|[^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*)(?=\)|[ \t\n]{1,3}[)"'(])/g

/** `[label]: url`, but not a footnote. */
const definition = /^([ \t>]{0,12}\[(?!\^)[^\]\n\r\u2028\u2029]+\]:[ \t]*)(<[^<>\n]*>|\S+)/gm

/** A tag of HTML. */
const tag = /<[a-zA-Z][^<>]*>/g

/** An attribute with a URL. */
const attribute =
  /(\s(?:src|href|poster)\s{0,9}=\s{0,9})("[^"\n]*"|'[^'\n]*'|[^\s"'<>{}]+)(?=[\s/>])/g

function markdownUrl(written: string, rewrite: (url: string) => string): string {
  const isPointed = written.startsWith('<') && written.endsWith('>')
  const url = (isPointed ? written.slice(1, -1) : written).replace(/\\([()[\]_*<>\\])/g, '$1')
  const made = rewrite(url)
  if (made === url) return written
  return isPointed || /[\s()]/.test(made) ? `<${made}>` : made
}

function htmlUrl(written: string, rewrite: (url: string) => string): string {
  const sign = /^["']/.test(written) ? written.charAt(0) : ''
  const url = (sign === '' ? written : written.slice(1, -1)).trim()
  const made = rewrite(url.replaceAll('&amp;', '&'))
  if (made === url || made === url.replaceAll('&amp;', '&')) return written
  const quote = sign || '"'
  return quote + made.replaceAll('&', '&amp;').replaceAll(quote, '%22') + quote
}
