// Evaluates Liquid like Jekyll and Eleventy, with the data of the site and of a post.
import { posix } from 'node:path'
import { Drop, Liquid, LiquidError } from 'liquidjs'
import type { FieldValue } from '../site.ts'
import { readValues } from './config.ts'
import { isMap } from './front.ts'
import type { BodyContext } from './generator.ts'
import { addJekyllFilters, addTemplateFilters } from './liquid-filters.ts'
import { blocksToMarkdown, hide, shield, unshield } from './liquid-shields.ts'
import {
  addImageTag,
  addTags,
  addTextBlock,
  isImageTag,
  type TagSite,
  type TagWork,
  unquoted,
  withRubyNames,
} from './liquid-tags.ts'
import type { SourceTree } from './source-tree.ts'
import { withholdsText } from './unshown.ts'

/** The parts of a site that Liquid uses. */
export interface LiquidSite extends TagSite {
  readonly tree: SourceTree
  /** Variables by name, such as `site`; getters are evaluated on use. */
  readonly globals: object
  /** Templates for filters that the site defines in a program, by name. */
  readonly templates: ReadonlyMap<string, string>
  /** Folder of includes, relative to the source. */
  readonly includes: string
  /** The path at which the site is served. */
  readonly base: string
  /**
   * True for Eleventy: front matter is global, and an undefined variable is an error, because a program may define
   * it. In Jekyll it is empty.
   */
  readonly isEleventy?: boolean
  /** True when include arguments are `name=value`, and `include.name` in the file. @default true */
  readonly hasJekyllIncludes?: boolean
}

/** Translates a body. */
export type LiquidTranslator = (body: string, context: BodyContext) => string

