// Evaluates Liquid like Jekyll, Eleventy and Hexo, with the data of the site and of a post.
import { posix } from 'node:path'
import { type Context, Drop, Liquid, LiquidError } from 'liquidjs'
import { slugify, UseError } from 'quarry/authoring'
import {
  bold,
  codeBlock,
  escaped,
  linkTo,
  type Part,
  playerPage,
  remembered,
  replaceParts,
  within,
} from '../parts.ts'
import type { BodyContext, PostHead } from '../site.ts'
import { lineBefore, maskCode } from './code-mask.ts'
import { blockToMarkdown, withoutMargin } from './dialects.ts'
import { dataOfProgram, textAt, type Values } from './front.ts'
import { readMoment } from './post-head.ts'
import { blockOf, figure, readArguments } from './shortcodes.ts'
import { readValues, type SourceTree } from './source-tree.ts'
import { withholdsText } from './steps.ts'

interface LiquidSite {
  readonly tree: SourceTree
  /** Variables by name, such as `site`; getters are evaluated on use. */
  readonly globals: object
  readonly templates: ReadonlyMap<string, string>
  readonly includes: string
  readonly base: string
  /** The path of a post by its file name without extension: `2024-05-06-title`. */
  findPost?(name: string): string | undefined
  pageAddress?(path: string): string | undefined
  /** Returns properties of a page that the tool computes. */
  pageOf?(head: PostHead): object
  /** The time zone of dates. @default UTC */
  readonly zone?: string | undefined
  /**
   * A tool that evaluates code too. In Jekyll, so is the code of `highlight`, and undefined variables are empty. In
   * Eleventy, front matter is global, and undefined variables are errors, because a program may define them.
   */
  readonly tool?: 'jekyll' | 'eleventy'
  /** True for a site with Nunjucks templates, which are evaluated as far as Liquid has the same syntax. */
  readonly isNunjucks?: boolean
  /** True when include arguments are `name=value`, and `include.name` in the file. @default true */
  readonly hasJekyllIncludes?: boolean
}

export type LiquidTranslator = (body: string, context: BodyContext) => string

type Work = Pick<BodyContext, 'addressOf' | 'changed'>

