// Maps the keys of foreign front matter to quarry's fields.
import type { z } from 'zod'
import { parseDate } from '../api/dates.ts'
import { type PostKeys, postKeyTable } from '../api/post-keys.ts'
import type { TermKind } from '../api/resources.ts'
import { entriesOf } from '../content/mounts.ts'
import type { YamlEntry, YamlValue } from '../content/raw.ts'
import type { PlacedProblem } from '../content/source.ts'
import { fileStart, type Problem } from '../diagnostics.ts'
import { slugify } from './identifier.ts'
import { type Fields, isAbsent, splitText, unknownKey } from './read-fields.ts'
import { itemSchema, type PostFields, postSchema, type TermFields, termSchemas } from './schema.ts'
import type { CollectionDefinition, WorkspaceSettings } from './settings.ts'

/** Front matter with mapped keys. */
export interface MappedFields {
  readonly fields: Map<string, YamlEntry>
  /** Keys that the mapping reads, or ignores by name. */
  readonly usedKeys: readonly string[]
  /** Original keys of fields that have another name in the file. */
  readonly originalKeys: Map<string, string>
  readonly problems: PlacedProblem[]
}

/** Maps front matter. Keys without a mapping are kept. @param own names of all fields of the kind */
export function mapFields(
  fields: Fields,
  { ignore = [], ...given }: FrontMatterMapping | TermMapping | ItemMapping,
  own: readonly string[],
): MappedFields {
  const sources = Object.entries(given).map(([field, from]) => {
    const source = toSource(from)
    return { field, source, keys: [source.from ?? [], field].flat() }
  })
  const read = new Set(sources.flatMap(({ keys }) => keys.map((key) => topKey(fields, key))))
  // A mapped key is dropped unless it is also the name of a field.
  const mapped = new Map([...fields].filter(([key]) => !read.has(key) || own.includes(key)))
  const originalKeys = new Map<string, string>()
  for (const { field, source, keys } of sources) {
    const key = findSourceKey(field, fields, source, keys)
    const entry = key === undefined ? defaultEntry(source) : findEntry(fields, key)
    // `not` applies to the other tool's key: neither to the field's own name nor to the default.
    const not = key !== undefined && key !== field && source.not === true
    // A term stays a name: the lookup derives the slug.
    const isTerm = ['category', 'tags', 'authors'].includes(postKeyTable[field]?.type ?? '')
    const steps = { ...source, not, ...(isTerm ? { slugify: false } : {}) }
    if (entry === undefined) mapped.delete(field)
    else mapped.set(field, { ...entry, value: convertValue(entry.value, steps) })
    if (key !== undefined) originalKeys.set(field, key)
  }
  const ignored = Array.isArray(ignore) ? ignore : []
  return { fields: mapped, usedKeys: [...read, ...ignored], originalKeys, problems: [] }
}

/** Returns the long form of a source. */
export function toSource(given: unknown): SlugSource {
  const isShort = typeof given === 'string' || Array.isArray(given)
  return isShort ? { from: given } : Object(given)
}

/** Returns the entry of a key or a path. A key that contains dots takes precedence. */
function findEntry(fields: Fields, path: string): YamlEntry | undefined {
  const top = topKey(fields, path)
  const found = fields.get(top)
  if (top === path || found?.value.kind !== 'map') return top === path ? found : undefined
  return findEntry(found.value.entries, path.slice(top.length + 1))
}

function topKey(fields: Fields, path: string): string {
  return fields.has(path) ? path : path.replace(/\..*/su, '')
}

/** Returns the key whose value a field takes: the first that is stated. */
function findSourceKey(
  field: string,
  fields: Fields,
  source: FieldSource,
  keys: readonly string[],
): string | undefined {
  const stated = keys.filter((key) => {
    const entry = findEntry(fields, key)
    return entry !== undefined && !isAbsent(entry.value)
  })
  // If quarry's own field or a mapped key makes a post a draft, no other key publishes the post.
  const isDraft = (key: string) => {
    const value = findEntry(fields, key)?.value
    const shaped = value && key !== field ? convertValue(value, source) : value
    if (field === 'status') return key === field && !isText(shaped, /^published$/)
    return field === 'draft' && !isText(shaped, /^false$/iu)
  }
  const [own] = stated.filter((key) => key === field && isDraft(key))
  return own ?? stated.find(isDraft) ?? stated[0]
}

