// The translation of a body, as a list of steps. Each step reports its changes.
import Slugger from 'github-slugger'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { toString as textOf } from 'mdast-util-to-string'
import { visit } from 'unist-util-visit'
import { decoded, linkTo, pageOf, partsOf, replaceParts, replaceRanges } from '../parts.ts'
import type { BodyContext, StaticSite, Step } from '../site.ts'
import { fill, findTags, lineBefore, maskCode } from './code-mask.ts'
import { rewriteDestinations } from './destinations.ts'
import { type Changes, extensions, unread } from './extensions.ts'

/** Returns the steps of every site, with the steps of a generator between them. */
export function stepsOf({ steps: own, comments = () => '' }: StaticSite): readonly Step[] {
  return [
    {
      name: 'comments',
      run: (text, context) => withoutComments(text, context, comments(context.head)),
    },
    { name: 'hidden elements', run: withoutUnshown },
    unread('attribute list that hides its block', hidingList),
    ...own,
    // Templates of the site may hide text too.
    ...(own.length === 0 ? [] : [{ name: 'hidden elements of templates', run: withoutUnshown }]),
    ...extensions,
    { name: 'embedded pages', run: embedsToLinks },
    { name: 'mark of the excerpt → comment', run: excerptMarks },
    { name: 'links to headings', run: (text, { changed }) => anchorsToHeadings(text, changed) },
  ]
}

const excerptMark =
  /<!--[ \t]*(?:more|truncate|excerpt|read ?more|end[- ]excerpt)[ \t]*-->|\{\/\*[ \t]*truncate[ \t]*\*\/\}/gi

/** CommonMark does not parse text after a comment at the start of a line as Markdown. */
const excerptMarks: Step['run'] = (text) =>
  text
    .replace(excerptMark, '<!-- more -->')
    .replace(/^( {0,3}<!-- more -->)[ \t]*(?=\S)/gm, '$1\n\n')