/** Creates a translator for all bodies of a site; includes are read and parsed once. */
export function createLiquid(site: LiquidSite): LiquidTranslator {
  // Bodies are evaluated one at a time.
  const work: Work = { addressOf: () => undefined, changed: () => {} }
  const engine = createEngine(site, work)
  return (body, context) => {
    const { render_with_liquid: isOn, disableNunjucks: isOff } = context.head.values
    if (!/\{[{%]/.test(body) || isOn === 'false' || isOff === 'true') return body
    Object.assign(work, { addressOf: context.addressOf, changed: context.changed })
    const blocks = blocksToMarkdown(body, context, site)
    const open = site.tool === undefined ? hideCode(blocks) : blocks
    const read = site.isNunjucks
      ? withoutExpressions(open, (tag, at) => {
          context.unknown('Nunjucks: an expression that Liquid does not have', blocks, at)
          return hide(tag)
        })
      : open
    const text = withoutBlocks(spelled(read), engine, work)
    return shown(evaluate(engine, text, site, context) ?? text)
  }
}

/** Evaluates a text, and reports its tags. Each round hides one kind of unknown markup; undefined if an include has some. */
function evaluate(
  engine: Liquid,
  text: string,
  site: LiquidSite,
  context: BodyContext,
  rounds = 50,
): string | undefined {
  try {
    const made = engine.parseAndRenderSync(text, scopeOf(site, context))
    for (const [, name = 'output'] of text.matchAll(/\{(?:\{|%-?\s{0,9}(\w+))/g))
      if (name === 'output' || Object.hasOwn(engine.tags, name))
        context.changed(`Liquid ${name} → its text`)
    return made
  } catch (error) {
    if (!(error instanceof LiquidError)) {
      // Limits are also checked between tags.
      context.unknown(`Liquid: ${Object(error).message}`, text, 0)
      return undefined
    }
    const { token } = error
    const [message] = error.message.replace(/, (?:file:.*|line:.*)$/s, '').split('\n')
    const [line = 1] = token.getPosition()
    const [file, at] = token.file ? [` in ${token.file}:${line}`, 0] : ['', token.begin]
    context.unknown(`Liquid: ${message}${file}`, text, at)
    const hidden = hideMarkup(text, token.input.slice(token.begin, token.end))
    // An error in an include leaves nothing to hide in the body, and another round would reach the same limit.
    const isFinal = file !== '' || /limit exceeded/.test(error.message)
    if (isFinal || hidden === text || rounds === 1) return undefined
    return evaluate(engine, hidden.replace(unreadBlocks, hide), site, context, rounds - 1)
  }
}

// U+FDD1 and U+FDD2 stand for `{` and `%` in text that Liquid must not evaluate: noncharacters, which no site contains.

/** Blocks whose condition or list is unknown: variables in them may have no value. */
const unreadBlocks =
  /\uFDD1\uFDD2-?\s{0,9}(for|if|unless|case)\b[\s\S]*?\{%-?\s{0,9}end\1\s{0,9}-?%\}/g

function hide(text: string): string {
  return text.replace(/\{(?=[{%])|(?<=\{)[{%]/g, (sign) => (sign === '{' ? '\uFDD1' : '\uFDD2'))
}

function shown(text: string): string {
  return text.replaceAll('\uFDD1', '{').replaceAll('\uFDD2', '%')
}

/** Hides all markup that equals or contains a token, such as a variable without its braces. */
function hideMarkup(text: string, token: string): string {
  if (token === '') return text
  const hidden = text.replaceAll(token, () => hide(token))
  if (hidden !== text) return hidden
  return text.replace(/\{\{[^{}]*\}\}|\{%[^%]*%\}/g, (found) =>
    found.includes(token) ? hide(found) : found,
  )
}

function hideCode(body: string): string {
  const masked = maskCode(body)
  return body.replace(/\{[{%]/g, (sign, at: number) => (masked[at] === '{' ? sign : hide(sign)))
}

/** Blocks whose text is not evaluated; those of code with their language in the options. */
export const verbatim: readonly (readonly [name: string, language?: RegExp])[] = [
  ['raw'],
  ['verbatim'],
  ['highlight', /^([^\s-]\S*)/],
  ['codeblock', /\blang:(\S+)/],
  ['code', /\blang:(\S+)/],
]

function blocksToMarkdown(body: string, context: BodyContext, site: LiquidSite): string {
  const names = verbatim.map(([name]) => name).join('|')
  const open = new RegExp(`\\{%-?\\s{0,99}(${names})\\b([^%{}]*)%\\}`, 'g')
  const closeOf = ([, name]: RegExpExecArray) => `\\{%-?\\s{0,99}end${name}\\s{0,99}-?%\\}`
  return replaceParts(body, open, closeOf, ({ open: [, name = '', given = ''], inner, start }) => {
    context.changed(`Liquid ${name} → its text`)
    const language = verbatim.find((row) => row[0] === name)?.[1]
    if (language === undefined) return hide(inner)
    const isOpen = name === 'highlight' && site.tool === 'jekyll'
    const plain = isOpen
      ? blocksToMarkdown(inner, context, site)
      : hide(inner.replace(/\{%-?\s{0,99}(?:end)?raw\s{0,99}-?%\}/g, ''))
    const before = lineBefore(body, start)
    const options = given.replace(/-$/, '').trim()
    const caption = name.startsWith('code') ? captionOf(options) : ''
    const code = codeBlock(plain, language.exec(options)?.[1] ?? '', before)
    return caption === '' ? code : `${caption}\n\n${code}`
  })
}

/** Returns the title and the source of a block of Hexo: `title lang:js https://a.b text`. */
function captionOf(options: string): string {
  return options.replace(/(?:^|\s)\w+:(?!\/\/)\S+/g, '').trim()
}

/** Replaces blocks of plugins with Markdown or their text, or with nothing if their name withholds the text. */
function withoutBlocks(text: string, { tags: known }: Liquid, { changed }: Work): string {
  const names = Array.from(text.matchAll(/\{%-?\s*end(\w+)/g), ([, name = '']) => name)
  return [...new Set(names)].reduce((made, name) => {
    // The content of these blocks is shown elsewhere or not at all.
    const isOther = /^(?:macro|call|set|filter|switch|renderTemplate)$/.test(name)
    if (isOther || Object.hasOwn(known, name)) return made
    const open = `\\{%-?\\s{0,9}${name}\\b([^%{}]{0,999})%\\}`
    const nested = `\\{%-?\\s{0,9}end${name}\\s{0,9}-?%\\}|(${open.replace('(', '(?:')})`
    const opening = new RegExp(open, 'g')
    const each = (part: Part): string => showBlock(name, part, replace, changed)
    const replace = (all: string): string => replaceParts(all, opening, () => nested, each)
    return replace(made)
  }, text)
}

/** Returns the Markdown or the text of a block of a plugin. @param replace translates its text */
function showBlock(
  name: string,
  { open, inner: written }: Part,
  replace: (text: string) => string,
  changed: Work['changed'],
): string {
  // The text of the other blocks belongs to the head of the page.
  if (withholdsText(name) || /^(?:css|js|javascript|script|style|schema)$/.test(name)) {
    changed(`Liquid block ${name} → left out with its text`)
    return ''
  }
  const inner = name === 'mermaid' ? written : replace(written)
  const before = lineBefore(open.input, open.index)
  const block = blockOf(name, readArguments(open[1] ?? ''), before)
  const made = blockToMarkdown(block, withoutMargin(inner))
  changed(`Liquid block ${name} → ${made === undefined ? 'its text' : 'Markdown'}`)
  const isPlain = block.title === '' || name === 'tabs'
  return made ?? (isPlain ? inner : `${bold(block.title)}\n\n${inner}`)
}

const operand = '(?:-?\\d+(?:\\.\\d+)?|[\\w$]+(?:\\.[\\w$]+|\\[\\w+\\])*)'
const filtered = `${operand}(?:\\s*\\|\\s*(?!(?:default|truncate)\\b|join\\b(?!\\())\\w+(?:\\(\\s*(?:${operand}(?:\\s*,\\s*${operand})*)?\\s*\\))?)*`
/** Nunjucks compares as JavaScript: `0 == false`. */
const compared = `(?:not\\s+)?${operand}(?:\\s*(?:[=!]=|[<>]=?)\\s*(?!(?:true|false|none|null)\\b)${operand})?`
const condition = `${compared}(?:(?:\\s+and\\s+${compared})*|(?:\\s+or\\s+${compared})*)`
/** Tags of Nunjucks, with the arguments that mean the same in Liquid. */
export const likeLiquid: readonly (readonly [name: RegExp, args: RegExp])[] = [
  [/^(?:if|elif|elseif|elsif)$/, new RegExp(`^\\s+${condition}\\s*$`)],
  [/^for$/, new RegExp(`^\\s+\\w+\\s+in\\s+${operand}\\s*$`)],
  [/^(?:set|assign)$/, new RegExp(`^\\s+\\w+\\s*=\\s*${filtered}\\s*$`)],
  [/^$/, new RegExp(`^\\s*${filtered}\\s*$`)],
]

/** Replaces tags of Nunjucks that Liquid would read in part, such as `{{ a if b }}`. */
function withoutExpressions(text: string, unread: (tag: string, offset: number) => string): string {
  const tags = /\{(?:\{-?([^{}]{0,999}?)|%-?\s{0,9}(\w+)([^%]{0,999}?))-?[%}]\}/g
  return text.replace(tags, (tag, output: string | undefined, name = '', given = '', at = 0) => {
    // regex: at most 999 characters
    const plain = (output ?? given).replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '0')
    const rule = likeLiquid.find(([names]) => names.test(name))
    return rule === undefined || rule[1].test(plain) ? tag : unread(tag, at)
  })
}

function scopeOf({ base, tool, zone, pageOf }: LiquidSite, { head, addressOf }: BodyContext) {
  const whole = addressOf(head.file.path)
  const isBelow = base !== '' && whole?.startsWith(`${base}/`)
  const url = isBelow ? whole?.slice(base.length) : whole
  const values = head.typed
  const { title, slug, file } = head
  const date = instantOf(textAt(head.values, 'date') ?? head.day, zone)
  const page = Object.assign(new Page(), values, {
    ...{ title, date, slug, fileSlug: slug, url, path: file.path, id: url, ...pageOf?.(head) },
  })
  const jekyll = { environment: 'production' }
  return { ...(tool === 'eleventy' ? values : {}), page, post: page, baseurl: base, jekyll }
}

/** Properties of a page that Jekyll or Eleventy computes. */
const computed =
  /^(?:next|previous|content|excerpt|output|collection|relative_path|inputPath|outputPath|filePathStem)$/

/** The variable `page`: programs cannot extend it, so other missing properties are empty. */
class Page extends Drop {
  override liquidMethodMissing(name: string): null {
    if (computed.test(name)) throw new Error(`\`page.${name}\` is not read`)
    return null
  }
}

function createEngine(site: LiquidSite, work: Work): Liquid {
  const { tree, includes, globals } = site
  // Reads includes like any other file: does not follow links or read files outside of the source.
  const read = remembered((name) => {
    // Jekyll writes names without quotes, Eleventy with quotes, and may leave out the extension of Liquid.
    const whole = posix.join(includes, name.replace(/["']/g, ''))
    const path = [whole, `${whole}.liquid`].find((file) => tree.has(file))
    if (path === undefined) return undefined
    const text = (tree.text(path) ?? '').replace(/^---\n[\s\S]*?\n---\n/, '')
    // No tag has the name `expression`, so a post that includes the file fails.
    const plain = site.isNunjucks ? withoutExpressions(text, () => '{% expression %}') : text
    return withoutBlocks(spelled(plain), engine, work)
  })
  const engine: Liquid = new Liquid({
    jekyllInclude: site.hasJekyllIncludes ?? true,
    jekyllWhere: true,
    globals,
    dynamicPartials: false,
    relativeReference: false,
    strictFilters: true,
    strictVariables: site.tool === 'eleventy',
    // Conditions may test undefined variables, such as those of an include.
    lenientIf: true,
    ownPropertyOnly: true,
    jsTruthy: site.isNunjucks ?? false,
    ...(site.isNunjucks && {
      outputEscape: (it) => (site.tool ? escaped : String)(String(it ?? '')),
    }),
    timezoneOffset: site.zone ?? 0,
    extname: '',
    cache: true,
    parseLimit: 2_000_000,
    renderLimit: 5000,
    memoryLimit: 50_000_000,
    templates: new Proxy<Record<string, string>>({}, { get: (_, name) => read(String(name)) }),
  })
  addFilters(engine, site)
  const addTag = (name: string, run: ReturnType<typeof templateTag>) =>
    engine.registerTag(name, {
      parse(token): void {
        this['args'] = token.args.trim()
      },
      render(context): string {
        return run(String(this['args']), context)
      },
    })
  for (const [name, template] of site.templates) addTag(name, templateTag(engine, name, template))
  for (const [names, show] of tags)
    for (const name of names.split(' '))
      addTag(name, (args, context) => {
        const given = site.tool === 'eleventy' ? withValues(args, engine, context) : args
        return show(given, { site, work }, name)
      })
  return engine
}

/** Short forms of dates in Ruby. */
const formats: Readonly<Record<string, string>> = {
  ...{ F: '%Y-%m-%d', T: '%H:%M:%S', R: '%H:%M', D: '%m/%d/%y' },
}

/** Returns the instant of a date; a timestamp of YAML, which has seconds, is in UTC. */
function instantOf(text: string, zone: string | undefined): string | undefined {
  return readMoment(text, /:\d{2}:\d{2}/.test(text) ? undefined : zone)
}

function addFilters(engine: Liquid, { base, zone }: LiquidSite): void {
  for (const end of ['', '_to_string', '_to_long_string', '_to_xmlschema', '_to_rfc822']) {
    const own = engine.filters[`date${end}`]
    if (typeof own === 'function')
      engine.registerFilter(`date${end}`, function (value, ...given) {
        const args = given.map((it) =>
          String(it).replace(/%([FTRD])/g, (_, key) => formats[key] ?? ''),
        )
        return own.call(this, instantOf(String(value ?? ''), zone) ?? value, ...args)
      })
  }
  const relative = (value: unknown) => {
    const path = String(value ?? '')
    if (/^[a-z]+:\/\//i.test(path)) return path
    return `/${base}/${path}`.replace(/\/{2,}/g, '/')
  }
  // The site's own origin is irrelevant for a content API.
  for (const name of ['relative_url', 'absolute_url', 'url']) engine.registerFilter(name, relative)
  engine.registerFilter('markdownify', (value: unknown) => within(String(value ?? '')))
  for (const name of ['smartify', 'safe'])
    engine.registerFilter(name, { raw: true, handler: (value: unknown) => value })
  const same = 'lower=downcase upper=upcase length=size trim=strip urlencode=url_encode'
  for (const [name = '', own = ''] of same.split(' ').map((pair) => pair.split('=')))
    engine.registerFilter(name, engine.filters[own] ?? String)
  engine.registerFilter('slug', (value) => slugify(String(value ?? '')))
  engine.registerFilter('strip_index', (value) => String(value ?? '').replace(/index\.html?$/, ''))
}

/**
 * Adds a filter from the command line, and returns its tag, in place of those that a program of the site defines.
 *
 * @param template Liquid; `value` is the input, `arguments` the list after the colon, or after the name of the tag
 * @throws UseError for a template that is invalid Liquid
 */
function templateTag(engine: Liquid, name: string, template: string) {
  try {
    const parsed = engine.parse(template)
    const render = (value: unknown, ...args: unknown[]): string =>
      engine.renderSync(parsed, { value, arguments: args })
    engine.registerFilter(name, render)
    return (args: string, context: Context): string => {
      const words = args.match(/"[^"]*"|'[^']*'|[^\s,]+/g) ?? []
      const values = words.map((word) => engine.evalValueSync(word, context))
      return render(values[0], ...values)
    }
  } catch (error) {
    const [reason] = (error as Error).message.split('\n')
    throw new UseError(`--template ${name} is not valid Liquid: ${reason}.`)
  }
}

const markup = /\.(?:md|markdown|mkd|html?|textile|adoc)$/i

type ShowTag = (args: string, use: { site: LiquidSite; work: Work }, name: string) => string

/** Returns the arguments of a tag of Eleventy, which are expressions, as texts: `{ src: a.b }` becomes `src="c.png"`. */
function withValues(args: string, engine: Liquid, context: Context): string {
  const parts = /(["']?)([a-z]\w*)\1\s?:|("[^"]*"|'[^']*')|[a-z_]\w*(?:\.\w+)*/gi
  return args
    .replace(/^\{|\}$/g, '')
    .replace(parts, (word, _, key?: string, text?: string) => {
      if (key !== undefined) return `${key}=`
      return text ?? JSON.stringify(String(engine.evalValueSync(word, context)))
    })
    .replace(/=\s+/g, '=')
}

const postUrl: ShowTag = (name, { site, work }) => {
  const path = site.findPost?.(posix.basename(unquoted(name)).replace(markup, ''))
  const address = path === undefined ? undefined : work.addressOf(path)
  if (address === undefined) work.changed(`link to a post that the site does not have: ${name}`)
  return address ?? `/${unquoted(name)}`
}

function titled(args: string, urlOf: (name: string) => string): string {
  const [name = '', ...title] = args.split(/\s+/)
  const text = title.join(' ').replace(/\s(?:true|false)$/, '')
  return linkTo(urlOf(name), unquoted(text) || unquoted(name))
}

/** Hexo has `text URL`, Jekyll a path. */
const fileLink: ShowTag = (args, { site, work }) => {
  const [, text, url] = /^([^\n]{0,500}?)\s{0,9}(https?:\S+)/.exec(args) ?? []
  if (url !== undefined) return linkTo(url, text || url)
  const path = unquoted(args).replace(/^\//, '')
  const page = site.pageAddress?.(path)
  const address = work.addressOf(path) ?? (page && site.base + page)
  if (address === undefined) work.changed(`link to a file that is no post or page: ${path}`)
  return address ?? `/${path.replace(/^_pages\//, '').replace(markup, '')}`
}

const player: ShowTag = (args, _, name) =>
  linkTo(playerPage(name, firstWord(args)) ?? firstWord(args))

/** Tags of plugins. Hexo's `asset_` tags name files next to the post; NexT's `btn` has `url, text, icon`. */
export const tags: readonly (readonly [names: string, show: ShowTag])[] = [
  ['post_url post_path', postUrl],
  ['post_link', (args, use) => titled(args, (name) => postUrl(name, use, ''))],
  ['link', fileLink],
  ['asset_path', firstWord],
  ['asset_link', (args) => titled(args, unquoted)],
  ['seo feed_meta toc', () => ''],
  ['gist jsfiddle youtube youtubeid youtube_embed youtubeEmbed vimeo twitter tweet', player],
  ['embed video audio iframe', player],
  ['img image imageKeys picture asset_img', (args) => figure(readArguments(args)) ?? ''],
]

function firstWord(args: string): string {
  return unquoted(args.split(/\s+/)[0] ?? '')
}

function unquoted(text: string): string {
  return text.replace(/^["']|["']$/g, '')
}

/** Writes tags as Liquid has them: Nunjucks has `set`, `elif`, `loop` and `name(x)` for a filter, Ruby's Liquid `a.[b]`. */
function spelled(text: string): string {
  return text.replace(/\{[{%][^{}%]*[%}]\}/g, (tag) =>
    tag
      .replaceAll('.[', '[')
      .replace(/\|\s{0,9}(\w{1,99})\(([^()]{0,300})\)/g, (_, name: string, given: string) =>
        given.trim() === '' ? `| ${name}` : `| ${name}: ${given}`,
      )
      .replace(/^(\{%-?\s{0,9})set(?=\s+\w+\s*=)/, '$1assign')
      .replace(/^(\{%-?\s{0,9})elif\b/, '$1elsif')
      .replace(/\bloop\.(index0?|first|last|length)\b/g, 'forloop.$1'),
  )
}

/** Returns the files of a folder as `site.data`; each file is read on first use. */
export function liquidData(tree: SourceTree, folder: string): object {
  const data: Record<string, unknown> = Object.create(null)
  for (const path of tree.below(folder)) {
    const [, name] = /^(.+)\.(?:ya?ml|json|[cm]?js)$/.exec(posix.basename(path)) ?? []
    if (name === undefined) continue
    const parents = posix.relative(folder, posix.dirname(path)).split('/').filter(Boolean)
    const map = parents.reduce((above, part) => {
      if (!Object.hasOwn(above, part)) above[part] = Object.create(null)
      return above[part] as Record<string, unknown>
    }, data)
    defineOnce(map, name, () => {
      const program = /js$/.test(path) ? dataOfProgram(tree.data(path) ?? '') : undefined
      if (program?.computed.length === 0 || !/js$/.test(path)) return readValues(tree, path, true)
      return new Computed(path, program?.values)
    })
  }
  return data
}

/** A value of a program. A property that the program computes is an error, and so is a value that it computes as a whole. */
export class Computed extends Drop {
  readonly #name: string
  readonly #isWhole: boolean

  /** @param values the literals; undefined for none */
  constructor(name: string, values?: Values) {
    super()
    this.#name = name
    this.#isWhole = values === undefined
    Object.assign(this, values)
  }

  override liquidMethodMissing(): never {
    throw new Error(`\`${this.#name}\` is computed: not read`)
  }

  override valueOf(): unknown {
    return this.#isWhole ? this.liquidMethodMissing() : this
  }
}

/** Defines a property that is computed on first use. */
export function defineOnce(map: object, name: string, make: () => unknown): void {
  const get = remembered(make)
  Object.defineProperty(map, name, { configurable: true, enumerable: true, get: () => get('') })
}
