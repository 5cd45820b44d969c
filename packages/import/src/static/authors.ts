// Authors in the forms that people write: a name, a list, maps, Markdown links, several names in one text, data files.
import type { Ledger } from '../ledger.ts'
import type { FieldValue } from '../site.ts'
import type { Terms } from '../terms.ts'
import { readValues } from './config.ts'
import { asList, isMap, readSource, textAt, type Values } from './front.ts'
import type { DefineTerm } from './generator.ts'
import type { SourceTree } from './source-tree.ts'

/** An author as named by a post. */
export interface NamedAuthor {
  /** A name, or a key of a data file. */
  readonly name: string
  /** Additional front matter of the author: `image`, `role`, `socials`. */
  readonly fields: Values
  /** Keys of the record without a field. */
  readonly leftKeys?: readonly string[]
}

/** The authors of a post. */
export interface Byline {
  readonly authors: readonly NamedAuthor[]
  /** The original text, when it contains more than the names. */
  readonly text?: string
}

/** @param isKey true for a key of a data file, which is never split */
export function readByline(value: FieldValue, isKey: (text: string) => boolean): Byline {
  const bylines = asList(value).map((item) => readOne(item, isKey))
  const texts = bylines.flatMap(({ text }) => (text === undefined ? [] : [text]))
  const authors = bylines.flatMap((byline) => byline.authors)
  return texts.length === 0 ? { authors } : { authors, text: texts.join(', ') }
}

const authorKeys = {
  name: 'name display_name displayName title_name full_name'.split(' '),
  nickname: 'author title label'.split(' '),
  account: 'key login github twitter username id'.split(' '),
  role: 'role occupation position job_title jobTitle byline'.split(' '),
  image: 'image image_url imageURL avatar picture photo image_path'.split(' '),
  bio: 'bio description about blurb'.split(' '),
}
const platforms =
  'twitter x github linkedin mastodon bluesky website web url homepage link site blog'.split(' ')
const profiles: Readonly<Record<string, string>> = {
  twitter: 'https://twitter.com/',
  x: 'https://x.com/',
  github: 'https://github.com/',
  linkedin: 'https://www.linkedin.com/in/',
}

/** Reads an author from a map of front matter or of a data file; undefined when it has no name. @param key of the record */
export function authorOf(values: Values, key?: string): NamedAuthor | undefined {
  const parts = ['first_name', 'firstname', 'last_name', 'lastname'].map((part) =>
    textAt(values, part),
  )
  const own = textAt(values, ...authorKeys.name) ?? (parts.filter(Boolean).join(' ') || undefined)
  const name =
    own ?? textAt(values, ...authorKeys.nickname) ?? key ?? textAt(values, ...authorKeys.account)
  if (name === undefined) return undefined
  const role =
    textAt(values, ...authorKeys.role) ?? (own === undefined ? undefined : textAt(values, 'title'))
  const image = textAt(values, ...authorKeys.image)
  const bio = textAt(values, ...authorKeys.bio)
  const { socials, used } = socialsOf(values)
  const known = new Set([...Object.values(authorKeys).flat(), ...used, 'socials', 'social', 'slug'])
  const names = ['first_name', 'firstname', 'last_name', 'lastname', 'short_name', 'email']
  const leftKeys = Object.keys(values).filter(
    (name) => !known.has(name) && !names.includes(name) && asList(values[name]).length > 0,
  )
  return { name, fields: { image, role, bio, socials }, leftKeys }
}

/** Links by platform: accounts of known platforms, and every other URL of the record. */
function socialsOf(values: Values): {
  readonly socials: FieldValue
  readonly used: readonly string[]
} {
  const below = values['socials'] ?? values['social']
  const lists = asList(below).filter(isMap)
  const named = lists.flatMap((item) => {
    const url = textAt(item, 'url', 'link', 'href')
    return url === undefined ? [] : [[textAt(item, 'platform', 'name', 'label') ?? 'website', url]]
  })
  const all: Values = isMap(below) ? { ...values, ...below } : values
  const entries = Object.keys(all).filter(
    (key) => ![...authorKeys.image, ...authorKeys.bio, ...authorKeys.name].includes(key),
  )
  const used: string[] = []
  const found = [
    ...named.map(([key = '', text = '']) => ({ key, text })),
    ...entries.map((key) => ({ key, text: textAt(all, key) ?? '' })),
  ]
  const socials = found.flatMap(({ key, text }) => {
    const platform = key.replace(/_username$/, '').toLowerCase()
    const url = /^https?:\/\/\S+$/.test(text)
      ? text
      : platforms.includes(platform)
        ? withProfile(platform, text)
        : undefined
    if (url === undefined) return []
    used.push(key)
    return [
      { platform: /^(?:url|link|site|homepage|web)$/.test(platform) ? 'website' : platform, url },
    ]
  })
  const distinct = socials.filter(
    ({ url }, at) => socials.findIndex((other) => other.url === url) === at,
  )
  return { socials: distinct.length === 0 ? undefined : distinct, used }
}

