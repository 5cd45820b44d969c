// The words of a text that its translation lacks, whatever the cause.
import type { Ledger } from './ledger.ts'
import { comments, withoutComments } from './static/steps.ts'

const template = String.raw`\{%(?:(?!\{%)[\s\S]){0,4000}?%\}|\{\{(?:(?!\{\{)[\s\S]){0,4000}?\}\}`

/** Matches what readers do not see. The group is a tag or a template, which may have a caption. */
const unseen = new RegExp(
  [
    String.raw`<(script|style)\b[\s\S]*?</\1>|<!--[^<>]*-->|\{/\*[^{}]*\*/\}|(<[a-z][^<>]*>|${template})|</[a-z][^<>]*>|&#?\w{1,31};`,
    // Attribute lists, and the names of containers.
    String.raw`\{[#:][^{}]*\}|^[ \t]*:::+[ \t]*[\w-]*`,
    // URLs, also of links and their definitions.
    String.raw`https?://[^\s)>\]"']+|(?:\]\(|^ {0,3}\[[^\]\n]{1,200}\]:[ \t]*)(?:${template}|[^()\s]|\([^()\s]*\))*`,
    String.raw`^import\s(?:[\w*{$},\s]{1,2000}\sfrom\s)?\s*["'][^"'\n]*["']`,
  ].join('|'),
  'gim',
)

/** An attribute of a tag or an argument of a template, or one sign of its other text. */
const attribute = /(?:([\w-]{1,40})\s?[=:]\s?)?("[^"<>{}]*"|'[^'<>{}]*')|[\s\S]/g

/** Attributes whose values are lists of names or numbers. */
const technical = /^(?:allow|class(?:Name)?|d|points|rel|sizes|srcset|style|transform|viewBox)$/

/** All languages of comments. One that a tool does not evaluate stays as text, so nothing of it is lost. */
const languages = comments.map(([name]) => name).join(' ')

function wordsIn(text: string) {
  const blanks = (part: string) => ' '.repeat(part.length)
  /** Keeps sentences in quotes, such as captions. */
  const sentences = (part: string, name = '', value = '') => {
    const isSentence = !technical.test(name) && /\p{L}{2} \p{L}{2}/u.test(value)
    return isSentence ? value.padStart(part.length) : blanks(part)
  }
  const shown = text.replace(unseen, (part, _, tag?: string) =>
    tag === undefined ? blanks(part) : tag.replace(attribute, sentences),
  )
  return Array.from(shown.matchAll(/\p{Lo}|[\p{L}\p{N}][\p{L}\p{M}\p{N}]+/gu))
}

/**
 * Reports the words that a source has more often than a post, wherever they were lost.
 *
 * @param placeOf returns the place of an offset in the source without comments, whose lines keep their numbers
 */
export function reportLostWords(
  report: Ledger,
  source: string,
  made: string,
  placeOf: (text: string, at: number) => string,
): void {
  const counts = new Map<string, number>()
  const keyOf = ([word]: RegExpExecArray) => word.normalize('NFKC').toLowerCase()
  for (const word of wordsIn(made)) counts.set(keyOf(word), (counts.get(keyOf(word)) ?? 0) + 1)
  const ignored = () => {}
  const text = withoutComments(source, { changed: ignored, stays: ignored }, languages)
  const lost = wordsIn(text).filter((word) => {
    const left = counts.get(keyOf(word)) ?? 0
    counts.set(keyOf(word), left - 1)
    return left <= 0
  })
  const [first] = lost
  if (first === undefined) return
  const examples = lost.slice(0, 8).join(' ') + (lost.length > 8 ? ' …' : '')
  report.add('left', 'words', `${placeOf(text, first.index)} (${examples})`, lost.length)
}
