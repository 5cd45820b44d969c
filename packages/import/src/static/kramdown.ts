// Kramdown attributes and options, which CommonMark lacks.
import { maskCode, replaceOutsideCode } from './code-mask.ts'
import type { BodyContext } from './generator.ts'

/** Removes attributes, except ids of headings; adds the blank lines that HTML blocks with Markdown content need. */
export function withoutKramdown(body: string, { changed }: Pick<BodyContext, 'changed'>): string {
  let text = body
  if (/\{:/.test(text)) {
    text = replaceOutsideCode(text, contents, () => '')
    text = replaceOutsideCode(text, headingId, ([, heading = '', id = '']) => `${heading} {#${id}}`)
    text = replaceOutsideCode(text, attributes, ([all = '']) => {
      if (!isAttributes(all)) return all
      changed('kramdown attributes → left out')
      return ''
    })
    text = fenceAttributes(text)
  }
  return withMarkdownInHtml(text)
}

/** `* TOC` and `{:toc}`: the list that kramdown replaces by a table of contents. */
const contents = /^[ \t]*(?:[-*+]|1\.)[ \t]+.*\n[ \t]*\{:[^}\n]*toc[^}\n]*\}[ \t]*$/gim

/** An attribute list with an id, after a heading or on the line below it. */
const headingId =
  /^(#{1,6} [^\n]*?|[^\n]+\n(?:=+|-+))[ \t]*\n?[ \t]*\{:[^}\n]*?#([\w.-]+)[^}\n]*\}[ \t]*$/gm

/** A list may continue on the next line. */
const attributes = /\{:(?=[\s.#\w:-])[^{}]{0,400}\}/g

/** `{: .x}`, `{:.x}`, `{:#x}`, `{:toc}`, `{: a="b"}`; `{:b=>2}` is Ruby. */
function isAttributes(text: string): boolean {
  return (
    /^\{::?\s*(?:[.#][\w-]|[\w-]+\s*=\s*["']|toc\b|no_toc\b|[\w-]+\s*\}|\s*\}|\/)/.test(text) &&
    !text.includes('=>')
  )
}

/** Attributes below a code block belong to it, although the mask treats their line as code. */
function fenceAttributes(text: string): string {
  const masked = maskCode(text)
  return text.replace(/^[ \t]*\{:[ \t]*\.[^{}\n]*\}[ \t]*\n?/gm, (line, offset: number) =>
    masked[offset + line.indexOf('{')] === '{' ? '' : line,
  )
}

/** `<div markdown="1">` */
function withMarkdownInHtml(body: string): string {
  if (!/\smarkdown\s*=/.test(body)) return body
  const open = /^([ \t]*)<(\w+)([^<>\n]*?)\s+markdown=["']?(?:1|block|span)["']?([^<>\n]*)>/gm
  const names = new Set<string>()
  const opened = replaceOutsideCode(body, open, ([, , name = '', before = '', after = '']) => {
    names.add(name)
    return `<${name}${before}${after}>\n\n`
  })
  return [...names].reduce(
    (text, name) =>
      replaceOutsideCode(
        text,
        new RegExp(`^[ \\t]*</${name}>`, 'gm'),
        ([close = '']) => `\n${close.trim()}\n`,
      ),
    opened,
  )
}
