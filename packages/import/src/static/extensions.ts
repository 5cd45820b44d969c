// Converts extensions of Markdown to CommonMark, or reports them: marks, emoji codes, and options of code.
import type { BodyContext, Step } from '../site.ts'
import { fencesIn, maskCode, replaceOutsideCode } from './code-mask.ts'

export type Changes = Pick<BodyContext, 'changed' | 'stays'>
export type Rule = { readonly name: string; run(text: string, context: Changes): string }

/** Returns a step for markup. @param made its replacement, `$1` for a group; undefined if it stays as text */
export function rule(name: string, pattern: RegExp, made?: string): Rule {
  const run = (text: string, { changed, stays }: Changes) =>
    replaceOutsideCode(text, pattern, (groups) => {
      if (groups[1] === '') return undefined
      if (made === undefined) stays(name)
      else changed(made === '' ? `${name} → left out` : name)
      return made?.replace(/\$(\d)/g, (_, at: string) => groups[Number(at)] ?? '')
    })
  return { name, run }
}

/** Returns a step for markup that stays as text and fails the post. @param isInCode true if the tool reads it in code too */
export function unread(name: string, pattern: RegExp, isInCode = false): Step {
  const run: Step['run'] = (text, { unknown }) => {
    for (const { 0: all, index } of (isInCode ? text : maskCode(text)).matchAll(pattern))
      if (!/\bv-pre\b/.test(all)) unknown(`${name} is not read`, text, index)
    return text
  }
  return { name, run }
}

/** Marks: the plugins or parsers that have them, the sign, and the element; `''` for text. In GFM, `~a~` is deleted. */
export const marks: readonly (readonly [names: RegExp, sign: string, element: string])[] = [
  [/\.keys/, '++', 'kbd'],
  [/-ins/, '++', 'ins'],
  [/[.-]mark\b/, '==', 'mark'],
  [/\.caret(?!.{0,99}insert":"false)/, '^^', 'ins'],
  [/\.caret(?!.{0,99}superscript":"false)|-sup/, '^', 'sup'],
  [/\.tilde(?!.{0,99}subscript":"false)|-sub/, '~', 'sub'],
  [/^(?:kramdown|python|markdown|vite)/, '~', ''],
]

