// Reads authors in the forms that people write: a name, a list, maps, Markdown links, several names in one text, data files.
import type { FieldValue, StaticSite } from '../site.ts'
import type { TermRecord, Terms } from '../terms.ts'
import { asList, isMap, readSource, textAt, type Values, valueAt } from './front.ts'
import { baseName } from './post-head.ts'
import { readMap, readValues, type SourceTree } from './source-tree.ts'

interface NamedAuthor extends Pick<TermRecord, 'name' | 'body' | 'leftKeys'> {
  readonly fields: Values
}

export interface Byline {
  readonly authors: readonly NamedAuthor[]
  /** The original text, when it contains more than the names. */
  readonly text?: string
}

/** Email addresses, which are private. */
const mail = /[<(][^\s()<>@]+@[^\s()<>@]+[>)]/g

/** Reads authors. @param stated the values of keys; a list of several names has whole names @param isKey true for a key of a data file, which is not split */
export function readByline(stated: readonly FieldValue[], isKey: (it: string) => boolean): Byline {
  const readItem = (item: FieldValue, isWhole: boolean): Byline => {
    const text = typeof item === 'string' ? item.replace(mail, '').trim().replace(/\s+/g, ' ') : ''
    const author = isMap(item) ? authorOf(item) : undefined
    if (author !== undefined) return { authors: [author] }
    if (text === '') return { authors: [], text: item === '' ? '' : JSON.stringify(item) }
    return isKey(text) ? { authors: [{ name: text, fields: {} }] } : readText(text, isWhole)
  }
  const bylines = stated
    .map(asList)
    .flatMap((items) => items.map((item) => readItem(item, items.length > 1)))
  const texts = bylines.flatMap(({ text }) => text ?? [])
  const all = bylines.flatMap((byline) => byline.authors)
  const authors = [...new Map(all.map((author) => [JSON.stringify(author), author])).values()]
  return texts.length === 0 ? { authors } : { authors, text: texts.join(', ') }
}

/** Splits names at commas, `and` and `&`. A text that does not begin with a name is one author: "The Guild, Acme Inc". */
function readText(text: string, isWhole: boolean): Byline {
  const separator = text.includes(';') ? /; ?/ : /, ?(?:and )?| and | & /
  const plain = text.replace(/^(?:by|von|par|por) /, '')
  const parts = isWhole ? [plain] : plain.split(separator)
  const found = parts.map((part) => authorOfText(part.trim()))
  const authors = found.filter((author) => author !== undefined)
  if (found[0] === undefined)
    return { authors: [{ name: text.replace(/\[([^[\]]+)\]\([^()]*\)/g, '$1'), fields: {} }] }
  return authors.length === parts.length ? { authors } : { authors, text }
}

/** `ada`, `Ada Lovelace`, `Ada (@ada)`, `[Ada](url)`, `Ada ([@ada](url))`. */
function authorOfText(part: string): NamedAuthor | undefined {
  const [, link] = /\]\(([^\s()]+)\)/.exec(part) ?? []
  const named = part.replace(/\[([^[\]]+)\]\([^\s()]+\)/, '$1')
  const [, name = named, account = ''] = /^([^()]+) \(@([\w.-]+)\)$/.exec(named) ?? []
  if (link === undefined && !isName(name)) return undefined
  const url = link ?? withProfile('twitter', account) ?? ''
  const [, platform = 'website'] = /(twitter|github)\.com/.exec(url) ?? []
  return { name, fields: /^https?:/.test(url) ? { socials: [{ platform, url }] } : {} }
}

function isName(text: string): boolean {
  const role =
    /\b(?:director|engineer|manager|lead|founder|ceo|cto|officer|president|developer|head|team|editor|architect|advocate|researcher|writer)s?\b/i
  const capitalized = /^(?:\p{Lu}\S*|d[aeio]s?|du|van|von|der|den|l[ae]|el|bin|al)$/u
  const words = text.split(' ')
  if (words.length === 1) return /^[\p{L}\p{N}_.-]+$/u.test(text)
  const isWritten = words.length < 5 && words.every((word) => capitalized.test(word))
  return isWritten && !/^The /.test(text) && !role.test(text)
}

const authorKeys = {
  name: 'name display_name displayName title_name full_name'.split(' '),
  nickname: 'author title label'.split(' '),
  account: 'key login github twitter username id'.split(' '),
  role: 'role occupation position job_title jobTitle byline'.split(' '),
  image: 'image image_url imageURL avatar picture photo image_path'.split(' '),
  bio: 'bio description about blurb'.split(' '),
}
const nameParts = ['first_name', 'firstname', 'last_name', 'lastname']
const profiles: Readonly<Record<string, string>> = {
  ...{ twitter: 'https://twitter.com/', x: 'https://x.com/', github: 'https://github.com/' },
  ...{ facebook: 'https://www.facebook.com/', linkedin: 'https://www.linkedin.com/in/' },
}

/** Reads an author from a map of front matter or of a data file; undefined when it has no name. @param key the key of the record */
export function authorOf(values: Values, key?: string): NamedAuthor | undefined {
  const find = (keys: readonly string[]) => keys.find((name) => textAt(values, name) !== undefined)
  const textOf = (name = '') => textAt(values, name)
  const parts = nameParts.flatMap((part) => textOf(part) ?? []).join(' ')
  const own = textOf(find(authorKeys.name)) ?? (parts || undefined)
  const name = own ?? textOf(find(authorKeys.nickname)) ?? key ?? textOf(find(authorKeys.account))
  if (name === undefined) return undefined
  const role = find(authorKeys.role) ?? (own === undefined ? undefined : 'title')
  const [image, bio] = [find(authorKeys.image), find(authorKeys.bio)]
  const { socials, left } = socialsOf(values)
  const known = [role, image, bio, ...authorKeys.name, ...authorKeys.nickname, ...nameParts]
  const unread = ['short_name', 'slug', 'socials', 'social', ...authorKeys.account, ...known]
  const fields = { image: textOf(image), role: textOf(role), socials }
  const leftKeys = left.filter((name) => !unread.includes(name))
  return { name, fields, body: textOf(bio), leftKeys }
}

