// Splits a normalized text into its distinct terms: tokens, unigrams and bigrams.
import { GrowingNumbers } from './growing.ts'
import { isWordCharacter, links, partMax } from './words.ts'

/** The terms of a text, numbered by first occurrence. */
export interface CollectedTerms {
  readonly terms: ReadonlyMap<string, number>
  /** By term: 1 for a unigram or a bigram, 0 for a token. */
  readonly isBigram: GrowingNumbers
  /** The token sequence: term numbers plus 3, each preceded by its index in `links`; a space is omitted. */
  readonly tokens: GrowingNumbers
}

/**
 * Splits a text into terms.
 *
 * @param text normalized
 *
 * Cost: O(characters).
 */
export function collectTerms(text: string): CollectedTerms {
  const kinds = kindsOf(text)
  const collector = new TermCollector(text)
  let previousEnd = 0
  for (let at = 0; at < text.length; ) {
    const kind = kinds[at]
    let end = at + widthAt(text, at)
    if (kind === word) {
      while (kinds[end] === word) end += 1
      collector.addToken(at, end, linkOf(text, previousEnd, at))
      previousEnd = end
    } else if (kind === alone) {
      collector.add(at, end, 1)
      // The previous character already added their pair.
      if (kinds[at - 1] === word) collector.add(at - widthBefore(text, at), end, 1)
      if (kinds[end] !== gap) collector.add(at, end + widthAt(text, end), 1)
    }
    at = end
  }
  return collector
}

/** Numbers distinct terms by first occurrence. */
class TermCollector implements CollectedTerms {
  readonly terms: Map<string, number> = new Map()
  readonly isBigram: GrowingNumbers = new GrowingNumbers()
  readonly tokens: GrowingNumbers = new GrowingNumbers()
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  add(start: number, end: number, isBigram: number): number {
    const term = this.#text.slice(start, end)
    const known = this.terms.get(term)
    if (known !== undefined) return known
    const number = this.terms.size
    this.terms.set(term, number)
    this.isBigram.push(isBigram)
    return number
  }

  /** @param link to the previous token: 0 for a space, -1 for no link */
  addToken(start: number, end: number, link: number): void {
    if (link !== 0) this.tokens.push(link === -1 ? noLink : link)
    if (end - start <= partMax * 2) {
      this.tokens.push(this.add(start, end, 0) + firstToken)
      return
    }
    const windows = windowsOf(this.#text, start, end).map(([from, to]) => this.add(from, to, 0))
    this.tokens.push((windows[0] ?? 0) + firstToken)
    this.tokens.push(noLink)
    this.tokens.push((windows.at(-1) ?? 0) + firstToken)
  }
}

/** In a token sequence: no link. Values below `firstToken` are this and the indices of links. */
export const noLink = 0
/** In a token sequence: the value of the first term. */
export const firstToken: number = links.length

function linkOf(text: string, previousEnd: number, start: number): number {
  if (start === previousEnd + 1 && text.charCodeAt(previousEnd) === blank) return 0
  return start === previousEnd + 2 ? links.indexOf(text.slice(previousEnd, start)) : -1
}

/** Splits a token into windows that overlap by half; one window for a short token. */
function windowsOf(text: string, start: number, end: number): readonly [number, number][] {
  const places: number[] = []
  for (let at = start; at < end; at += widthAt(text, at)) places.push(at)
  const windows: [number, number][] = []
  for (let from = 0; ; from += partMax) {
    windows.push([places[from] ?? end, places[from + partMax * 2] ?? end])
    if (from + partMax * 2 >= places.length) return windows
  }
}

const gap = 0
const word = 1
const alone = 2
const blank = 32
const isAsciiWord: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) =>
  isWordCharacter(String.fromCharCode(code)) ? 1 : 0,
)

/** The kind of the character at each code unit; a gap follows the last one. */
function kindsOf(text: string): Uint8Array {
  const kinds = new Uint8Array(text.length + 1)
  const known = new Map<number, number>()
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === blank || code === 0) continue
    if (code < 128) {
      kinds[at] = isAsciiWord[code] === 1 ? word : alone
      continue
    }
    const point = text.codePointAt(at) ?? 0
    const kind = known.get(point) ?? (isWordCharacter(String.fromCodePoint(point)) ? word : alone)
    known.set(point, kind)
    kinds[at] = kind
    if (point > 0xffff) kinds[++at] = kind
  }
  return kinds
}

function widthAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xd800 && code < 0xdc00 ? 2 : 1
}

function widthBefore(text: string, at: number): number {
  const code = text.charCodeAt(at - 1)
  return code >= 0xdc00 && code < 0xe000 ? 2 : 1
}
