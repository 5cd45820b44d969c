// Translates the shortcodes of Hugo, of common themes and of Zola: `{{< name args >}}text{{< /name >}}`.
import { escaped, fenced, linkTo, replaceParts } from '../parts.ts'
import { maskCode, placeAt, replaceOutsideCode } from './code-mask.ts'
import { alert, alertType } from './dialects.ts'
import type { BodyContext } from './generator.ts'
import { withholdsText } from './steps.ts'

/** The parts of a site that shortcodes use. */
export interface ShortcodeSite {
  /** The URL of a page, given the path in `ref`. */
  address(reference: string, context: BodyContext): string
  /** A parameter of the post or of the site. */
  parameter(name: string, context: BodyContext): string | undefined
  /** The template of a shortcode, by the user or by the site. */
  template(name: string): string | undefined
}

interface Shortcode {
  readonly name: string
  readonly positional: readonly string[]
  readonly named: ReadonlyMap<string, string>
  /** The text between the tags; undefined without a closing tag. */
  readonly inner: string | undefined
  /** Offsets of the whole shortcode, and of `inner`. */
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

/** @param offset of the text in the body */
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
  /\{\{[<%]\s{0,9}(\/?)\s{0,9}([\w./-]+)((?:"(?:[^"\\]|\\.)*"|`[^`]*`|[^"`>%{]|[>%](?!\}\})){0,4000}?)[>%]\}\}/g

function findShortcodes(text: string): readonly Shortcode[] {
  const tags = [...text.matchAll(tagPattern)].map((match) => {
    const [whole, slash, name = '', args = ''] = match
    const isEmpty = /\/\s*$/.test(name + args)
    return {
      name: name.replace(/\/$/, ''),
      args: args.trim().replace(/\/$/, ''),
      kind: slash === '/' ? 'close' : isEmpty ? 'empty' : 'open',
      start: match.index,
      end: match.index + whole.length,
    }
  })
  const closing = closings(tags)
  const found: Shortcode[] = []
  for (let at = 0; at < tags.length; at++) {
    const tag = tags[at]
    if (tag === undefined || tag.kind === 'close') continue
    const close = tags[closing.get(at) ?? -1]
    const inner = close === undefined ? undefined : text.slice(tag.end, close.start)
    const { name, start } = tag
    const end = close?.end ?? tag.end
    found.push({ name, ...readArguments(tag.args), inner, start, end, innerStart: tag.end })
    at = closing.get(at) ?? at
  }
  return found
}

/** Closing tags by opening tags, as indexes; each closes the nearest open one of its name. */
function closings(
  tags: readonly { readonly name: string; readonly kind: string }[],
): ReadonlyMap<number, number> {
  const open = new Map<string, number[]>()
  const closing = new Map<number, number>()
  for (const [at, { name, kind }] of tags.entries()) {
    const known = open.get(name) ?? []
    open.set(name, known)
    if (kind === 'open') known.push(at)
    const opening = kind === 'close' ? known.pop() : undefined
    if (opening !== undefined) closing.set(opening, at)
  }
  return closing
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

/** Shortcodes of Zola, `{{ name(key="value") }}` and `{% name() %}text{% end %}`, in the syntax of Hugo. */
export function zolaShortcodes(body: string): string {
  const open: string[] = []
  // regex: every run is bounded, and alternatives begin differently
  const tag =
    /\{([{%])-?\s{0,9}(?:([\w:]{1,99})\(((?:[^()"'`{}]|"[^"]{0,500}"|'[^']{0,500}'|`[^`]{0,500}`){0,500})\)|(end))\s{0,9}-?[%}]\}/g
  // Zola shows `{{/* name() */}}` without the comment, also in code.
  // regex: at most 500 characters from each start
  const plain = body.replace(/\{([{%])\/\*(.{0,500}?)\*\/([%}])\}/g, '{\uFDD6$1$2$3}')
  const made = replaceOutsideCode(plain, tag, ([all = '', sign, name = '', args = '', end]) => {
    if (end) {
      const last = open.pop()
      return last === undefined ? all : `{{< /${last} >}}`
    }
    if (sign === '%') open.push(name)
    const spaced = args.replace(/("[^"]*"|'[^']*'|`[^`]*`)|,/g, (_, text?: string) => text ?? ' ')
    return `{{< ${name} ${spaced.replace(/\s?=\s?/g, '=').trim()} >}}`
  })
  return made.replaceAll('\uFDD6', '')
}

/** Arguments that say how something looks. */
const styles =
  /^(?:class|id|style|width|height|type|colou?r|level|icon|lang|language|align|size|target|rel|loading|theme|position|float|layout|options?|linenos|hl_lines|autoplay|user)$/

function translateOne(shortcode: Shortcode, offset: number, work: Work): string | undefined {
  const { name, innerStart } = shortcode
  const { site, context } = work
  if (shortcode.inner !== undefined && withholdsText(name)) {
    context.changed(`shortcode ${name} → left out with its text`)
    return ''
  }
  const isCode = /^(?:highlight|mermaid|code|katex|math|plantuml)$/.test(name)
  const inner =
    shortcode.inner === undefined || isCode
      ? shortcode.inner
      : translate(shortcode.inner, offset + innerStart, work)
  const made = builtIn(shortcode, work) ?? showTemplated(shortcode, inner, site.template(name))
  const kind = made === '' ? 'nothing' : made === inner ? 'its text' : 'Markdown'
  if (made === undefined) return undefined
  context.changed(`shortcode ${name} → ${kind}`)
  for (const [key, value] of shortcode.named)
    if (!made.includes(escaped(value)) && !made.includes(value) && !styles.test(key))
      context.changed(`argument ${key} of the shortcode ${name} → nothing`)
  return made
}

function showTemplated(
  shortcode: Shortcode,
  inner: string | undefined,
  template: string | undefined,
): string | undefined {
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

/** Fills a template that uses nothing but arguments and the inner text; undefined for others. */
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

/** True for a template that runs a script and has no text. */
function isScript(template: string): boolean {
  const unseen =
    // regex: a template of the site's own theme, which is short
    /<(script|style)\b[\s\S]*?<\/\1>|<[^<>]*>|\{\{-?\s*(?:\/\*|if|else|end|with|range|\$\w+\s*:?=)[^{}]*\}\}/g
  return /<script\b/.test(template) && template.replace(unseen, '').trim() === ''
}

type Handler = (shortcode: Shortcode, work: Work) => string | undefined

function builtIn(shortcode: Shortcode, work: Work): string | undefined {
  // `youtube-80` and `vimeo_wide` are players of a site's own.
  const [name] = /^(?:youtube|vimeo)(?=[-_])/.exec(shortcode.name) ?? [shortcode.name]
  return handlers.get(name)?.(shortcode, work)
}

const reference: Handler = (shortcode, { site, context }) => {
  const path = argument(shortcode, 0, 'path')
  return path === undefined ? undefined : site.address(path, context)
}

const tweet: Handler = (shortcode) => {
  const id = argument(shortcode, shortcode.positional.length - 1, 'id')
  const [first, second] = shortcode.positional
  const user = shortcode.named.get('user') ?? (second === undefined ? 'i' : first)
  return linked(`https://twitter.com/${user}/status/`, id)
}

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
  ['tweet', tweet],
  ['x', tweet],
  ['twitter', tweet],
  [
    'param',
    ({ positional }, { site, context }) => site.parameter(positional[0] ?? '', context) ?? '',
  ],
  ['comment', () => ''],
])

