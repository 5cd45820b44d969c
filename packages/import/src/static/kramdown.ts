// Kramdown attributes and options, which CommonMark lacks.
import { maskCode, replaceOutsideCode } from './code-mask.ts'
import type { BodyContext } from './generator.ts'

/**
 * Removes attributes, except ids of headings; writes URLs with blanks in brackets; adds the blank lines that HTML blocks
 * with Markdown content need. Definition lists and abbreviations stay text, and are reported.
 */
export function withoutKramdown(body: string, { changed }: Pick<BodyContext, 'changed'>): string {
  let text = withUrls(body, changed)
  if (/\{:/.test(text)) {
    text = replaceOutsideCode(text, contents, ([all = '', list = '']) =>
      list.toLowerCase().includes('toc') ? '' : all,
    )
    text = withHeadingIds(text)
    text = replaceOutsideCode(text, attributes, ([all = '']) => {
      if (!isAttributes(all)) return all
      changed('kramdown attributes → left out')
      return ''
    })
    text = fenceAttributes(text)
  }
  if (replaceOutsideCode(text, /^\S.*\n{1,2}:[ \t]+\S/gm, () => '') !== text)
    changed('definition list: stays text')
  if (replaceOutsideCode(text, /^ {0,3}\*\[[^[\]\n]{1,99}\]:/gm, () => '') !== text)
    changed('abbreviation: stays text')
  return withMarkdownInHtml(text)
}

/** `![](/a b.jpg)`: other Markdown needs angle brackets. */
function withUrls(body: string, changed: BodyContext['changed']): string {
  const url =
    /(!?\[[^[\]\n]{0,999}\]\()(?!<)([^()<>\s"']+(?: [^()<>\s"']+){1,20}\.[a-zA-Z0-9]{2,5})(?=\)| ["'])/g
  return replaceOutsideCode(body, url, ([, start = '', path = '']) => {
    changed('URL with blanks → in brackets')
    return `${start}<${path}>`
  })
}

/** `* TOC` and `{:toc}`: the list that kramdown replaces by a table of contents. */
const contents = /^[ \t]*(?:[-*+]|1\.)[ \t].*\n[ \t]*\{:([^{}\n]{0,400})\}[ \t]*$/gm

/** Moves an id in an attribute list to its heading; the list is at the end of the heading, or on the line below it. */
function withHeadingIds(text: string): string {
  if (!text.includes('{:')) return text
  const masked = maskCode(text).split('\n')
  const lines: string[] = []
  for (const [index, line] of text.split('\n').entries()) {
    const at = (masked[index] ?? '').lastIndexOf('{:')
    const [, id] = at === -1 ? [] : (idList.exec(line.slice(at).trim()) ?? [])
    const head = line.slice(0, Math.max(0, at)).trimEnd()
    const target = head === '' ? headingAbove(lines) : -1
    if (id !== undefined && /^#{1,6} /.test(head)) lines.push(`${head} {#${id}}`)
    else if (id !== undefined && target >= 0) lines[target] = `${lines[target]?.trimEnd()} {#${id}}`
    else lines.push(line)
  }
  return lines.join('\n')
}

const idList = /^\{:[^{}#]*#([\w.-]+)(?:[^{}\w.-][^{}]*)?\}$/

/** The index of the heading that ends the lines; -1 for none. */
function headingAbove(lines: readonly string[]): number {
  const last = lines.length - 1
  if (/^#{1,6} /.test(lines[last] ?? '')) return last
  return last > 0 && /^(?:=+|-+)[ \t]*$/.test(lines[last] ?? '') ? last - 1 : -1
}

/** A list may continue on the next line. */
const attributes = /\{:(?=[\s.#\w:/-])[^{}]{0,400}\}/g

/** `{: .x}`, `{:.x}`, `{:#x}`, `{:toc}`, `{: a="b"}`; `{:b=>2}` is Ruby. */
function isAttributes(text: string): boolean {
  return (
    /^\{::?\s{0,9}(?:(?:options|nomarkdown|comment)\b|[.#][\w-]|[\w-]+\s{0,9}(?:=\s{0,9}["']|\})|toc\b|no_toc\b|\}|\/)/.test(
      text,
    ) && !text.includes('=>')
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
  const open = /^[ \t]*<(\w+)(?=\s)[^<>\n]*>/gm
  const names = new Set<string>()
  const opened = replaceOutsideCode(body, open, ([all = '', name = '']) => {
    const plain = all.replace(/\smarkdown=["']?(?:1|block|span)["']?/, '').trimStart()
    if (plain === all.trimStart()) return all
    names.add(name)
    return `${plain}\n\n`
  })
  // regex: the name of an element between literal brackets
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
