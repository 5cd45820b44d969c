// Parses authors in the forms that people write: a name, a list, maps, Markdown links, several names in one text.
import type { FieldValue } from '../site.ts'
import { asList, isMap, textAt, type Values } from './front.ts'

/** An author as named by a post. */
export interface NamedAuthor {
  /** A name, or a key of a data file. */
  readonly name: string
  /** Additional front matter of the author: `image`, `role`, `socials`. */
  readonly fields: Values
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

/** Reads an author from a map of front matter or of a data file; undefined when it has no name. */
export function authorOf(values: Values, key?: string): NamedAuthor | undefined {
  const joined = [
    textAt(values, 'first_name', 'firstname'),
    textAt(values, 'last_name', 'lastname'),
  ]
  const name =
    textAt(values, 'name', 'display_name', 'displayName', 'title_name', 'full_name') ??
    (joined.filter(Boolean).join(' ') || undefined) ??
    textAt(values, 'author', 'title', 'label', 'key', 'id', 'login', 'github') ??
    key
  if (name === undefined) return undefined
  const hasName = textAt(values, 'name', 'display_name', 'displayName') !== undefined
  const role =
    textAt(values, 'role', 'occupation', 'position', 'job_title', 'jobTitle') ??
    (hasName ? textAt(values, 'title') : undefined)
  const image = textAt(
    values,
    'image',
    'image_url',
    'imageURL',
    'avatar',
    'picture',
    'photo',
    'image_path',
  )
  const description = textAt(values, 'bio', 'description', 'about', 'blurb')
  return { name, fields: { image, role, bio: description, socials: socialsOf(values) } }
}

const platforms = [
  'twitter',
  'x',
  'github',
  'linkedin',
  'mastodon',
  'bluesky',
  'website',
  'web',
  'url',
  'homepage',
]
const profiles: Readonly<Record<string, string>> = {
  twitter: 'https://twitter.com/',
  x: 'https://x.com/',
  github: 'https://github.com/',
  linkedin: 'https://www.linkedin.com/in/',
}

function socialsOf(values: Values): FieldValue {
  const below = values['socials'] ?? values['social']
  const all: Values = isMap(below) ? { ...values, ...below } : values
  const found = platforms.flatMap((platform) => {
    const text = textAt(all, platform, `${platform}_username`)
    if (text === undefined) return []
    const url = /^https?:\/\//.test(text) ? text : withProfile(platform, text)
    return url === undefined ? [] : [{ platform: platform === 'url' ? 'website' : platform, url }]
  })
  return found.length === 0 ? undefined : found
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
  if (isKey(text)) return { authors: [{ name: text, fields: {} }] }
  return readText(text)
}

/** Words that occur in roles but not in names. */
const roleWord =
  /\b(director|engineers?|manager|lead|founder|co-founder|ceo|cto|officer|president|developers?|head|chair|teams?|enthusiasts?|editor|intern|architect|advocate|researcher|writer|consultant)\b/i

const linked = /\(?\[([^[\]]+)\]\(([^\s()]+)\)\)?/

function readText(text: string): Byline {
  const fragments = text.split(/, (?:and )?| and | & | [—–] /).map((part) => part.trim())
  if (fragments.length === 1 && !linked.test(text)) return { authors: [plain(text)] }
  const hasLinks = linked.test(text)
  const authors = fragments.flatMap((fragment) => {
    const author = linkedAuthor(fragment)
    if (author !== undefined) return [author]
    const name = withoutTitle(fragment)
    return isName(name) ? [plain(name)] : []
  })
  // "The Guild, Acme Inc" is one author, as is everything that is no list of names.
  if (!hasLinks && fragments.every((part) => /^[\w.-]+$/.test(part) || handled.test(part)))
    return { authors: fragments.map(plain) }
  const isMostlyNames = authors.length > 1 && authors.length > fragments.length / 2
  const isFirstName = isName(withoutTitle(fragments[0] ?? ''))
  const isList = authors.length > 0 && (hasLinks || isFirstName || isMostlyNames)
  if (!isList)
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
  const url = `${profiles[platform]}${handle ?? account}`
  return { name, fields: { socials: [{ platform, url }] } }
}

/** `Ada (@ada)`, `Ada (github.com/ada)` and `Ada (ada@example.com)`. */
const handled =
  /^([^()]+) \((?:@([\w.-]+)|(?:https?:\/\/)?(?:www\.)?(github\.com|twitter\.com|x\.com)\/@?([\w.-]+)\/?|[^\s()@]+@[^\s()@]+)\)$/

/** `Ada ([@ada](url))` or `[Ada](url)`. */
function linkedAuthor(fragment: string): NamedAuthor | undefined {
  const [whole, label = '', url = ''] = linked.exec(fragment) ?? []
  if (whole === undefined) return undefined
  const before = fragment.slice(0, fragment.indexOf(whole)).trim()
  const isHandle = label.startsWith('@') && before !== ''
  const name = isHandle ? before : label
  if (!isHandle && before !== '' && !isName(label)) return undefined
  const platform = /(?:twitter|x)\.com/.test(url)
    ? 'twitter'
    : /github\.com/.test(url)
      ? 'github'
      : 'website'
  const socials = /^https?:\/\//.test(url) ? [{ platform, url }] : undefined
  return { name, fields: { socials } }
}

/** True for two to four capitalized words, none of them a word of a role. */
function isName(text: string): boolean {
  const words = text.split(/\s+/)
  const isShort = words.length >= 2 && words.length <= 4
  const particle = /^(?:de|da|di|van|von|der|den|la|le|el|bin|al|dos|du)$/
  return (
    isShort &&
    !roleWord.test(text) &&
    words.every((word) => /^\p{Lu}/u.test(word) || particle.test(word)) &&
    !/^The\s/.test(text)
  )
}
