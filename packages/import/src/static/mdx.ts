// Converts MDX to Markdown: removes programs, and replaces components with their children and visible attributes.
import { bold, codeBlock, linkTo, playerPage, replaceRanges } from '../parts.ts'
import type { BodyContext } from '../site.ts'
import type { JsxTag } from './code-mask.ts'
import {
  endOfBraces,
  fencesIn,
  findTags,
  lineBefore,
  maskCode,
  replaceOutsideCode,
} from './code-mask.ts'
import { setApart } from './dialects.ts'
import { alertType, rule, unread } from './extensions.ts'
import { judge, mayWithhold } from './post-head.ts'

/** True for a body with components, imports, MDX comments, conditions or attributes that are programs. */
export function usesMdx(body: string): boolean {
  const pattern =
    /^import\s.+\sfrom\s+['"]|<[A-Z][\w.]*[\s/>]|\{\/\*|<[a-z][^<>]*\s\w+=\{|\{[^{}\n]{0,200}(?:&&|\?)\s{0,9}\(?\s{0,9}</gm
  return body.search(pattern) !== -1 && maskCode(body).search(pattern) !== -1
}

// U+FDD3 and U+FDD4 stand for braces in strings: Unicode noncharacters, which no site contains.

const importLine =
  /^import\s(?:[^'"\n\r\u2028\u2029;{]*|[^'"\n\r\u2028\u2029;{]*\{[^{}'";]*\}[^'"\n\r\u2028\u2029;{}]*)['"][^'"\n\r\u2028\u2029]+['"][ \t]{0,9};?[ \t]{0,9}$/gm

type Rule = (text: string, context: BodyContext, isMdx: boolean) => string

/** The translation of MDX, in order; notices become containers (`:::note`). */
export const mdxRules: readonly Rule[] = [
  withoutExports,
  unread('program in <pre>', /<(?:pre|code)\b[^<>]*>\s*\{`/g, true).run,
  withoutPrograms,
  noticesToContainers,
  translateTags,
  rule('import of MDX', importLine, '').run,
  unread('import', /^import\s(?:[^\n'"]*\bfrom\s)?\s*['"][^'"\n]+['"]/gm).run,
  markdownInElements,
]

/** Converts an MDX body to Markdown. @param isMdx false if braces may be text */
export function mdxToMarkdown(
  body: string,
  context: BodyContext,
  isMdx: boolean = context.head.file.path.endsWith('.mdx'),
): string {
  const made = mdxRules.reduce((text, run) => run(text, context, isMdx), body)
  return made.replaceAll('\uFDD3', '{').replaceAll('\uFDD4', '}')
}

const exportStart =
  /(?<=(?<![\s\S])|\n[ \t]*\n|(?:^|\n)(?:import|export)\b.*\n|[;})\]]\n)export\s+(?:const|let|var|function|default|async|class|type|interface|\{|\*)/gm

function withoutExports(text: string, { changed, unknown }: BodyContext): string {
  return replaceOutsideCode(text, exportStart, (_, offset) => {
    const end = endOfStatement(text, offset)
    const [, name = '', value] =
      /^export\s+\w+\s+(\w+)(?:\s{0,9}=\s{0,9}["']?([\w-]+))?/.exec(text.slice(offset, end)) ?? []
    const isOpen = value === undefined ? !mayWithhold(name) : judge(name, value) !== 'hidden'
    if (end === undefined) unknown('export without an end', text, offset)
    else if (isOpen) changed(`export ${name} → nothing`)
    else unknown(`export ${name} may withhold it`, text, offset)
    return end === undefined ? undefined : [end, '']
  })
}

/** Finds the first blank line at which all brackets are closed: an MDX program ends there. Undefined if none is found. */
function endOfStatement(text: string, start: number): number | undefined {
  // regex: a text of a bounded length
  const stop = /[{([]|`(?:[^`\\]|\\[\s\S]){0,8000}`|\n\s*\n/g
  stop.lastIndex = start
  for (let match = stop.exec(text); match !== null; match = stop.exec(text)) {
    if (match[0].startsWith('\n')) return match.index
    const end = match[0].length > 1 ? stop.lastIndex : endOfBraces(text, match.index, '{}()[]')
    if (end === undefined) return undefined
    stop.lastIndex = end
  }
  return text.length
}

/** Replaces components with their text and their visible attributes. */
export function translateTags(body: string, context: BodyContext): string {
  const imports = /^import\s+([\w$]+)\s+from\s+['"]([^'"?]+\.\w{2,5})(?:\?[^'"]*)?['"]/gm
  const files = new Map(
    Array.from(body.matchAll(imports), ([, name = '', path = '']) => [name, path]),
  )
  return replaceRanges(body, findTags(body), (tag) => {
    const file = files.get(tag.name) ?? ''
    // The text of such a component or element is a part of the post.
    const isInAttribute = tag.attributes.some(({ name }) => /^(?:set:|dangerously)/.test(name))
    if (/\.mdx?$/.test(file)) context.unknown(`component ${tag.name} is ${file}`, body, tag.index)
    if (isInAttribute) context.unknown(`text in an attribute of <${tag.name}>`, body, tag.index)
    return [tag.end, translateTag(resolved(tag, files), body, context)]
  })
}

function resolved(tag: JsxTag, files: ReadonlyMap<string, string>): JsxTag {
  const attributes = tag.attributes.map((attribute) => {
    const { code = '' } = attribute
    const [, called] =
      /^(?:require|useBaseUrl)\(\s*['"]([^'"]+)['"]\s*\)(?:\.default)?$/.exec(code) ?? []
    const text = called ?? files.get(code.replace(/\.src$/, ''))
    return text === undefined ? attribute : { ...attribute, text, code: undefined }
  })
  return { ...tag, attributes }
}

const notice =
  /^(?:Aside|Admonition|Callout|Alert|AlertBox|Notice|Message|Note|Tip|Info|Warning|Caution|Danger|Important|Success|Pitfall|Hint|Error)$/

/** Converts notices to containers, with more colons than usual, so that nested containers end first. */
function noticesToContainers(body: string): string {
  // The white space before each tag that closes a notice.
  const indents = new Map<JsxTag, string>()
  return replaceRanges(body, findTags(body), (tag) => {
    const { name, index, end, attributes, close } = tag
    const before = lineBefore(body, index)
    const known = indents.get(tag)
    const gap = /^[ \t]*(?:\n|$)/.test(body.slice(end, end + 99)) ? '' : '\n'
    if (known !== undefined) return [end, `${before.trim() && `\n${known}`}:::::::${gap}`]
    if (!notice.test(name) || close === undefined || before.trim() !== '') return undefined
    indents.set(close, before)
    const get = (keys: RegExp) => attributes.find((it) => keys.test(it.name))?.text ?? ''
    const words = [get(/^(?:type|level|variant|kind|status)$/), name]
    const type = words.find((word) => alertType(word) !== undefined) ?? 'note'
    const title = get(/^(?:title|label|heading)$/)
    const text = get(/^(?:description|text)$/)
    const first = text && `\n${before}${text}\n`
    const line = `:::::::${type.toLowerCase()}${title && `[${title}]`}${first}`
    return [end, line + (gap && `${gap}${before}`)]
  })
}

function translateTag(tag: JsxTag, body: string, { changed }: BodyContext): string {
  const written = body.slice(tag.index, tag.end)
  if (/^[a-z]/.test(tag.name)) return written.includes('{') ? htmlTag(tag) : written
  const target = tag.attributes.find(({ name }) => /^(?:to|href)$/.test(name))?.text
  if (tag.name === 'Link' && (tag.kind === 'close' || target !== undefined))
    return tag.kind === 'close' ? '</a>' : `<a href="${target}">`
  if (tag.kind === 'close' || tag.name === '') return ''
  const shown = showComponent(tag, lineBefore(body, tag.index))
  const nothing = tag.kind === 'empty' ? 'nothing' : 'its children'
  changed(`component ${tag.name} → ${shown === '' ? nothing : 'what it shows'}`)
  return shown
}

function htmlTag({ name, kind, attributes }: JsxTag): string {
  const texts = attributes.map(({ name: key, text }) =>
    text === undefined || key === '...' ? '' : ` ${key}="${text.replaceAll('"', '&quot;')}"`,
  )
  return `<${name}${texts.join('')}${kind === 'empty' ? ' /' : ''}>`
}

/** Formats the visible attributes of a component: an image, a player, a label; else `''`. @param before the text before the tag on its line */
function showComponent({ name, attributes }: JsxTag, before: string): string {
  const textOf = (key: string) => attributes.find((attribute) => attribute.name === key)?.text
  const get = (...keys: readonly string[]) => keys.map(textOf).find(Boolean)
  const source = get('src', 'image', 'href', 'url')
  const player = playerPage(name, get('id', 'videoId', 'youTubeId', 'tweetId', 'videoid') ?? source)
  if (player !== undefined) return linkTo(player, get('title'))
  const labels = 'title label summary header heading'.split(' ')
  const label = get(...labels, name === 'TabItem' ? 'value' : '')
  const code = /^Code(?:Block)?$/.test(name) && get('code')
  const isImage = /\.(?:png|jpe?g|gif|webp|avif|svg)(?:[?#]|$)/i.test(source ?? '')
  const parts = [
    label && bold(label),
    code && codeBlock(code, get('lang', 'language') ?? '', before),
    // The text stands for an image that only the component knows.
    isImage ? `<img src="${source}" alt="${get('alt', 'caption', ...labels) ?? ''}">` : get('alt'),
    get('caption'),
    name === 'Translate' ? '' : get('description', 'text'),
  ].flatMap((part) => part || [])
  if (before.trim() !== '' || parts.length === 0) return parts.join(' ')
  return ['', ...parts.map((part) => part.trim()), before].join(`\n\n${before}`)
}

/** Matches a brace, or a formula as a whole; skips the braces around attributes of containers. */
const brace =
  /\$\$[\s\S]*?\$\$|\$[^\s$](?:[^$\n]*[^\s$])?\$(?!\d)|(?<!\\|^import\s+(?:[\w$]+\s*,\s*)?|^\s{0,9}:{3,9}[\w-]{1,40}(?:\[[^[\]\n]{0,200}\])?)\{(?![#%]|\/(?!\*(?!\s{0,9}truncate)))/gm
const stringInBraces =
  /^\{\s{0,99}(?:"((?:[^"\\\n]|\\.){0,2000})"|'((?:[^'\\\n]|\\.){0,2000})'|`((?:[^`\\$]|\\[\s\S]|\$(?!\{)){0,9999})`)\s{0,99}\}$/

/** Replaces strings in braces, outside of tags, with their text, such as `{'<'}`. In MDX, removes programs. */
function withoutPrograms(body: string, context: BodyContext, isMdx: boolean): string {
  const { changed, unknown } = context
  const tags = findTags(body)
  let at = 0
  const isInTag = (offset: number) => {
    while ((tags[at]?.index ?? body.length) < offset) at++
    return (tags[at - 1]?.end ?? 0) > offset
  }
  // In other Markdown, only a condition before an element is a program.
  const isProgram = (text: string) => isMdx || /(?:&&|\?)\s{0,9}\(?\s{0,9}</.test(text)
  return replaceOutsideCode(body, brace, ([all = ''], offset) => {
    if (all[0] === '$' || isInTag(offset)) return undefined
    const end = endOfBraces(body, offset)
    const written = body.slice(offset, end ?? offset)
    const string = stringInBraces.exec(written)?.slice(1).join('')
    if (isMdx && end === undefined) unknown('expression in braces is not closed', body, offset)
    if (end === undefined || (string ?? isProgram(written)) === false) return undefined
    changed(string === undefined ? 'program in braces → left out' : 'string in braces → its text')
    return [end, string === undefined ? '' : shownText(string, tags[at - 1])]
  })
}

/** Returns the text of a string. @param tag the tag before it: `<CodeBlock language="js">` makes it code */
function shownText(string: string, tag: JsxTag | undefined): string {
  const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t' }
  const sign = /\\(?:u\{(10[\da-f]{4}|[\da-f]{1,5})\}|u([\da-f]{4})|x([\da-f]{2})|([\s\S]))/gi
  const text = string.replace(sign, (_, any?: string, four = any, hex = four, letter = '') =>
    hex ? String.fromCodePoint(Number.parseInt(hex, 16)) : (escapes[letter] ?? letter),
  )
  const language = tag?.attributes.find(({ name }) => name === 'language')?.text ?? ''
  if (tag?.name === 'CodeBlock' && tag.kind === 'open') return codeBlock(text, language)
  const plain = text.replace(/[&<]/g, (letter) => (letter === '&' ? '&amp;' : '&lt;'))
  return plain.replaceAll('{', '\uFDD3').replaceAll('}', '\uFDD4')
}

const block =
  'div|section|article|figure|figcaption|center|details|summary|aside|header|footer|main|nav|blockquote|p'
const tagLine = new RegExp(`^\\s*<(/?)(?:${block})(?:\\s[^<>]*)?>\\s*$`, 'i')

/** Separates Markdown from tags on its line: MDX reads `<summary>**a**</summary>` as Markdown. */
function besideTags(body: string): string {
  const names = `${block}|li|t[dhr]|d[dt]`
  const line = new RegExp(`^[ \\t]*</?(?:${names})\\b[^<>]*>.+$`, 'gim')
  return replaceOutsideCode(body, line, ([all = '']) =>
    /[*_`[\]~]/.test(all.replace(/<[^<>]*>/g, '')) ? setApart(all, names) : all,
  )
}

/**
 * Makes Markdown inside HTML parsed, as in MDX: surrounds lines that contain only a tag with blank lines,
 * and removes the indentation of lines inside elements, which Markdown would parse as code.
 */
export function markdownInElements(text: string): string {
  const body = besideTags(text)
  // The margin is the width of the removed indentation: of a list, or of each line outside of lists.
  const state = { depth: 0, margin: 0, isInList: false }
  const fences = fencesIn(body)
  let fence = 0
  let offset = 0
  const lines = body.split('\n').flatMap((line) => {
    while ((fences[fence]?.[1] ?? body.length) < offset) fence++
    const start = fences[fence]?.[0] ?? body.length
    const end = offset + line.length
    const isCode = start < offset
    offset = end + 1
    return isCode
      ? line.slice(Math.min(state.margin, line.search(/\S|$/)))
      : flattenLine(line, start < end, state)
  })
  return lines.join('\n')
}

type LineState = Record<'depth' | 'margin', number> & { isInList: boolean }

function flattenLine(line: string, isFence: boolean, state: LineState): readonly string[] | string {
  const indent = line.search(/\S|$/)
  const isItem = /^\s*(?:[-*+]|\d{1,9}[.)])\s/.test(line)
  if (!state.isInList || (!isItem && line.trim() !== '' && indent <= state.margin)) {
    state.isInList = isItem
    state.margin = state.depth > 0 || indent >= 4 ? indent : 0
  }
  const [tag, slash = ''] = tagLine.exec(line) ?? []
  if (isFence || state.isInList || tag === undefined)
    return line.slice(Math.min(state.margin, indent))
  state.depth = Math.max(0, state.depth + 1 - 2 * slash.length)
  return ['', line.trim(), '']
}
