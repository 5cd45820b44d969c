// Values derived from a rendered body: excerpt, word count, headings and images.
import { visibleText } from '../snapshot/visible-text.ts'
import { attributeValue, tagsOf } from './html.ts'

/** A heading of a depth from 1 to 6; `id` is null if headings have no ids. */
export type HeadingEntry = Readonly<{ id: string | null; text: string; depth: number }>

/** An image of the HTML. */
export type ShownImage = Readonly<{ src: string; alt: string }>

/** Maximum length of an excerpt without a mark, in code points. */
const excerptMax = 200

/** Returns the visible text of HTML without its footnotes. */
export function ownText(html: string): string {
  const notes = html.indexOf('<section data-footnotes')
  return visibleText(notes === -1 ? html : html.slice(0, notes))
}

/** Scripts without spaces between words, in East Asia and in South-East Asia. */
const east = '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Bopo}'
const southEast = '\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}'
/** The characters and punctuation of these scripts. */
const unspaced = `${east}${southEast}\\u3000-\\u303F\\uFF00-\\uFFEF`

/**
 * Returns the beginning of a text: the whole text up to 200 code points, otherwise the whole words that fit. Scripts
 * without spaces are cut between any two letters, as is a word without which less than half would be left.
 *
 * @param text white space collapsed to single spaces
 */
export function excerptOf(text: string): string {
  const characters = [...text.slice(0, 2 * excerptMax + 2)]
  if (characters.length <= excerptMax) return text
  for (let length = excerptMax; length > excerptMax / 2; length--) {
    const pair = `${characters[length - 1]}${characters[length]}`
    if (wordEnd.test(pair)) return characters.slice(0, length).join('').trimEnd()
  }
  return characters.slice(0, excerptMax).join('')
}

// regex: two characters; a mark belongs to the letter before it
const wordEnd = new RegExp(`^(?:. | .|[${unspaced}]\\P{M}|.(?!\\p{M})[${unspaced}])$`, 'su')

/**
 * Counts words: runs without white space that contain a letter or a digit, and each Chinese or kana character. Korean has
 * spaces between words. Four letters of Thai, Lao, Khmer or Burmese count as a word, because only a dictionary
 * can separate their words.
 */
export function countWords(text: string): number {
  let count = 0
  for (const [run] of text.matchAll(wordPattern)) {
    if (!/[\p{L}\p{N}]/u.test(run)) continue
    count += /^[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u.test(run)
      ? Math.ceil((run.match(/\p{L}/gu)?.length ?? 0) / 4)
      : 1
  }
  return count
}

// regex: single classes
const wordPattern = new RegExp(`[${east}]|[${southEast}]+|[^\\s${east}${southEast}]+`, 'gu')

/** Returns the reading time in seconds at 238 words per minute (Brysbaert, 2019), rounded up. */
export function readingTimeSeconds(words: number): number {
  return Math.ceil((words * 60) / 238)
}

/** Returns the headings of HTML, without the heading of footnotes. @param html output of the processor */
export function headingsOf(html: string): readonly HeadingEntry[] {
  const headings: HeadingEntry[] = []
  for (const [tag, start, end] of tagsOf(html)) {
    const [, level] = /^<h([1-6])\b/.exec(tag) ?? []
    if (level === undefined || tag.includes(' id="footnote-label"')) continue
    const close = html.indexOf(`</h${level}>`, end)
    const text = visibleText(html.slice(start, close))
    headings.push({ id: attributeValue(tag, 'id'), text, depth: Number(level) })
  }
  return headings
}

/** Returns the images of HTML, once per occurrence. @param html output of the processor */
export function imagesOf(html: string): readonly ShownImage[] {
  const images: ShownImage[] = []
  for (const [tag] of tagsOf(html)) {
    const src = /^<img\b/.test(tag) ? attributeValue(tag, 'src') : null
    if (src !== null) images.push({ src, alt: attributeValue(tag, 'alt') ?? '' })
  }
  return images
}
