// Finds JSX tags in a text, including attributes with braces, quotes and templates.
import { maskCode } from './code-mask.ts'

/** A JSX tag. */
export interface JsxTag {
  /** `''` for a fragment. */
  readonly name: string
  readonly kind: 'open' | 'close' | 'empty'
  readonly attributes: readonly JsxAttribute[]
  readonly start: number
  readonly end: number
}

/** An attribute; a spread has the name `...`. */
export interface JsxAttribute {
  readonly name: string
  /** Its text: quoted, or the only string in braces; undefined for a program. */
  readonly text: string | undefined
  /** The program in its braces; undefined for a text. */
  readonly code: string | undefined
}

/** Every tag that begins outside of code, in order. Cost: O(length). */
export function findTags(body: string): readonly JsxTag[] {
  const masked = maskCode(body)
  const tags: JsxTag[] = []
  const opening = /<(\/?)([A-Za-z][\w.-]*(?=[\s/>])|(?=>))/g
  for (let match = opening.exec(body); match !== null; match = opening.exec(body)) {
    if (masked[match.index] !== '<') continue
    const [whole, slash, name = ''] = match
    const tag = readTag(body, match.index, {
      name,
      from: match.index + whole.length,
      isClosing: slash === '/',
    })
    if (tag === undefined) continue
    tags.push(tag)
    opening.lastIndex = tag.end
  }
  return tags
}

interface Opening {
  readonly name: string
  /** Offset after the name. */
  readonly from: number
  readonly isClosing: boolean
}

/** Undefined when the text is no tag. Tags are limited to 8,000 characters. */
function readTag(
  body: string,
  start: number,
  { name, from, isClosing }: Opening,
): JsxTag | undefined {
  const attributes: JsxAttribute[] = []
  let at = from
  while (at - start < 8_000) {
    const end = /\s*(\/?)>/y
    end.lastIndex = at
    const close = end.exec(body)
    if (close !== null) {
      const kind = isClosing ? 'close' : close[1] === '/' ? 'empty' : 'open'
      return { name, kind, attributes, start, end: end.lastIndex }
    }
    const read = readAttribute(body, at)
    if (read === undefined) return undefined
    attributes.push(read.attribute)
    at = read.end
  }
  return undefined
}

function readAttribute(
  body: string,
  at: number,
): { readonly attribute: JsxAttribute; readonly end: number } | undefined {
  const head =
    /\s*(?:([\w:@.#-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'{}<>=`]+)|(?=\{)))?|(?=\{))/y
  head.lastIndex = at
  const match = head.exec(body)
  if (match === null || match[0] === '')
    return body[at] === '{' ? readBraces(body, at, '...') : undefined
  const [whole, name = '...', double, single, bare] = match
  const end = at + whole.length
  if (body[end] === '{' && (whole.trimEnd().endsWith('=') || name === '...'))
    return readBraces(body, end, name)
  return { attribute: { name, text: double ?? single ?? bare ?? '', code: undefined }, end }
}

function readBraces(body: string, at: number, name: string) {
  const end = endOfBraces(body, at)
  if (end === undefined) return undefined
  const code = body.slice(at + 1, end - 1).trim()
  const [, double, single, template] = /^(?:"([^"\\]*)"|'([^'\\]*)'|`([^`$\\]*)`)$/.exec(code) ?? []
  const text = double ?? single ?? template
  return { attribute: { name, text, code: text === undefined ? code : undefined }, end }
}

/** The offset after the brace that closes the one at `at`, at most 8,000 characters later, skipping quotes and comments. */
export function endOfBraces(body: string, at: number): number | undefined {
  const text = body.slice(at, at + 8_000)
  // A comment that begins later has no end.
  const lastComment = text.lastIndexOf('*/') - 1
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    const sign = text.charAt(index)
    if (sign === '{') depth++
    else if (sign === '}' && --depth === 0) return at + index + 1
    else if (sign === '"' || sign === "'" || sign === '`') index = endOfQuote(text, index)
    else if (sign === '/' && text[index + 1] === '*' && index < lastComment)
      index = text.indexOf('*/', index + 2) + 1
  }
  return undefined
}

/** The offset of the closing quote; that of the opening one if it is not closed. */
function endOfQuote(text: string, at: number): number {
  const sign = text[at]
  for (let index = at + 1; index < text.length; index++) {
    if (text[index] === '\\') index++
    else if (text[index] === sign) return index
    else if (text[index] === '\n' && sign !== '`') return at
  }
  return at
}