function isText(value: YamlValue | undefined, pattern: RegExp): boolean {
  return value?.kind === 'text' && pattern.test(value.value)
}

function defaultEntry({ default: value }: FieldSource): YamlEntry | undefined {
  const at = fileStart
  if (value === undefined) return undefined
  return { keyAt: at, value: { kind: 'text', value, isPlain: false, at } }
}

function convertValue(value: YamlValue, source: FieldSource): YamlValue {
  const { at } = value
  let found = value
  if (source.split !== undefined)
    found = splitText(value, source.split === ' ' ? /\s+/u : source.split)
  if (source.take !== undefined && found.kind === 'list') {
    const item = found.items.at(source.take === 'first' ? 0 : -1)
    found = item ?? { kind: 'text', value: '', isPlain: true, at }
  }
  if (found.kind !== 'list') return convertText(found, source)
  return { ...found, items: found.items.map((item) => convertText(item, source)) }
}

function convertText(value: YamlValue, source: FieldSource): YamlValue {
  if (value.kind !== 'text') return value
  let text = value.value
  if (source.slugify === true) text = slugify(text)
  if (source.dates === 'loose') text = parseDate(text, 'loose') ?? text
  if (source.not === true && /^(?:true|false)$/iu.test(text)) text = String(!/^t/iu.test(text))
  return { ...value, value: text }
}

/** The rules for reading the entries of a kind: posts, the items of a collection, or the terms of one kind. */
export interface Kind<T> {
  readonly schema: z.ZodType<T>
  readonly map: (entries: Fields) => MappedFields
  readonly known: readonly string[]
  /** Returns the problem of an unknown key, if any. */
  readonly unknown: (key: string) => Problem | undefined
}

/** Posts. An alias such as `date` becomes the field; a single value of a list field becomes a list. */
export function postKind(mappings: Mappings): Kind<PostFields> {
  return {
    schema: postSchema,
    map: (entries) => {
      const mapped = mapFields(entries, mappings.posts, mappedFields)
      const { fields } = mapped
      resolveAliases(mapped)
      splitCategories(mapped)
      const authors = fields.get('authors')
      if (authors?.value.kind === 'list') {
        // Authors written as maps are mapped like authors in files.
        const items = authors.value.items.map((item): YamlValue => {
          if (item.kind !== 'map') return item
          const mapped = mapFields(item.entries, mappings.authors, mappedTermFields)
          return { ...item, entries: mapped.fields }
        })
        fields.set('authors', { ...authors, value: { ...authors.value, items } })
      }
      return mapped
    },
    known: Object.entries(postKeyTable).flatMap(([name, { alias }]) => [name, alias ?? []].flat()),
    unknown: (name) => {
      const hint = `Your own keys go below \`fields:\`; \`frontMatter: { posts: { ignore: ['${name}'] } }\` in the configuration ignores this one.`
      return mappings.posts.ignore === true ? undefined : { ...unknownKey(name), hint }
    },
  }
}

/** Sets fields that are written under an alias, and converts single values to lists. */
function resolveAliases({ fields, originalKeys, problems }: MappedFields): void {
  for (const [name, { type, alias = name }] of Object.entries(postKeyTable)) {
    const own = fields.get(name)
    const other = alias === name ? undefined : fields.get(alias)
    const isOther = own && other && meaningOf(own.value) !== meaningOf(other.value)
    const isMap = own?.value.kind === 'map' && type !== 'authors'
    if (own !== undefined && !isMap && ['tags', 'authors', 'identifiers'].includes(type)) {
      const items = nonEmptyItems(own.value)
      fields.set(name, { ...own, value: { kind: 'list', items, at: own.value.at } })
    } else if (other && (!own || isAbsent(own.value))) {
      fields.set(name, other)
      originalKeys.set(name, alias)
    } else if (other && isOther && !originalKeys.has(name) && !isAbsent(other.value))
      problems.push([statedTwice(alias, `stated as \`${name}\``), other.keyAt])
  }
}

/** Keys of an item that every collection has. */
export const itemKeys: readonly string[] = [
  ...['title', 'slug', 'id', 'publishedAt', 'updatedAt', 'expiresAt', 'aliases'],
  ...['translationKey', 'status', 'draft'],
]