const embedsToLinks: Step['run'] = (body, { changed }) =>
  replaceRanges(body, findTags(body), (tag) => {
    const name = tag.name.toLowerCase()
    if (tag.kind === 'close' || !/^(?:iframe|embed|video|audio|object)$/.test(name))
      return undefined
    const { index, end } = tag.close ?? { index: tag.end, end: tag.end }
    // The URL of a player may be that of a `source` in it.
    const attributes = [tag, ...findTags(body.slice(tag.end, index))].flatMap((it) => it.attributes)
    const url = attributes.find((it) => /^(?:src|data|data-src)$/i.test(it.name))?.text
    if (!url) return undefined
    changed(`embedded ${name} → link`)
    return [end, linkTo(pageOf(url.replaceAll('&amp;', '&').replace(/^\/\//, 'https://')))]
  })

/** Converts a post in HTML to one block of HTML, without blank lines, which would end the block. */
export function htmlBlock(html: string): string {
  // Empty comments, which are invisible, preserve line breaks inside `pre`.
  const kept = replaceParts(
    html.trim(),
    /<pre\b/gi,
    () => '</pre>',
    ({ inner }) => `<pre${inner.replace(/^[ \t]*$/gm, '<!-- -->')}</pre>`,
  )
  return kept === '' ? '' : `<div>\n${kept.replace(/^[ \t]*\n/gm, '')}\n</div>\n`
}

type Comment = readonly [name: string, open: string, close: string, place?: 'all' | 'indented']

const liquidTag = (name: string) => `\\{%-?\\s{0,9}${name}\\b[^%{}]{0,200}%\\}`

/** Kinds of comments. Those of templates are also in all code, or in that of HTML and in indented code. */
export const comments: readonly Comment[] = [
  ['kramdown', '\\{::comment\\b[^{}]{0,200}\\}', '\\{:\\/(?:comment)?\\}'],
  ['Liquid', liquidTag('comment'), `${liquidTag('endcomment')}|(${liquidTag('comment')})`, 'all'],
  // `{#id}` is the id of a heading.
  ['Jinja', '\\{#(?![\\w:.-]{1,200}\\})', '#\\}', 'all'],
  ['Nunjucks', '\\{#(?![\\w:.-]{1,200}\\})', '#\\}', 'indented'],
  ['Handlebars', '\\{\\{~?!--', '--~?\\}\\}', 'all'],
  ['Handlebars', '\\{\\{~?!', '\\}\\}', 'all'],
  ['JSX', '(?<![{"\'`])\\{\\s{0,9}/\\*(?!\\s{0,9}truncate)', '\\*/(?:\\s{0,9}\\})?', 'indented'],
  ['HTML', '<!--(?!-?>|\\s{0,9}@include:)', '--!?>'],
  // `[//]: # (text)` and `[comment]: <> (text)`, up to the end of the paragraph.
  ...['\\(|\\)', '"|"', "'|'"].map((signs): Comment => {
    const [open, close] = signs.split('|')
    const start = '(?<=^|\\n) {0,3}\\[(?://|comment)\\]:[ \\t]*<?[#>]+[ \\t]*\\n?[ \\t]*'
    const end = `${close}[ \\t]*(?=\\n|$)|(?=\\n[ \\t]*(?:\\n|$)|$)`
    return ['Markdown', start + open, end]
  }),
]

/** Blocks of code. Only HTML and kramdown have comments in raw text. */
const code =
  /\{%-?\s{0,9}(raw|verbatim|highlight|codeblock|code|prism)\b[^%{}]{0,200}%\}|\{\{[<%]\s{0,9}(highlight|code|codeblock|prism)\b[^{}]{0,500}[%>]\}\}/g

/** Returns the text in a comment that is shown: an id of a heading of Docusaurus, `<!-- tab A -->` of Hexo. @param line the comment, after the text before it on its line */
function textIn(line: string, isOfHexo: boolean): string | undefined {
  const [, id] = /^ {0,3}#{1,6}[ \t].*\{\/\*\s*#([\w.-]+)[\s*]/.exec(line) ?? []
  const name =
    /^[ \t]*<!-- {0,9}(?:tab|timeline) {1,9}([^@\s][^@]{0,99}?) {0,9}(?:@[\w-]+ {0,9})?-->$/
  const [, label] = (isOfHexo && name.exec(line)) || []
  return id ? `{#${id}}` : label && `**${label}**\n`
}

/**
 * Removes comments of HTML and Markdown outside of code, and reports each kind. Unclosed comments stay.
 *
 * @param languages names of others whose comments the tool leaves out
 */
export function withoutComments(
  body: string,
  context: Changes,
  languages: string,
  rounds = 20,
): string {
  const used = comments.filter(([name]) => `HTML Markdown ${languages}`.includes(name))
  const text = removeOnce(body, used, context)
  // A comment with a backtick, or a nested comment, may hide other comments, which the next round finds.
  return text === body || rounds === 1
    ? text
    : withoutComments(text, context, languages, rounds - 1)
}

function removeOnce(text: string, used: readonly Comment[], { changed }: Changes): string {
  const opening = new RegExp(used.map(([, open]) => `(${open})`).join('|'), 'g')
  if (text.search(opening) === -1) return text
  const endOf = ([, tag, shortcode]: RegExpExecArray) =>
    `\\{[{%][<%-]?\\s{0,9}${tag === undefined ? `/${shortcode}` : `end${tag}`}\\b`
  const blocks = Array.from(partsOf(text, code, endOf))
  const isOfHexo = /\{%\s{0,9}(?:sub)?(?:tabs|timeline)\b/.test(text)
  const ranges = blocks.map(({ start, end }) => [start, end] as const)
  const coded = ranges.filter((_, at) => !/^(?:raw|verbatim)$/.test(blocks[at]?.open[1] ?? ''))
  const masks = {
    text: fill(maskCode(text, '<!--'.length), coded),
    indented: fill(maskCode(text, 0, ''), ranges),
    all: fill(text, ranges),
  }
  const kindOf = (match: RegExpExecArray) =>
    used[match.slice(1).findIndex((group) => group !== undefined)]
  return replaceParts(
    text,
    opening,
    (match) => {
      const [, , close = '', place = 'text'] = kindOf(match) ?? []
      return masks[place][match.index] === text[match.index] ? close : undefined
    },
    ({ open, start, end }) => {
      const whole = text.slice(start, end)
      const line = lineBefore(text, start)
      // The end of an excerpt, or a program that begins with a comment.
      if (/^<!--\s*-->$|^\{[\s\S]*\/$/.test(whole) || whole.search(excerptMark) === 0) return whole
      const kept = textIn(line + whole, isOfHexo)
      changed(kept ? 'text in a comment → text' : `${kindOf(open)?.[0]} comment → left out`)
      if (kept) return kept
      // Later lines keep their numbers.
      const isAlone = line === '' && (text[end] ?? '\n') === '\n'
      return isAlone ? '\n'.repeat(whole.split('\n').length - 1) : ''
    },
  )
}

/** Names that withhold their text as a whole, and words that do so in any name, such as `PremiumContent`. */
const withholdingName =
  /^(?:show-)?if-|^(?:(?:if|only|for)-?)?(?:password(?:ed|-?protect(?:ed)?)?|protect|members?|drafts?|internal|env|editor-?note|note-?to-?self|redacted|unreleased|hide|hidden|secrets?|dev|development|wip|todo|comment|auth)(?:-?only)?$|(?<=^|-)(?<!(?:^|-)(?:non?|not|un)-)(?:(?:hugo-?)?encrypt(?:ed|or|ion)?|decrypt(?:ed)?|protected|private|restricted|confidential|embargo(?:ed)?|premium|hidden(?:-?(?:area|block|content|text))?|hide-content|only-?me|password-?area|unlisted|lock|psw|encrypt\w*|login-?view|not-?public|non-?prod\w*|exclude|conditional|subscribe-to|preview|paid(?:only)?|subscribers?(?:-?only)?|members?-?(?:only|area|content|gate|section)|internal|(?<!(?:client|browser|read|mobile|desktop|tablet|dark|light|sr|reader|print|screen|web|ios|android|text|image|html|rss|feed)-?)only|(?:pay|login|email)-?wall(?:ed)?|(?:signed|logged)-?in|auth(?:ed|enticated|orized|-?(?:gate|guard|only|required|wall))|requires?-?(?:auth|login)|gated?|(?:un)?locked|unlock|feature-?(?:flag|gate)s?|unpublished|drafts?)(?=$|-)|(?<=^|-)not-?published$/

/** True for the name of a shortcode, tag or component that withholds its text: `encrypt`, `MembersOnly`, `if-dev`. */
export function withholdsText(name: string): boolean {
  const words = name.replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '-')
  return withholdingName.test(words.toLowerCase().replace(/[^a-z]+/g, '-'))
}

/** Removes withheld elements with their content; an element without an end fails the post. Cost: O(length). */
function withoutUnshown(body: string, context: Omit<BodyContext, 'head'>): string {
  if (!/<[a-z]/i.test(body)) return body
  // Classes that a style of the post hides.
  const rules = /\.([\w-]{1,99})\s*\{[^{}]{0,999}(?:display\s?:\s?none|visibility\s?:\s?hidden)/gi
  const hidden = Array.from(body.matchAll(rules), ([, name = '']) => name)
  let isClosed = true
  return replaceRanges(body, findTags(body, 'script|style'), (tag) => {
    const values = tag.attributes.map((it): Attribute => [it.name, it.text ?? `{${it.code}}`])
    const ofStyle = values.find(
      ([key, value]) =>
        /^class(?:name)?$/i.test(key) &&
        `${value}`.split(/\s+/).some((name) => hidden.includes(name)),
    )
    const own = ofStyle && 'element with a class that a style of the post hides'
    const reason = tag.kind === 'close' ? undefined : (reasonUnshown(tag.name, values) ?? own)
    if (reason === undefined) return undefined
    const { end } = tag.close ?? tag
    if (tag.kind === 'open' && tag.close === undefined) {
      if (isClosed) context.unknown(`${reason} is not closed`, body, tag.index)
      isClosed = false
      return undefined
    }
    context.changed(`${reason} → left out`)
    return [end, '']
  })
}

const hidingKey =
  /^(?:hidden|v-(?:if|else|else-if|show|for)|x-(?:if|show|for)|ng-(?:if|show|hide))$/i
/** Conditions of components, such as `<Show when={isMember}>`, unless they are true. */
const condition =
  /^(?:when|if|unless|show|hide|visible|cond(?:ition)?|test)=(?:false$|\{(?!true\})|drafts?$)|^(?:env(?:ironment)?|audience|tier)=|^(?:for|roles?)=(?:admin|editor|member|staff|subscriber|user)s?$/i
/** `{: style="display:none"}` hides the block above it, whose extent only the tool knows. */
const hidingList =
  /(?<!\{)\{(?![{%<])[^{}\n]{0,300}(?:\bhidden\b|display["']?\s?:\s?["']?none)[^{}\n]{0,300}\}/g
/** Styles that hide; and classes, unless others show the element on wide screens. */
const hidingStyle =
  /display["']?\s?:\s?["']?none|visibility["']?\s?:\s?["']?hidden|^(?!.*\b(?:(?:x?s|sm|md|lg|\d?xl|tablet|desktop|mobile):|d-(?:sm|md|lg|x{1,2}l)-)(?:block|contents|flex|grid|inline|table))(?:.*[\s,{`"'(])?(?:d-none|hidden|is-hidden)(?:[\s,`"')]|$)/i

type Attribute = readonly [name: string, value: unknown]

/** Returns why readers do not see an element; undefined for others. */
export function reasonUnshown(name: string, attributes: readonly Attribute[]): string | undefined {
  const tag = name.toLowerCase()
  const isOpen = attributes.some(([key]) => /^open$/i.test(key))
  if (/^(?:template|title|TITLE)$/.test(name) || (tag === 'dialog' && !isOpen))
    return `\`<${tag}>\``
  if (/[A-Z-]/.test(name) && withholdsText(name)) return `component ${name}`
  const hiding = attributes.find(
    ([key, value]) =>
      hidingKey.test(key) ||
      condition.test(`${key}=${value}`) ||
      (/^(?:style|class(?:name)?)$/i.test(key) && hidingStyle.test(String(value))),
  )
  return hiding === undefined ? undefined : `element with \`${hiding[0]}\``
}

/**
 * Rewrites links `#id` to the ids that quarry generates. A link to an unknown id leads to the heading with the same
 * letters and digits, if exactly one has them.
 */
function anchorsToHeadings(body: string, changed: (what: string) => void): string {
  if (!/(?:\]\(\s*<?|\]:[ \t]*|href=["']?)#/.test(body)) return body
  const ids = headingIds(body)
  const letters = (id: string) => id.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  const byLetters = new Map<string, string | null>()
  for (const id of ids) byLetters.set(letters(id), byLetters.has(letters(id)) ? null : id)
  return rewriteDestinations(body, (url) => {
    const id = url.startsWith('#') ? decoded(url.slice(1)) : ''
    const meant = id === '' || ids.has(id) ? null : byLetters.get(letters(id))
    if (typeof meant !== 'string') return url
    changed('link to a heading → its id')
    return `#${meant}`
  })
}

/** Returns GitHub's ids of the headings, or the ids that the headings state. */
function headingIds(body: string): ReadonlySet<string> {
  const slugger = new Slugger()
  const ids = new Set<string>()
  visit(fromMarkdown(body), 'heading', (node) => {
    const text = textOf(node, { includeHtml: false })
    ids.add(/\{#([^\s{}]+)\}$/.exec(text)?.[1] ?? slugger.slug(text))
  })
  return ids
}
