// Removes comments of template languages and of Markdown, which no site shows.
import { replaceParts } from '../parts.ts'
import { fill, maskCode, type Range, replaceOutsideCode } from './code-mask.ts'
import type { BodyContext } from './generator.ts'

/** Where it is a comment: also in blocks of code, in those that Liquid evaluates, or only outside. */
type Place = 'everywhere' | 'liquid' | 'text'

/** Name of the language, start, end, and place. */
const kinds: readonly (readonly [name: string, open: string, close: string, place: Place])[] = [
  ['kramdown', '\\{::comment\\b[^{}]{0,200}\\}', '\\{:\\/(?:comment)?\\}', 'everywhere'],
  [
    'Liquid',
    '\\{%-?\\s{0,9}comment\\s{0,9}-?%\\}',
    '\\{%-?\\s{0,9}(?:endcomment|(comment))\\s{0,9}-?%\\}',
    'liquid',
  ],
  ['Liquid', '\\{%-?\\s{0,9}#', '%\\}', 'liquid'],
  // `{#id}` is the id of a heading.
  ['template', '\\{#(?![\\w:.-]{1,200}\\})', '#\\}', 'text'],
  ['Handlebars', '\\{\\{~?!--', '--~?\\}\\}', 'text'],
  ['Handlebars', '\\{\\{~?!', '\\}\\}', 'text'],
  ['template', '\\{\\{-?\\s{0,9}/\\*', '\\*/\\s{0,9}-?\\}\\}', 'text'],
  ['JSX', '\\{\\s{0,9}/\\*(?!\\s{0,9}truncate)', '\\*/\\s{0,9}\\}', 'text'],
  ['EJS', '<%--', '--%>', 'text'],
  ['EJS', '<%#', '%>', 'text'],
  ['HTML', '<!--(?!-?>)', '--!?>', 'everywhere'],
]

// regex: the alternatives of the table above, each a literal
const opening = new RegExp(kinds.map(([, open]) => `(${open})`).join('|'), 'g')
/** `[//]: # (text)` and `[comment]: <> (text)`. */
const label = /^ {0,3}\[(?:\/\/|comment)\]:[ \t]*(?:#|<>|<#>)[ \t]*["'(].*$/gim
/** Blocks of code: only HTML and kramdown have comments in them, and Liquid in `highlight` of Jekyll. */
const code =
  /\{%-?\s{0,9}(raw|verbatim|highlight|codeblock|code|prism)\b[^%{}]{0,200}%\}|\{\{[<%]\s{0,9}(highlight|code|codeblock|prism)\b[^{}]{0,500}[%>]\}\}/g

/** Removes comments outside of code; reports each kind. Unclosed ones stay. */
export function withoutComments(body: string, context: Pick<BodyContext, 'changed'>): string {
  let text = body
  // A comment with a backtick, or one in another, may hide others, which the next round finds.
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
  const everywhere = maskCode(text, '<!--'.length)
  const blocks = codeBlocks(text)
  const ranges = (name?: string) =>
    blocks.filter((block) => block.name !== name).map(({ range }) => range)
  const masks: Readonly<Record<Place, string>> = {
    everywhere,
    liquid: fill(everywhere, ranges('highlight')),
    text: fill(everywhere, ranges()),
  }
  const kindOf = (match: RegExpExecArray) =>
    kinds[match.slice(1).findIndex((group) => group !== undefined)]
  return replaceParts(
    text,
    opening,
    (match) => {
      const [, , close = '', place = 'text'] = kindOf(match) ?? []
      return masks[place][match.index] === text[match.index] ? close : undefined
    },
    ({ open, start, end }) => {
      const whole = text.slice(start, end)
      if (isKept(text, start, end)) return whole
      changed(`${kindOf(open)?.[0]} comment → left out`)
      // Later lines keep their numbers.
      const isAlone = (start === 0 || text[start - 1] === '\n') && (text[end] ?? '\n') === '\n'
      return isAlone ? '\n'.repeat(whole.split('\n').length - 1) : ''
    },
  )
}

/** Blocks of code that tags enclose, in order. */
function codeBlocks(text: string): readonly { readonly name: string; readonly range: Range }[] {
  const blocks: { name: string; range: Range }[] = []
  const closeOf = ([, tag, shortcode]: RegExpExecArray) =>
    `\\{[{%][<%-]?\\s{0,9}${tag === undefined ? `/${shortcode}` : `end${tag}`}\\b`
  replaceParts(text, code, closeOf, ({ open: [, tag, shortcode = ''], start, end }) => {
    blocks.push({ name: tag ?? shortcode, range: [start, end] })
    return ''
  })
  return blocks
}

/** True for the end of an excerpt, and for the id of a heading in MDX, `# A {/* b *\/}`. */
function isKept(text: string, start: number, end: number): boolean {
  const comment = text.slice(start, Math.min(end, start + 200))
  if (/^<!--\s*(?:(?:more|truncate|excerpt|read ?more|end[- ]excerpt)\s*)?-->$/i.test(comment))
    return true
  const line = text.slice(text.lastIndexOf('\n', start) + 1, start)
  return (
    /^\{\s*\/\*\s*#?[\w.:-]+\s*\*\/\s*\}$/.test(comment) &&
    /^#{1,6} /.test(line) &&
    /^[ \t]*(?:\n|$)/.test(text.slice(end, end + 100))
  )
}