type Theme = (shortcode: Shortcode, inner: string) => string | undefined

/** Shortcodes that many themes define under the same names; those with a closing tag first. */
const enclosing: readonly (readonly [RegExp, Theme])[] = [
  [/^(?:alert|admonition|callout|message|box)$/, notice],
  [
    /^(?:details|expand|collapse|accordion|spoiler)$/,
    (shortcode, inner) =>
      `<details>\n<summary>${titleOf(shortcode) || 'Details'}</summary>\n\n${inner.trim()}\n\n</details>`,
  ],
  [
    /^(?:tab|step|codetab|card)$/,
    (shortcode, inner) =>
      `\n\n${`**${titleOf(shortcode)}**\n\n`.replace(/^\*{4}\s+/, '')}${inner.trim()}\n\n`,
  ],
  [/^(?:mermaid|plantuml)$/, ({ name }, inner) => codeOf(inner, name)],
  [/^(?:button|link|cta)$/, button],
]
const empty: readonly (readonly [RegExp, Theme])[] = [
  [/^(?:button|link|cta)$/, (shortcode) => button(shortcode, undefined)],
  [/^(?:video|audio|asciinema|iframe|pdf)$/, (code) => linked('', argument(code, 0, 'src'))],
  [/^(?:toc|br|clear|icon|hr)$/, () => ''],
]

function themed(shortcode: Shortcode, inner: string | undefined): string | undefined {
  const { name, named } = shortcode
  if (inner !== undefined && alertType(name) !== undefined) return notice(shortcode, inner)
  const themes = inner === undefined ? empty : enclosing
  const [, theme] = themes.find(([names]) => names.test(name)) ?? []
  if (theme !== undefined) return theme(shortcode, inner ?? '')
  const isImage = /\.(?:avif|gif|jpe?g|png|svg|webp)$/i.test(named.get('src') ?? '')
  return isImage || /^(?:img|image|fig|picture)$/.test(name) ? figure(shortcode) : undefined
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

function argument(
  { positional, named }: Shortcode,
  index: number,
  name: string,
): string | undefined {
  return named.get(name) ?? positional[index]
}

function linked(start: string, id: string | undefined): string | undefined {
  return id === undefined ? undefined : linkTo(start + id)
}

function codeOf(code: string | undefined, language: string): string | undefined {
  if (code === undefined) return undefined
  return `\n\n${fenced(code.replace(/^\n/, '').trimEnd(), language)}\n\n`
}

/** The figure described by the arguments of a shortcode; undefined when none is a URL. */
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
  return `<figure>${shown}${text === '' ? '' : `<figcaption>${text}</figcaption>`}</figure>`
}

/** A link that themes show as a button; undefined when no argument is a URL. */
function button({ named, positional }: Shortcode, inner: string | undefined): string | undefined {
  const url = named.get('href') ?? named.get('url') ?? named.get('link') ?? positional[0]
  const text = inner ?? named.get('text') ?? named.get('label') ?? positional[1]
  return url === undefined ? undefined : `<a href="${escaped(url)}">${(text ?? url).trim()}</a>`
}
