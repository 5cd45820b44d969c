// Converts the text of a WordPress post to HTML: blocks of the editor, shortcodes, and paragraphs from line ends.
import type { Root } from 'hast'
import { visit } from 'unist-util-visit'
import { blocks, element } from '../exports.ts'
import { escaped, playerPage, replaceParts } from '../parts.ts'
import { readArguments } from '../static/shortcodes.ts'

/** Reports a change or a loss, or markup that fails the post. @param detail the part of the post */
export type Note = (section: 'changed' | 'left' | 'failed', text: string, detail?: string) => void

interface BlockContext {
  /** The content of public synced patterns by id. */
  readonly patterns: ReadonlyMap<string, string | undefined>
  /** The footnotes of the post, which the editor stores in the post meta `footnotes`: JSON. */
  readonly footnotes: string | undefined
  readonly report: Note
}

/** Converts a text with blocks to HTML. */
export function expandBlocks(content: string, context: BlockContext, depth = 0): string {
  const { patterns, footnotes = '', report } = context
  return content
    .replace(/<!-- wp:shortcode -->\s{0,9}\[([a-z][\w-]{0,99})\]/g, '[$1 /]')
    .replace(codeStart, (_, language: string) => `<pre lang="${language}" `)
    .replace(delimiter, (_, slash: string, name: string, json = '', self = '') => {
      if (slash === '/' || self === '') return ''
      const { ref, content: overrides } = dataOf(json)
      const pattern = name === 'block' ? patterns.get(String(ref)) : undefined
      if (pattern !== undefined && depth < 5) {
        for (const key of Object.keys(Object(overrides)))
          report('failed', 'The text of a block of a synced pattern is not read.', key)
        return expandBlocks(pattern, context, depth + 1)
      }
      if (name === 'footnotes') return footnoteList(footnotes)
      if (!/^(?:more|nextpage|separator|spacer)$/.test(name))
        report('left', `block "${name}": WordPress generates its content`)
      return ''
    })
}

/** Returns the list to whose items the references of footnotes lead. */
function footnoteList(meta: string): string {
  const notes = Object.values(dataOf(meta)).map((note) => Object(note))
  const items = notes.map(({ id, content }) => `<li id="${escaped(String(id))}">${content}</li>`)
  return items.length === 0 ? '' : `<ol>${items.join('')}</ol>`
}

type BlockData = Readonly<Record<string, unknown>>

/** `<!-- wp:name {"key":1} -->`, `<!-- /wp:name -->` and `<!-- wp:name /-->`; JSON in a delimiter has no `-->`. */
const delimiter =
  /<!--[ \t\n]+(\/?)wp:([a-z][a-z0-9_-]*(?:\/[a-z][a-z0-9_-]*)?)[ \t\n]+(\{(?:(?!-->|<!--)[\s\S])*?\}[ \t\n]+)?(\/?)-->/g

const codeStart =
  /<!-- wp:syntaxhighlighter\/code \{"language":"([\w+#-]{1,30})"[^{}]{0,300}\} -->\s{0,9}<pre /g

function dataOf(json: string, visit?: (key: string, value: unknown) => unknown): BlockData {
  try {
    return Object(JSON.parse(json, visit))
  } catch {
    return {}
  }
}

/** Words in names of plugins that show content to some readers only. Blocks for members of a team are no such. */
const restricting =
  /(?<!re|team-)member|restrict|protect|pay-?wall|premium|private|password|patre?on|access(?!or|ibil|-?(?:token|key))|(?:user|subscri[a-z]{1,9}|required|allowed)-(?:level|role)|subscribers?-only|paid-(?:content|only|post)|gated|locked|locker|logged-?(?:in|out)|login-required|scheduled|display-schedule|is-hidden$|query-no-results|(?<!content-)visibility|^(?:ihc-mb-who|-?groups-read|-wplp-post-front|-wpmem-block|-expiration-date)$/