/** Returns links by platform: accounts of known platforms and all other URLs; and the keys that are not links. */
function socialsOf(values: Values) {
  const others = [...authorKeys.image, ...authorKeys.bio, ...authorKeys.name]
  const socials = new Map<string, { readonly platform: string; readonly url: string }>()
  const left: string[] = []
  const add = (key: string, text = '') => {
    const platform = key.replace(/^socials?\.|_username$/g, '').toLowerCase()
    const url = /^https?:\/\/\S+$/.test(text) ? text : withProfile(platform, text)
    const isWebsite = /^(?:url|link|site|homepage|web)$/.test(platform)
    if (url === undefined || others.includes(key)) left.push(key)
    else if (!socials.has(url))
      socials.set(url, { platform: isWebsite ? 'website' : platform, url })
  }
  const name = values['socials'] === undefined ? 'social' : 'socials'
  const below = values[name]
  const inMap = isMap(below) ? Object.keys(below).map((key) => `${name}.${key}`) : []
  for (const item of isMap(below) ? [] : asList(below).filter(isMap))
    add(textAt(item, 'platform', 'name', 'label') ?? 'website', textAt(item, 'url', 'link', 'href'))
  for (const key of [...Object.keys(values), ...inMap]) add(key, textAt(values, key))
  return {
    socials: socials.size === 0 ? undefined : [...socials.values()],
    left: left.filter((key) => asList(valueAt(values, key)).length > 0),
  }
}

function withProfile(platform: string, handle: string): string | undefined {
  const start = profiles[platform]
  const [, name] = /^@?([\w.-]+)$/.exec(handle) ?? []
  return start && name && start + name
}

const authorFiles = /(?:^|\/)\.?(?:authors?|people|team|members)\.(?:ya?ml|json|toml)$/i
const tagFiles = /(?:^|\/)tags\.(?:ya?ml|json)$/i
const authorFolders = /(?:^|\/)(?:_?authors|_staff_members|_people|_team)\//i

/** Adds every record of `authors.yml`, `tags.yml`, `authors/*.md` and the like, then those of the configuration. */
export function defineTerms(tree: SourceTree, site: StaticSite, terms: Terms): void {
  const { authorFolder = 'authors', authors } = site
  for (const path of new Set([...tree.below(authorFolder), ...tree.files])) {
    if (authorFolders.test(path) && /\.(?:md|mdx|json|toml|ya?ml)$/i.test(path))
      defineFile(tree, path, terms)
    else if (authorFiles.test(path))
      defineRecords(terms, readValues(tree, path), { kind: 'authors', from: path })
    else if (tagFiles.test(path))
      defineRecords(terms, readValues(tree, path), { kind: 'tags', from: path })
  }
  defineRecords(terms, authors, { kind: 'authors', from: '_config.yml' })
}

type Origin = Pick<TermRecord, 'kind' | 'from'>

/** Adds records from a map by key, or from a list of maps. */
function defineRecords(terms: Terms, found: FieldValue, origin: Origin): void {
  for (const [key, item] of entriesOf(found)) {
    if (isMap(item)) define(terms, item, { key, ...origin })
    else if (typeof item === 'string') define(terms, { name: item }, { key, ...origin })
  }
}

function entriesOf(found: FieldValue): readonly (readonly [string, FieldValue])[] {
  // Material for MkDocs has its records below `authors`.
  if (isMap(found)) return Object.entries(isMap(found['authors']) ? found['authors'] : found)
  return asList(found).flatMap((item) => {
    const names = ['username', 'short_name', 'slug', 'key', 'id', 'name']
    const key = isMap(item) ? textAt(item, ...names) : undefined
    return key === undefined ? [] : [[key, item] as const]
  })
}

function defineFile(tree: SourceTree, path: string, terms: Terms): void {
  const name = baseName({ path: path.replace('/_index.', '/index.') })
  if (/^_?(?:authors|staff_members|people|team)$/.test(name)) return
  const isPage = /\.mdx?$/.test(path)
  const source = isPage ? readSource(tree, path, tree.report) : { values: readMap(tree, path) }
  if (source === undefined) return
  tree.report.settle(path, 'data')
  const bio = 'body' in source ? source.body.trim() : ''
  const values = bio === '' ? source.values : { ...source.values, bio }
  const key = textAt(values, ...(isPage ? ['slug'] : ['slug', 'id'])) ?? name
  define(terms, values, { kind: 'authors', from: path, key })
}

function define(terms: Terms, values: Values, record: Origin & { readonly key: string }): void {
  const { kind, key } = record
  const known = ['label', 'name', 'title', 'description', 'slug']
  const leftKeys = Object.keys(values).filter((part) => !known.includes(part))
  const name = textAt(values, ...known.slice(0, 3)) ?? key
  const tag = { name, body: textAt(values, 'description'), leftKeys }
  const term = kind === 'authors' ? authorOf(values, key) : tag
  if (term !== undefined) terms.define({ ...record, ...term })
}