/** Creates a translator for all bodies of a site; includes are read and parsed once. */
export function createLiquid(site: LiquidSite): LiquidTranslator {
  const work: TagWork = { addressOf: () => undefined, changed: () => {} }
  const engine = createEngine(site, work)
  return (body, context) => {
    if (!/\{[{%]/.test(body)) return body
    Object.assign(work, { addressOf: context.addressOf, changed: context.changed })
    const shielded = shield(withRubyNames(blocksToMarkdown(body, context)))
    return unshield(evaluate(engine, shielded, site, context))
  }
}

function evaluate(engine: Liquid, body: string, site: LiquidSite, context: BodyContext): string {
  let text = body
  // Each round protects one kind of unknown markup.
  for (let round = 0; round < 50; round++) {
    try {
      return engine.parseAndRenderSync(text, scopeOf(site, context))
    } catch (error) {
      if (!(error instanceof LiquidError)) throw error
      if (keepsText(engine, error, text, site, context)) continue
      const { place, message, token } = explain(error, context.bodyLine)
      context.unknown(`Liquid: ${message}`, place)
      const hidden = hideMarkup(text, token)
      // The error is in a template or an include, so the body contains nothing to protect.
      if (hidden === text) return body
      text = hidden
    }
  }
  return body
}

/** Protects all markup that equals or contains a token, such as a variable without its braces. */
function hideMarkup(text: string, token: string): string {
  if (token === '') return text
  const hidden = text.replaceAll(token, hide(token))
  if (hidden !== text) return hidden
  return text.replace(/\{\{[^{}]*\}\}|\{%[^%]*%\}/g, (found) =>
    found.includes(token) ? hide(found) : found,
  )
}

/**
 * Registers an unknown block tag as one that is replaced by its text or image. @returns false for an error of another
 * kind
 */
function keepsText(
  engine: Liquid,
  { message, token }: LiquidError,
  body: string,
  { tree }: LiquidSite,
  { changed }: BodyContext,
): boolean {
  const [, name] = /^tag "(\w+)" not found/.exec(message) ?? []
  const text = token.file === undefined ? body : (tree.text(token.file) ?? '')
  if (name !== undefined && isImageTag(name, token.getText())) {
    addImageTag(engine, name)
    changed(`Liquid ${name} → image`)
    return true
  }
  // regex: the name of a tag of letters
  if (name === undefined || !new RegExp(`\\{%-?\\s*end${name}\\b`).test(text)) return false
  addTextBlock(engine, name)
  const isLeftOut = withholdsText(name)
  changed(`Liquid block ${name} → ${isLeftOut ? 'left out with its text' : 'its text'}`)
  return true
}

function explain(error: LiquidError, firstLine: number) {
  const token = error.token
  const [line = 1, column = 1] = token.getPosition()
  const message = error.message.replace(/, (?:file:.*|line:.*)$/s, '').split('\n')[0] ?? ''
  if (token.file !== undefined)
    return { message: `${message} in ${token.file}:${line}`, place: `${firstLine}:1`, token: '' }
  return {
    message,
    place: `${line + firstLine - 1}:${column}`,
    token: token.input.slice(token.begin, token.end),
  }
}

function scopeOf(
  { globals, base, isEleventy }: LiquidSite,
  { head, addressOf }: BodyContext,
): object {
  const whole = addressOf(head.file.path)
  const isBelow = base !== '' && whole?.startsWith(`${base}/`)
  const address = isBelow ? whole?.slice(base.length) : whole
  const values = liquidValue(head.values) as object
  const page = Object.assign(new Page(), values, {
    title: head.title,
    date: head.date,
    slug: head.slug,
    fileSlug: head.slug,
    url: address,
    path: head.file.path,
    id: address,
  })
  const scope = {
    ...(isEleventy ? values : {}),
    page,
    post: page,
    baseurl: base,
    jekyll: { environment: 'production' },
  }
  return Object.defineProperties(scope, Object.getOwnPropertyDescriptors(globals))
}

/** The variable `page`: programs cannot extend it, so missing properties are empty. */
class Page extends Drop {
  override liquidMethodMissing(): null {
    return null
  }
}

function createEngine(site: LiquidSite, work: TagWork): Liquid {
  const engine = new Liquid({
    jekyllInclude: site.hasJekyllIncludes ?? true,
    jekyllWhere: true,
    dynamicPartials: false,
    relativeReference: false,
    strictFilters: true,
    strictVariables: site.isEleventy ?? false,
    // Conditions may test undefined variables, such as those of an include.
    lenientIf: true,
    ownPropertyOnly: true,
    timezoneOffset: 0,
    extname: '',
    cache: true,
    parseLimit: 2_000_000,
    renderLimit: 5000,
    memoryLimit: 50_000_000,
    root: [site.includes],
    partials: [site.includes],
    layouts: [site.includes],
    fs: treeFiles(site.tree),
  })
  addJekyllFilters(engine, site.base)
  addTemplateFilters(engine, site.templates, site.globals)
  addTags(engine, site, work)
  return engine
}

/** Reads includes like any other file: no links, nothing outside of the source. */
function treeFiles(tree: SourceTree) {
  const read = (path: string): string => unfronted(tree.text(path) ?? '')
  return {
    sep: '/',
    exists: async (path: string) => tree.has(path),
    existsSync: (path: string) => tree.has(path),
    readFile: async (path: string) => read(path),
    readFileSync: read,
    // Jekyll writes names without quotes, Eleventy with quotes.
    resolve: (folder: string, file: string) => posix.join(folder, unquoted(file)),
    dirname: posix.dirname,
    contains: async (folder: string, file: string) => file.startsWith(folder),
    containsSync: (folder: string, file: string) => file.startsWith(folder),
  }
}

function unfronted(text: string): string {
  return withRubyNames(text.replace(/^---\n[\s\S]*?\n---\n/, ''))
}

/** Converts a value for comparisons in Liquid: `true` and `false` become booleans. */
export function liquidValue(value: FieldValue): unknown {
  if (value === 'true' || value === 'false') return value === 'true'
  if (Array.isArray(value)) return value.map(liquidValue)
  if (!isMap(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, liquidValue(item)]))
}

/** The files of a folder as `site.data`, each read on first use. */
export function liquidData(tree: SourceTree, folder: string): object {
  const data: Record<string, unknown> = Object.create(null)
  for (const path of tree.below(folder)) {
    const [, name, extension] = /^(.+)\.(ya?ml|json)$/.exec(posix.basename(path)) ?? []
    if (name === undefined || extension === undefined) continue
    const parents = posix.relative(folder, posix.dirname(path)).split('/').filter(Boolean)
    defineOnce(mapAt(data, parents), name, () => liquidValue(readValues(tree, path)))
  }
  return data
}

function mapAt(root: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return names.reduce((map, name) => {
    if (!Object.hasOwn(map, name)) map[name] = Object.create(null)
    return map[name] as Record<string, unknown>
  }, root)
}

/** Defines a property that is computed on first use. */
export function defineOnce(map: Record<string, unknown>, name: string, make: () => unknown): void {
  let made: { readonly value: unknown } | undefined
  Object.defineProperty(map, name, {
    configurable: true,
    enumerable: true,
    get: () => {
      made ??= { value: make() }
      return made.value
    },
  })
}
