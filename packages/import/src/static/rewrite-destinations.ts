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
      replaceOutsideCode(text, attribute, ([all = '', url = '']) =>
        all.replace(url, () => htmlUrl(url, rewrite)),
      ),
  ]
  return steps.reduce((text, step) => step(text), body)
}

/** `](url)`, `](<url>)`, `](url "title")`; parentheses in a URL are balanced one level deep. */
const inline = /\]\(\s*(<[^<>\n]*>|[^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*)(?=\s*(?:\)|\s["'(]))/g

/** `[label]: url`, but not a footnote. */
const definition = /^([ \t>]{0,12}\[(?!\^)[^\]\n]+\]:[ \t]*)(<[^<>\n]*>|\S+)/gm

/** An attribute of a tag that begins at most 2,000 characters earlier; real tags are shorter. */
const attribute =
  /\b(?:src|href|poster)(?<=<[a-zA-Z][^<>]{0,2000}?\s(?:src|href|poster))\s*=\s*("[^"\n]*"|'[^'\n]*'|[^\s"'<>{}]+)(?=[\s/>])/g

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