/** Items. Declared fields at the top level move below `fields`. @param isBroken an unknown key may name a field with an error */
export function itemKind(
  { name: collection, fields: defined }: CollectionDefinition,
  mappings: Mappings,
  isBroken: boolean,
): Kind<PostFields> {
  const names = defined.map(({ name }) => name)
  const mapping = mappings.collections[collection] ?? {}
  // A key that another field reads is dropped, unless the key is a declared or mapped field itself.
  const own = [...names, ...Object.keys(mapping)]
  const known = [...itemKeys, 'fields']
  return {
    schema: itemSchema,
    map: (entries) => {
      const mapped = mapFields(entries, mapping, own)
      const { fields } = mapped
      const title = fields.get('title') ?? fields.get('name')
      if (title !== undefined) fields.set('title', title)
      gatherFields(mapped, names)
      resolveAliases(mapped)
      for (const name of [...fields.keys()]) if (!known.includes(name)) fields.delete(name)
      return mapped
    },
    known: [...known, 'date', 'name', ...names],
    unknown: (name) => {
      const hint = 'Define it below `fields` of the collection in workspace.yml.'
      return mapping['ignore'] === true || isBroken ? undefined : { ...unknownKey(name), hint }
    },
  }
}

/** Categories, tags or authors. Declared fields at the top level move below `fields`. */
export function termKind(
  kind: TermKind,
  { [kind]: mapping }: Mappings,
  { fieldsOf, isBroken }: Pick<WorkspaceSettings, 'fieldsOf' | 'isBroken'>,
): Kind<TermFields> {
  const schema = termSchemas[kind]
  const names = fieldsOf[kind].map(({ name }) => name)
  return {
    schema,
    map: (entries) => {
      const mapped = mapFields(entries, mapping, [...mappedTermFields, ...names])
      gatherFields(mapped, names)
      return mapped
    },
    known: [...Object.keys(schema.shape), ...(names.length === 0 ? [] : ['fields', ...names])],
    unknown: (name) => (mapping.ignore === true || isBroken ? undefined : unknownKey(name)),
  }
}

/** Moves declared fields from the top level into `fields`, which may already contain some of them. */
function gatherFields({ fields, problems }: MappedFields, names: readonly string[]): void {
  if (names.length === 0) return
  const stated = fields.get('fields')
  const inner = new Map(entriesOf(stated?.value))
  for (const name of names) {
    const entry = fields.get(name)
    fields.delete(name)
    if (entry === undefined) continue
    if (inner.has(name)) problems.push([statedTwice(name, 'below `fields`'), entry.keyAt])
    inner.set(name, entry)
  }
  const [first] = inner.values()
  if (first === undefined || (stated !== undefined && stated.value.kind !== 'map')) return
  const value = { kind: 'map', entries: inner, at: first.value.at } as const
  fields.set('fields', { keyAt: stated?.keyAt ?? first.keyAt, value })
}

function statedTwice(name: string, other: string): Problem {
  const message = `\`${name}\` is also ${other}.`
  return { code: 'conflicting-fields', message, hint: 'Keep one of them.' }
}

/** Drops empty items: many tools write a `-` with nothing after it. */
function nonEmptyItems(value: YamlValue): readonly YamlValue[] {
  const items = value.kind === 'list' ? value.items : [value]
  return items.filter((item) => !isAbsent(item) && !isText(item, /^\s*$/))
}

/** Keeps the first of several categories and adds the others to the tags, with a warning. */
function splitCategories({ fields, problems }: MappedFields): void {
  const category = fields.get('category')
  if (category?.value.kind !== 'list') return
  const [first, ...others] = nonEmptyItems(category.value)
  if (first === undefined) fields.delete('category')
  else fields.set('category', { ...category, value: first })
  const [second] = others
  if (second === undefined) return
  const tags = fields.get('tags')
  const own = tags === undefined ? [] : nonEmptyItems(tags.value)
  const added = others.filter((item) => !own.some((each) => meaningOf(each) === meaningOf(item)))
  const { keyAt, value } = tags ?? category
  fields.set('tags', { keyAt, value: { kind: 'list', items: [...own, ...added], at: value.at } })
  const message = 'A post has one category; the others become tags.'
  const hint =
    "Set `frontMatter: { posts: { category: { take: 'first' } } }` in the configuration to leave them out."
  problems.push([{ code: 'several-categories', severity: 'warning', message, hint }, second.at])
}

