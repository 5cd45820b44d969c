// Masks the code of a Markdown text, so that markup inside it is never translated.

/** The replacement for characters of code: a Unicode noncharacter, which no text contains. */
const filler = '\uFDD0'

/**
 * Replaces every character of code by a filler; length and line breaks are unchanged. Code means fenced and indented
 * blocks, code spans, `<pre>`, `<code>`, `<script>`, `<style>` and HTML comments.
 *
 * Cost: O(length), except for paragraphs with many backtick runs of different lengths.
 *
 * @param shown the number of characters of an HTML comment that stay
 */
export function maskCode(text: string, shown = 0): string {
  const masked = fill(text, fencedRanges(text))
  return fill(masked, inlineRanges(masked, shown))
}

/** Replaces matches outside of code. Groups contain the original text, including code. */
export function replaceOutsideCode(
  text: string,
  pattern: RegExp,
  replace: (match: readonly string[], offset: number) => string,
): string {
  // Most texts have no match, and need no mask.
  if (text.search(pattern) === -1) return text
  const masked = maskCode(text)
  // regex: the pattern of the caller, checked where it is written
  const withIndices = new RegExp(pattern.source, `${pattern.flags.replace(/[gd]/g, '')}gd`)
  let result = ''
  let end = 0
  for (const match of masked.matchAll(withIndices)) {
    const groups = (match.indices ?? []).map((range) =>
      range === undefined ? '' : text.slice(range[0], range[1]),
    )
    result += text.slice(end, match.index) + replace(groups, match.index)
    end = match.index + match[0].length
  }
  return result + text.slice(end)
}

/** `line:column` of an offset, both from 1. @param firstLine of the text in its file */
export function placeAt(text: string, offset: number, firstLine: number): string {
  const before = text.slice(0, offset)
  const line = before.split('\n').length - 1
  return `${firstLine + line}:${offset - before.lastIndexOf('\n')}`
}

/** A part of a text. */
export type Range = readonly [start: number, end: number]

/** Replaces the characters of ranges, which are in order, by a filler. */
export function fill(text: string, ranges: readonly Range[]): string {
  let result = ''
  let done = 0
  for (const [start, end] of ranges) {
    if (start < done) continue
    result +=
      text.slice(done, start) +
      text.slice(start, end).replace(/[^\n]+/g, (run) => filler.repeat(run.length))
    done = end
  }
  return result + text.slice(done)
}

const opening = /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}(?=[^`]*$)|~{3,})/

interface Fence {
  readonly start: number
  readonly sign: string
  /** The end of a quote ends the code in it. */
  readonly isQuoted: boolean
}

function fencedRanges(text: string): Range[] {
  const ranges: Range[] = []
  const isInHtml = htmlBlocks(text)
  let fence: Fence | undefined
  let offset = 0
  const state = { isInList: false, isAfterBlank: true }
  for (const line of text.split('\n')) {
    const end = offset + line.length
    if (fence?.isQuoted && !/^\s*>/.test(line)) {
      ranges.push([fence.start, Math.max(fence.start, offset - 1)])
      fence = undefined
    }
    if (fence !== undefined) {
      if (closes(line, fence.sign)) {
        ranges.push([fence.start, end])
        fence = undefined
      }
    } else if (!isInHtml(line, offset)) {
      fence = fenceOf(line, offset)
      if (noteLine(line, state, fence === undefined)) ranges.push([offset, end])
    }
    offset = end + 1
  }
  if (fence !== undefined) ranges.push([fence.start, text.length])
  return ranges
}

function fenceOf(line: string, offset: number): Fence | undefined {
  const [, indent = '', sign] = opening.exec(line) ?? []
  return sign === undefined
    ? undefined
    : { start: offset + indent.length, sign, isQuoted: indent.includes('>') }
}

interface LineState {
  isInList: boolean
  /** The previous line is blank or indented code. */
  isAfterBlank: boolean
}

function isIndentedCode(line: string, { isInList, isAfterBlank }: LineState): boolean {
  return isAfterBlank && !isInList && /^(?: {4}|\t)\s*\S/.test(line)
}

/** True for a line of indented code, if `mayBeCode` allows it. */
function noteLine(line: string, state: LineState, mayBeCode: boolean): boolean {
  const isCode = mayBeCode && isIndentedCode(line, state)
  state.isAfterBlank = isCode || line.trim() === ''
  if (line.trim() === '') return false
  if (/^\s*(?:[-*+]|\d{1,9}[.)])\s/.test(line)) state.isInList = true
  else if (/^\S/.test(line)) state.isInList = false
  return isCode
}

function closes(line: string, sign: string): boolean {
  const [, found = ''] = /^[ \t>]*(`{3,}|~{3,})[ \t]*$/.exec(line) ?? []
  return found[0] === sign[0] && found.length >= sign.length
}

