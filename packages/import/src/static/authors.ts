// Authors in the forms that people write: a name, a list, maps, Markdown links, several names in one text, data files.
import type { Ledger } from '../ledger.ts'
import type { FieldValue } from '../site.ts'
import type { Terms } from '../terms.ts'
import type { Values } from './front.ts'
import { asList, isMap, readSource, textAt } from './front.ts'
import type { DefineTerm } from './generator.ts'
import type { SourceTree } from './source-tree.ts'
import { readValues } from './source-tree.ts'

interface NamedAuthor {
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
  const bylines = asList(value).map((item): Byline => {
    const text = typeof item === 'string' ? item.trim().replace(/\s+/g, ' ') : ''
    const author = isMap(item) ? authorOf(item) : undefined
    if (text === '') return { authors: author === undefined ? [] : [author] }
    return isKey(text) ? { authors: [{ name: text, fields: {} }] } : readText(text)
  })
  const texts = bylines.flatMap(({ text }) => text ?? [])
  const authors = bylines.flatMap((byline) => byline.authors)
  return texts.length === 0 ? { authors } : { authors, text: texts.join(', ') }
}

/** Names between commas, `and` and `&`. A text that begins with something else is one author: "The Guild, Acme Inc". */
function readText(text: string): Byline {
  const parts = text.replace(/^(?:by|von|par|por) /, '').split(/, ?(?:and )?| and | & /)
  const found = parts.map((part) => authorOfText(part.trim()))
  const authors = found.filter((author) => author !== undefined)
  if (found[0] === undefined)
    return { authors: [{ name: text.replace(/\[([^[\]]+)\]\([^()]*\)/g, '$1'), fields: {} }] }
  return authors.length === parts.length ? { authors } : { authors, text }
}

/** `ada`, `Ada Lovelace`, `Ada (@ada)`, `Ada (ada@example.com)`, `[Ada](url)`, `Ada ([@ada](url))`, `Team: Ada Lovelace`. */
function authorOfText(part: string): NamedAuthor | undefined {
  const plain = part.replace(/^[^:()[\]]*:\s+/, '')
  const [, before, label = '', url] =
    /^(?:([^[(]*) \(?)?\[([^[\]]+)\]\(([^\s()]+)\)\)?$/.exec(plain) ?? []
  if (url !== undefined) {
    const name = label.startsWith('@') && before ? before : label
    const [, host = 'website'] = /(twitter|github)\.com|\bx\.com/.exec(url) ?? []
    const socials = /^https?:/.test(url) ? [{ platform: host, url }] : undefined
    return { name, fields: { socials } }
  }
  const [, name = plain, at, host, account] =
    /^([^()]+) \((?:@([\w.-]+)|(?:https?:\/\/)?(?:www\.)?(github|twitter|x)\.com\/@?([\w.-]+)\/?|[^\s()@]+@[^\s()@]+)\)$/.exec(
      plain,
    ) ?? []
  if (!isName(name)) return undefined
  const platform = host === 'github' ? 'github' : 'twitter'
  const profile = withProfile(platform, at ?? account ?? '')
  return { name, fields: profile === undefined ? {} : { socials: [{ platform, url: profile }] } }
}

function isName(text: string): boolean {
  const role =
    /\b(?:director|engineer|manager|lead|founder|ceo|cto|officer|president|developer|head|team|editor|architect|advocate|researcher|writer)s?\b/i
  const capitalized = /^(?:\p{Lu}\S*|d[aeio]s?|du|van|von|der|den|l[ae]|el|bin|al)$/u
  const words = text.split(' ')
  if (words.length === 1) return /^[\p{L}\p{N}_.-]+$/u.test(text)
  return (
    words.length < 5 &&
    words.every((word) => capitalized.test(word)) &&
    !/^The /.test(text) &&
    !role.test(text)
  )
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
