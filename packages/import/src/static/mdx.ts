// Converts MDX to Markdown: removes imports and exports, and replaces components by their children and visible
// attributes.
import { alertType } from './alerts.ts'
import { maskCode, placeAt, replaceOutsideCode } from './code-mask.ts'
import { showComponent } from './components.ts'
import type { BodyContext } from './generator.ts'
import { endOfBraces, findTags, type JsxAttribute, type JsxTag } from './jsx-tags.ts'
import { flattenElements } from './mdx-lines.ts'

/** True for a body with components, imports, MDX comments or attributes that are programs. */
export function usesMdx(body: string): boolean {
  if (!/<[A-Z]|\{\/\*|^import\s|=\{/m.test(body)) return false
  let found = false
  const note = (): string => {
    found = true
    return ''
  }
  replaceOutsideCode(
    body,
    /^import\s.+\sfrom\s+['"]|<[A-Z][\w.]*[\s/>]|\{\/\*|<[a-z][^<>]*\s\w+=\{/gm,
    note,
  )
  return found
}

/** Converts an MDX body to Markdown; notices become containers (`:::note`). @param isMdx false if braces may be text */
export function mdxToMarkdown(
  body: string,
  context: BodyContext,
  isMdx: boolean = context.head.file.path.endsWith('.mdx'),
): string {
  const files = importedFiles(body)
  const strings = withStrings(body, context)
  const headings = replaceOutsideCode(strings, headingComment, ([all = '', id = ''], offset) =>
    /^#{1,6} /.test(strings.slice(strings.lastIndexOf('\n', offset) + 1, offset))
      ? ` {#${id}}`
      : all,
  )
  const plain = withoutModules(headings)
  const untagged = translateTags(plain, files, context)
  const made = flattenElements(withoutExpressions(untagged, files, isMdx, context))
  return braces.reduce((text, [brace, placeholder]) => text.replaceAll(placeholder, brace), made)
}

/** Imported images and other files, by name. */
function importedFiles(body: string): ReadonlyMap<string, string> {
  const found = body.split('\n').flatMap((line) => {
    const [, name, url = ''] = /^import\s+([\w$]+)\s+from\s+['"]([^'"]+)['"]/.exec(line) ?? []
    const [path = ''] = url.split('?', 1)
    return name !== undefined && /\.\w{2,5}$/.test(path) ? [[name, path] as const] : []
  })
  return new Map(found)
}

const headingComment =
  /[ \t]\{[ \t]{0,9}\/\*[ \t]{0,9}#?([\w.:-]{1,200})[ \t]{0,9}\*\/[ \t]{0,9}\}[ \t]{0,9}$/gm
const importLine =
  /^import\s(?:[^'"\n\r\u2028\u2029;{]*|[^'"\n\r\u2028\u2029;{]*\{[^{}'";]*\}[^'"\n\r\u2028\u2029;{}]*)['"][^'"\n\r\u2028\u2029]+['"][ \t]{0,9};?[ \t]{0,9}$/gm
const exportStart =
  /^export\s+(?:const|let|var|function|default|async|class|type|interface|\{|\*)/gm

function withoutModules(body: string): string {
  const text = replaceOutsideCode(body, importLine, () => '')
  let result = ''
  let done = 0
  replaceOutsideCode(text, exportStart, (_, offset) => {
    if (offset < done) return ''
    result += text.slice(done, offset)
    done = endOfStatement(text, offset)
    return ''
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

function translateTags(
  body: string,
  files: ReadonlyMap<string, string>,
  context: BodyContext,
): string {
  const tags = findTags(body)
  const notices = noticeTags(body, tags)
  let result = ''
  let done = 0
  for (const tag of tags) {
    result += body.slice(done, tag.start)
    const resolved = {
      ...tag,
      attributes: tag.attributes.map((attribute) => resolve(attribute, files)),
    }
    result += notices.has(tag)
      ? container(resolved)
      : translateTag(resolved, body.slice(tag.start, tag.end), context)
    done = tag.end
  }
  return result + body.slice(done)
}

/** Resolves `{image}`, `{require('./x.png').default}` and `{useBaseUrl('x.png')}` to paths. */
function resolve(attribute: JsxAttribute, files: ReadonlyMap<string, string>): JsxAttribute {
  const { code } = attribute
  if (code === undefined) return attribute
  const called = /^(?:require|useBaseUrl)\(\s*['"]([^'"]+)['"]\s*\)(?:\.default)?$/.exec(code)?.[1]
  const text = called ?? files.get(code.replace(/\.src$/, ''))
  return text === undefined ? attribute : { ...attribute, text, code: undefined }
}

/** Tags of notice components that are alone on their lines. */
function noticeTags(body: string, tags: readonly JsxTag[]): ReadonlySet<JsxTag> {
  const found = new Set<JsxTag>()
  const open: JsxTag[] = []
  for (const tag of tags) {
    if (noticeType(tag) === undefined && tag.kind !== 'close') continue
    if (tag.kind === 'open' && isAlone(body, tag)) open.push(tag)
    const last = open.at(-1)
    if (tag.kind !== 'close' || last?.name !== tag.name) continue
    open.pop()
    if (!isAlone(body, tag)) continue
    found.add(last)
    found.add(tag)
  }
  return found
}

const generic: ReadonlySet<string> = new Set([
  'Aside',
  'Admonition',
  'Callout',
  'Alert',
  'AlertBox',
  'Notice',
  'Message',
])

function noticeType({ name, attributes }: Pick<JsxTag, 'name' | 'attributes'>): string | undefined {
  if (!/^[A-Z]/.test(name)) return undefined
  const stated = attributes.find((attribute) =>
    ['type', 'level', 'variant', 'kind'].includes(attribute.name),
  )?.text
  return generic.has(name)
    ? alertType(stated ?? 'note') === undefined
      ? 'note'
      : (stated ?? 'note')
    : alertType(name) && name.toLowerCase()
}

function isAlone(body: string, { start, end }: JsxTag): boolean {
  const before = body.slice(body.lastIndexOf('\n', start - 1) + 1, start)
  const after = /^[^\n]*/.exec(body.slice(end, end + 200))?.[0] ?? ''
  return before.trim() === '' && after.trim() === ''
}

/** More colons than usual, so that nested containers end before this one. */
function container(tag: JsxTag): string {
  if (tag.kind === 'close') return ':::::::'
  const title = tag.attributes.find(({ name }) => name === 'title')?.text ?? ''
  return `:::::::${noticeType(tag)}${title === '' ? '' : `[${title}]`}`
}

function translateTag(tag: JsxTag, written: string, { changed }: BodyContext): string {
  if (/^[a-z]/.test(tag.name))
    return tag.attributes.some(({ code }) => code !== undefined) || written.includes('{')
      ? htmlTag(tag)
      : written
  if (tag.kind === 'close' || tag.name === '') return ''
  const shown = showComponent(tag)
  const nothing = tag.kind === 'empty' ? 'nothing' : 'its children'
  changed(`component ${tag.name} → ${shown === '' ? nothing : 'what it shows'}`)
  return shown
}

/** An HTML tag without attributes that are programs. */
function htmlTag({ name, kind, attributes }: JsxTag): string {
  if (kind === 'close') return `</${name}>`
  const kept = attributes.filter(({ text, name: key }) => text !== undefined && key !== '...')
  const texts = kept.map(
    ({ name: key, text = '' }) => ` ${key}="${text.replaceAll('"', '&quot;')}"`,
  )
  return `<${name}${texts.join('')}${kind === 'empty' ? ' /' : ''}>`
}

/** In MDX files removes programs, which show nothing unless run. */
function withoutExpressions(
  body: string,
  files: ReadonlyMap<string, string>,
  isMdx: boolean,
  { changed, unknown, bodyLine }: BodyContext,
): string {
  const linked = replaceOutsideCode(
    body,
    /(\]\()\{\s*([\w$]+)(?:\.src)?\s*\}/g,
    ([all = '', start = '', name = '']) => {
      const path = files.get(name)
      return path === undefined ? all : `${start}${path}`
    },
  )
  if (!isMdx) return linked
  let result = ''
  let done = 0
  const opening = /\$\$[\s\S]*?\$\$|\$[^\s$](?:[^$\n]*[^\s$])?\$|(?<!\\)\{(?![#/%{])/g
  replaceOutsideCode(linked, opening, ([all = ''], offset) => {
    // Formulas contain braces.
    if (all.startsWith('$') || offset < done) return all
    const end = endOfBraces(linked, offset)
    if (end === undefined) {
      unknown('program in braces has no end', placeAt(linked, offset, bodyLine))
      return all
    }
    result += linked.slice(done, offset)
    done = end
    changed('program in braces → left out')
    return ''
  })
  return result + linked.slice(done)
}

// Placeholders for braces of strings: Unicode noncharacters, which no site contains.
const braces: readonly (readonly [string, string])[] = [
  ['{', '\uFDD3'],
  ['}', '\uFDD4'],
]

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

/** Markdown that shows a string of a program. */
function shownText(inner: string): string {
  const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t' }
  const text = inner
    .replace(/\\([\s\S])/g, (_, letter: string) => escapes[letter] ?? letter)
    .replace(/[&<]/g, (letter) => (letter === '&' ? '&amp;' : '&lt;'))
  return braces.reduce((made, [brace, placeholder]) => made.replaceAll(brace, placeholder), text)
}
