// Kramdown attributes and options, which CommonMark lacks.
import { maskCode, replaceOutsideCode } from './code-mask.ts'
import type { BodyContext } from './generator.ts'

/**
 * Removes attributes, except ids of headings; writes definition lists and abbreviations as HTML, and URLs with blanks in
 * brackets; adds the blank lines that HTML blocks with Markdown content need.
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
  return withMarkdownInHtml(withAbbreviations(withDefinitions(text, changed), changed))
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

/** `*[HTML]: Hypertext Markup Language` */
function withAbbreviations(body: string, changed: BodyContext['changed']): string {
  if (!body.includes('*[')) return body
  const names = new Map<string, string>()
  const text = replaceOutsideCode(
    body,
    /^ {0,3}\*\[([^[\]\n]{1,99})\]:[ \t]*(.*)\n?/gm,
    ([, name = '', title = '']) => {
      names.set(name, title.trim())
      return ''
    },
  )
  if (names.size === 0) return body
  changed('abbreviations → <abbr>')
  const parts = [...names.keys()].map((name) => name.replace(/[^\w\s]/g, '\\$&')).join('|')
  // regex: escaped names, or a URL or a tag, in which they stay
  const anywhere = new RegExp(`(\\]\\([^()\\n]*\\)|<[^<>]*>)|(?<!\\w)(?:${parts})(?!\\w)`, 'g')
  return replaceOutsideCode(text, anywhere, ([all = '', other]) => {
    const title = names.get(all)?.replaceAll('"', '&quot;')
    return other || title === undefined ? all : `<abbr title="${title}">${all}</abbr>`
  })
}

/** Terms and lines `: definition` below them. */
function withDefinitions(body: string, changed: BodyContext['changed']): string {
  if (!/^:[ \t]/m.test(body)) return body
  const masked = maskCode(body).split('\n')
  const lines: string[] = []
  let isOpen = false
  for (const [index, line] of body.split('\n').entries()) {
    const isDefinition = /^:[ \t]+\S/.test(masked[index] ?? '')
    if (isDefinition) isOpen = addDefinition(line, lines, isOpen)
    else if (isOpen && /^\S/.test(line)) {
      lines.push('</dd>', '</dl>', '', line)
      isOpen = false
    } else lines.push(isOpen ? line.trimStart() : line)
  }
  if (isOpen) lines.push('', '</dd>', '</dl>', '')
  if (lines.includes('<dd>')) changed('definition list → <dl>')
  return lines.join('\n')
}

/** Adds a definition to a list that is open, or to the term above it. @returns false for a line that is text */
function addDefinition(line: string, lines: string[], isOpen: boolean): boolean {
  const isPart = isOpen || takeTerm(lines)
  if (isOpen) lines.push('', '</dd>')
  if (isPart) lines.push('<dd>', '')
  lines.push(isPart ? line.replace(/^:[ \t]+/, '') : line)
  return isPart
}

/** Makes a term of the last line, unless that cannot be one. */
function takeTerm(lines: string[]): boolean {
  const at = lines.findLastIndex((line) => line.trim() !== '')
  const term = lines[at] ?? ''
  if (at < lines.length - 2 || term === '' || /^[ \t]*(?:[-*+>|#<]|\d{1,9}[.)])/.test(term))
    return false
  lines.splice(at, 2, '<dl>', '<dt>', '', term.trim(), '', '</dt>')
  return true
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
