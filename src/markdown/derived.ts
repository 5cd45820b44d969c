// Values that are computed from a rendered body: its excerpt, its number of words, its headings and its images.
import { tagEnd, visibleText } from '../query/visible-text.ts'

/** A heading; `id` is null where headings have none. */
export interface HeadingEntry {
  readonly id: string | null
  readonly text: string
  /** 1 to 6. */
  readonly depth: number
}

/** An image as the HTML names it. */
export interface ShownImage {
  readonly src: string
  readonly alt: string
}

/** Code points of an excerpt at most, where its author set no end. */
export const excerptMax = 200

/**
 * The beginning of a text: all of it up to 200 code points, else as many whole words as these have. A text without
 * spaces is cut within a word.
 *
 * @param text white space is single blanks
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
 * The number of words: runs without white space that have a letter or a digit, and each character of Chinese and of
 * kana. Korean has spaces between words.
 */
export function countWords(text: string): number {
  let count = 0
  for (const [run] of text.matchAll(runs)) if (/[\p{L}\p{N}]/u.test(run)) count += 1
  return count
}

const runs = new RegExp(
  '[CJK]|[^\\sCJK]+'.replaceAll('CJK', '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Bopo}'),
  'gu',
)

/** Seconds that reading takes, at 238 words a minute (Brysbaert, 2019), rounded up. */
export function readingTimeSeconds(words: number): number {
  return Math.ceil((words * 60) / 238)
}

/** The headings of HTML, without the one of its footnotes. @param html as the processor writes it */
export function headingsOf(html: string): readonly HeadingEntry[] {
  const headings: HeadingEntry[] = []
  for (const [tag, start, end] of tagsOf(html)) {
    const [, level] = /^<h([1-6])\b/.exec(tag) ?? []
    if (level === undefined || /\bid="(?:user-content-)?footnote-label"/.test(tag)) continue
    const close = html.indexOf(`</h${level}>`, end)
    const text = visibleText(html.slice(start, close))
    headings.push({ id: attribute(tag, 'id'), text, depth: Number(level) })
  }
  return headings
}

/** The images of HTML, each as often as it is shown. @param html as the processor writes it */
export function imagesOf(html: string): readonly ShownImage[] {
  const images: ShownImage[] = []
  for (const [tag] of tagsOf(html)) {
    const src = /^<img\b/.test(tag) ? attribute(tag, 'src') : null
    if (src !== null) images.push({ src, alt: attribute(tag, 'alt') ?? '' })
  }
  return images
}

/** A mark of an author for the end of the excerpt. */
const mark = /<!--\s*more\s*-->/gi

/** True where a Markdown text may have a mark of the end of its excerpt. */
export function mayHaveMark(markdown: string): boolean {
  return markdown.search(mark) !== -1
}

/** The text with words in the place of marks: rendered, they show where the marks are. */
export function withMarkWords(markdown: string): string {
  return markdown.replace(mark, markWord)
}

/**
 * The visible text before the first mark outside of code.
 *
 * @param html of `withMarkWords`
 * @param markdown before that
 * @returns null where there is none
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

/** Marks in code as they are written, in the place of their words. */
function withMarks(text: string, markdown: string): string {
  const marks = markdown.match(mark) ?? []
  let next = 0
  return text.replaceAll(markWord, () => marks[next++] ?? '')
}

/** Private characters, so that no text has it by accident. */
const markWord = '\u{F8F1}more\u{F8F2}'

function* tagsOf(html: string): Generator<readonly [tag: string, start: number, end: number]> {
  for (let at = html.indexOf('<'); at !== -1; ) {
    const end = tagEnd(html, at)
    yield [html.slice(at, end), at, end]
    at = html.indexOf('<', end)
  }
}

/** The value of an attribute, unescaped; null where it is absent. */
function attribute(tag: string, name: string): string | null {
  for (const [, found, value = ''] of tag.matchAll(/ ([a-z][a-z0-9-]*)(?:="([^"]*)")?/gi)) {
    if (found !== name) continue
    return value.replace(/&#x([0-9A-F]+);/gi, (_, code: string) =>
      String.fromCodePoint(Number.parseInt(code, 16)),
    )
  }
  return null
}
