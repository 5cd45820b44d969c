// Translates the shortcodes of Hugo and of common themes.
import { alert, alertType } from './alerts.ts'
import { maskCode, placeAt } from './code-mask.ts'
import { escaped, linkTo } from './embeds.ts'
import type { BodyContext } from './generator.ts'
import { findShortcodes, type Shortcode, unescapeShortcodes } from './shortcode-syntax.ts'
import { withholdsText } from './unshown.ts'

/** The parts of a site that shortcodes use. */
export interface ShortcodeSite {
  /** The URL of a page, given the path in `ref`. */
  address(reference: string, context: BodyContext): string
  /** Files next to a post that match a pattern such as `images/*`, named as in its body. */
  siblingFiles(pattern: string, context: BodyContext): readonly string[]
  /** A parameter of the post or of the site. */
  parameter(name: string, context: BodyContext): string | undefined
  /** The output of a custom template of the site; undefined when there is none, or only Hugo can run it. */
  template(
    shortcode: Shortcode,
    inner: string | undefined,
    context: BodyContext,
  ): string | undefined
  /** True for a custom template of the site that may show the text of a shortcode on a condition, or never. */
  mayHideText(shortcode: Shortcode): boolean
}

/** Translates the shortcodes of a body. Shortcodes in code are text, unless a template produces them. */
export function translateShortcodes(
  body: string,
  site: ShortcodeSite,
  context: BodyContext,
): string {
  if (!/\{\{[<%]/.test(body)) return body
  return unescapeShortcodes(translate(body, 0, { body, site, context }))
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
    // `ref` in a code span is text; a block shortcode may contain code.
    if (masked[shortcode.start] !== '{') continue
    const whole = text.slice(shortcode.start, shortcode.end)
    result += text.slice(done, shortcode.start)
    const made = translateOne(shortcode, offset, work)
    if (made === undefined) {
      const place = placeAt(work.body, offset + shortcode.start, work.context.bodyLine)
      work.context.unknown(`shortcode "${shortcode.name}" has no translation`, place)
    }
    // Without a blank line, Markdown after an HTML block would be a part of it.
    const isBlock = /^<(?:figure|details|div|p|table|section|blockquote|ul|ol)\b/.test(
      made?.trim() ?? '',
    )
    result +=
      (made ?? whole) +
      (isBlock && /^\n[^\n]/.test(text.slice(shortcode.end, shortcode.end + 2)) ? '\n' : '')
    done = shortcode.end
  }
  return result + text.slice(done)
}

function translateOne(shortcode: Shortcode, offset: number, work: Work): string | undefined {
  const { name, innerStart } = shortcode
  if (shortcode.inner !== undefined && withholdsText(name)) {
    work.context.changed(`shortcode ${name} → left out with its text`)
    return ''
  }
  const isCode = codeNames.has(name)
  const inner =
    shortcode.inner === undefined || isCode
      ? shortcode.inner
      : translate(shortcode.inner, offset + innerStart, work)
  const made =
    known(shortcode, inner, work) ??
    work.site.template(shortcode, inner, work.context) ??
    themed(shortcode, inner) ??
    (work.site.mayHideText(shortcode) ? undefined : inner) ??
    essentialArgument(shortcode)
  if (made !== undefined)
    work.context.changed(`shortcode ${name} → ${made === inner ? 'its text' : 'Markdown'}`)
  return made
}

const codeNames: ReadonlySet<string> = new Set([
  'highlight',
  'mermaid',
  'code',
  'katex',
  'math',
  'plantuml',
])

type Handler = (shortcode: Shortcode, inner: string | undefined, work: Work) => string | undefined

/** The shortcodes built into Hugo. */
function known(shortcode: Shortcode, inner: string | undefined, work: Work): string | undefined {
  const handler = Object.hasOwn(handlers, shortcode.name) ? handlers[shortcode.name] : undefined
  return handler?.(shortcode, inner, work)
}

const reference: Handler = (shortcode, _, { site, context }) => {
  const path = argument(shortcode, 0, 'path')
  return path === undefined ? undefined : site.address(path, context)
}

const tweet: Handler = (shortcode) => {
  const id = argument(shortcode, shortcode.positional.length - 1, 'id')
  const user =
    shortcode.named.get('user') ??
    (shortcode.positional.length > 1 ? shortcode.positional[0] : undefined)
  return id === undefined ? undefined : linkTo(`https://twitter.com/${user ?? 'i'}/status/${id}`)
}

const handlers: Readonly<Record<string, Handler>> = {
  ref: reference,
  relref: reference,
  figure: (shortcode) => figure(shortcode),
  highlight: (shortcode, inner) =>
    inner === undefined ? undefined : fenced(inner, shortcode.positional[0] ?? ''),
  youtube: (shortcode) => linked('https://www.youtube.com/watch?v=', argument(shortcode, 0, 'id')),
  vimeo: (shortcode) => linked('https://vimeo.com/', argument(shortcode, 0, 'id')),
  instagram: (shortcode) => linked('https://www.instagram.com/p/', argument(shortcode, 0, 'id')),
  gist: (shortcode) =>
    linked('https://gist.github.com/', shortcode.positional.slice(0, 2).join('/') || undefined),
  tweet,
  x: tweet,
  twitter: tweet,
  param: (shortcode, _, { site, context }) =>
    site.parameter(shortcode.positional[0] ?? '', context) ?? '',
  gallery: (shortcode, inner, { site, context }) => {
    if (inner !== undefined) return undefined
    const files = site.siblingFiles(argument(shortcode, 0, 'match') ?? '*', context)
    return files.length === 0 ? undefined : files.map((file) => `![](<${file}>)`).join('\n')
  },
  // Docsy's: a part of the name of a page image, the processing to apply, and a caption inside.
  imgproc: ({ positional: [part = ''] }, inner = '', { site, context }) => {
    const [file] = site.siblingFiles(`*${part}*`, context)
    return file === undefined ? undefined : captioned(`<img src="${escaped(file)}" alt="">`, inner)
  },
  comment: () => '',
}

/** Shortcodes that many themes define under the same names. */
function themed(shortcode: Shortcode, inner: string | undefined): string | undefined {
  const { name } = shortcode
  if (inner !== undefined && isNotice(name)) return notice(shortcode, inner)
  const [, handler] = themes.find(([names]) => names.includes(name)) ?? []
  return handler?.(shortcode, inner)
}

type ThemeHandler = (shortcode: Shortcode, inner: string | undefined) => string | undefined

const themes: readonly (readonly [readonly string[], ThemeHandler])[] = [
  [
    ['details', 'expand', 'collapse', 'accordion', 'spoiler'],
    (shortcode, inner) =>
      inner === undefined
        ? undefined
        : `<details>\n<summary>${titleOf(shortcode) || 'Details'}</summary>\n\n${inner.trim()}\n\n</details>`,
  ],
  [['tab', 'step', 'codetab', 'card'], (shortcode, inner) => titled(titleOf(shortcode), inner)],
  [
    ['mermaid', 'plantuml'],
    (shortcode, inner) => (inner === undefined ? undefined : fenced(inner, shortcode.name)),
  ],
  [['img', 'image', 'imgproc', 'fig', 'picture'], figure],
  [['button', 'link', 'cta'], button],
  [
    ['video', 'audio', 'asciinema', 'iframe', 'pdf'],
    (shortcode) => linked('', argument(shortcode, 0, 'src')),
  ],
  [['toc', 'br', 'clear', 'icon', 'hr'], (_, inner) => (inner === undefined ? '' : undefined)],
]

/** The essential argument: an image, or code that a script would make interactive: `{{< run code="…" >}}`. */
function essentialArgument(shortcode: Shortcode): string | undefined {
  const code = shortcode.named.get('code')
  if (code !== undefined) return fenced(code, shortcode.named.get('lang') ?? '')
  const isImage = /\.(?:avif|gif|jpe?g|png|svg|webp)$/i.test(shortcode.named.get('src') ?? '')
  return isImage ? figure(shortcode) : undefined
}

function titleOf({ named, positional }: Shortcode): string {
  const keys = ['title', 'summary', 'name', 'header', 'label']
  return keys.map((key) => named.get(key)).find((text) => text !== undefined) ?? positional[0] ?? ''
}

function titled(title: string, inner = ''): string {
  const head = title === '' ? [] : [`**${title}**`]
  return `\n\n${[...head, inner.trim()].join('\n\n')}\n\n`
}

function isNotice(name: string): boolean {
  return (
    alertType(name) !== undefined ||
    ['alert', 'admonition', 'callout', 'message', 'box', 'blockquote-alert'].includes(name)
  )
}

function notice({ name, named, positional }: Shortcode, inner: string): string {
  const candidates = [
    named.get('type'),
    named.get('color'),
    named.get('level'),
    named.get('style'),
    ...positional,
    name,
  ]
  const type =
    candidates.map((word) => alertType(word ?? '')).find((found) => found !== undefined) ?? 'NOTE'
  const title = named.get('title') ?? positional.find((word) => alertType(word) === undefined) ?? ''
  return `\n\n${alert(type, dedented(inner), title)}\n\n`
}

/** Removes the common indentation, which would turn the lines into code. */
function dedented(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const shared = Math.min(...lines.map((line) => /^ */.exec(line)?.[0].length ?? 0))
  return Number.isFinite(shared)
    ? text
        .split('\n')
        .map((line) => line.slice(Math.min(shared, line.length)))
        .join('\n')
    : text
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

function fenced(code: string, language: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `\n\n${fence}${/^[\w#+.-]+$/.test(language) ? language : ''}\n${code.replace(/^\n/, '').trimEnd()}\n${fence}\n\n`
}

/** The figure described by the arguments of a shortcode; undefined when none is a URL. */
function figure({ named, positional }: Shortcode): string | undefined {
  const src = named.get('src') ?? named.get('url') ?? named.get('link') ?? positional[0]
  if (src === undefined) return undefined
  const caption = named.get('caption') ?? named.get('title') ?? ''
  const alt = named.get('alt') ?? positional[1] ?? caption
  const image = `<img src="${escaped(src)}" alt="${escaped(alt)}">`
  const href = named.get('href') ?? (named.has('src') ? named.get('link') : undefined)
  const shown = href === undefined ? image : `<a href="${escaped(href)}">${image}</a>`
  const texts = [...new Set([named.get('title'), named.get('caption'), named.get('attr')])].filter(
    Boolean,
  )
  return captioned(shown, texts.join(' '))
}

/** An HTML figure, with a caption unless it is blank. */
function captioned(shown: string, caption: string): string {
  const text = caption.trim()
  return `<figure>${shown}${text === '' ? '' : `<figcaption>${text}</figcaption>`}</figure>`
}

/** A link that themes show as a button; undefined when no argument is a URL. */
function button({ named, positional }: Shortcode, inner: string | undefined): string | undefined {
  const url = named.get('href') ?? named.get('url') ?? named.get('link') ?? positional[0]
  const text = inner ?? named.get('text') ?? named.get('label') ?? positional[1]
  return url === undefined ? undefined : `<a href="${escaped(url)}">${(text ?? url).trim()}</a>`
}
