// The dictionary of a terms file, in JSON, which hosts compress; and its bytes.

/** A dictionary as it is written. */
export interface DictionaryJson {
  readonly posts: number
  /** The posts of each letter that is in many: a bit for each post, in Base64. */
  readonly letters: Readonly<Record<string, string>>
  /** Other terms with a bit for each post: sorted, coded by `codeTerms`. Their lists are the first ones. */
  readonly common: string
  /** Other terms of several posts, likewise. */
  readonly others: string
  /** The number of lists in each page. */
  readonly pages: readonly number[]
  /** Terms of one post, likewise. */
  readonly rare: string
  /** The post of each of these. */
  readonly rarePosts: readonly number[]
}

/** Terms by sections. */
export interface Sections {
  /** One character a byte of UTF-8; a line break after each term. */
  readonly text: string
  /** The place of each section in the text, and one behind the last. */
  readonly starts: Uint32Array
}

/** An opened dictionary. */
export interface Dictionary {
  readonly posts: number
  /** The posts of letters that are in many: a bit for each post. */
  readonly letters: ReadonlyMap<string, Uint8Array>
  /** Other terms with a bit for each post; sorted, a section each. */
  readonly common: Sections
  /** Other terms of several posts, likewise. */
  readonly others: Sections
  /** Terms of one post; a section for each post. */
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

/** Codes sorted terms, a line each: a letter for the length that it shares with the previous one, and the rest. */
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

/** The terms, each with its line break. */
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
 * Text as UTF-8, one character a byte. Such strings sort by code points, and one is a part of another exactly if the
 * same holds for their texts. V8 keeps and searches them as bytes.
 *
 * @param text well formed
 */
export function byteString(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text
  return String.fromCharCode(...new TextEncoder().encode(text))
}

/** Bytes that grow. */
export class ByteWriter {
  #bytes = new Uint8Array(4096)
  length = 0

  byte(value: number): void {
    if (this.length === this.#bytes.length) this.#bytes = grow(this.#bytes, 0)
    this.#bytes[this.length++] = value
  }

  /** Writes a whole number, seven bits a byte, the lowest first. */
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

  /** All bytes written: a view. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.length)
  }
}

function grow(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(Math.max(bytes.length * 2, length))
  copy.set(bytes)
  return copy
}

/** A string of one character a byte. */
export function textOf(bytes: Uint8Array): string {
  const pieces: string[] = []
  for (let at = 0; at < bytes.length; at += 4096) {
    const piece = bytes.subarray(at, at + 4096)
    let bits = 0
    for (let index = 0; index < piece.length; index++) bits |= piece[index] ?? 0
    // A sixth of the time for ASCII.
    if (bits < 128) pieces.push(decoder.decode(piece))
    else pieces.push(String.fromCharCode.apply(null, piece as unknown as number[]))
  }
  return pieces.join('')
}

const decoder = new TextDecoder()
/** Ends a term: no folded text has one. */
export const lineBreak = 10

export function damagedError(): RangeError {
  return new RangeError('The search index is damaged.')
}
