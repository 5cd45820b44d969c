// Translates the shortcodes of Hugo, of common themes and of Zola: `{{< name args >}}text{{< /name >}}`.
import { codeBlock, elementOf, escaped, linkTo, playerPage, replaceParts } from '../parts.ts'
import type { BodyContext } from '../site.ts'
import { lineBefore, maskCode } from './code-mask.ts'
import { type Block, blockToMarkdown, withoutMargin } from './dialects.ts'
import { alertType } from './extensions.ts'
import { markdownInElements } from './mdx.ts'
import { withholdsText } from './steps.ts'

/** The parts of a site that shortcodes use. */
export interface ShortcodeSite {
  /** Returns the URL of a page. @param language of the page, if it is stated */
  address?(reference: string, context: BodyContext, language?: string): string
  parameter?(name: string, context: BodyContext): string | undefined
  /** Returns the template of a shortcode, from the user or from the site. */
  template(name: string): string | undefined
}

interface Shortcode {
  readonly name: string
  readonly positional: readonly string[]
  readonly named: ReadonlyMap<string, string>
  readonly before: string
  /** The text between the tags; undefined without a closing tag. */
  readonly inner: string | undefined
  readonly start: number
  readonly end: number
  readonly innerStart: number
}

/** Translates the shortcodes of a body, also in code. @param isZola true for the syntax of Zola */
export function translateShortcodes(
  body: string,
  site: ShortcodeSite,
  context: BodyContext,
  isZola = false,
): string {
  if (!/\{[{%]/.test(body)) return body
  const made = translate(body, 0, { body, site, context, isZola })
  // Escaped shortcodes, `{{</* name */>}}` of Hugo and `{{/* name() */}}` of Zola, are shown without the comment.
  return replaceParts(
    made,
    isZola ? /(\{[{%])\/\*/g : /(\{\{[<%])\/\*/g,
    () => (isZola ? '\\*/[}%]\\}' : '\\*/[>%]\\}\\}'),
    ({ open: [, sign = ''], inner, end }) => sign + inner + made.slice(end - sign.length, end),
  )
}

interface Work {
  readonly body: string
  readonly site: ShortcodeSite
  readonly context: BodyContext
  readonly isZola: boolean
}

function translate(text: string, offset: number, work: Work): string {
  const masked = maskCode(text)
  let result = ''
  let done = 0
  for (const shortcode of findShortcodes(text, work.isZola)) {
    const { name, start, end } = shortcode
    const made = translateOne(shortcode, offset, work, masked[start] !== '{')
    if (made === undefined) {
      work.context.unknown(`shortcode "${name}" has no translation`, work.body, offset + start)
      continue
    }
    result += text.slice(done, start) + made
    // Without a blank line, Markdown after an HTML block would be a part of it.
    if (/^\s*<(?:figure|details)\b/.test(made) && /^\n[^\n]/.test(text.slice(end))) result += '\n'
    done = end
  }
  return result + text.slice(done)
}

const tagPattern =
  /\{\{[<%](?!\/\*)\s{0,9}(\/?)\s{0,9}([\w./-]+)((?:"(?:[^"\\]|\\.)*"|`[^`]*`|[^"`>%{]|[>%](?!\}\})){0,4000}?)[>%]\}\}/g

const zolaPattern =
  /\{([{%])-?\s{0,9}(?:([\w:]{1,99})\(((?:[^()"'`{}]|"[^"]{0,500}"|'[^']{0,500}'|`[^`]{0,500}`){0,500})\)|end)\s{0,9}-?[%}]\}/g

/** Returns the parts of a tag. The name is empty for Zola's `end`, which closes the last open tag. */
function readTag([, sign = '', word = '', given = '']: RegExpExecArray, isZola: boolean) {
  const name = word.replace(/\/$/, '')
  const text = given.trim().replace(/\/$/, '')
  if (!isZola) return { isEnd: sign === '/', name, text, isOpen: !/\/\s*$/.test(word + given) }
  return { isEnd: name === '', name, text: text.replace(/\s?=\s?/g, '='), isOpen: sign === '%' }
}

/** Finds the outermost shortcodes, in order. Each closing tag closes the nearest open tag with its name. */
function findShortcodes(text: string, isZola: boolean): readonly Shortcode[] {
  const found: (Shortcode & { readonly isOpen: boolean })[] = []
  for (const match of text.matchAll(isZola ? zolaPattern : tagPattern)) {
    const { isEnd, name, text: given, isOpen } = readTag(match, isZola)
    const end = match.index + match[0].length
    const at = isEnd ? found.findLastIndex((it) => it.isOpen && ['', it.name].includes(name)) : -1
    const [opening] = at === -1 ? [] : found.splice(at)
    const inner = opening && text.slice(opening.innerStart, match.index)
    if (opening !== undefined) found.push({ ...opening, inner, end, isOpen: false })
    const before = lineBefore(text, match.index)
    const place = { before, inner: undefined, start: match.index, end, innerStart: end }
    const args = readArguments(given)
    // In Zola, arguments without a name are text.
    if (!isEnd && !(isZola && args.positional.length > 0))
      found.push({ name, ...args, ...place, isOpen })
  }
  return found
}

/** Commas after arguments separate them. */
const argumentPattern =
  /([\w-]+)=(?:"((?:[^"\\]|\\.)*)"|`([^`]*)`|'([^']*)'|([^\s"`,]+(?:,+[^\s"`,]+)*))|"((?:[^"\\]|\\.)*)"|'([^']*)'|`([^`]*)`|([^\s"`,]+(?:,+[^\s"`,]+)*)/g