/** Names of plugins of markdown-it, and its option for line breaks, in a configuration. */
export const pluginNames: RegExp = /markdown-it-\w+|\bbreaks(?=["']?\s?:\s?true)/g

/** Returns the steps for the marks of a parser and its plugins. @param plugins their names */
export function marksOf(plugins: string): readonly Rule[] {
  const used = marks.filter(([names]) => names.test(plugins))
  const rules = used.map(([, sign, element]) => {
    const [one, all] = [`\\${sign[0]}`, sign.replace(/./g, '\\$&')]
    // Keys and indices have no blanks. Two signs do not begin in a word, such as `C++`, and one sign not in `[^1]`.
    const next = /kbd|su[bp]/.test(element) ? `(?:(?!${all})\\S)+${all}(?!${one})` : `[^\\s${one}]`
    const start = `(?<![${sign[1] ? '\\w' : '['}\\\\${one}])${all}(?=${next})`
    const text = `((?:(?!${start}|\\n\\s*\\n)[\\s\\S]){1,999}?)`
    // Formulas, destinations, tags, URLs and definitions of links have an empty group, and stay.
    const pattern = new RegExp(
      `\\$\\$[\\s\\S]*?\\$\\$|\\$[^\\s$](?:[^$\\n]*[^\\s$])?\\$(?!\\d)|\\]\\([^()\\n]*\\)|<[a-zA-Z!/][^<>]*>|https?:\\S+|^ {0,3}\\[(?!\\^)[^\\]\\n]*\\]:.*$|${start}${text}(?<=${element === '' ? '\\w' : '\\S'})${all}(?!${one})`,
      'gm',
    )
    const made = element === '' ? '&#126;$1&#126;' : `<${element}>$1</${element}>`
    return rule(`mark of a plugin → ${element === '' ? 'text' : `<${element}>`}`, pattern, made)
  })
  return /\bbreaks\b|\bnl2br\b|\bhard_wrap\b/.test(plugins) ? [...rules, hardBreaks] : rules
}

// U+FDD0 is the mask of code. Lines of HTML and of tables ignore blanks.
const softBreak =
  /(?<=\S)(?:(?<!\uFDD0)\n(?=[ \t>]*[^\s>])|\n(?=[ \t>]*[^\s>\uFDD0]))(?![ \t>]*(?:[-*+#|]|\d+\.))(?<!^[ \t]*(?:#{1,6} |\[[^\]\n]*\]:).*\n)/gm
const hardBreaks: Rule = {
  name: 'newline → hard break',
  run: (text) => replaceOutsideCode(text, softBreak, () => '  \n'),
}

const types: Readonly<Record<string, string>> = {
  NOTE: 'note info notice seealso primary secondary question example quote abstract summary todo',
  TIP: 'tip hint success check',
  IMPORTANT: 'important critical',
  WARNING: 'warning warn attention pitfall',
  CAUTION: 'caution danger error bug failure',
}

/** Returns the type of alert for a name: `TIP` for `hint`; undefined for other names. */
export function alertType(name: string): string | undefined {
  return Object.keys(types).find((type) => types[type]?.split(' ').includes(name.toLowerCase()))
}

/** Extensions of any tool. */
export const extensions: readonly Step[] = [
  unread(
    'hidden line',
    /(?:[/#*]|<!--)\s?hide-(?:next-)?(?:line|start|end|range)\b|(?<=[`~]{3}[^\n`]{0,200})\bhide_lines=/g,
    true,
  ),
  rule(
    'size of an image',
    /(!\[[^\]\n]{0,500}\]\([^()\s]{1,500})[ \t]{1,9}=\d*%?x\d*%?(?=\)|[ \t]["'])/g,
    '$1',
  ),
  rule('text in double brackets', /!?\[\[[^[\]\n]+\]\](?![([:])/g),
  rule('note in the text', /(?<![\\[])\^\[[^[\]\n]+\](?!\()/g),
  rule(
    'formula (`markdown.math` shows it)',
    /(?<![\\$\w])\$(?:\$[^$]+\$|[^\s$](?:[^$\n]*[^\s$])?)\$(?![\d$])/g,
  ),
  rule(
    'formula between backslashes',
    /\\\([^()\n]{0,500}[\\^_={}][^()\n]{0,500}\\\)|\\\[[^[\]]{0,500}[\\^_={}][^[\]]{0,500}\\\]/g,
  ),
  rule('container', /^[ \t]*:{3,}[ \t]*[\w{].*$/gm),
  ...Object.entries(types).map(([type, names]) =>
    rule(
      `alert → ${type}`,
      new RegExp(
        `^([ \\t>]*>[ \\t]?\\[!)(?!${type}\\])(?:${names.replaceAll(' ', '|')})(?=\\])`,
        'gim',
      ),
      `$1${type}`,
    ),
  ),
  rule('alert', /^[ \t>]*>[ \t]?\[!(?!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\])\w+\]/gim),
  rule('title of an alert → bold', /^(> \[!\w+\])[+-]?[ \t]+(\S.*)$/gm, '$1\n> <b>$2</b>\n>'),
  rule('table of contents', /^[ \t]*\[(?:toc|\[_?toc_?\])\][ \t]*$/gim, ''),
  unread('comment without an end', /<!--(?![\s\S]*?-->)[\s\S]*/g),
  rule('emoji code', /(?<![\w:/.-]):(?:[a-z][a-z0-9_-]{1,60}|\+1|-1|100|1234|8ball):(?![\w:/])/g),
  { name: 'options of code', run: withoutOptions },
  rule('image of `data-src`', /<(?:img|source)\b[^<>]*\sdata-src\s?=/gi),
]

/** Options of a fence follow its language after a blank: a response has them in `data-meta`. */
function withoutOptions(text: string, { changed }: BodyContext): string {
  const starts = new Set(fencesIn(text).map(([start]) => start))
  const fence = /(?<![`~])([`~]{3,})[ \t]{0,99}([^\s`~].*)/g
  return text.replace(fence, (all, sign: string, info: string, at: number) => {
    if (!starts.has(at) || /^[\w#+.-]+\s*$/.test(info)) return all
    changed('options of code → `data-meta`')
    const [, brace, language = '', given = ''] =
      /^(\{?) {0,9}\.?([\w#+-][\w#+.-]*)?[,/]?([\s\S]*)$/.exec(info) ?? []
    return `${sign}${language} ${(brace ? given.replace(/\}\s*$/, '') : given).trim()}`.trimEnd()
  })
}