function withProfile(platform: string, handle: string): string | undefined {
  const start = profiles[platform]
  return start === undefined || !/^@?[\w.-]+$/.test(handle)
    ? undefined
    : start + handle.replace(/^@/, '')
}

function readOne(item: FieldValue, isKey: (text: string) => boolean): Byline {
  if (isMap(item)) {
    const author = authorOf(item)
    return { authors: author === undefined ? [] : [author] }
  }
  const text = typeof item === 'string' ? item.trim().replace(/\s+/g, ' ') : ''
  if (text === '') return { authors: [] }
  return isKey(text) ? { authors: [{ name: text, fields: {} }] } : readText(text)
}

/** Words that occur in roles but not in names. */
const roleWord =
  /\b(director|engineers?|manager|lead|founder|co-founder|ceo|cto|officer|president|developers?|head|chair|teams?|enthusiasts?|editor|intern|architect|advocate|researcher|writer|consultant)\b/i
const linked = /\(?\[([^[\]]+)\]\(([^\s()]+)\)\)?/
/** `Ada (@ada)`, `Ada (github.com/ada)` and `Ada (ada@example.com)`. */
const handled =
  /^([^()]+) \((?:@([\w.-]+)|(?:https?:\/\/)?(?:www\.)?(github\.com|twitter\.com|x\.com)\/@?([\w.-]+)\/?|[^\s()@]+@[^\s()@]+)\)$/

function readText(text: string): Byline {
  const fragments = text.split(/, ?(?:and )?| and | & | [—–] /).map((part) => part.trim())
  const hasLinks = linked.test(text)
  if (fragments.length === 1 && !hasLinks) return { authors: [plain(text)] }
  const authors = fragments.flatMap((fragment) => {
    const author = linkedAuthor(fragment)
    if (author !== undefined) return [author]
    const name = withoutTitle(fragment)
    return isName(name) ? [plain(name)] : []
  })
  if (!hasLinks && fragments.every((part) => /^[\w.-]+$/.test(part) || handled.test(part)))
    return { authors: fragments.map(plain) }
  const isMostlyNames = authors.length > 1 && authors.length > fragments.length / 2
  const isFirstName = isName(withoutTitle(fragments[0] ?? ''))
  // "The Guild, Acme Inc" is one author, as is everything that is no list of names.
  if (authors.length === 0 || !(hasLinks || isFirstName || isMostlyNames))
    // regex: a constant pattern, checked where it is written
    return {
      authors: [plain(text.replace(new RegExp(linked, 'g'), '$1'))],
      ...(hasLinks ? { text } : {}),
    }
  const isWhole =
    authors.length === fragments.length &&
    fragments.every((part) => handled.test(part) || !/[()[\]:]/.test(part))
  return isWhole ? { authors } : { authors, text }
}

/** `the team: Ada Lovelace` */
function withoutTitle(fragment: string): string {
  return fragment.replace(/^[^:]*:\s+/, '')
}

function plain(text: string): NamedAuthor {
  const whole = text.replace(/^(?:by|von|par|por)\s+/, '').trim()
  const [, name = whole, handle, host, account] = handled.exec(whole) ?? []
  if (handle === undefined && account === undefined) return { name, fields: {} }
  const platform = host?.startsWith('github') ? 'github' : 'twitter'
  return {
    name,
    fields: { socials: [{ platform, url: `${profiles[platform]}${handle ?? account}` }] },
  }
}

