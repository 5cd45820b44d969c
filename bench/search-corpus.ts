// Seeded texts for the search bench: an unbounded Zipf-like vocabulary in several scripts, and queries taken from the
// texts.
import { mulberry32 } from './corpus.ts'

/** A post as input of search engines. */
export interface SearchPost {
  readonly title: string
  readonly text: string
  readonly category: number
}

/** Queries of one kind. */
export interface QueryClass {
  readonly name: string
  readonly queries: readonly string[]
  /** Restricts results to posts of this category. */
  readonly category?: number
}

export const categoryCount = 8

const common =
  'the of and to in a is that it was for on are as with his they at be this from have or by one had not but what all were when we there can an your which their said if do will each about how up out them then she many some so these would other into has more her two like him see time could no make than first been its who now people my made over did down only way find use may water long little very after words called just where most know get through back much go good new write our'.split(
    ' ',
  )
const syllables =
  'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo yu zan thor men ling ster ing tion er al con pre é ü'.split(
    ' ',
  )
const cyrillic = 'ба во ги да ен жи за ко ла ми но пе ра со ту'.split(' ')
const devanagari = 'का मे नि ता रो स्त हि न्दी या लो पू'.split(' ')

/** Number of distinct words in the posts. */
const vocabulary = 250_000

/** Generates posts of a mean size. Every twentieth is Japanese, every fortieth Russian, every fortieth Hindi. */
export function searchPosts(count: number, meanBytes: number): readonly SearchPost[] {
  const random = mulberry32(count)
  return Array.from({ length: count }, (_, number) => {
    const script = number % 40
    const write = script === 7 || script === 27 ? japanese : wordsOf(syllablesOf(script))
    const least = meanBytes * 0.42
    const bytes = Math.min(meanBytes * 16, least / (1 - random()) ** (1 / 1.6))
    return {
      title: write(random, 30),
      text: `${write(random, bytes)} ${Math.floor(random() * 2 ** 48).toString(36)}`,
      category: Math.floor(categoryCount * random() ** 2),
    }
  })
}

/** Returns classes of queries from the posts, with `each` queries per class. */
export function queryClasses(posts: readonly SearchPost[], each: number): readonly QueryClass[] {
  const random = mulberry32(7)
  const pick = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)] as T
  const latin = posts.filter((_, number) => ![3, 7, 13, 27].includes(number % 40))
  const foreign = posts.filter((_, number) => [3, 7, 13, 27].includes(number % 40))
  const make = (name: string, query: () => string, category?: number): QueryClass => ({
    name,
    queries: Array.from({ length: each }, () => {
      for (;;) {
        const found = query().trim()
        if (found !== '') return found
      }
    }),
    ...(category === undefined ? {} : { category }),
  })
  const words = () => pick(latin).text.split(/[ .,]+/)
  const phrase = (size: number) => {
    const all = pick(latin).text.split(' ')
    const start = Math.floor(random() * Math.max(1, all.length - size))
    return all.slice(start, start + size).join(' ')
  }
  const part = (text: string, length: number) => {
    const letters = [...text]
    const start = Math.floor(random() * Math.max(1, letters.length - length))
    return letters.slice(start, start + length).join('')
  }
  const rare = () => words().find((word) => word.length > 7) ?? 'thormenling'
  const short = () => part(pick(posts).text, 1 + Math.floor(random() * 2))
  const inWord = () => part(pick(words()), 3 + Math.floor(random() * 4))
  return [
    make('rare word', rare),
    make('common word', () => pick(common)),
    make('phrase', () => phrase(2 + Math.floor(random() * 4))),
    make('phrase of common words', () =>
      Array.from({ length: 2 + Math.floor(random() * 3) }, () => pick(common.slice(0, 20))).join(
        ' ',
      ),
    ),
    make('part of a word', inWord),
    make('part of a phrase', () => part(pick(latin).text, 6 + Math.floor(random() * 12))),
    make('no hit', () => `${part(rare(), 4)}qxj${random() < 0.5 ? ' of the' : ''}`),
    make('1 or 2 characters', short),
    make('non-Latin', () => part(pick(foreign).text, 2 + Math.floor(random() * 4))),
    make('with a filter', inWord, 1),
  ]
}

/** Worst-case queries. */
export const worstQueries: readonly string[] = [
  'e',
  '-',
  'a'.repeat(256),
  'e x',
  'e t a',
  'of the',
  'in the of and to a is that it',
  'the of and to in a is that it was for on are as with his they at be this from have or by one had not but what all were',
  Array.from({ length: 128 }, (_, at) => String.fromCharCode(97 + (at % 26))).join(' '),
  '日',
  'の',
  'の日本',
  '. t',
]

type Writer = (random: () => number, bytes: number) => string

function syllablesOf(script: number): readonly string[] {
  if (script === 3) return cyrillic
  return script === 13 ? devanagari : syllables
}

function wordsOf(parts: readonly string[]): Writer {
  return (random, bytes) => {
    let text = ''
    let isStart = true
    while (text.length < bytes) {
      // Slightly steeper than Zipf's law, like real texts.
      const rank = Math.floor(vocabulary ** (random() ** 1.3)) - 1
      const word = (parts === syllables ? common[rank] : undefined) ?? made(rank, parts)
      text += isStart ? word.charAt(0).toUpperCase() + word.slice(1) : word
      const separator = pickSeparator(random())
      isStart = separator === '. '
      text += separator
    }
    return text.trim()
  }
}

function pickSeparator(dice: number): string {
  if (dice < 0.07) return '. '
  return dice < 0.13 ? ', ' : ' '
}

/** Returns the word of a rank. Rarer words are longer. */
function made(rank: number, parts: readonly string[]): string {
  let rest = Math.imul(rank + 1, 0x9e3779b1) >>> 0
  let word = ''
  const length = 2 + Math.min(3, Math.floor(Math.log2(rank + 2) / 6))
  for (let at = 0; at < length; at++) {
    word += parts[rest % parts.length]
    rest = Math.floor(rest / parts.length) + rank * 7
  }
  return word
}

const kana =
  'の に を は が と で も から まで より する した して ている です ます ない こと もの これ それ ある いる'.split(
    ' ',
  )

/** Returns two-character words with particles, and some katakana words. */
function japanese(random: () => number, bytes: number): string {
  let text = ''
  while (text.length * 3 < bytes) {
    const rank = Math.floor(15_000 ** random())
    const first = Math.imul(rank, 0x9e3779b1) >>> 0
    text +=
      rank % 9 === 0
        ? Array.from({ length: 3 + (rank % 3) }, (_, at) =>
            String.fromCodePoint(0x30a2 + ((first >>> (at * 6)) % 80)),
          ).join('')
        : String.fromCodePoint(0x4e00 + (first % 2000), 0x4e00 + ((first >>> 12) % 2000))
    text += kana[Math.floor(kana.length ** random()) - 1] ?? 'の'
    const dice = random()
    if (dice < 0.08) text += dice < 0.05 ? '。' : '、'
  }
  return text
}