type Arguments = Pick<Shortcode, 'positional' | 'named'>

export function readArguments(text: string): Arguments {
  const positional: string[] = []
  const named = new Map<string, string>()
  for (const [, key, ...values] of text.matchAll(argumentPattern)) {
    const value = (values.find((found) => found !== undefined) ?? '').replace(/\\(.)/g, '$1')
    if (key === undefined) positional.push(value)
    else named.set(key.toLowerCase(), value)
  }
  return { positional, named }
}

function translateOne(shortcode: Shortcode, offset: number, work: Work, isInCode: boolean) {
  const { name, start, end, innerStart } = shortcode
  const { site, context } = work
  // An inline shortcode contains its template.
  if (name.endsWith('.inline')) return undefined
  if (shortcode.inner !== undefined && withholdsText(name)) {
    context.changed(`shortcode ${name} → left out with its text`)
    return ''
  }
  const isCode = /^(?:raw|highlight|mermaid|code|katex|math|plantuml)$/.test(name)
  const inner =
    shortcode.inner === undefined || isCode
      ? shortcode.inner
      : translate(shortcode.inner, offset + innerStart, work)
  const made =
    handlers.find((row) => row[0] === name)?.[1](shortcode, work) ??
    linked(
      inner === undefined ? pageOfPlayer(shortcode) : undefined,
      shortcode.named.get('title'),
    ) ??
    showTemplated(shortcode, inner, site.template(name))
  const kind = made === '' ? 'nothing' : made === inner ? 'its text' : 'Markdown'
  if (made === undefined) return undefined
  // Hugo and Zola show markup in code as markup, which Markdown cannot.
  if (isInCode && /[<\n]/.test(made)) {
    context.stays(`shortcode ${name} in code`)
    return work.body.slice(offset + start, offset + end)
  }
  context.changed(`shortcode ${name} → ${kind}`)
  return made
}

function showTemplated(shortcode: Shortcode, inner?: string, template?: string) {
  // Tabs of Docsy are code unless they state `text`.
  const isCode = shortcode.name === 'tabpane' && shortcode.named.get('text') !== 'true'
  if (template === undefined) return isCode ? undefined : (themed(shortcode, inner) ?? inner)
  const filled = fill(template, shortcode, inner)
  const isMarkdown = /\bmarkdownify\b|\.RenderString\b|\|\s?markdown\b/.test(template)
  return (
    (isMarkdown && filled !== undefined ? markdownInElements(filled) : filled) ??
    themed(shortcode, inner) ??
    (showsInner(template) ? (inner ?? shortcode.named.get('text')) : undefined) ??
    (/<script\b/.test(template) && template.replace(unseen, '').trim() === '' ? '' : undefined)
  )
}

