// Opens the dictionary of a terms file.
import { ByteReader, ByteWriter, damaged, textOf } from './bytes.ts'

/** The first byte of a dictionary; changes with the layout. */
export const layout = 1
/** No terms file has more posts: damaged bytes need no more memory than for these. */
export const postsMax = 0xffffff

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
  /** Other terms with a bit for each post; sorted, a section each. Their lists are the first ones. */
  readonly common: Sections
  /** Other terms of several posts, likewise. */
  readonly others: Sections
  /** Terms of one post; a section for each post. */
  readonly rare: Sections
  /** The place of each list, all pages one after another, and one behind the last. */
  readonly lists: Uint32Array
  /** The first list of each page, and one behind the last. */
  readonly pages: readonly number[]
}

export function readDictionary(bytes: Uint8Array): Dictionary {
  const reader = new ByteReader(bytes)
  if (reader.byte() !== layout) throw damaged()
  const posts = reader.varint(postsMax)
  const bitmapBytes = Math.ceil(posts / 8)
  const [common, others, rare] = [new SectionWriter(), new SectionWriter(), new SectionWriter()]
  const letters = new Map<string, Uint8Array>()
  const sizes: number[] = []
  const rarePosts: number[] = []
  reader.terms(reader.varint(bytes.length), (term, length) => {
    const place = reader.varint(posts * 2)
    if ((place & 1) === 1) {
      rare.add(term, length)
      rarePosts.push(place >> 1)
    } else if (place > 0) {
      others.add(term, length)
      sizes.push(place >> 1)
    } else if (length > 1) common.add(term, length)
    else letters.set(String.fromCharCode(term[0] ?? 0), reader.bytes(bitmapBytes).slice())
  })
  if (reader.left > 0) throw damaged()
  return {
    posts,
    letters,
    common: common.sections(),
    others: others.sections(),
    rare: byPost(rare, rarePosts, posts),
    ...placesOf(common.starts.length - 1, bitmapBytes, sizes),
  }
}

/**
 * The places of lists: first those with a bit for each post. A page of 16 KiB takes no more.
 *
 * @param sizes of the others, in bytes
 */
export function placesOf(
  common: number,
  bitmapBytes: number,
  sizes: readonly number[],
): Pick<Dictionary, 'lists' | 'pages'> {
  const lists = new Uint32Array(common + sizes.length + 1)
  const pages = [0]
  let start = 0
  for (let list = 1; list < lists.length; list++) {
    const size = list <= common ? bitmapBytes : (sizes[list - 1 - common] ?? 0)
    const end = (lists[list - 1] ?? 0) + size
    lists[list] = end
    if (end - start < 16_384 && list < lists.length - 1) continue
    pages.push(list)
    start = end
  }
  return { lists, pages }
}

/** Writes a section for each term. */
class SectionWriter {
  readonly bytes = new ByteWriter()
  readonly starts: number[] = [0]

  add(term: Uint8Array, length: number): void {
    this.bytes.line(term, length)
    this.starts.push(this.bytes.length)
  }

  sections(): Sections {
    return { text: textOf(this.bytes.view()), starts: Uint32Array.from(this.starts) }
  }
}

/** Groups terms by post. @param of the post of each term */
function byPost({ bytes, starts }: SectionWriter, of: readonly number[], posts: number): Sections {
  const postStarts = new Uint32Array(posts + 1)
  of.forEach((post, term) => {
    const size = (starts[term + 1] ?? 0) - (starts[term] ?? 0)
    postStarts[post + 1] = (postStarts[post + 1] ?? 0) + size
  })
  for (let post = 1; post <= posts; post++) {
    postStarts[post] = (postStarts[post] ?? 0) + (postStarts[post - 1] ?? 0)
  }
  const from = bytes.view()
  const to = new Uint8Array(from.length)
  const ends = postStarts.slice()
  of.forEach((post, term) => {
    let end = ends[post] ?? 0
    for (let at = starts[term] ?? 0; at < (starts[term + 1] ?? 0); at++) to[end++] = from[at] ?? 0
    ends[post] = end
  })
  return { text: textOf(to), starts: postStarts }
}
