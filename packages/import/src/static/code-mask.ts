// Masks the code of a Markdown text, so that markup inside it is never translated.
import { endsIn, type Range, remembered, replaceRanges } from '../parts.ts'

/** The replacement for characters of code: a Unicode noncharacter, which no text contains. */
const filler = '\uFDD0'

/**
 * Replaces every character of code with a filler; length and line breaks are unchanged. Code means fenced and indented
 * blocks, code spans, `<pre>`, `<code>`, `<script>`, `<style>` and HTML comments.
 *
 * @param shown the number of characters of an HTML comment that stay
 * @param elements the names of elements whose text is code. Without any, indented lines are text
 */
export function maskCode(text: string, shown = 0, elements = 'pre|code|script|style'): string {
  const masked = fill(text, elements === '' ? fencesIn(text) : blockRanges(text))
  return fill(masked, inlineRanges(masked, shown, elements || '(?!)'))
}

/** Replaces matches outside of code. Groups have the original text. Undefined keeps a match; an end extends it. */
export function replaceOutsideCode(
  text: string,
  pattern: RegExp,
  replace: (
    match: readonly string[],
    offset: number,
  ) => string | readonly [end: number, text: string] | undefined,
): string {
  // Most texts have no match, and need no mask.
  if (text.search(pattern) === -1) return text
  const withIndices = new RegExp(pattern.source, `${pattern.flags.replace(/[gd]/g, '')}gd`)
  return replaceRanges(text, maskCode(text).matchAll(withIndices), (match) => {
    const groups = (match.indices ?? []).map((range) => (range ? text.slice(...range) : ''))
    const made = replace(groups, match.index)
    return typeof made === 'string' ? [match.index + match[0].length, made] : made
  })
}

/** Returns `line:column` of an offset, both from 1. @param firstLine the line of the file on which the text begins */
export function placeAt(text: string, offset: number, firstLine: number): string {
  let [line, start] = [firstLine, 0]
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', start)) {
    start = end + 1
    line++
  }
  return `${line}:${offset - start + 1}`
}

/** Returns the text before an offset on its line, at most 2,000 characters. */
export function lineBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - 2_000), at)
  return before.slice(before.lastIndexOf('\n') + 1)
}

/** Replaces the characters of ordered ranges with a filler. */
export function fill(text: string, ranges: readonly Range[]): string {
  const items = ranges.map(([index, end]) => ({ index, end }))
  return replaceRanges(text, items, ({ index, end }) => [
    end,
    text.slice(index, end).replace(/[^\n]+/g, (run) => filler.repeat(run.length)),
  ])
}

/** Returns the end tag of an element, or the end of a comment. */
function closeOf(name: string | undefined): string {
  return name === undefined ? '-->' : `</${name.toLowerCase()}>`
}

/** Finds fenced blocks of code, from their first sign to their end. */
export function fencesIn(text: string): readonly Range[] {
  return blockRanges(text).filter(([start]) => /[`~]/.test(text.charAt(start)))
}

const marker = '(?:[-*+]|\\d{1,9}[.)])'
const indent = '(?: {4}|\\t)(?![ \\t>]*(?:`{3}|~{3}))[ \\t]*\\S.*'
/** Matches the start of a fence, of an HTML block, of indented lines after a blank one, of an item, and of other lines. */
const blockStart = new RegExp(
  [
    `^([ \\t>]*(?:${marker}[ \\t]+)*)(\`{3,}(?=[^\`\\n]*$)|~{3,})`,
    '^( {0,3}<(?:(pre|script|style|textarea)(?=[\\s>]|$)|!--))',
    `(?<=(?:(?<![\\s\\S])|\\n)[ \\t]*\\n|(?<![\\s\\S]))(${indent}(?:\\n${indent})*)`,
    `^[ \\t]*(${marker}(?=\\s)|\\[\\^[^\\]\\n]{1,99}\\]:|:(?=[ \\t]))|^\\S`,
  ].join('|'),
  'gim',
)

/** Finds fenced and indented code outside of HTML blocks of the first two kinds (CommonMark 0.31 §4.6). */
function blockRanges(text: string): Range[] {
  const ranges: Range[] = []
  const endOf = endsIn(text)
  let isInList = false
  blockStart.lastIndex = 0
  for (let match = blockStart.exec(text); match !== null; match = blockStart.exec(text)) {
    const { index, 1: before = '', 2: sign, 3: html, 4: element, 5: indented, 6: item } = match
    if (sign !== undefined) {
      // The end of a quote ends the code in it.
      const left = before.includes('>') ? '|(?=\\n(?![ \\t]*>))' : ''
      const close = `\\n[ \\t>]*${sign[0]}{${sign.length},}[ \\t]*(?=\\n|$)${left}`
      blockStart.lastIndex = endOf(close, blockStart.lastIndex)?.[1] ?? text.length
      ranges.push([index + before.length, blockStart.lastIndex])
    } else if (html !== undefined)
      blockStart.lastIndex =
        endOf(closeOf(element), blockStart.lastIndex)?.[1] ?? blockStart.lastIndex
    else if (indented === undefined) isInList = item !== undefined
    else if (!isInList) ranges.push([index, blockStart.lastIndex])
  }
  return ranges
}

/** Finds code spans and code in HTML. The earlier start takes precedence: `` `<script>` `` does not open an element. */
function inlineRanges(text: string, shown: number, elements: string): Range[] {
  const ranges: Range[] = []
  const endOf = endsIn(text)
  const token = new RegExp(`\\\\[\\\\\`]|(\`+)|<(${elements})\\b[^<>]*(?<!/)>|<!--`, 'gi')
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const { 0: all, 1: ticks, 2: name, index } = match
    if (all.startsWith('\\')) continue
    const from = index + all.length
    const close =
      ticks === undefined ? endOf(closeOf(name), from) : endOfSpan(text, from, ticks.length)
    if (close === undefined) continue
    // The tags remain visible: a translation may need `<pre>`.
    if (name !== undefined) ranges.push([from, close[0]])
    else ranges.push([ticks === undefined ? index + shown : index, close[1]])
    token.lastIndex = close[1]
  }
  return ranges
}