const filters =
  'markdownify|safeHTML|safeURL|safeHTMLAttr|relURL|absURL|htmlUnescape|plainify|trim|\\$?\\.(?:Page\\.)?RenderString'
const source = '(?:\\$?\\.Get\\s+(?:"([\\w-]+)"|`([\\w-]+)`|(\\d+))|\\$?\\.Inner(?:Deindent)?)'
const action = new RegExp(
  `\\{\\{-?\\s*(?:(?:${filters})\\s+)?\\(?${source}\\)?((?:\\s*\\|\\s*(?:${filters}))*)\\s*-?\\}\\}`,
  'g',
)

function fill(template: string, { positional, named }: Shortcode, inner = ''): string | undefined {
  const trimmed = template.replace(/(?<!\s)\s*\{\{-/g, '{{').replace(/-\}\}\s*/g, '}}')
  const plain = trimmed.replace(/\{\{\s{0,9}\/\*[\s\S]{0,2000}?\*\/\s{0,9}\}\}/g, '').trim()
  const rest = plain.replace(action, '')
  if (/\{[{%]|<(?:script|style)\b/.test(rest)) return undefined
  return plain.replace(action, (_, a?: string, b?: string, place?: string) => {
    const key = a ?? b
    if (key !== undefined) return named.get(key.toLowerCase()) ?? ''
    return place === undefined ? inner : (positional[Number(place)] ?? '')
  })
}

/** True for a template that shows the inner text outside of conditions and of hidden elements, and no words of its own. */
function showsInner(template: string): boolean {
  if (/\shidden\b|display:\s?none|<(?:template|dialog)\b|crypt/i.test(template)) return false
  const opening = '\\{[{%]-?\\s*(?:if|with|range|for|block|define)\\b'
  const innermost = new RegExp(
    `${opening}[^{}]*\\}(?:(?!${opening})[\\s\\S])*?\\{[{%]-?\\s*end(?:if|for)?\\s*-?[%}]\\}`,
  )
  let text = template.slice(0, 10_000)
  while (innermost.test(text)) text = text.replace(innermost, '')
  // Templates of Zola have `body` and `text`.
  if (/\{\{-?\s*return\b/.test(template)) return false
  const others = /\{\{(?!-?\s*(?:i18n|T)\b)[^{}]*\}\}|\{%[^%]*%\}|&#?\w+;/g
  const words = template.replace(unseen, '').replace(others, '')
  return shownInner.test(text) && !/[\p{L}\p{N}]/u.test(words)
}

const plainFilters = `(?:${filters}|safe|markdown(?:\\([^()]*\\))?|T|i18n)`
/** `.Inner` of Hugo, or `body` of Zola, with filters that keep its text. */
const shownInner = new RegExp(
  `\\{\\{-?\\s*(?:${plainFilters}\\s+)?\\(?(?:\\$?\\.Inner(?:Deindent)?|body|text)\\)?(?:\\s*\\|\\s*${plainFilters})*\\s*-?\\}\\}`,
)

const unseen =
  /<(script|style)\b[\s\S]*?<\/\1>|<[^<>]*>|\{\{-?\s*(?:\/\*|if|else|end|with|range|\$\w+\s*:?=)[^{}]*\}\}/g

type Handler = (shortcode: Shortcode, work: Work) => string | undefined

const reference: Handler = (shortcode, { site, context }) => {
  const path = shortcode.named.get('path') ?? shortcode.positional[0]
  return path && (site.address?.(path, context, shortcode.named.get('lang')) ?? path)
}

export const handlers: readonly (readonly [name: string, handle: Handler])[] = [
  ['ref', reference],
  ['relref', reference],
  ['highlight', (it) => it.inner && codeBlock(it.inner, it.positional[0] ?? '', it.before)],
  [
    'param',
    ({ positional: [name = ''] }, { site, context }) => site.parameter?.(name, context) ?? '',
  ],
]

const imageName = /\.(?:avif|gif|jpe?g|png|svg|webp)$/i

function themed(shortcode: Shortcode, inner: string | undefined): string | undefined {
  const { name, named, positional } = shortcode
  const text = inner ?? named.get('text')
  const isImage = imageName.test(named.get('src') ?? '')
  if (/^(?:button|link|cta)$/.test(name)) return linked(named.get('href') ?? positional[0], text)
  const block = blockOf(name, shortcode, shortcode.before)
  const made = text === undefined ? undefined : blockToMarkdown(block, withoutMargin(text))
  if (made !== undefined) return made
  if (inner === undefined && /^(?:toc|br|clear|icon|hr)$/.test(name)) return ''
  if (isImage || /^(?:img|image|fig(?:ure)?|picture)$/.test(name)) return figure(shortcode, true)
  const url = named.get('src') ?? positional[0]
  return inner === undefined && /^https?:/.test(url ?? '') ? linked(url) : undefined
}

/** `{{< gist user id >}}`, `{{< tweet user id >}}`, `{{< youtube id >}}` */
function pageOfPlayer({ name, named, positional }: Shortcode): string | undefined {
  const id = /^gist/.test(name)
    ? positional.slice(0, 2).join('/')
    : positional.at(/^tw/.test(name) ? -1 : 0)
  return playerPage(name, named.get('id') ?? named.get('src') ?? id)
}

/** Blocks that are labelled, also by one bare word, which is an option of others. */
const labelled = /tab|fold|toggle|detail|spoiler|step|collapse|accordion|timeline/i
/** Options of a block that are not part of its label: `{% note warning A label %}`, `{% folding green, A label %}`. */
const blockStyles =
  /^(?:true|false|open|close|simple|modern|flat|disabled|no-icon|left|right|center|display|-|(?:light|dark)?-?(?:red|green|blue|cyan|yellow|orange|purple|pink|gr[ae]y)|#[\da-f]{3,8}|\w+:(?!\/\/).*)$/i

/** Returns a block with its types and its title. */
export function blockOf(name: string, { positional, named }: Arguments, before: string): Block {
  const given = (keys: string) => keys.split(' ').flatMap((key) => named.get(key) || [])
  const isLabel = (word: string) => !blockStyles.test(word) && alertType(word) === undefined
  const words = positional.filter(isLabel).join(' ')
  const isOption = !labelled.test(name) && /^(?:[a-z-]+|\d{1,2})$/.test(words)
  const [title = isOption ? '' : words] = given('title summary name header label')
  const types = [...given('type color level style'), ...positional]
  return { name, types, title, before }
}

function linked(url: string | undefined, text?: string): string | undefined {
  return url === undefined ? undefined : linkTo(url, text?.trim())
}

/** `src="a.png" caption="C"`, or in Jekyll and Hexo `class img/a.png 300 "A text"`. */
export function figure({ named, positional }: Arguments, isBlock = false): string | undefined {
  const path = positional.find((word) => /[./]/.test(word) && !/\s/.test(word)) ?? positional[0]
  const src = named.get('src') ?? named.get('url') ?? named.get('link') ?? path
  if (src === undefined) return undefined
  const words = positional
    .slice(1 + positional.indexOf(src))
    .filter((word) => !/^\d+%?$/.test(word))
  const keys = ['title', 'caption', 'attr']
  const [title = '', caption = '', attr = ''] = keys.map((key) => named.get(key))
  const alt = named.get('alt') ?? (words.join(' ') || caption || title)
  const image = `<img src="${escaped(src)}" alt="${escaped(alt)}">`
  const href = named.get('href') ?? (named.has('src') ? named.get('link') : undefined)
  const shown = href === undefined ? image : `<a href="${escaped(href)}">${image}</a>`
  const text = [...new Set([title, caption, attr])].filter(Boolean).join(' ').trim()
  const below = text === '' ? '' : elementOf('figcaption', text)
  return isBlock || below ? `<figure>${shown}${below}</figure>` : shown
}
