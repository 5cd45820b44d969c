// Converts MDX to Markdown: removes imports and exports, and replaces components by their children and visible
// attributes.
import { fenced, linkTo } from '../parts.ts'
import type { BodyContext } from '../site.ts'
import type { JsxTag } from './code-mask.ts'
import { endOfBraces, findTags, maskCode, placeAt, replaceOutsideCode } from './code-mask.ts'
import { alertType, setApart } from './dialects.ts'
import { judge } from './post-head.ts'

/** True for a body with components, imports, MDX comments or attributes that are programs. */
export function usesMdx(body: string): boolean {
  const pattern = /^import\s.+\sfrom\s+['"]|<[A-Z][\w.]*[\s/>]|\{\/\*|<[a-z][^<>]*\s\w+=\{/gm
  return body.search(pattern) !== -1 && maskCode(body).search(pattern) !== -1
}

// U+FDD3 and U+FDD4 stand for braces of strings: Unicode noncharacters, which no site contains.

/** Converts an MDX body to Markdown; notices become containers (`:::note`). @param isMdx false if braces may be text */
export function mdxToMarkdown(
  body: string,
  context: BodyContext,
  isMdx: boolean = context.head.file.path.endsWith('.mdx'),
): string {
  const imports = /^import\s+([\w$]+)\s+from\s+['"]([^'"?]+\.\w{2,5})(?:\?[^'"]*)?['"]/gm
  const files = new Map(
    Array.from(body.matchAll(imports), ([, name = '', path = '']) => [name, path]),
  )
  const strings = withStrings(withCode(body, context), context)
  // `# Heading {/* id */}`
  const comment =
    /^(#{1,6} .*?)[ \t]\{[ \t]?\/\*[ \t]?#?([\w.:-]{1,200})[ \t]?\*\/[ \t]?\}[ \t]*$/gm
  const headings = replaceOutsideCode(
    strings,
    comment,
    ([, text = '', id = '']) => `${text} {#${id}}`,
  )
  const unimported = replaceOutsideCode(headings, importLine, () => '')
  const plain = cutParts(unimported, exportStart, (offset) => {
    const end = endOfStatement(unimported, offset)
    const [, name = '', value = ''] =
      /^export\s+\w+\s+(\w+)(?:\s{0,9}=\s{0,9}["']?([\w-]+))?/.exec(
        unimported.slice(offset, end),
      ) ?? []
    if (judge(name, value) !== 'hidden') context.changed(`export ${name} → nothing`)
    else context.unknown(`export ${name} may withhold it`, `${context.bodyLine}:1`)
    return end
  })
  const untagged = translateTags(noticesToContainers(plain), context, files)
  const made = flattenElements(besideTags(withoutExpressions(untagged, isMdx, context)))
  return made.replaceAll('\uFDD3', '{').replaceAll('\uFDD4', '}')
}

const importLine =
  /^import\s(?:[^'"\n\r\u2028\u2029;{]*|[^'"\n\r\u2028\u2029;{]*\{[^{}'";]*\}[^'"\n\r\u2028\u2029;{}]*)['"][^'"\n\r\u2028\u2029]+['"][ \t]{0,9};?[ \t]{0,9}$/gm
const exportStart =
  /^export\s+(?:const|let|var|function|default|async|class|type|interface|\{|\*)/gm

/** `<CodeBlock language="js">{`…`}</CodeBlock>` */
function withCode(body: string, { changed }: BodyContext): string {
  const code = /<CodeBlock\b([^<>]{0,400})>\s{0,99}\{`([^`$]{0,9999})`\}\s{0,99}<\/CodeBlock>/g
  return body.replace(code, (_, attributes: string, text: string) => {
    changed('component CodeBlock → fenced code')
    const [, language = ''] = /\blanguage=["']([^"']+)/.exec(attributes) ?? []
    return `\n\n${fenced(text.replace(/^\n/, '').trimEnd(), language)}\n\n`
  })
}

/** Removes the parts that begin outside of code; a part without an end stays. */
function cutParts(
  text: string,
  opening: RegExp,
  endOf: (offset: number, match: string) => number | undefined,
): string {
  let result = ''
  let done = 0
  replaceOutsideCode(text, opening, ([match = ''], offset) => {
    const end = offset < done ? undefined : endOf(offset, match)
    if (end !== undefined) {
      result += text.slice(done, offset)
      done = end
    }
    return match
  })
  return result + text.slice(done)
}

/** The first blank line on which all braces are closed: an MDX program ends there. */
function endOfStatement(text: string, start: number): number {
  let at = start
  for (;;) {
    const blank = text.indexOf('\n\n', at)
    const end = blank === -1 ? text.length : blank
    const brace = text.indexOf('{', at)
    if (brace === -1 || brace > end) return end
    const closed = endOfBraces(text, brace)
    if (closed === undefined) return end
    at = closed
  }
}

type Files = ReadonlyMap<string, string>

/** Replaces components by their text, and by what their attributes show. */
export function translateTags(
  body: string,
  context: BodyContext,
  files: Files = new Map(),
): string {
  const tags = findTags(body).map((tag) => resolved(tag, files))
  let result = ''
  let done = 0
  for (const tag of tags) {
    const written = body.slice(tag.start, tag.end)
    result += body.slice(done, tag.start)
    const file = files.get(tag.name) ?? ''
    // Its text is a part of the post.
    if (/\.mdx?$/.test(file))
      context.unknown(
        `component ${tag.name} is ${file}`,
        placeAt(body, tag.start, context.bodyLine),
      )
    result += translateTag(tag, written, context)
    done = tag.end
  }
  return result + body.slice(done)
}

function resolved(tag: JsxTag, files: Files): JsxTag {
  const attributes = tag.attributes.map((attribute) => {
    const { code = '' } = attribute
    const called = /^(?:require|useBaseUrl)\(\s*['"]([^'"]+)['"]\s*\)(?:\.default)?$/.exec(
      code,
    )?.[1]
    const text = called ?? files.get(code.replace(/\.src$/, ''))
    return text === undefined ? attribute : { ...attribute, text, code: undefined }
  })
  return { ...tag, attributes }
}

const notice =
  // regex: a list of names, and a text of a bounded length
  /^[ \t]*<(Aside|Admonition|Callout|Alert|AlertBox|Notice|Message|Note|Tip|Info|Warning|Caution|Danger|Important|Success|Pitfall|Hint|Error)(\s[^<>]{0,999})?>[ \t]*\n([\s\S]{0,20000}?)\n[ \t]*<\/\1>[ \t]*$/gm

/** Notices as containers, with more colons than usual, so that nested ones end before them. */
function noticesToContainers(body: string): string {
  return replaceOutsideCode(body, notice, ([, name = '', attributes = '', text = '']) => {
    const [, stated = ''] = /\s(?:type|level|variant|kind)=\{?["']([^"']*)/.exec(attributes) ?? []
    const type = [name, stated].find((word) => alertType(word) !== undefined) ?? 'note'
    const [, title] = /\stitle=\{?["']([^"'\n]*)/.exec(attributes) ?? []
    const label = title ? `[${title}]` : ''
    return `:::::::${type.toLowerCase()}${label}\n${text}\n:::::::`
  })
}

function translateTag(tag: JsxTag, written: string, { changed }: BodyContext): string {
  if (/^[a-z]/.test(tag.name)) return written.includes('{') ? htmlTag(tag) : written
  const target = tag.attributes.find(({ name }) => /^(?:to|href)$/.test(name))?.text
  if (tag.name === 'Link' && (tag.kind === 'close' || target !== undefined))
    return tag.kind === 'close' ? '</a>' : `<a href="${target}">`
  if (tag.kind === 'close' || tag.name === '') return ''
  const shown = showComponent(tag)
  const nothing = tag.kind === 'empty' ? 'nothing' : 'its children'
  changed(`component ${tag.name} → ${shown === '' ? nothing : 'what it shows'}`)
  return shown
}

function htmlTag({ name, kind, attributes }: JsxTag): string {
  if (kind === 'close') return `</${name}>`
  const kept = attributes.filter(({ text, name: key }) => text !== undefined && key !== '...')
  const texts = kept.map(
    ({ name: key, text = '' }) => ` ${key}="${text.replaceAll('"', '&quot;')}"`,
  )
  return `<${name}${texts.join('')}${kind === 'empty' ? ' /' : ''}>`
}

/** The HTML for a component whose visible content is in its attributes: an image, a player, a label; else `''`. */
function showComponent({ name, attributes }: JsxTag): string {
  const get = (...keys: readonly string[]) =>
    keys
      .map((key) => attributes.find((attribute) => attribute.name === key)?.text)
      .find((text) => text)
  const source = get('src', 'image', 'href', 'url')
  const player = playerOf(name, get('id', 'videoId', 'youTubeId', 'tweetId', 'videoid'), source)
  if (player !== undefined) return linkTo(player)
  const caption = get('caption')
  const value = name === 'TabItem' ? 'value' : ''
  if (name === 'Badge') return get('text') ?? ''
  const label = get('title', 'label', 'summary', 'header', 'heading', value)
  const isImage = /\.(?:png|jpe?g|gif|webp|avif|svg)(?:[?#]|$)/i.test(source ?? '')
  const parts = [
    label === undefined ? '' : `<p><strong>${label}</strong></p>`,
    isImage ? `<img src="${source}" alt="${get('alt') ?? caption ?? label ?? ''}">` : '',
    caption === undefined ? '' : `<p>${caption}</p>`,
  ]
  return parts.join('')
}

function playerOf(name: string, id?: string, source?: string): string | undefined {
  const url = id ?? source
  if (url === undefined) return undefined
  const video = /(?:embed\/|v=|youtu\.be\/)([\w-]+)/.exec(url)?.[1]
  if (/youtube|^yt$/i.test(name)) return `https://www.youtube.com/watch?v=${video ?? url}`
  const isId = /^\d+$/.test(url)
  if (/vimeo/i.test(name)) return isId ? `https://vimeo.com/${url}` : url
  if (/^(?:tweet|twitter|xpost)/i.test(name)) return isId ? `https://x.com/i/status/${url}` : url
  return /^(?:video|audio|iframe|codesandbox|stackblitz|codepen|linkcard)$/i.test(name)
    ? source
    : undefined
}

/** In MDX files removes programs, which show nothing unless run. */
function withoutExpressions(body: string, isMdx: boolean, context: BodyContext): string {
  const { changed, unknown, bodyLine } = context
  if (!isMdx) return body
  // Formulas contain braces, and the attributes of containers have them.
  // regex: a second $$ is missed once at most, and all else is bounded or ends at a dollar
  const opening =
    /\$\$[\s\S]*?\$\$|\$[^\s$](?:[^$\n]*[^\s$])?\$|(?<!\\|^\s{0,9}:{3,9}[\w-]{1,40}(?:\[[^[\]\n]{0,200}\])?)\{(?![#/%])/gm
  return cutParts(body, opening, (offset, match) => {
    const end = match.startsWith('$') ? undefined : endOfBraces(body, offset)
    if (end !== undefined) changed('program in braces → left out')
    else if (!match.startsWith('$'))
      unknown('program in braces has no end', placeAt(body, offset, bodyLine))
    return end
  })
}

// regex: a string of a bounded length in braces
const stringInBraces =
  /\{\s{0,99}(?:"((?:[^"\\\n]|\\.){0,2000})"|'((?:[^'\\\n]|\\.){0,2000})'|`((?:[^`\\$]|\\.){0,2000})`)\s{0,99}\}/g

/** Replaces strings in braces, outside of code and tags, by their text: `{'<'}` is a sign, no tag. */
function withStrings(body: string, { changed }: BodyContext): string {
  if (!/\{\s{0,99}["'`]/.test(body)) return body
  const masked = maskCode(body)
  const tags = findTags(body)
  let tag = 0
  let done = 0
  return body.replace(stringInBraces, (all, double, single, template, index: number) => {
    while ((tags[tag]?.end ?? body.length) <= Math.max(index, done)) tag++
    const { start = index } = tags[tag] ?? {}
    if (masked[index] !== '{' || (start < index && start >= done)) return all
    done = index + all.length
    changed('string in braces → its text')
    return shownText(double ?? single ?? template)
  })
}

function shownText(inner: string): string {
  const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t' }
  const text = inner
    .replace(/\\([\s\S])/g, (_, letter: string) => escapes[letter] ?? letter)
    .replace(/[&<]/g, (letter) => (letter === '&' ? '&amp;' : '&lt;'))
  return text.replaceAll('{', '\uFDD3').replaceAll('}', '\uFDD4')
}

const block =
  'div|section|article|figure|figcaption|center|details|summary|aside|header|footer|main|nav|blockquote|p'
// regex: a list of element names; `[^<>]` ends at the bracket
const tagLine = new RegExp(`^\\s*<(/?)(?:${block})(?:\\s[^<>]*)?>\\s*$`, 'i')

/** MDX reads `<summary>**a**</summary>` as Markdown. */
function besideTags(body: string): string {
  const names = `${block}|li|t[dhr]|d[dt]`
  // regex: one line, which begins with a tag of a list of names
  const line = new RegExp(`^[ \\t]*</?(?:${names})\\b[^<>]*>.+$`, 'gim')
  return replaceOutsideCode(body, line, ([all = '']) =>
    /[*_`[\]~]/.test(all.replace(/<[^<>]*>/g, '')) ? setApart(all, names) : all,
  )
}

interface LineState {
  depth: number
  isInList: boolean
  fence: { readonly sign: string; readonly indent: number } | undefined
}

/**
 * Surrounds lines that contain only a tag by blank lines, so that Markdown between them is parsed. Removes the
 * indentation of lines inside elements, which Markdown would parse as code, except in lists.
 */
function flattenElements(body: string): string {
  const state: LineState = { depth: 0, isInList: false, fence: undefined }
  return body
    .split('\n')
    .flatMap((line) =>
      state.fence === undefined ? flattenLine(line, state) : inFence(line, state),
    )
    .join('\n')
}

function flattenLine(line: string, state: LineState): readonly string[] {
  const [, indent = '', sign] = /^([ \t]*)(`{3,}(?=[^`]*$)|~{3,})/.exec(line) ?? []
  const isItem = /^\s*(?:[-*+]|\d{1,9}[.)])\s/.test(line) && state.depth === 0
  state.isInList = isItem || (state.isInList && !/^\S/.test(line))
  const isFlat = state.depth > 0 && !state.isInList
  if (sign !== undefined) state.fence = { sign, indent: isFlat ? indent.length : 0 }
  const [tag, slash = ''] = tagLine.exec(line) ?? []
  if (sign !== undefined || state.isInList || tag === undefined) {
    const isDeep = /^\s{4,}[^\s`~]/.test(line) && !state.isInList
    return [isFlat || isDeep ? line.trimStart() : line]
  }
  state.depth = Math.max(0, state.depth + 1 - 2 * slash.length)
  return ['', line.trim(), '']
}

function inFence(line: string, state: LineState): readonly string[] {
  const { sign = '', indent = 0 } = state.fence ?? {}
  const [, found = ''] = /^[ \t]*(`{3,}|~{3,})[ \t]*$/.exec(line) ?? []
  if (found[0] === sign[0] && found.length >= sign.length) state.fence = undefined
  return [line.slice(Math.min(indent, line.search(/[^ \t]|$/)))]
}