const ofBlocks = /condition(?!er|ing)|content-?controls/
/** Values of settings that do not restrict; `um_content_restriction` is a map of PHP. */
const open =
  /^(?:|0|no|none|off|null|false|public|all|every(?:body|one)|visible|default|\[\]|\{\}|\{"enabled":false.*|a:0:\{\}|.*"_um_custom_access_settings";(?:s:1:"|[bi]:)0.*)$/is

/** True for the name and the value of a setting that restricts readers. */
export function restricts(name: string, value: unknown, isBlock = false): boolean {
  const words = name.replace(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()
  if (!restricting.test(words) && !(isBlock && ofBlocks.test(words))) return false
  // Content whose visibility is false is hidden.
  const isShown = /visibility$/.test(words) && typeof value === 'boolean' ? value : undefined
  return !(isShown ?? open.test(typeof value === 'string' ? value : JSON.stringify(value)))
}

/** Returns the first block or attribute of a text that restricts readers, or hides a block on all devices. */
export function restrictionIn(content: string): string | undefined {
  for (const [, , name = '', json = ''] of content.matchAll(delimiter)) {
    const found = restricts(name, name, true) ? [name] : []
    const devices = new Set<string>()
    dataOf(json, (key, value) => {
      if (restricts(key, value, true)) found.push(key)
      const [, device] = /^(?:vs|\w{0,20}hide(?:on)?)(desk|tab|mob)/i.exec(key) ?? []
      if (device !== undefined && value === true) devices.add(device.toLowerCase())
      return value
    })
    if (found.length > 0 || devices.size === 3) return found[0] ?? name
  }
  return undefined
}

/** A file of the site's library, and the id of the post for which it was uploaded. */
export type Attachment = Readonly<Record<'url' | 'caption' | 'parent', string>>

interface ShortcodeContext {
  readonly attachments: ReadonlyMap<string, Attachment>
  /** The id of the post. */
  readonly post: string
  readonly report: Note
}

/** Shortcodes around a text. Code has no markup: `[code lang="js"]…[/code]`. */
const enclosing =
  /\[(caption|wp_caption|embed|code|sourcecode|source|highlight|as3|bash|c|cpp|csharp|css|delphi|diff|erlang|go|groovy|haskell|html|java|javascript|js|latex|matlab|objc|perl|php|plain|powershell|python|r|ruby|scala|shell|sql|text|vb|xml|yaml)\b([^[\]]*)\]/gi
/** Matches code in HTML, `[[escaped]]`, and `[name …]`, but not a Markdown link. */
const token =
  /<(pre|code|script|style)\b[^<>]*>(?:(?!<\1\b)[\s\S])*?<\/\1>|\[\[\/?[a-z][^[\]]*\]\]|\[(\/?)([a-z][\w-]*)((?:[ \t\n=:][^[\]]*)?\/?)\]/gi

/** Translates the shortcodes of a text, except in code. Returns the names of those that stay, in order. */
export function translateShortcodes(
  text: string,
  context: ShortcodeContext,
): { html: string; unknown: readonly string[] } {
  const unknown: string[] = []
  const shown = (all: string, { name = '', given = '', isKnown = false }) => {
    const made = translate(name, attributesOf(given), context)
    if (made !== undefined) context.report('changed', translated(name))
    else if (isKnown) unknown.push(name)
    else context.report('left', 'text in brackets, which may be a shortcode', all)
    return made
  }
  const whole = replaceParts(
    text,
    enclosing,
    ([, name]) => `\\[/${name}\\]`,
    ({ open: [all = '', name = '', given = ''], inner }) => {
      const made = enclosed(name.toLowerCase(), attributesOf(given), inner)
      if (made !== undefined) context.report('changed', translated(name))
      return made ?? all + inner
    },
  )
  const ends = new Set(Array.from(whole.matchAll(/\[\/([a-z][\w-]*)\]/gi), ([, name]) => name))
  const html = whole.replace(token, (all, _, slash?: string, name = '', given = '', index = 0) => {
    if (slash === undefined) return all.startsWith('[[') ? all.slice(1, -1) : all
    const isEnclosing = ends.has(name)
    // A Markdown link.
    if (!isEnclosing && whole[index + all.length] === '(') return all
    if (slash !== '') return single.test(name) ? '' : all
    const isKnown = isEnclosing || isShortcode(name, given, whole, index)
    return shown(all, { name, given, isKnown }) ?? all
  })
  return { html, unknown }
}

const translated = (name: string) => `shortcode [${name}] → HTML`

type Attributes = ReadonlyMap<string, string>

function attributesOf(text: string): Attributes {
  const plain = text.replace(/\/$/, '').replace(/[“”″]/g, '"')
  const { positional, named } = readArguments(plain.replace(/\s{0,9}=\s{0,9}(?=["'])/g, '='))
  return new Map([...positional.map((value, at) => [String(at), value] as const), ...named])
}

function codeBlock(name: string, attributes: Attributes, code: string): string {
  const given = attributes.get('language') ?? attributes.get('lang') ?? attributes.get('0')
  const language = given ?? (/^(?:code|sourcecode|source|highlight)$/.test(name) ? '' : name)
  const kind = language === '' ? '' : ` class="language-${escaped(language.toLowerCase())}"`
  // Editors already escape some of these characters.
  const plain = code.replace(/^\r?\n/, '').replace(/&(?!(?:lt|gt|amp|quot|#039);)/g, '&amp;')
  return `\n\n<pre><code${kind}>${plain.trimEnd().replaceAll('<', '&lt;')}</code></pre>\n\n`
}

/** Shortcodes without a text that are translated. */
const single = /^(?:gallery|playlist|audio|video|youtube|vimeo|gist|soundcloud|tweet|instagram)$/i
const sources = 'url src mp3 m4a ogg wav flac mp4 m4v webm ogv flv 0'.split(' ')

function translate(name: string, attributes: Attributes, context: ShortcodeContext) {
  if (!single.test(name)) return undefined
  if (/^(?:gallery|playlist)$/i.test(name)) return gallery(attributes, context)
  const value = sources.map((key) => attributes.get(key)).find(Boolean)
  const page = playerPage(name, value?.replace(/^[=:]/, '').replaceAll('&amp;', '&'))
  return page !== undefined && /^https?:\/\//.test(page) ? paragraphLink(page) : undefined
}

function paragraphLink(url: string, text: string = url): string {
  return `\n\n<p><a href="${escaped(url)}">${escaped(text)}</a></p>\n\n`
}

/** Returns a gallery of files by their ids; undefined when the export has none. Missing files are omitted, as in WordPress. */
function gallery(
  attributes: Attributes,
  { attachments, post, report }: ShortcodeContext,
): string | undefined {
  const named = attributes.get('ids') ?? attributes.get('include')
  const own = [...attachments].filter(([, { parent }]) => parent === post).map(([id]) => id)
  const ids = named === undefined ? own : named.split(/[\s,]+/).filter(Boolean)
  const files = ids.flatMap((id) => attachments.get(id) ?? [])
  if (files.length === 0) return undefined
  for (const id of ids.filter((it) => !attachments.has(it)))
    report('left', 'file of a list missing from the export', id)
  const made = files.map(({ url, caption }) => {
    const image = `<img src="${escaped(url)}" alt="">`
    const text = caption === '' ? '' : `<figcaption>${caption}</figcaption>`
    const isImage = /\.(?:png|jpe?g|gif|webp|avif|svg)$/i.test(url)
    return isImage ? `<figure>${image}${text}</figure>` : paragraphLink(url, caption || url)
  })
  return `\n\n${made.join('')}\n\n`
}

function enclosed(name: string, attributes: Attributes, inner: string): string | undefined {
  const url = inner.trim().replaceAll('&amp;', '&')
  if (name === 'embed') return /^https?:\/\/\S+$/.test(url) ? paragraphLink(url) : undefined
  if (!name.endsWith('caption')) return codeBlock(name, attributes, inner)
  // The image, with any link around it, and the text after it.
  const [image = ''] = /^\s*(?:<a\b[^>]*>\s*)?<img\b[^>]*>(?:\s*<\/a>)?/i.exec(inner) ?? []
  const text = attributes.get('caption') ?? inner.slice(image.length).trim()
  return `\n\n<figure>${image.trim()}<figcaption>${text}</figcaption></figure>\n\n`
}

/**
 * True for bracketed text that must be a shortcode. WordPress shows other text such as `[sic]` unchanged.
 *
 * A shortcode has attributes, an underscore in its name, an end, or a separate line and a name in lower case.
 */
function isShortcode(name: string, given: string, text: string, index: number): boolean {
  if (/[\w-]\s*=\s*["'“”″\w]/.test(given) || given.endsWith('/')) return true
  if (/^(?:caption|embed)$/i.test(name) || single.test(name)) return true
  if (name.includes('_')) return true
  const behind = index + name.length + given.length + 2
  const isAlone = /(?:^|[\n>])[ \t]*$/.test(text.slice(Math.max(0, index - 80), index))
  const isLine = isAlone && /^[ \t\r]*(?:[\n<]|$)/.test(text.slice(behind, behind + 80))
  return isLine && given === '' && name === name.toLowerCase()
}

const blockTag = new RegExp(
  `<pre\\b[^<>]*>[\\s\\S]*?</pre>|</?(?:iframe|${[...blocks].join('|')})\\b[^<>]*>|<!--more[^<>]*-->`,
  'gi',
)
const verbatim = /<(pre|script|style|textarea|svg|code)\b[^<>]*>[\s\S]*?<\/\1>/gi
const only =
  /(<(?:li|td|th|dd|dt|div|center|figure|figcaption)\b[^<>]*>)\s*<p>((?:(?!<\/?p>)[\s\S])*)<\/p>(?!\s*<p>)/gi
/** A placeholder for line ends that stay: a Unicode noncharacter, which no text contains. */
const kept = '\uFDD5'

/** Makes paragraphs of the parts between blank lines and blocks, and `br` of single line ends. */
export function withParagraphs(html: string): string {
  const text = html.replace(/\r/g, '').replace(verbatim, (code) => code.replaceAll('\n', kept))
  const parts = text.replace(blockTag, '\n\n$&\n\n').split(/\n\s*\n/)
  const made = parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      if (part.search(blockTag) === 0) return part
      return `<p>${part.replace(/(?<![ \t])[ \t]*(?:<br ?\/?>\s*|\n)/gi, '<br>')}</p>`
    })
  // A paragraph in another would end the other one, and its attributes.
  const joined = made.join('\n').replace(/(<p\b[^<>]*>)\s*<p>/gi, '$1')
  return joined.replace(only, '$1$2').replaceAll(kept, '\n')
}

/** Converts URLs in paragraphs without other text, which WordPress shows as players, to links; backgrounds to images. */
export function withShown(tree: Root): void {
  visit(tree, 'element', (node) => {
    const style = String(node.properties.style ?? '')
    const [, src] = /background-image:\s?url\(["']?([^"')\s]+)/.exec(style) ?? []
    if (src !== undefined) node.children.unshift(element('img', { src, alt: '' }, []))
    const shown = node.children.filter((it) => it.type !== 'text' || it.value.trim() !== '')
    const [first, ...others] = shown
    const href = first?.type === 'text' && others.length === 0 ? first.value.trim() : ''
    if (/^(?:p|div|figure)$/.test(node.tagName) && /^https?:\/\/[^\s<>"]+$/.test(href))
      node.children = [element('a', { href }, [{ type: 'text', value: href }])]
  })
}