/** `Ada ([@ada](url))` or `[Ada](url)`. */
function linkedAuthor(fragment: string): NamedAuthor | undefined {
  const [whole, label = '', url = ''] = linked.exec(fragment) ?? []
  if (whole === undefined) return undefined
  const before = fragment.slice(0, fragment.indexOf(whole)).trim()
  const isHandle = label.startsWith('@') && before !== ''
  if (!isHandle && before !== '' && !isName(label)) return undefined
  const [, host] = /(twitter|x|github)\.com/.exec(url) ?? []
  const platform = host === undefined ? 'website' : host === 'x' ? 'twitter' : host
  const socials = /^https?:\/\//.test(url) ? [{ platform, url }] : undefined
  return { name: isHandle ? before : label, fields: { socials } }
}

/** True for two to four capitalized words, none of them a word of a role. */
function isName(text: string): boolean {
  const parts = text.split(/\s+/)
  const particle = /^(?:de|da|di|van|von|der|den|la|le|el|bin|al|dos|du)$/
  return (
    parts.length >= 2 &&
    parts.length <= 4 &&
    !roleWord.test(text) &&
    parts.every((part) => /^\p{Lu}/u.test(part) || particle.test(part)) &&
    !/^The\s/.test(text)
  )
}

const authorFiles = /(?:^|\/)(?:authors?|people|team|members)\.(?:ya?ml|json|toml)$/i
const tagFiles = /(?:^|\/)tags\.(?:ya?ml|json)$/i
const authorFolders = /(?:^|\/)(?:_?authors|_staff_members|_people|_team)\//i

/** Adds every record of `authors.yml`, `tags.yml`, `authors/*.md` and the like. */
export function defineFromFiles(tree: SourceTree, report: Ledger, defineTerm: DefineTerm): void {
  for (const path of tree.files) {
    if (authorFolders.test(path) && /\.(?:md|mdx|json|ya?ml)$/i.test(path))
      defineFile(tree, path, report, defineTerm)
    else if (authorFiles.test(path))
      defineRecords('authors', readValues(tree, path), path, defineTerm)
    else if (tagFiles.test(path)) defineRecords('tags', readValues(tree, path), path, defineTerm)
  }
}

/** Adds records from a map by key, or from a list of maps. */
export function defineRecords(
  kind: 'authors' | 'tags',
  found: unknown,
  from: string,
  defineTerm: DefineTerm,
): void {
  for (const [key, item] of entriesOf(found)) {
    if (isMap(item)) defineTerm(kind, key, item, from)
    else if (typeof item === 'string') defineTerm(kind, key, { name: item }, from)
  }
}

function entriesOf(found: unknown): readonly (readonly [string, Values[string]])[] {
  if (!Array.isArray(found)) return Object.entries((found as Values | null | undefined) ?? {})
  return asList(found).flatMap((item) => {
    const key = isMap(item)
      ? textAt(item, 'username', 'short_name', 'slug', 'key', 'id', 'name')
      : undefined
    return key === undefined ? [] : [[key, item] as const]
  })
}

function defineFile(tree: SourceTree, path: string, report: Ledger, defineTerm: DefineTerm): void {
  const parts = path.split('/')
  const name = (parts.at(-1) ?? '').replace(/\.\w+$/, '')
  const key = /^_?index$/.test(name) ? (parts.at(-2) ?? '') : name
  if (/^_?(?:authors|staff_members|people|team)$/.test(key)) return
  if (!/\.mdx?$/.test(path)) {
    const values = readValues(tree, path)
    if (isMap(values)) defineTerm('authors', textAt(values, 'slug', 'id') ?? key, values, path)
    return
  }
  const source = readSource(tree, path, report)
  if (source === undefined) return
  report.settle(path, 'data')
  const bio = source.body.trim()
  const values = bio === '' ? source.values : { ...source.values, bio }
  defineTerm('authors', textAt(source.values, 'slug') ?? key, values, path)
}

/** Adds records to the terms of an import. */
export function defineIn(terms: Terms): DefineTerm {
  return (kind, key, values, from) => {
    if (kind !== 'authors') {
      const name = textAt(values, 'label', 'name', 'title') ?? key
      terms.define({ kind, key, name, body: textAt(values, 'description') ?? '', from })
      return
    }
    const author = authorOf(values, key)
    if (author === undefined) return
    const { bio, ...fields } = author.fields
    const { name, leftKeys } = author
    terms.define({ kind, key, name, fields, leftKeys, body: String(bio ?? ''), from })
  }
}
