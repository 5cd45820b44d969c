// Translates WordPress shortcodes in the text of a post to HTML, where there is an equivalent.
import { replaceParts } from '../parts.ts'
import { escapeHtml } from './blocks.ts'

/** An untranslated shortcode. */
export interface UnknownShortcode {
  readonly name: string
  /** Index in the text. */
  readonly index: number
}

/** An image of the site's library. */
export interface Attachment {
  readonly url: string
  readonly caption: string
}

/** Referenced files, and a callback for missing ones. */
export interface ShortcodeContext {
  /** Returns an image or another file by id. */
  readonly attachment: (id: string) => Attachment | undefined
  /** Ids of the files uploaded to this post. */
  readonly ownAttachments: readonly string[]
  /** Called for a listed file that the export does not contain. */
  readonly onMissing: (id: string) => void
  /** Called for each translated shortcode. */
  readonly onTranslated: (name: string) => void
}

/** A text with translated shortcodes, and the untranslated ones, which remain as text. */
export interface Translation {
  readonly html: string
  readonly unknown: readonly UnknownShortcode[]
}

/** Translates the shortcodes of a text, except in code. */
export function translateShortcodes(text: string, context: ShortcodeContext): Translation {
  const unknown: UnknownShortcode[] = []
  const coded = replaceParts(
    text,
    codeShortcode,
    ([, name]) => `\\[/${name}\\]`,
    ({ open: [, name = '', given = ''], inner }) => {
      context.onTranslated(name)
      return codeBlock(name, attributesOf(given), inner)
    },
  )
  const closed = new Set(
    Array.from(coded.matchAll(/\[\/([a-z][\w-]*)\]/gi), ([, name]) => name ?? ''),
  )
  const translate = (match: RegExpExecArray): string => {
    const [all, , slash, name = '', given = ''] = match
    if (all.startsWith('[[')) return all.slice(1, -1)
    if (slash === undefined) return all
    const known = translations.get(name.toLowerCase())
    if (known !== undefined && slash !== '') return ''
    const made = known?.(attributesOf(given), context)
    const { index } = match
    if (made !== undefined) context.onTranslated(name)
    if (made === undefined && isShortcode({ name, given, slash, text: coded, index, closed }))
      unknown.push({ name, index })
    return made ?? all
  }
  let html = ''
  let done = 0
  const endOf = regionEnds(coded)
  for (const match of coded.matchAll(token)) {
    if (match.index < done) continue
    const end = endOf(match)
    html += coded.slice(done, match.index)
    html += end === undefined ? translate(match) : coded.slice(match.index, end)
    done = end ?? match.index + match[0].length
  }
  html += coded.slice(done)
  const whole = enclosed(html, context)
  for (const { index, 1: name = '' } of whole.matchAll(/\[(caption|wp_caption|embed)\b/gi))
    unknown.push({ name, index })
  return { html: whole, unknown }
}

/** Shortcodes that contain code, which has no markup: `[code lang="js"]…[/code]`. */
const codeShortcode =
  /\[(code|sourcecode|source|highlight|bash|css|html|java|javascript|js|php|python|ruby|sql|xml)\b([^[\]\n]*)\]/gi

/** The start of a text without shortcodes (code in HTML, a comment), `[[escaped]]`, and `[name …]`. */
const token =
  /<(pre|code|script|style)\b|<!--|\[\[\/?[a-z][^[\]]*\]\]|\[(\/?)([a-z][\w-]*)((?:[ \t\n=:][^[\]]*)?\/?)\](?!\()/gi

/** Finds the end of a text without shortcodes; undefined for other tokens and for one without an end. Cost: O(length) in total for each end. */
function regionEnds(text: string): (token: RegExpExecArray) => number | undefined {
  const unclosed = new Set<string>()
  return ({ 0: all, 1: element, index }) => {
    if (!all.startsWith('<')) return undefined
    const close = element === undefined ? '-->' : `</${element.toLowerCase()}>`
    if (unclosed.has(close)) return undefined
    // regex: the name of an element between literal brackets
    const pattern = new RegExp(close, 'gi')
    pattern.lastIndex = index
    if (pattern.exec(text) !== null) return pattern.lastIndex
    unclosed.add(close)
    return undefined
  }
}

type Attributes = ReadonlyMap<string, string>

/** Attributes by name, and unnamed values under `0`, `1` … */
function attributesOf(text: string): Attributes {
  const attributes = new Map<string, string>()
  let count = 0
  const plain = text.replace(/\/$/, '').replace(/[“”″]/g, '"')
  const item =
    /[=:]?(https?:\/\/[^\s"']+)|([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))|"([^"]*)"|'([^']*)'|([^\s"'=]+)/g
  for (const [, url, name, a, b, c, d, e, f] of plain.matchAll(item)) {
    if (name === undefined) attributes.set(String(count++), url ?? d ?? e ?? f ?? '')
    else attributes.set(name.toLowerCase(), a ?? b ?? c ?? '')
  }
  return attributes
}

function codeBlock(name: string, attributes: Attributes, code: string): string {
  const given = attributes.get('language') ?? attributes.get('lang') ?? attributes.get('0')
  const language = given ?? (/^(?:code|sourcecode|source|highlight)$/i.test(name) ? '' : name)
  const kind = language === '' ? '' : ` class="language-${escapeHtml(language.toLowerCase())}"`
  // Editors already escape some of these characters.
  const text = code.replace(/^\r?\n/, '')
  const shown = text.trimEnd()
  const blanks = text.slice(shown.length)
  const [spaces = ''] = blanks.split(/\r?\n/, 1)
  const kept = shown + spaces
  const plain = kept.replace(/&(lt|gt|amp|quot|#039);/g, named)
  return `\n\n<pre><code${kind}>${escapeHtml(plain)}</code></pre>\n\n`
}

function named(_: string, name: string): string {
  return { lt: '<', gt: '>', amp: '&', quot: '"' }[name] ?? "'"
}

type Translate = (attributes: Attributes, context: ShortcodeContext) => string | undefined

const translations: ReadonlyMap<string, Translate> = new Map(
  Object.entries({
    gallery,
    audio: (attributes) => media(attributes, ['src', 'mp3', 'm4a', 'ogg', 'wav', 'flac', '0']),
    video: (attributes) => media(attributes, ['src', 'mp4', 'm4v', 'webm', 'ogv', 'flv', '0']),
    playlist: (attributes, context) => list(attributes, context, fileLink),
    youtube: (attributes) => media(attributes, ['url', '0'], 'https://www.youtube.com/watch?v='),
    vimeo: (attributes) => media(attributes, ['url', '0'], 'https://vimeo.com/'),
    gist: (attributes) => media(attributes, ['url', '0'], 'https://gist.github.com/'),
    soundcloud: (attributes) => media(attributes, ['url', '0']),
    tweet: (attributes) => media(attributes, ['url', '0'], 'https://x.com/i/status/'),
    instagram: (attributes) => media(attributes, ['url', '0']),
  } satisfies Record<string, Translate>),
)

/** A link to the file of a player; undefined when the shortcode does not name it. */
function media(attributes: Attributes, names: readonly string[], base = ''): string | undefined {
  const value = names.map((name) => attributes.get(name)).find((given) => given !== undefined)
  const given = value?.replace(/^[=:]/, '').replaceAll('&amp;', '&')
  if (given === undefined || given === '') return undefined
  const url = /^https?:\/\//.test(given) ? given : base + given
  return /^https?:\/\//.test(url) ? paragraphLink(url, url) : undefined
}

function paragraphLink(url: string, text: string): string {
  return `\n\n<p><a href="${escapeHtml(url)}">${escapeHtml(text)}</a></p>\n\n`
}

function gallery(attributes: Attributes, context: ShortcodeContext): string | undefined {
  return list(attributes, context, ({ url, caption }) => {
    const image = `<img src="${escapeHtml(url)}" alt="">`
    const text = caption === '' ? '' : `<figcaption>${caption}</figcaption>`
    return /\.(?:png|jpe?g|gif|webp|avif|svg)$/i.test(url) ? `<figure>${image}${text}</figure>` : ''
  })
}

function fileLink({ url, caption }: Attachment): string {
  return paragraphLink(url, caption === '' ? url : caption)
}

/** Files by their ids; undefined when the export contains none of them. WordPress omits missing files, too. */
function list(
  attributes: Attributes,
  { attachment, ownAttachments, onMissing }: ShortcodeContext,
  write: (file: Attachment) => string,
): string | undefined {
  const named = attributes.get('ids') ?? attributes.get('include')
  const ids = named === undefined ? ownAttachments : named.split(/[\s,]+/).filter(Boolean)
  const files = ids.flatMap((id) => attachment(id) ?? [])
  if (files.length === 0) return undefined
  for (const id of ids) if (attachment(id) === undefined) onMissing(id)
  return `\n\n${files.map(write).join('')}\n\n`
}

/** Shortcodes around HTML: the caption of an image, and a URL to embed. */
function enclosed(html: string, { onTranslated }: ShortcodeContext): string {
  return replaceParts(
    html,
    /\[(caption|wp_caption)\b([^[\]]*)\]/gi,
    ([, name]) => `\\[/${name}\\]`,
    ({ open: [, name = '', given = ''], inner }) => {
      onTranslated(name)
      return caption(given, inner)
    },
  ).replace(
    /\[embed\b[^[\]]*\]\s{0,99}(https?:\/\/[^\s<[]+)\s{0,99}\[\/embed\]/gi,
    (_, url: string) => {
      onTranslated('embed')
      return paragraphLink(url.replaceAll('&amp;', '&'), url.replaceAll('&amp;', '&'))
    },
  )
}

/** The image, with any link around it, and the text after it. */
function caption(given: string, content: string): string {
  const [image = ''] = /^\s*(?:<a\b[^>]*>\s*)?<img\b[^>]*>(?:\s*<\/a>)?/i.exec(content) ?? []
  const text = attributesOf(given).get('caption') ?? content.slice(image.length).trim()
  return `\n\n<figure>${image.trim()}<figcaption>${text}</figcaption></figure>\n\n`
}

interface Candidate {
  readonly name: string
  readonly given: string
  readonly slash: string
  readonly text: string
  readonly index: number
  /** Names of shortcodes that have an end. */
  readonly closed: ReadonlySet<string>
}

/**
 * True for bracketed text that must be a shortcode. WordPress shows other text such as `[sic]` unchanged.
 *
 * A shortcode has attributes, an underscore in its name, an end, or a hyphen in its name and a separate line.
 */
function isShortcode({ name, given, slash, text, index, closed }: Candidate): boolean {
  if (slash !== '' || handled.test(name)) return false
  if (translations.has(name.toLowerCase())) return true
  if (/[\w-]\s*=\s*["'“”″\w]/.test(given) || given.endsWith('/')) return true
  if (name.includes('_') || closed.has(name)) return true
  const behind = index + name.length + given.length + 2
  const isAlone = /(?:^|[\n>])[ \t]*$/.test(text.slice(Math.max(0, index - 80), index))
  return (
    name.includes('-') && isAlone && /^[ \t\r]*(?:[\n<]|$)/.test(text.slice(behind, behind + 80))
  )
}

/** Translated in pairs: see `enclosed`. */
const handled = /^(?:caption|wp_caption|embed)$/i
