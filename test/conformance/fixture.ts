// The content that every host is asked for: two workspaces, one that v1 does not show, and keys of every sort.
// True at every moment from 2026 to 2998, so that a host needs no clock of ours.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { allScopes } from '../../src/api/keys.ts'
import { encodeKey, hashKey } from '../../src/runtime/keys.ts'
import { pictureBytes } from './picture.ts'

/** A post as it is written, and what is known of it. */
export interface FixturePost {
  readonly slug: string
  readonly id?: string
  readonly title: string
  readonly description?: string
  readonly category: string
  readonly tags: readonly string[]
  readonly authors: readonly string[]
  /** As it is answered. */
  readonly publishedAt: string
  readonly updatedAt?: string
  readonly featured?: boolean
  readonly coverImage?: string
  readonly attribution?: string
  readonly isDraft?: boolean
  readonly aliases?: readonly string[]
  readonly fields?: object
  readonly body: string
}

/** What a suite knows of the site that it asks. */
export interface SiteDescription {
  /** A moment at which everything here holds. */
  readonly now: number
  /** Published posts of `acme`, in no order. */
  readonly posts: readonly FixturePost[]
  /** Slugs that exist on the disk and must not be seen. */
  readonly hidden: readonly string[]
  /** Posts of `acme` that the key `drafts` alone may see. */
  readonly drafts: readonly FixturePost[]
  /** In clear. */
  readonly keys: Readonly<Record<FixtureKey, string>>
}

/**
 * `full`, `postsOnly`, `noPosts`, `drafts`, `expired`, `revoked` are keys of `acme`; `other` of `beta`, `secret` of
 * `secret`; nobody ever gave `unknown` out.
 */
export type FixtureKey =
  | 'full'
  | 'postsOnly'
  | 'noPosts'
  | 'drafts'
  | 'expired'
  | 'revoked'
  | 'other'
  | 'secret'
  | 'unknown'

/** Noon of a day on which everything here holds. */
export const fixtureNow: number = Date.UTC(2026, 5, 1, 12)

/** Categories of `acme` by slug: name, and description or null. */
export const categories: Readonly<Record<string, readonly [string, string | null]>> = {
  news: ['News', 'What is new.'],
  tools: ['tools', null],
  fish: ['Fish & <Chips> "quoted"', 'Salt & <b>vinegar</b>.'],
  idle: ['Zero', 'Nothing is in here.'],
}

/** Tags of `acme` by slug. */
export const tags: Readonly<Record<string, readonly [string, string | null]>> = {
  alpha: ['Alpha', 'The first.'],
  beta: ['beta', null],
  index: ['Index', null],
  'a.json': ['A file?', null],
  日本: ['日本', '国の名前。'],
  unused: ['unused', null],
}

/** Every workspace's files below a content folder, and what is in them. */
export function writeFixture(folder: string): SiteDescription {
  const write = (path: string, text: string | Uint8Array) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const keys = clearKeys()
  writeAcme(write, keys)
  writeBeta(write, keys)
  writeSecret(write, keys)
  return {
    now: fixtureNow,
    posts,
    hidden: [...drafts, ...scheduled].map(({ slug }) => slug),
    drafts,
    keys,
  }
}

/** Where the posts are shown: both have feeds. */
const absoluteLinks = 'links: { post: "https://example.com/{workspace}/{slug}" }\n'

type Write = (path: string, text: string | Uint8Array) => void

const plainPosts: readonly FixturePost[] = Array.from({ length: 30 }, (_, index): FixturePost => {
  const number = index + 1
  const every = (step: number, name: string) => (number % step === 0 ? [name] : [])
  return {
    slug: `post-${number}`,
    title: `Post ${number}`,
    category: ['news', 'tools', 'fish'][number % 3] ?? 'news',
    tags: [...every(2, 'alpha'), ...every(3, 'beta'), ...every(7, 'index'), ...every(11, 'a.json')],
    authors: number % 4 === 0 ? ['bob', 'ada'] : every(2, 'ada'),
    // Three share each date.
    publishedAt: new Date(Date.UTC(2025, 0, 1 + Math.floor(index / 3))).toISOString(),
    featured: number % 10 === 0,
    body: `Body of number ${number}.\n`,
  }
})

