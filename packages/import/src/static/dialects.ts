// Converts dialects of Markdown to CommonMark: containers, attributes, definition lists and abbreviations.
import {
  bold,
  codeBlock,
  elementOf,
  endsIn,
  escaped,
  replaceParts,
  replaceRanges,
} from '../parts.ts'
import type { BodyContext, Step } from '../site.ts'
import { findTags, lineBefore, maskCode, replaceOutsideCode } from './code-mask.ts'
import { alertType, type Changes, marksOf, type Rule, rule, unread } from './extensions.ts'
import { htmlBlock, withholdsText } from './steps.ts'

/** HTML files become one block; markup of others becomes CommonMark. @param names a parser, then its plugins */
export function markupSteps(names: string): readonly Step[] {
  const dialect = { name: 'dialect of Markdown → CommonMark', run: dialectOf(names) }
  const isHtml = ({ head }: BodyContext) => /\.(?:html?|njk|liquid|webc)$/i.test(head.file.path)
  return [
    { name: 'HTML → one block', run: (text, body) => (isHtml(body) ? htmlBlock(text) : text) },
    ...(/critic/.test(names) ? [unread('change', /\{(?:\+\+|--|~~|==|>>)/g)] : []),
    ...[...marksOf(names), dialect].map(
      ({ name, run }): Step => ({ name, run: (text, it) => (isHtml(it) ? text : run(text, it)) }),
    ),
  ]
}

/** Converts `:::note Title` and the like to alerts; other containers are replaced by their text. Cost: O(20 × length). */
export function containersToAlerts(body: string, context: BodyContext, depth = 20): string {
  // A text may be before the end. Lines of code are masked, so that they never look like containers.
  const text = replaceOutsideCode(body, /(?<=\S)[ \t]+:{3,}[ \t]*$/gm, () => '\n:::')
  const opening = /^([ \t]*):{3,}[ \t]*(?=[^:\s])(([\w-]*).*)$/gm
  const end = '\\n[ \\t]*:{3,}[ \\t]*(?=\\n|$)|\\n([ \\t]*:{3,}[ \\t]*[^:\\s])'
  // An alert without an end extends to the end of the text; other containers without an end are text.
  return replaceParts(
    text,
    opening,
    ([, , , name = '']) => (alertType(name) === undefined ? end : `${end}|$`),
    ({ open, inner, start, end }) => {
      const from = start + open[0].length
      if (depth === 0) context.unknown('container in 20 others', text, start)
      if (depth === 0) return text.slice(start, end)
      const own = containersToAlerts(text.slice(from, from + inner.length), context, depth - 1)
      return shownContainer(text.slice(start, from), own, open[1] ?? '', context)
    },
    maskCode(text),
  )
}

/** `:::note Title`, `:::note[Title] more`, `:::note{title="Title"}`. */
function shownContainer(line: string, own: string, indent: string, { changed }: BodyContext) {
  const written = line.trim().replace(/^:+|(?<!:):+$/g, '')
  const [, name = '', rest = ''] = /^([\w-]*)([^\w-].*)?$/.exec(written.trim()) ?? []
  if (withholdsText(name)) {
    changed(`container ${name} → left out with its text`)
    return ''
  }
  const [, , attribute] = /title=(["'])((?:(?!\1).)*)\1/.exec(rest) ?? []
  const [labelled = '', label] = /^\s*\[([^[\]]*(?:\[[^[\]]*\][^[\]]*)*)\]/.exec(rest) ?? []
  const words = rest
    .slice(labelled.length)
    .replace(/\{[^{}]*\}/g, '')
    .trim()
  const title = attribute ?? label ?? words
  const text = title === words || words === '' ? own : `\n${words}\n${own}`
  const plain = text.replaceAll(`\n${indent}`, '\n')
  const block = blockToMarkdown({ name, types: [], title }, plain)
  changed(`container ${name} → ${block === undefined ? 'its text' : 'Markdown'}`)
  if (block !== undefined) return `\n${block.trim().replace(/^(?=.)/gm, indent)}\n`
  return title === '' ? text.slice(1) : `${indent}${bold(title)}\n${text}`
}

/** A text with a name: a container, a shortcode, a tag of Liquid or an admonition. */
export interface Block {
  readonly name: string
  /** Words, one of which may be the type of an alert. */
  readonly types: readonly string[]
  readonly title: string
  /** The text before it on its line. */
  readonly before?: string
}

/** Returns the Markdown for a block, between blank lines or after an indent, as in a list; undefined for an unknown name, and in a table. */
export function blockToMarkdown(block: Block, inner: string): string | undefined {
  // A row of a table has no blocks.
  if (/^[ \t]*\|/.test(block.before ?? '')) return undefined
  const made = markdownOf(block, inner)
  const isIndented = /^[ \t]+$/.test(block.before ?? '')
  return isIndented ? made && `${made.trim().replace(/\n(?=.)/g, `\n${block.before}`)}\n` : made
}

function markdownOf({ name, types, title }: Block, inner: string): string | undefined {
  const text = inner.trim()
  if (alertType(name) !== undefined || /^(?:alert|admonition|callout|message|box)$/.test(name)) {
    const type = [...types, name].map(alertType).find((found) => found !== undefined)
    return `\n\n${alert(type ?? 'NOTE', inner, title)}\n\n`
  }
  if (/^(?:details|expand|collapse|accordion|spoiler|fold(?:ing)?|(?:hide)?toggle)$/i.test(name))
    return `\n\n<details>\n${elementOf('summary', title || 'Details')}\n\n${text}\n\n</details>\n\n`
  if (/^(?:tab|step|codetab|card)$/.test(name))
    return `\n\n${title === '' ? '' : `${bold(title)}\n\n`}${text}\n\n`
  if (/quote$/.test(name))
    return `\n\n${`${text}${title && `\n\n— ${title}`}`.replace(/^/gm, '> ')}\n\n`
  if (/^(?:mermaid|plantuml|echarts?|chart(?:js)?|flink)$/.test(name)) return codeBlock(text, name)
  if (/^(?:code(?:block)?|command|console|terminal)$/.test(name))
    return codeBlock(inner, types.find(Boolean) ?? '')
  return /^(?:katex|math|latex)$/.test(name) ? formulaOf(text, types) : undefined
}

/** Returns a formula, which the build renders. */
function formulaOf(text: string, types: Block['types']): string {
  if (text.startsWith('$')) return text
  return types.includes('display') || text.includes('\n') ? `\n\n$$\n${text}\n$$\n\n` : `$${text}$`
}

const admonition =
  /^([ \t]*)(?:===[!+]?[ \t]"([^"\n]{0,300})"|(?:!!!|\?\?\?)\+?[ \t]?([\w-]+)(?:[ \t]{1,9}[^"\n]{0,200})?(?:"([^"\n]{0,300})")?.*)\n((?:(?:\1(?: {4}|\t).*|[ \t]*)(?:\n|$))*)/gm