const htmlCode = /<(pre|code|script|style)\b[^<>]*>|<!--/gi

/** Code spans and code in HTML; what begins first holds, as in `` `<script>` ``, which opens no element. */
function inlineRanges(text: string, shown: number): Range[] {
  const ranges: Range[] = []
  const closingOf = closings(text)
  const spans = spansOf(text)
  let done = 0
  const takeSpans = (before: number) => {
    for (; spans.length > 0 && (spans.at(-1)?.[0] ?? 0) < before; spans.pop()) {
      const span = spans.at(-1)
      if (span === undefined || span[0] < done) continue
      ranges.push(span)
      done = span[1]
    }
  }
  for (const { index, 0: opened, 1: name } of text.matchAll(htmlCode)) {
    takeSpans(index)
    if (index < done) continue
    const inner = index + opened.length
    const closing = closingOf(name, inner)
    if (closing === undefined) continue
    // The tags remain visible: a translation may need `<pre>`.
    ranges.push(name === undefined ? [index + shown, closing[1]] : [inner, closing[0]])
    done = closing[1]
  }
  takeSpans(text.length)
  return ranges
}

/** Finds the end tag of an element after an offset, or the end of a comment. */
type ClosingOf = (name: string | undefined, from: number) => Range | undefined

/** Cost: O(length) in total for each unclosed name. */
function closings(text: string): ClosingOf {
  const unclosed = new Set<string>()
  return (name, from) => {
    const close = name === undefined ? '-->' : `</${name.toLowerCase()}>`
    if (unclosed.has(close)) return undefined
    // regex: the name of an element between literal brackets
    const pattern = new RegExp(close, 'gi')
    pattern.lastIndex = from
    const match = pattern.exec(text)
    if (match === null) unclosed.add(close)
    return match === null ? undefined : [match.index, match.index + close.length]
  }
}

/** Detects lines of HTML blocks of the first two kinds, CommonMark 0.31 §4.6. Call it with lines in order. */
function htmlBlocks(text: string): (line: string, offset: number) => boolean {
  const closingOf = closings(text)
  let end = 0
  return (line, offset) => {
    if (offset < end) return true
    const [opened, name] =
      /^ {0,3}<(?:(pre|script|style|textarea)(?=[\s>]|$)|!--)/i.exec(line) ?? []
    if (opened !== undefined) end = closingOf(name, offset + opened.length)?.[1] ?? 0
    return offset < end
  }
}

/**
 * Lines up to a blank one, or one that begins a list item, a heading, a table row or code in HTML: the boundaries of code
 * spans.
 */
const block =
  /[^\n]+(?:\n(?![ \t]*(?:\n|[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|\||<(?:pre|script|style)\b|<!--))[^\n]+)*/gi

/** For each run of backticks, the span that it opens; the last one first. Cost: O(length). */
function spansOf(text: string): Range[] {
  const spans: Range[] = []
  for (const { 0: paragraph, index: offset } of text.matchAll(block)) {
    if (!paragraph.includes('`')) continue
    const runs = [...paragraph.matchAll(/`+/g)].filter(
      ({ index }) =>
        !/(?:^|[^\\])(?:\\\\)*\\$/.test(paragraph.slice(Math.max(0, index - 8), index)),
    )
    const nearest = new Map<number, number>()
    for (const { 0: run, index } of runs.reverse()) {
      const close = nearest.get(run.length)
      if (close !== undefined) spans.push([offset + index, offset + close + run.length])
      nearest.set(run.length, index)
    }
  }
  return spans.sort((a, b) => b[0] - a[0])
}
