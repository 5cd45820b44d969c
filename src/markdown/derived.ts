// Values derived from a rendered body: excerpt, word count, headings and images.
import { tagEnd, visibleText } from '../snapshot/visible-text.ts'

/** A heading; `id` is null when headings have no ids. */
export interface HeadingEntry {
  readonly id: string | null
  readonly text: string
  /** 1 to 6. */
  readonly depth: number
}

/** An image of the HTML. */
export interface ShownImage {
  readonly src: string
  readonly alt: string
}

/** Maximum length of an excerpt without a marker, in code points. */
export const excerptMax = 200

/**
 * The beginning of a text: all of it up to 200 code points, else as many whole words as fit. A text without spaces is
 * cut within a word.
 *
 * @param text white space collapsed to single spaces
 */
export function excerptOf(text: string): string {
  const characters = [...text.slice(0, 2 * excerptMax + 2)]
  if (characters.length <= excerptMax) return text
  const start = characters.slice(0, excerptMax).join('')
  if (characters[excerptMax] === ' ') return start.trimEnd()
  const blank = start.lastIndexOf(' ')
  return blank <= 0 ? start : start.slice(0, blank)
}

/**
 * Counts words: runs without white space that contain a letter or a digit, and each Chinese or kana character. Korean
 * has spaces between words.
 */
export function countWords(text: string): number {
  let count = 0
  for (const [run] of text.matchAll(runs)) if (/[\p{L}\p{N}]/u.test(run)) count += 1
  return count
}

// regex: a single class
const runs = new RegExp(
  '[CJK]|[^\\sCJK]+'.replaceAll('CJK', '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Bopo}'),
  'gu',
)

/** Reading time in seconds at 238 words a minute (Brysbaert, 2019), rounded up. */
export function readingTimeSeconds(words: number): number {
  return Math.ceil((words * 60) / 238)
}

/** The headings of HTML, without that of the footnotes. @param html as serialized by the processor */
export function headingsOf(html: string): readonly HeadingEntry[] {
  const headings: HeadingEntry[] = []
  for (const [tag, start, end] of tagsOf(html)) {
    const [, level] = /^<h([1-6])\b/.exec(tag) ?? []
    if (level === undefined || /\bid="(?:user-content-)?footnote-label"/.test(tag)) continue
    const close = html.indexOf(`</h${level}>`, end)
    const text = visibleText(html.slice(start, close))
    headings.push({ id: attributeValue(tag, 'id'), text, depth: Number(level) })
  }
  return headings
}

/** The images of HTML, once per occurrence. @param html as serialized by the processor */
export function imagesOf(html: string): readonly ShownImage[] {
  const images: ShownImage[] = []
  for (const [tag] of tagsOf(html)) {
    const src = /^<img\b/.test(tag) ? attributeValue(tag, 'src') : null
    if (src !== null) images.push({ src, alt: attributeValue(tag, 'alt') ?? '' })
  }
  return images
}

/** The marker with which an author ends the excerpt. */
const mark = /<!--\s*more\s*-->/gi

/** True when a Markdown text may contain an excerpt marker. */
export function mayHaveMark(markdown: string): boolean {
  return markdown.search(mark) !== -1
}

/** Replaces markers by words that remain visible after rendering. */
export function withMarkWords(markdown: string): string {
  return markdown.replace(mark, markWord)
}

/**
 * The visible text before the first marker outside of code.
 *
 * @param html rendered from the result of `withMarkWords`
 * @param markdown the text before that replacement
 * @returns null when there is no marker
 */
export function textBeforeMark(html: string, markdown: string): string | null {
  let depth = 0
  let from = 0
  for (const [tag, start, end] of [...tagsOf(html), ['', html.length, html.length] as const]) {
    const at = depth > 0 ? -1 : html.slice(from, start).indexOf(markWord)
    if (at !== -1) return withMarks(visibleText(html.slice(0, from + at)), markdown)
    if (tag === '<code>' || tag.startsWith('<code ')) depth += 1
    else if (tag === '</code>') depth -= 1
    from = end
  }
  return null
}

/** Restores the written markers in code. */
function withMarks(text: string, markdown: string): string {
  const marks = markdown.match(mark) ?? []
  let next = 0
  return text.replaceAll(markWord, () => marks[next++] ?? '')
}

/** Private-use characters, so that no text contains the word by accident. */
const markWord = '\u{F8F1}more\u{F8F2}'

function* tagsOf(html: string): Generator<readonly [tag: string, start: number, end: number]> {
  for (let at = html.indexOf('<'); at !== -1; ) {
    const end = tagEnd(html, at)
    yield [html.slice(at, end), at, end]
    at = html.indexOf('<', end)
  }
}

/** The unescaped value of an attribute; null when absent. @param tag as serialized by the processor */
export function attributeValue(tag: string, name: string): string | null {
  for (const [, found, value = ''] of tag.matchAll(/ ([a-z][a-z0-9-]*)(?:="([^"]*)")?/gi)) {
    if (found !== name) continue
    return value.replace(/&#x([0-9A-F]+);/gi, (_, code: string) =>
      String.fromCodePoint(Number.parseInt(code, 16)),
    )
  }
  return null
}
