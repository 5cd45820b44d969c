// Removes comments of template languages and of Markdown, which no site shows.
import { fill, maskCode, replaceOutsideCode } from './code-mask.ts'
import type { BodyContext } from './generator.ts'

interface Comment {
  readonly name: string
  readonly open: string
  /** Global. */
  readonly close: RegExp
  /** Where it is a comment: also in blocks of code, in those that Liquid evaluates, or only outside. */
  readonly in: 'everywhere' | 'liquid' | 'text'
}

const liquid = /\{%-?\s{0,9}(end)?comment\s{0,9}-?%\}/g

const kinds: readonly Comment[] = [
  comment('kramdown', '\\{::comment\\b[^{}]{0,200}\\}', /\{:\/(?:comment)?\}/g, 'everywhere'),
  comment('Liquid', '\\{%-?\\s{0,9}comment\\s{0,9}-?%\\}', liquid, 'liquid'),
  comment('Liquid', '\\{%-?\\s{0,9}#', /%\}/g, 'liquid'),
  // `{#id}` is the id of a heading.
  comment('template', '\\{#(?![\\w:.-]{1,200}\\})', /#\}/g),
  comment('Handlebars', '\\{\\{~?!--', /--~?\}\}/g),
  comment('Handlebars', '\\{\\{~?!', /\}\}/g),
  comment('template', '\\{\\{-?\\s{0,9}/\\*', /\*\/\s{0,9}-?\}\}/g),
  comment('JSX', '\\{\\s{0,9}/\\*(?!\\s{0,9}truncate)', /\*\/\s{0,9}\}/g),
  comment('EJS', '<%--', /--%>/g),
  comment('EJS', '<%#', /%>/g),
  comment('HTML', '<!--(?!-?>)', /--!?>/g, 'everywhere'),
]

function comment(
  language: string,
  open: string,
  close: RegExp,
  place: Comment['in'] = 'text',
): Comment {
  return { name: `${language} comment`, open, close, in: place }
}

// regex: the alternatives of the table above, each a literal
const opening = new RegExp(kinds.map(({ open }) => `(${open})`).join('|'), 'g')
/** `[//]: # (text)` and `[comment]: <> (text)`. */
const label = /^ {0,3}\[(?:\/\/|comment)\]:[ \t]*(?:#|<>|<#>)[ \t]*["'(].*$/gim

/** Blocks of code: only HTML and kramdown have comments in them, and Liquid in those of Jekyll. */
const code =
  /\{%-?\s{0,9}(raw|verbatim|highlight|codeblock|code|prism)\b[^%{}]{0,200}%\}|\{\{[<%]\s{0,9}(highlight|code|codeblock|prism)\b[^{}]{0,500}[%>]\}\}/g

/** Removes comments outside of code; reports each kind. Unclosed ones stay. */
export function withoutComments(body: string, context: Pick<BodyContext, 'changed'>): string {
  let text = body
  // A comment with a backtick may hide others, which the next round finds.
  for (let round = 0; round < 20; round++) {
    const left = removeOnce(text, context)
    if (left === text) break
    text = left
  }
  return replaceOutsideCode(text, label, () => {
    context.changed('Markdown comment → left out')
    return ''
  })
}

/** Cost: O(length) for each kind. */
function removeOnce(text: string, { changed }: Pick<BodyContext, 'changed'>): string {
  if (!/[{<]/.test(text)) return text
  const masked = maskCode(text, '<!--'.length)
  const blocks = codeBlocks(text)
  const masks = {
    everywhere: masked,
    liquid: fill(
      masked,
      blocks.filter(({ name }) => name !== 'highlight').map(({ range }) => range),
    ),
    text: fill(
      masked,
      blocks.map(({ range }) => range),
    ),
  }
  const unclosed = new Set<Comment>()
  let result = ''
  let done = 0
  for (const match of masked.matchAll(opening)) {
    const kind = kinds[match.slice(1).findIndex((group) => group !== undefined)]
    if (kind === undefined || match.index < done || unclosed.has(kind)) continue
    if (masks[kind.in][match.index] !== text[match.index]) continue
    const inner = match.index + match[0].length
    const end = kind.close === liquid ? endOfLiquid(text, inner) : endOf(text, inner, kind.close)
    if (end === undefined) unclosed.add(kind)
    if (end === undefined || isKept(text, match.index, end)) continue
    result += text.slice(done, match.index) + linesOf(text, match.index, end)
    done = end
    changed(`${kind.name} → left out`)
  }
  return result + text.slice(done)
}

/** Line ends in place of a comment that is a block, so that later lines keep their numbers. */
function linesOf(text: string, start: number, end: number): string {
  const isAlone = (start === 0 || text[start - 1] === '\n') && (text[end] ?? '\n') === '\n'
  return isAlone ? '\n'.repeat(text.slice(start, end).split('\n').length - 1) : ''
}

interface CodeBlock {
  readonly name: string
  readonly range: readonly [start: number, end: number]
}

/** Blocks of code that tags enclose, in order. */
function codeBlocks(text: string): readonly CodeBlock[] {
  const blocks: CodeBlock[] = []
  const unclosed = new Set<string>()
  for (const { index, 1: tag, 2: shortcode } of text.matchAll(code)) {
    const name = tag ?? shortcode ?? ''
    const close = tag === undefined ? `/${name}` : `end${name}`
    if (index < (blocks.at(-1)?.range[1] ?? 0) || unclosed.has(close)) continue
    // regex: a word of letters, and at most nine spaces before it
    const end = endOf(text, index, new RegExp(`\\{[{%][<%-]?\\s{0,9}${close}\\b`, 'g'))
    if (end === undefined) unclosed.add(close)
    else blocks.push({ name, range: [index, end] })
  }
  return blocks
}

function endOf(text: string, from: number, close: RegExp): number | undefined {
  close.lastIndex = from
  const match = close.exec(text)
  return match === null ? undefined : match.index + match[0].length
}

/** The end of a Liquid comment, which may contain others. */
function endOfLiquid(text: string, from: number): number | undefined {
  liquid.lastIndex = from
  let depth = 1
  for (let match = liquid.exec(text); match !== null; match = liquid.exec(text)) {
    depth += match[1] === undefined ? 1 : -1
    if (depth === 0) return match.index + match[0].length
  }
  return undefined
}

/** True for the end of an excerpt, and for the id of a heading in MDX, `# A {/* b *\/}`. */
function isKept(text: string, start: number, end: number): boolean {
  const comment = text.slice(start, end)
  if (comment.length > 200) return false
  if (/^<!--\s*-->$/.test(comment)) return true
  if (/^<!--\s*(?:more|truncate|excerpt|read ?more|end[- ]excerpt)\s*-->$/i.test(comment))
    return true
  if (!/^\{\s*\/\*\s*#?[\w.:-]+\s*\*\/\s*\}$/.test(comment)) return false
  const line = text.slice(text.lastIndexOf('\n', start) + 1, start)
  return /^#{1,6} /.test(line) && /^[ \t]*(?:\n|$)/.test(text.slice(end, end + 100))
}
