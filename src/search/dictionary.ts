// The dictionary of a terms file, as JSON, which hosts compress, and as bytes.

/** A dictionary as JSON. */
export interface DictionaryJson {
  readonly posts: number
  /** The posts of each letter that many posts contain: a bit for each post, in Base64. */
  readonly letters: Readonly<Record<string, string>>
  /** Other terms with a bit for each post, sorted and coded by `codeTerms`. Their lists come first. */
  readonly common: string
  /** Other terms of several posts, likewise. */
  readonly others: string
  /** The number of lists in each page. */
  readonly pages: readonly number[]
  /** Terms of only one post, sorted and coded by `codeTerms`. */
  readonly rare: string
  /** The post of each rare term. */
  readonly rarePosts: readonly number[]
}

/** Terms in sections. */
export interface Sections {
  /** UTF-8 with one character per byte, and a line break after each term. */
  readonly text: string
  /** The offset of each section in the text, and the end of the last one. */
  readonly starts: Uint32Array
}

/** An opened dictionary. */
export interface Dictionary {
  readonly posts: number
  /** The posts of each letter that many posts contain: a bit for each post. */
  readonly letters: ReadonlyMap<string, Uint8Array>
  /** Other terms with a bit for each post; sorted, one section per term. */
  readonly common: Sections
  /** Other terms of several posts, likewise. */
  readonly others: Sections
  /** Terms of only one post; one section per post. */
  readonly rare: Sections
  /** The number of lists in each page. */
  readonly pages: readonly number[]
}

export function openDictionary({ posts, letters, pages, ...terms }: DictionaryJson): Dictionary {
  const rare = Array.from({ length: posts }, () => '')
  for (const [at, term] of decodeTerms(terms.rare).entries()) {
    rare[terms.rarePosts[at] ?? 0] += term
  }
  const bits = (text: string) => Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0))
  return {
    posts,
    letters: new Map(Object.entries(letters).map(([letter, text]) => [letter, bits(text)])),
    common: sectionsOf(decodeTerms(terms.common)),
    others: sectionsOf(decodeTerms(terms.others)),
    rare: sectionsOf(rare),
    pages,
  }
}

/** Codes sorted terms, one per line: a letter for the length of the prefix that the previous term has, and the rest. */
export function codeTerms(terms: readonly string[]): string {
  let previous = ''
  const lines = terms.map((term) => {
    let shared = 0
    while (shared < sharedMax && shared < previous.length && term[shared] === previous[shared]) {
      shared += 1
    }
    previous = term
    return `${String.fromCharCode(firstLetter + shared)}${term.slice(shared)}\n`
  })
  return lines.join('')
}

const firstLetter = 65
const sharedMax = 25

/** Returns the terms, each with its line break. */
function decodeTerms(text: string): readonly string[] {
  const lines = text.split('\n')
  // Nothing follows the last line break.
  lines.pop()
  let previous = ''
  for (const [at, line] of lines.entries()) {
    previous = `${previous.slice(0, line.charCodeAt(0) - firstLetter)}${line.slice(1)}`
    lines[at] = `${previous}\n`
  }
  return lines
}

function sectionsOf(sections: readonly string[]): Sections {
  const starts = new Uint32Array(sections.length + 1)
  for (const [at, { length }] of sections.entries()) starts[at + 1] = (starts[at] ?? 0) + length
  return { text: sections.join(''), starts }
}

/**
 * Converts text to UTF-8 with one character per byte. Such strings sort by code points, and contain each other exactly
 * if the texts do. V8 stores and searches them as bytes.
 *
 * @param text without lone surrogates
 */
export function byteString(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text
  return String.fromCharCode(...new TextEncoder().encode(text))
}

/** A growing array of bytes. */
export class ByteWriter {
  #bytes = new Uint8Array(4096)
  length = 0

  byte(value: number): void {
    if (this.length === this.#bytes.length) this.#bytes = grow(this.#bytes, 0)
    this.#bytes[this.length++] = value
  }

  /** Writes a whole number with seven bits per byte, lowest bits first. */
  varint(value: number): void {
    let rest = value
    for (; rest > 127; rest >>>= 7) this.byte((rest & 127) | 128)
    this.byte(rest)
  }

  bytes(bytes: Uint8Array): void {
    const length = this.length + bytes.length
    if (length > this.#bytes.length) this.#bytes = grow(this.#bytes, length)
    this.#bytes.set(bytes, this.length)
    this.length = length
  }

  /** Returns a view of all written bytes. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.length)
  }
}

function grow(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(Math.max(bytes.length * 2, length))
  copy.set(bytes)
  return copy
}

/** Returns a string with one character per byte. */
export function textOf(bytes: Uint8Array): string {
  const pieces: string[] = []
  for (let at = 0; at < bytes.length; at += 4096) {
    const piece = bytes.subarray(at, at + 4096)
    let bits = 0
    for (let index = 0; index < piece.length; index++) bits |= piece[index] ?? 0
    // This takes a sixth of the time for ASCII.
    if (bits < 128) pieces.push(decoder.decode(piece))
    else pieces.push(String.fromCharCode.apply(null, piece as unknown as number[]))
  }
  return pieces.join('')
}

const decoder = new TextDecoder()
/** The byte after a term. Folded text contains no line break. */
export const lineBreak = 10

export function damagedError(): RangeError {
  return new RangeError('The search index is damaged.')
}
