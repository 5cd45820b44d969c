// Translates the shortcodes of Hugo, of common themes and of Zola: `{{< name args >}}text{{< /name >}}`.
import { detailsOf, elementOf, escaped, fenced, linkTo, replaceParts } from '../parts.ts'
import type { BodyContext } from '../site.ts'
import { maskCode, placeAt, replaceOutsideCode } from './code-mask.ts'
import { alert, alertType } from './dialects.ts'
import { withholdsText } from './steps.ts'

/** The parts of a site that shortcodes use. */
export interface ShortcodeSite {
  address?(reference: string, context: BodyContext): string
  parameter?(name: string, context: BodyContext): string | undefined
  /** The template of a shortcode, by the user or by the site. */
  template(name: string): string | undefined
}

interface Shortcode {
  readonly name: string
  readonly positional: readonly string[]
  readonly named: ReadonlyMap<string, string>
  /** The text between the tags; undefined without a closing tag. */
  readonly inner: string | undefined
  readonly start: number
  readonly end: number
  readonly innerStart: number
}

/** Translates the shortcodes of a body, except those in code. */
export function translateShortcodes(
  body: string,
  site: ShortcodeSite,
  context: BodyContext,
): string {
  if (!/\{\{[<%]/.test(body)) return body
  const made = translate(body, 0, { body, site, context })
  // Hugo shows escaped shortcodes, `{{</* name */>}}`, as text.
  return replaceParts(
    made,
    /\{\{([<%])\/\*/g,
    () => '\\*/[>%]\\}\\}',
    ({ open: [, sign = ''], inner, end }) => `{{${sign}${inner}${made.slice(end - 3, end)}`,
  )
}

interface Work {
  readonly body: string
  readonly site: ShortcodeSite
  readonly context: BodyContext
}

function translate(text: string, offset: number, work: Work): string {
  const masked = maskCode(text)
  let result = ''
  let done = 0
  for (const shortcode of findShortcodes(text)) {
    if (masked[shortcode.start] !== '{') continue
    const made = translateOne(shortcode, offset, work)
    if (made === undefined) {
      const place = placeAt(work.body, offset + shortcode.start, work.context.bodyLine)
      work.context.unknown(`shortcode "${shortcode.name}" has no translation`, place)
    }
    result += text.slice(done, shortcode.start)
    result += made ?? text.slice(shortcode.start, shortcode.end)
    // Without a blank line, Markdown after an HTML block would be a part of it.
    if (/^\s*<(?:figure|details)\b/.test(made ?? '') && /^\n[^\n]/.test(text.slice(shortcode.end)))
      result += '\n'
    done = shortcode.end
  }
  return result + text.slice(done)
}

// regex: texts in quotes and others exclude each other, in a tag of at most 4,000 characters
const tagPattern =
  /\{\{[<%](?!\/\*)\s{0,9}(\/?)\s{0,9}([\w./-]+)((?:"(?:[^"\\]|\\.)*"|`[^`]*`|[^"`>%{]|[>%](?!\}\})){0,4000}?)[>%]\}\}/g

/** The outermost shortcodes, in order; each closing tag closes the nearest open one of its name. */
function findShortcodes(text: string): readonly Shortcode[] {
  const found: (Shortcode & { readonly isOpen: boolean })[] = []
  for (const match of text.matchAll(tagPattern)) {
    const [whole, slash, word = '', given = ''] = match
    const name = word.replace(/\/$/, '')
    const end = match.index + whole.length
    const at = slash === '/' ? found.findLastIndex((tag) => tag.isOpen && tag.name === name) : -1
    const [opening] = at === -1 ? [] : found.splice(at)
    const inner = opening && text.slice(opening.innerStart, match.index)
    if (opening !== undefined) found.push({ ...opening, inner, end, isOpen: false })
    if (slash === '/') continue
    const args = readArguments(given.trim().replace(/\/$/, ''))
    const place = { inner: undefined, start: match.index, end, innerStart: end }
    found.push({ name, ...args, ...place, isOpen: !/\/\s*$/.test(word + given) })
  }
  return found
}

const argumentPattern =
  /([\w-]+)=(?:"((?:[^"\\]|\\.)*)"|`([^`]*)`|([^\s"`]+))|"((?:[^"\\]|\\.)*)"|`([^`]*)`|([^\s"`]+)/g

function readArguments(text: string): Pick<Shortcode, 'positional' | 'named'> {
  const positional: string[] = []
  const named = new Map<string, string>()
  for (const [, key, ...values] of text.matchAll(argumentPattern)) {
    const value = (values.find((found) => found !== undefined) ?? '').replace(/\\(.)/g, '$1')
    if (key === undefined) positional.push(value)
    else named.set(key.toLowerCase(), value)
  }
  return { positional, named }
}

/** Translates the shortcodes of Zola; those without a translation stay as they are written. */
export function translateZola(body: string, site: ShortcodeSite, context: BodyContext): string {
  const written = new Map<string, string>()
  const made = translateShortcodes(zolaShortcodes(body, written), site, context)
  return [...written].reduce((text, [hugo, zola]) => text.replaceAll(hugo, () => zola), made)
}

/** Shortcodes of Zola, `{{ name(key="value") }}` and `{% name() %}text{% end %}`, in the syntax of Hugo. */
function zolaShortcodes(body: string, written: Map<string, string>): string {
  const open: string[] = []
  // regex: every run is bounded, and alternatives begin differently
  const tag =
    /\{([{%])-?\s{0,9}(?:([\w:]{1,99})\(((?:[^()"'`{}]|"[^"]{0,500}"|'[^']{0,500}'|`[^`]{0,500}`){0,500})\)|(end))\s{0,9}-?[%}]\}/g
  const noted = (hugo: string, zola: string) => {
    written.set(hugo, zola)
    return hugo
  }
  // Zola shows `{{/* name() */}}` without the comment, also in code.
  // regex: at most 500 characters from each start
  const plain = body.replace(/\{([{%])\/\*(.{0,500}?)\*\/([%}])\}/g, '{\uFDD6$1$2$3}')
  const made = replaceOutsideCode(plain, tag, ([all = '', sign, name = '', args = '', end]) => {
    if (end) {
      const last = open.pop()
      return last === undefined ? all : noted(`{{< /${last} >}}`, all)
    }
    if (sign === '%') open.push(name)
    const spaced = args.replace(/("[^"]*"|'[^']*'|`[^`]*`)|,/g, (_, text?: string) => text ?? ' ')
    return noted(`{{< ${name} ${spaced.replace(/\s?=\s?/g, '=').trim()} >}}`, all)
  })
  return made.replaceAll('\uFDD6', '')
}

const styles =
  /^(?:class|id|style|width|height|type|colou?r|level|icon|lang|language|align|size|target|rel|loading|theme|position|float|layout|options?|linenos|hl_lines|autoplay|user)$/

function translateOne(shortcode: Shortcode, offset: number, work: Work): string | undefined {
  const { name, innerStart } = shortcode
  const { site, context } = work
  if (shortcode.inner !== undefined && withholdsText(name)) {
    context.changed(`shortcode ${name} → left out with its text`)
    return ''
  }
  const isCode = /^(?:raw|highlight|mermaid|code|katex|math|plantuml)$/.test(name)
  const inner =
    shortcode.inner === undefined || isCode
      ? shortcode.inner
      : translate(shortcode.inner, offset + innerStart, work)
  // `youtube-80` and `vimeo_wide` are players of a site's own.
  const [base] = /^(?:youtube|vimeo)(?=[-_])/.exec(name) ?? [name]
  const made =
    handlers.get(base)?.(shortcode, work) ?? showTemplated(shortcode, inner, site.template(name))
  const kind = made === '' ? 'nothing' : made === inner ? 'its text' : 'Markdown'
  if (made === undefined) return undefined
  context.changed(`shortcode ${name} → ${kind}`)
  for (const [key, value] of shortcode.named)
    if (!made.includes(escaped(value)) && !made.includes(value) && !styles.test(key))
      context.changed(`argument ${key} of the shortcode ${name} → nothing`)
  return made
}

function showTemplated(shortcode: Shortcode, inner?: string, template?: string) {
  if (template === undefined) return themed(shortcode, inner) ?? inner
  return (
    fill(template, shortcode, inner) ??
    themed(shortcode, inner) ??
    (showsInner(template) ? inner : undefined) ??
    (isScript(template) ? '' : undefined)
  )
}

const filters =
  'markdownify|safeHTML|safeURL|safeHTMLAttr|relURL|absURL|htmlUnescape|plainify|trim|\\$?\\.(?:Page\\.)?RenderString'
const source = '(?:\\$?\\.Get\\s+(?:"([\\w-]+)"|`([\\w-]+)`|(\\d+))|\\$?\\.Inner(?:Deindent)?)'
// regex: an action with one source, between filters of constant names
const action = new RegExp(
  `\\{\\{-?\\s*(?:(?:${filters})\\s+)?\\(?${source}\\)?((?:\\s*\\|\\s*(?:${filters}))*)\\s*-?\\}\\}`,
  'g',
)

function fill(template: string, { positional, named }: Shortcode, inner = ''): string | undefined {
  const trimmed = template.replace(/(?<!\s)\s*\{\{-/g, '{{').replace(/-\}\}\s*/g, '}}')
  // regex: a comment of a bounded length
  const plain = trimmed.replace(/\{\{\s{0,9}\/\*[\s\S]{0,2000}?\*\/\s{0,9}\}\}/g, '').trim()
  const rest = plain.replace(action, '')
  if (rest.includes('{{') || /<(?:script|style)\b/.test(rest)) return undefined
  return plain.replace(action, (_, a?: string, b?: string, place?: string) => {
    const key = a ?? b
    if (key !== undefined) return named.get(key.toLowerCase()) ?? ''
    return place === undefined ? inner : (positional[Number(place)] ?? '')
  })
}

/** True for a template that shows the inner text outside of conditions and of hidden elements. */
function showsInner(template: string): boolean {
  if (/\shidden\b|display:\s?none|<(?:template|dialog)\b|crypt/i.test(template)) return false
  const opening = '\\{\\{-?\\s*(?:if|with|range|block|define)\\b'
  // regex: a block without others in it
  const innermost = new RegExp(
    `${opening}[^{}]*\\}\\}(?:(?!${opening})[\\s\\S])*?\\{\\{-?\\s*end\\s*-?\\}\\}`,
  )
  let text = template.slice(0, 10_000)
  while (innermost.test(text)) text = text.replace(innermost, '')
  return /\{\{-?\s*(?:\w+ |\$?\.(?:Page\.)?RenderString )?\$?\.Inner\b/.test(text)
}

function isScript(template: string): boolean {
  const unseen =
    // regex: a template of the site's own theme, which is short
    /<(script|style)\b[\s\S]*?<\/\1>|<[^<>]*>|\{\{-?\s*(?:\/\*|if|else|end|with|range|\$\w+\s*:?=)[^{}]*\}\}/g
  return /<script\b/.test(template) && template.replace(unseen, '').trim() === ''
}

type Handler = (shortcode: Shortcode, work: Work) => string | undefined

const reference: Handler = (shortcode, { site, context }) => {
  const path = argument(shortcode, 0, 'path')
  const language = shortcode.named.get('lang')
  if (language === undefined || context.head.file.path.includes(`/${language}/`))
    return path && (site.address?.(path, context) ?? path)
  context.changed('reference to another language → a path')
  return path && `/${language}/${path.replace(/^\/|\.md$/g, '')}/`
}

const tweet: Handler = (shortcode) =>
  linked('https://x.com/i/status/', argument(shortcode, shortcode.positional.length - 1, 'id'))

const player =
  (start: string): Handler =>
  (shortcode) =>
    linked(start, argument(shortcode, 0, 'id'))

const handlers: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['ref', reference],
  ['relref', reference],
  ['figure', (shortcode) => figure(shortcode)],
  ['highlight', ({ inner, positional }) => codeOf(inner, positional[0] ?? '')],
  ['youtube', player('https://www.youtube.com/watch?v=')],
  ['vimeo', player('https://vimeo.com/')],
  ['instagram', player('https://www.instagram.com/p/')],
  [
    'gist',
    ({ positional }) =>
      linked('https://gist.github.com/', positional.slice(0, 2).join('/') || undefined),
  ],
  ...['tweet', 'x', 'twitter'].map((name) => [name, tweet] as const),
  [
    'param',
    ({ positional: [name = ''] }, { site, context }) => site.parameter?.(name, context) ?? '',
  ],
  ['comment', () => ''],
])

function themed(shortcode: Shortcode, inner: string | undefined): string | undefined {
  const { name, named } = shortcode
  const isImage = /\.(?:avif|gif|jpe?g|png|svg|webp)$/i.test(named.get('src') ?? '')
  if (/^(?:button|link|cta)$/.test(name))
    return linked('', argument(shortcode, 0, 'href'), inner ?? named.get('text'))
  const made = inner === undefined ? undefined : enclosing(shortcode, inner)
  if (made !== undefined) return made
  if (inner === undefined && /^(?:toc|br|clear|icon|hr)$/.test(name)) return ''
  if (inner === undefined && /^(?:video|audio|asciinema|iframe|pdf)$/.test(name))
    return linked('', argument(shortcode, 0, 'src'))
  if (isImage || /^(?:img|image|fig|picture)$/.test(name)) return figure(shortcode)
  // A player of a theme.
  const url = argument(shortcode, 0, 'src')
  return inner === undefined && /^https?:/.test(url ?? '') ? linked('', url) : undefined
}

function enclosing(shortcode: Shortcode, inner: string): string | undefined {
  const { name, named, positional } = shortcode
  if (alertType(name) !== undefined || /^(?:alert|admonition|callout|message|box)$/.test(name))
    return notice(shortcode, inner)
  const title = titleOf(shortcode)
  if (/^(?:details|expand|collapse|accordion|spoiler)$/.test(name))
    return detailsOf(title, inner.trim())
  if (/^(?:tab|step|codetab|card)$/.test(name))
    return `\n\n${title.trim() === '' ? '' : `**${title}**\n\n`}${inner.trim()}\n\n`
  // Formulas, which reach the build as they are.
  const sign = positional[0] === 'display' || named.has('display') ? '$$' : '$'
  if (/^(?:katex|math|latex)$/.test(name)) return sign + inner.trim() + sign
  return /^(?:mermaid|plantuml)$/.test(name) ? codeOf(inner, name) : undefined
}

function titleOf({ named, positional }: Shortcode): string {
  const keys = ['title', 'summary', 'name', 'header', 'label']
  return keys.map((key) => named.get(key)).find((text) => text !== undefined) ?? positional[0] ?? ''
}

function notice({ name, named, positional }: Shortcode, inner: string): string {
  const stated = ['type', 'color', 'level', 'style'].map((key) => named.get(key) ?? '')
  const type = [...stated, ...positional, name].map(alertType).find((found) => found !== undefined)
  const title = named.get('title') ?? positional.find((word) => alertType(word) === undefined) ?? ''
  // A common indentation would turn the lines into code.
  const indents = inner.match(/^[ ]*(?=\S)/gm) ?? ['']
  const shared = Math.min(...indents.map((indent) => indent.length))
  const lines = inner.split('\n').map((line) => line.slice(Math.min(shared, line.search(/\S|$/))))
  return `\n\n${alert(type ?? 'NOTE', lines.join('\n'), title)}\n\n`
}

function argument({ positional, named }: Shortcode, index: number, name: string) {
  return named.get(name) ?? positional[index]
}

function linked(start: string, id: string | undefined, text?: string): string | undefined {
  return id === undefined ? undefined : linkTo(start + id, text?.trim())
}

function codeOf(code: string | undefined, language: string): string | undefined {
  if (code === undefined) return undefined
  return `\n\n${fenced(code.replace(/^\n/, '').trimEnd(), language)}\n\n`
}

function figure({ named, positional }: Shortcode): string | undefined {
  const src = named.get('src') ?? named.get('url') ?? named.get('link') ?? positional[0]
  if (src === undefined) return undefined
  const [title = '', caption = '', attr = ''] = ['title', 'caption', 'attr'].map((key) =>
    named.get(key),
  )
  const alt = named.get('alt') ?? positional[1] ?? (caption || title)
  const image = `<img src="${escaped(src)}" alt="${escaped(alt)}">`
  const href = named.get('href') ?? (named.has('src') ? named.get('link') : undefined)
  const shown = href === undefined ? image : `<a href="${escaped(href)}">${image}</a>`
  const text = [...new Set([title, caption, attr])].filter(Boolean).join(' ').trim()
  return `<figure>${shown}${text === '' ? '' : elementOf('figcaption', text)}</figure>`
}