/** Matches a run of backticks, or the end of a paragraph, at which every code span ends. */
const spanEnd =
  /(`+)|\n(?=[ \t]*(?:\n|[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|\||<(?:pre|script|style)\b|<!--|\[(?:\/\/|comment)\]:))/gi

/** Finds the backticks that close a span. Cost: O(length of the paragraph). */
function endOfSpan(text: string, from: number, length: number): Range | undefined {
  spanEnd.lastIndex = from
  for (let match = spanEnd.exec(text); match !== null; match = spanEnd.exec(text)) {
    if (match[1] === undefined) return undefined
    if (match[1].length === length) return [match.index, spanEnd.lastIndex]
  }
  return undefined
}

export interface JsxTag {
  /** Name of the element or component; `''` for a fragment. */
  readonly name: string
  readonly kind: 'open' | 'close' | 'empty'
  readonly attributes: readonly JsxAttribute[]
  readonly index: number
  readonly end: number
  /** The tag that closes this one. */
  close?: JsxTag
}

interface JsxAttribute {
  readonly name: string
  /** Text of the value: quoted, or the only string in braces; undefined for a program. */
  readonly text: string | undefined
  /** Program in the braces of the value; undefined for a text. */
  readonly code: string | undefined
}

/** Finds every tag that begins outside of code, in order. Cost: O(length). @param elements see `maskCode` */
export function findTags(body: string, elements?: string): readonly JsxTag[] {
  const tags: JsxTag[] = []
  const open = remembered((): JsxTag[] => [])
  const opening = /(?<!\\)<\/?([A-Za-z][\w.-]*(?=[\s/>])|(?=>))/g
  for (const { 0: whole, 1: name = '', index } of maskCode(body, 0, elements).matchAll(opening)) {
    const isInTag = index < (tags.at(-1)?.end ?? 0)
    const tag = isInTag ? undefined : readTag(body, index, name, index + whole.length)
    if (tag === undefined) continue
    tags.push(tag)
    const opened = open(name.toLowerCase())
    const last = tag.kind === 'close' ? opened.pop() : undefined
    if (last !== undefined) last.close = tag
    if (tag.kind === 'open') opened.push(tag)
  }
  return tags
}

/** Matches the end of a tag, or an attribute without its value in braces. */
const tagPart =
  /\s*(?:(\/?)>|([\w:@.#-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'{}<>=`]+)|(?=\{)))?|(?=\{))/y

/** Reads a tag of at most 8,000 characters, from the end of its name; returns undefined when the text is not a tag. */
function readTag(body: string, index: number, name: string, from: number): JsxTag | undefined {
  const attributes: JsxAttribute[] = []
  let at = from
  while (at - index < 8_000) {
    tagPart.lastIndex = at
    const part = tagPart.exec(body)
    if (part?.[1] !== undefined) {
      const isEmpty = part[1] === '/' || /^(?:br|col|embed|hr|img|input|source|wbr)$/i.test(name)
      const kind = body[index + 1] === '/' ? 'close' : isEmpty ? 'empty' : 'open'
      return { name, kind, attributes, index, end: tagPart.lastIndex }
    }
    const read = part === null ? undefined : readAttribute(body, part, tagPart.lastIndex)
    if (read === undefined) return undefined
    attributes.push(read)
    at = read.end
  }
  return undefined
}

function readAttribute(body: string, part: RegExpExecArray, at: number) {
  const [whole, , name = '...', ...texts] = part
  if (body[at] !== '{' || !(/=\s*$/.test(whole) || name === '...'))
    return { name, text: texts.find((text) => text !== undefined) ?? '', code: undefined, end: at }
  const end = endOfBraces(body, at)
  if (end === undefined) return undefined
  const code = body.slice(at + 1, end - 1).trim()
  const [, , quoted, text = quoted] =
    /^(?:(["'])((?:(?!\1)[^\\])*)\1|`([^`$\\]*)`)$/.exec(code) ?? []
  return { name, text, code: text === undefined ? code : undefined, end }
}

/**
 * Finds the offset after the brace that closes the brace at `at`, within 8,000 characters, skipping quotes and comments.
 *
 * @param signs the brackets that count. @default braces
 */
export function endOfBraces(body: string, at: number, signs = '{}'): number | undefined {
  const text = body.slice(at, at + 8_000)
  if (!text.includes(signs.charAt(1))) return undefined
  // regex: a text of a bounded length
  const token = /[{}()[\]]|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`|\/\*/g
  // A comment that begins later has no end.
  const lastComment = text.lastIndexOf('*/') - 1
  let depth = 0
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const { 0: sign, index } = match
    const side = signs.indexOf(sign)
    if (side !== -1) depth += side % 2 === 0 ? 1 : -1
    if (side % 2 === 1 && depth === 0) return at + index + 1
    if (sign === '/*' && index < lastComment) token.lastIndex = text.indexOf('*/', index + 2) + 2
  }
  return undefined
}