/** Converts `!!! note "Title"`, `??? note` and `=== "Tab"` of Python-Markdown, with an indented text. */
export function admonitionsToAlerts(body: string, context: Changes): string {
  const masked = maskCode(body)
  return body.replace(admonition, (all, indent: string, tab, type: string, title = '', ...rest) => {
    const [text, at] = rest as [string, number]
    if (!/[=!?]/.test(masked[at + indent.length] ?? '')) return all
    const spaced = `\n${text.replace(/^( *)\t/gm, '$1    ')}`
    const plain = spaced.replaceAll(`\n${indent}    `, '\n')
    const inner = admonitionsToAlerts(plain, context)
    const name = tab === undefined ? 'admonition' : 'tab'
    context.changed(`${name} ${type ?? ''} → Markdown`.replace('  ', ' '))
    const made = blockToMarkdown({ name, types: [type ?? ''], title: tab ?? title }, inner) ?? inner
    return `\n${made.trim().replace(/^(?=.)/gm, indent)}\n\n`
  })
}

/** Formats an alert. @param title shown in bold if not empty */
function alert(type: string, text: string, title: string): string {
  const isPlain = title === '' || title.toLowerCase() === type.toLowerCase()
  const head = isPlain ? [`[!${type}]`] : [`[!${type}]`, bold(title), '']
  const lines = [...head, ...text.replace(/^\n+/, '').trimEnd().split('\n')]
  return lines.map((line) => `> ${line}`.trimEnd()).join('\n')
}

/** `*[HTML]: Hyper Text` turns each occurrence of HTML into an `<abbr>`, except in references, tags and URLs. */
function withAbbreviations(body: string, { changed }: Changes): string {
  const titles = new Map<string, string>()
  const definition = /^ {0,3}\*\[([^[\]\n]{1,99})\]:[ \t]*(.*)(?:\n|$)/gm
  const text = replaceOutsideCode(body, definition, ([, name = '', title = '']) => {
    titles.set(name, title.trim())
    return ''
  })
  if (titles.size === 0) return body
  changed('abbreviation → <abbr>')
  const names = [...titles.keys()].sort((a, b) => b.length - a.length)
  const literal = names.map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')
  const use = new RegExp(
    `!\\[[^[\\]]*\\]\\([^()\\n]*\\)|\\[[^[\\]]*\\](?:\\[[^[\\]]*\\]|:.*$|(?!\\())|\\]\\([^()\\n]*\\)|<[a-zA-Z!/][^<>]*>|https?:\\S+|(?<![\\p{L}\\p{N}_])(${literal})(?![\\p{L}\\p{N}_])`,
    'gmu',
  )
  return replaceOutsideCode(text, use, ([all = '', name = '']) => {
    const title = titles.get(name)
    return title === undefined ? all : `<abbr title="${escaped(title)}">${name}</abbr>`
  })
}