/** Returns the text of a value, for a date its instant. */
function meaningOf(value: YamlValue): unknown {
  return value.kind === 'text' ? (parseDate(value.value) ?? value.value) : value
}

/** Keys of a post that can be mapped. */
export const mappedFields: readonly string[] = Object.keys(postKeyTable).filter(
  (name) => name !== 'fields',
)

/** Fields of a category, a tag or an author that can be mapped. */
export const mappedTermFields: readonly string[] = [
  ...new Set(Object.values(termSchemas).flatMap(({ shape }) => Object.keys(shape))),
]

/** Source and conversion of a field. Steps apply in the order below. */
export interface FieldSource {
  /** Keys or paths such as `params.author`. The first one with a value is used; the field's own name is tried last. */
  readonly from?: string | readonly string[]
  /** Splits text into a list at this separator; `' '` splits at any white space. */
  readonly split?: string
  /** Takes one item of a list. */
  readonly take?: 'first' | 'last'
  /** `Open Source` becomes `open-source`. Categories, tags and authors keep the text as their name. */
  readonly slugify?: boolean
  /** Also accepts dates with spaces: `2024-05-06 07:08:09 +0200`. */
  readonly dates?: 'loose'
  /** Negates a boolean from the keys in `from` only: `draft: { from: 'published', not: true }`. */
  readonly not?: boolean
  /** Value if no key has one. */
  readonly default?: string
}

/** Source of a slug. */
export interface SlugSource extends FieldSource {
  /** Source of a slug that no key states: the file's name, or its path below `posts/`, with `-` for `/`, without `index`. */
  readonly derive?: 'name' | 'path'
}

/**
 * Mapping of posts written for another tool.
 *
 * ```ts
 * { publishedAt: 'date', tags: ['tags', 'keywords'], category: { from: 'categories', take: 'first' } }
 * ```
 */
export type FrontMatterMapping = {
  readonly [field in Exclude<keyof PostKeys, 'fields' | 'slug'>]?:
    | string
    | readonly string[]
    | FieldSource
} & {
  readonly slug?: string | readonly string[] | SlugSource
  /** Keys of other tools that cause no warning; `true` for all. */
  readonly ignore?: readonly string[] | true
}

/** Mapping of another tool's categories, tags or authors. */
export type TermMapping = {
  readonly [field in keyof TermFields]?: string | readonly string[] | FieldSource
} & Pick<FrontMatterMapping, 'ignore'>

/** Mappings by kind: `{ posts: { … }, authors: { image: 'avatar' } }`. */
export interface KindMappings {
  readonly posts?: FrontMatterMapping | undefined
  readonly categories?: TermMapping | undefined
  readonly tags?: TermMapping | undefined
  readonly authors?: TermMapping | undefined
  /** Mappings of built-in keys and fields, by the name of the collection. */
  readonly collections?: Readonly<Record<string, ItemMapping>> | undefined
}

/** Mapping of the items of a collection. */
export type ItemMapping = Readonly<Record<string, string | readonly string[] | FieldSource | true>>

/** Mappings of every kind. */
export type Mappings = { readonly [kind in keyof KindMappings]-?: NonNullable<KindMappings[kind]> }

/** Returns the mappings of all kinds. A flat mapping is for posts. */
export function toMappings(given: FrontMatterMapping | KindMappings): Mappings {
  const all: KindMappings = isByKind(given) ? given : { posts: given }
  const { posts = {}, categories = {}, tags = {}, authors = {}, collections = {} } = all
  return { posts, categories, tags, authors, collections }
}

/** Reports whether mappings are by kind: they have `posts`, `collections`, or a kind with the key of a term. */
export function isByKind(given: object): given is KindMappings {
  if ('posts' in given || 'collections' in given) return true
  return ['categories', 'tags', 'authors'].some((kind) => {
    const value: unknown = Reflect.get(given, kind)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    return Object.keys(value).some((key) => [...mappedTermFields, 'ignore'].includes(key))
  })
}