const specialPosts: readonly FixturePost[] = [
  {
    slug: 'index',
    id: 'the-id-of-index',
    title: 'Index',
    description: 'Descriptiononly words.',
    category: 'news',
    tags: ['beta', 'alpha'],
    authors: ['bob', 'ada'],
    publishedAt: '2025-03-01T10:30:00.123Z',
    updatedAt: '2025-04-01T00:00:00.000Z',
    featured: true,
    coverImage: 'https://example.com/cover.png?a=1&b="2"',
    attribution: 'First on <example.org> & elsewhere',
    body: 'Hello **bold** world.\n\n[Linkname](https://example.com/linktarget)\n',
  },
  { ...special('a', 'A'), aliases: ['old-a', 'früher'] },
  special('a.json', 'A as JSON'),
  special('über-straße', 'Über die Straße', 'Der ÉTÉ ist\nzwei  Leerzeichen   lang.\n'),
  special('日本語', '日本語の文章', '検索はそれでも見つける。ｶﾞｽ\n'),
  special('हिन्दी', 'हिन्दी', 'Ⅷ und ﬁn.\n'),
  special(
    'markup',
    '<b>Bold</b> & "quotes" \\ \u2028 \u{1f469}\u200d\u{1f4bb}',
    'Code `a < b && c` here.\n\n<script>alert(1)</script>\n\n<img src="https://example.org/x.png" onerror="alert(2)">\n\n[bad](javascript:alert(3))\n\n## A heading\n\n- one\n- two\n',
  ),
]

const posts: readonly FixturePost[] = [...plainPosts, ...specialPosts]

const drafts: readonly FixturePost[] = [
  { ...special('a-draft', 'Draft of needle-draft'), isDraft: true, aliases: ['old-draft'] },
  {
    ...special('entwürf', 'needle-draft of the future', 'The needle-draft.\n'),
    ...{ isDraft: true, id: 'draft-id', tags: ['unused'], authors: ['idle'] },
    publishedAt: '2998-12-01T00:00:00.000Z',
  },
]

const scheduled: readonly FixturePost[] = [
  {
    ...special('scheduled-1', 'Needle-scheduled'),
    publishedAt: '2999-01-01T00:00:00.000Z',
    aliases: ['old-scheduled'],
  },
  { ...special('scheduled-2', 'Later'), publishedAt: '2999-06-01T00:00:00.000Z' },
]

function special(slug: string, title: string, body = 'Text.\n'): FixturePost {
  const publishedAt = '2025-02-01T00:00:00.000Z'
  return { slug, title, category: 'tools', tags: ['日本'], authors: [], publishedAt, body }
}

function writeAcme(write: Write, keys: SiteDescription['keys']): void {
  write('acme/workspace.yml', `name: Acme\n${absoluteLinks}`)
  for (const [number, post] of [...posts, ...drafts, ...scheduled].entries()) {
    write(`acme/posts/file-${number}.md`, postFile(post))
  }
  for (const [slug, [name, text]] of Object.entries(categories)) {
    write(`acme/categories/${slug}.md`, `---\nname: ${quote(name)}\n---\n${text ?? ''}\n`)
  }
  const listed = Object.entries(tags).map(([slug, [name, description]]) => ({
    slug,
    name,
    ...(description === null ? {} : { description }),
  }))
  write('acme/tags.yml', JSON.stringify(listed))
  write(
    'acme/authors/ada.md',
    [
      '---\nname: Ada & Söhne\nid: ada-id\nimage: https://example.com/ada.png\nrole: Editor\nsocials:',
      '  - platform: web\n    url: https://example.com/ada\n---\nWrites *things*.\n',
    ].join('\n'),
  )
  write('acme/authors/bob.md', '---\nname: bob\n---\n')
  write('acme/authors/idle.md', '---\nname: Idle\n---\n')
  writeKeys(write, 'acme', [
    { id: 'full', key: keys.full },
    { id: 'posts-only', key: keys.postsOnly, more: 'scopes: [posts:read]' },
    {
      id: 'no-posts',
      key: keys.noPosts,
      more: 'scopes: [tags:read, categories:read, authors:read]',
    },
    { id: 'drafts', key: keys.drafts, more: `scopes: [${allScopes.join(', ')}]` },
    { id: 'expired', key: keys.expired, more: 'expires: 2025-01-01T00:00:00Z' },
    { id: 'revoked', key: keys.revoked, more: 'revoked: 2025-01-01T00:00:00Z' },
  ])
}