/** Returns a letter for the kind of a line: blank, mark of a definition, indented, other block, or possible term. */
function kindOf(line: string, masked: string): string {
  if (line.trim() === '') return 'b'
  if (/^ {0,3}:[ \t]+\S/.test(masked)) return 'm'
  if (/^(?: {2}|\t)/.test(line)) return 'i'
  return /^ ?(?:[-*+] |\d+[.)] |[#>|<]|```|~~~)/.test(line) ? 'o' : 't'
}

function withDefinitions(body: string, context: Changes): string {
  if (!/^ {0,3}:[ \t]+\S/m.test(body)) return body
  const masked = maskCode(body).split('\n')
  const lines = body.split('\n')
  const kinds = lines.map((line, index) => kindOf(line, masked[index] ?? '')).join('')
  const made: string[] = []
  let done = 0
  // One character a line: terms, then definitions with their continuation, also after blank lines if it is indented.
  for (const { 0: list, index } of kinds.matchAll(/(?<!t)(?:t+b?(?:m[^mb]*(?:b+i[^mb]*)*b*)+)+/g)) {
    context.changed('definition list → <dl>')
    made.push(...lines.slice(done, index), '', '<dl>')
    done = index + list.length
    for (const part of list.matchAll(/(t+)b?|(m[^mb]*(?:b+i[^mb]*)*)b*/g)) {
      const start = index + part.index
      const own = lines.slice(start, start + (part[1] ?? part[2] ?? '').length)
      if (part[1] !== undefined) made.push(...own.map((line) => elementOf('dt', line.trim())))
      else {
        const text = own.join('\n').replace(/^ {0,3}:[ \t]+/, '')
        made.push(elementOf('dd', withDefinitions(dedented(text), context)))
      }
    }
    made.push('</dl>', '')
  }
  return [...made, ...lines.slice(done)].join('\n')
}

/** Removes the indentation of a text if all its lines have one, which would turn them into code. */
export function withoutMargin(text: string): string {
  return /^\s*\n(?!\S|[\s\S]*\n\S)/.test(text) ? dedented(text) : text
}

function dedented(text: string): string {
  const indents = text.match(/(?<=\n)[ \t]+(?=\S)/g) ?? []
  const shared = indents.reduce((least, { length }) => Math.min(least, length), 4)
  return text.replace(/\n([ \t]+)/g, (_, indent: string) => `\n${indent.slice(shared)}`).trim()
}

/** `* TOC` and `{:toc}`: the list that kramdown replaces by a table of contents. */
const contents =
  /^[ \t]*(?:[-*+]|1\.)[ \t].*\n[ \t]*\{:[^{}\n]{0,200}\btoc\b[^{}\n]{0,200}\}[ \t]*$/gim

/** `{: .x}`, `{:.x}`, `{:#x}`, `{:toc}`, `{: a="b"}`; `{:b=>2}` is Ruby. */
const attributes =
  /(?<!\\)\{(?=::?\s{0,9}(?:(?:options|nomarkdown|comment|toc|no_toc)\b|[.#][\w-]|[\w-]{1,99}\s{0,9}(?:=\s{0,9}["']|\})|[\w-]{1,99}:\s|[}/]))(?![^{}]{0,400}=>)[^{}]{0,400}\}/g
const item = '(?:[.#][A-Za-z][\\w:-]{0,99}|[\\w-]{1,99}=(?:"[^"{}\\n]{0,200}"|[\\w%.-]{1,99}))'
const list = `\\{ ?${item}(?: {1,9}${item}){0,9} ?\\}`
/** `{ .x }` of Python-Markdown and Hugo, and other lists that begin a line or follow an element. */
const bare = new RegExp(`(?=\\{)(?<=^[ \\t]*|\\))${list}|(?<=[ \\t])(?=\\{ ?\\.)${list}`, 'gm')

// regex: one line and lists of a bounded length
const attributeRules = [
  rule('list of headings', contents, ''),
  // `![](/a b.jpg)`: other Markdown needs angle brackets.
  rule(
    'URL with blanks → in brackets',
    /(!?\[[^[\]\n]{0,999}\]\()(?!<)([^()<>\s"']+(?: [^()<>\s"']+){1,20}\.[a-zA-Z0-9]{2,5})(?=\)| ["'])/g,
    '$1<$2>',
  ),
  // In an attribute list at the end of the heading, or on the line below it.
  rule(
    'id of a heading → `{#id}`',
    /^(#{1,6} .*?)[ \t]*\n?[ \t]*\{(?::[^{}#\n]{0,200}| ?(?:\.[\w-]{1,99} )?)#([\w.:-]+)(?:[^{}\w.:\n-][^{}\n]{0,200})?\}[ \t]*$/gm,
    '$1 {#$2}',
  ),
  rule('attributes', attributes, ''),
  rule('attributes', bare, ''),
]

/** Translations, in order, for the parsers and plugins whose names they match. */
const dialects: readonly (readonly [names: RegExp, run: Rule['run']])[] = [
  ...attributeRules.map(({ run }) => [/^/, run] as const),
  [/^python(?!.*saneheaders)/, rule('`#A` → heading', /^(#{1,6})(?=[^#\s\\])/gm, '$1 ').run],
  [
    /^kramdown/,
    rule('`\\\\` at the end of a line → hard break', /(?<![\s\\])\\\\[ \t]*$/gm, '\\').run,
  ],
  [
    / parse_block_html/,
    (text) => setApart(text, 'div|section|article|aside|center|figure|details'),
  ],
  [/^(?:kramdown|python)/, endHtml],
  [/^/, withMarkdownInHtml],
  [/^(?:kramdown|python|goldmark)|-abbr/, withAbbreviations],
  [/^(?:kramdown|python|goldmark)|-deflist/, withDefinitions],
]

/** Returns the translation to CommonMark for a parser and its plugins. */
export function dialectOf(names: string): Rule['run'] {
  const used = dialects.filter(([pattern]) => pattern.test(names))
  return (body, context) => used.reduce((text, [, run]) => run(text, context), body)
}

const tag = '<\\/?(?:a|br|hr|img|input|small|span)\\b[^<>]*>[ \\t]*'
/** The start of a block element, or lines of other tags; a paragraph has no lines before them. */
const element = new RegExp(
  `^([ \\t]*)<(address|article|aside|audio|blockquote|center|details|div|dl|fieldset|figure|footer|form|h[1-6]|header|iframe|main|nav|ol|p|picture|section|summary|svg|table|ul|video)(?=[\\s>])(?![^<>]*\\smarkdown\\b)[^<>]*>|(?<=(?<![^])|\\n[ \\t]*\\n|\\n#{1,6} .*\\n)[ \\t]*${tag}(?=\\n)(?:\\n[ \\t]*(?:${tag})+(?=\\n))*`,
  'gim',
)

/** Adds the blank line that CommonMark needs between the end of an element and Markdown. */
function endHtml(body: string, { changed }: Changes): string {
  const endOf = endsIn(maskCode(body))
  return replaceOutsideCode(body, element, ([all = '', indent = '', name = ''], at) => {
    const close = name && endOf(`</${name}>|(<${name}[\\s>])`, at + all.length)
    const end = close ? close[1] : name ? body.length : at + all.length
    const next = /^[ \t]{0,99}\n?[ \t]{0,99}(?=[^\s<]|<(?:a|b|code|em|i|kbd|span|strong)[\s>])/
    const [gap] = next.exec(body.slice(end, end + 300)) ?? []
    if (gap === undefined) return [end, body.slice(at, end)]
    changed('Markdown after HTML → after a blank line')
    return [end + gap.length, `${body.slice(at, end)}\n\n${indent}`]
  })
}

/** `<div markdown="1">` */
function withMarkdownInHtml(body: string, context: Changes): string {
  return replaceRanges(body, findTags(body), ({ attributes, index, end, kind, close }) => {
    const { text: value } = attributes.find(({ name }) => name === 'markdown') ?? {}
    if (value === undefined || kind === 'close') return undefined
    const tag = body.slice(index, end).replace(/\smarkdown(?:=(?:"[^"]*"|'[^']*'|[^\s>]+))?/, '')
    if (close === undefined || !/^(?:1|block|)$/.test(value)) return [end, tag]
    const before = lineBefore(body, index)
    const gap = /^[ \t>]*$/.test(before) ? `\n${before}\n${before}` : '\n\n'
    const text = body.slice(end, close.index).replace(/^[ \t]*\n[ \t>]*/, '')
    const inner = withMarkdownInHtml(endHtml(text, context), context)
    return [close.end, gap + [tag, inner, body.slice(close.index, close.end), ''].join(gap)]
  })
}

/** Surrounds tags with blank lines, so that Markdown between them is parsed. @param names alternatives of an expression */
export function setApart(text: string, names: string): string {
  const tag = new RegExp(`[ \\t]*</?(?:${names})(?:\\s[^<>]*)?>`, 'gi')
  return replaceOutsideCode(text, tag, ([all = '']) => `\n\n${all.trim()}\n\n`)
}