/** Custom fields of `beta` that posts can be filtered by, and those of its two posts. */
const indexed = `fields:
  rating: { type: number, index: true }
  seen: { type: date, index: true }
  isNew: { type: boolean, index: true }
  level: { type: text, index: true }
  parts: { type: list, index: true }
`
const betaFields = {
  index: { rating: 4, seen: '2025-12-31', isNew: true, level: 'expert & more', parts: ['one'] },
  'only-beta': { rating: -0.5, seen: '2026-01-01', level: 'über', parts: ['one', 'two'] },
}

/** No tags and no authors; one post shares its slug with one of `acme`, and one shows an image. */
function writeBeta(write: Write, keys: SiteDescription['keys']): void {
  const inBeta = { category: 'news', tags: [] }
  write('beta/workspace.yml', `${absoluteLinks}${indexed}`)
  const post = { ...special('index', 'Index of beta'), ...inBeta, fields: betaFields.index }
  write('beta/posts/index.md', postFile(post))
  const pictured = special('only-beta', 'Only beta', '![A pixel](picture.png)\n')
  write(
    'beta/posts/only-beta.md',
    postFile({ ...pictured, ...inBeta, fields: betaFields['only-beta'] }),
  )
  write('beta/posts/picture.png', pictureBytes)
  write('beta/categories/news.md', '---\nname: News of beta\n---\n')
  writeKeys(write, 'beta', [{ id: 'full', key: keys.other }])
}

function writeSecret(write: Write, keys: SiteDescription['keys']): void {
  write('secret/workspace.yml', 'name: Secret\nv1: private\n')
  write('secret/posts/one.md', postFile({ ...special('one', 'One'), category: 'news', tags: [] }))
  write('secret/categories/news.md', '---\nname: News\n---\n')
  writeKeys(write, 'secret', [{ id: 'full', key: keys.secret }])
}

function postFile(post: FixturePost): string {
  const lines = [
    `slug: ${quote(post.slug)}`,
    `title: ${quote(post.title)}`,
    `category: ${post.category}`,
    `tags: ${JSON.stringify(post.tags)}`,
    `authors: ${JSON.stringify(post.authors)}`,
    `publishedAt: ${post.publishedAt}`,
    ...(post.id === undefined ? [] : [`id: ${post.id}`]),
    ...(post.description === undefined ? [] : [`description: ${quote(post.description)}`]),
    ...(post.updatedAt === undefined ? [] : [`updatedAt: ${post.updatedAt}`]),
    ...(post.featured === true ? ['featured: true'] : []),
    ...(post.coverImage === undefined ? [] : [`coverImage: ${quote(post.coverImage)}`]),
    ...(post.attribution === undefined ? [] : [`attribution: ${quote(post.attribution)}`]),
    ...(post.isDraft === true ? ['status: draft'] : []),
    ...(post.fields === undefined ? [] : [`fields: ${JSON.stringify(post.fields)}`]),
    ...(post.aliases === undefined ? [] : [`aliases: ${JSON.stringify(post.aliases)}`]),
  ]
  return `---\n${lines.join('\n')}\n---\n${post.body}`
}

function writeKeys(
  write: Write,
  workspace: string,
  entries: readonly { readonly id: string; readonly key: string; readonly more?: string }[],
): void {
  const listed = entries.map(({ id, key, more }) =>
    [
      `- id: ${id}`,
      `name: ${id}`,
      `sha256: "${hashKey(key)}"`,
      'created: 2024-01-01T00:00:00Z',
      ...(more === undefined ? [] : [more]),
    ].join('\n  '),
  )
  write(`${workspace}/keys.yml`, `${listed.join('\n')}\n`)
}

/** Made of no randomness: they open nothing but this site. */
function clearKeys(): SiteDescription['keys'] {
  const key = (number: number) => encodeKey(new Uint8Array(32).fill(number))
  return {
    full: key(1),
    postsOnly: key(2),
    noPosts: key(3),
    expired: key(4),
    revoked: key(5),
    other: key(6),
    secret: key(7),
    unknown: key(8),
    drafts: key(9),
  }
}

/** A double-quoted scalar of YAML. */
function quote(text: string): string {
  return JSON.stringify(text).replaceAll('\u2028', '\\u2028')
}
