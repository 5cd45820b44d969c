// The content that every host is asked for: two workspaces, one that v1 does not show, and keys of every sort.
// True at every moment from 2026 to 2998, so that a host needs no clock of ours.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { allScopes } from '../../src/api/keys.ts'
import { encodeKey, hashKey } from '../../src/runtime/keys.ts'
import { pictureBytes } from './picture.ts'

/** A post: its front matter, and its body. */
export interface FixturePost {
  readonly slug: string
  readonly body: string
  readonly [key: string]: unknown
}

/** What a suite knows of the site that it asks. */
export interface SiteDescription {
  /** A moment at which everything here holds. */
  readonly now: number
  /** Slugs that exist on the disk and must not be seen. */
  readonly hidden: readonly string[]
  /** Posts of `acme` that the key `drafts` alone may see. */
  readonly drafts: readonly FixturePost[]
  /** In clear. */
  readonly keys: Readonly<Record<FixtureKey, string>>
}

/**
 * Keys in clear. Made of no randomness: they open nothing but this site. All but three are keys of `acme`; `other` is one
 * of `beta`, `secret` of `secret`, and nobody ever gave `unknown` out.
 */
const keys = {
  full: clearKey(1),
  postsOnly: clearKey(2),
  noPosts: clearKey(3),
  expired: clearKey(4),
  revoked: clearKey(5),
  other: clearKey(6),
  secret: clearKey(7),
  unknown: clearKey(8),
  drafts: clearKey(9),
}

export type FixtureKey = keyof typeof keys

function clearKey(number: number): string {
  return encodeKey(new Uint8Array(32).fill(number))
}

/** Noon of a day on which everything here holds. */
export const fixtureNow: number = Date.UTC(2026, 5, 1, 12)

/** Categories of `acme` by slug: name, and description or null. */
const categories: Readonly<Record<string, readonly [string, string]>> = {
  news: ['News', 'What is new.'],
  tools: ['tools', ''],
  fish: ['Fish & <Chips> "quoted"', 'Salt & <b>vinegar</b>.'],
  idle: ['Zero', 'Nothing is in here.'],
}

const tags = [
  { slug: 'alpha', name: 'Alpha', description: 'The first.' },
  { slug: 'beta', name: 'beta' },
  { slug: 'index', name: 'Index' },
  { slug: 'a.json', name: 'A file?' },
  { slug: '日本', name: '日本', description: '国の名前。' },
  { slug: 'unused', name: 'unused' },
]

/** Every workspace's files below a content folder, and what is in them. */
export function writeFixture(folder: string): SiteDescription {
  const write = (path: string, text: string | Uint8Array) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  writeAcme(write)
  writeBeta(write)
  writeSecret(write)
  const hidden = [...drafts, ...scheduled].map(({ slug }) => slug)
  return { now: fixtureNow, hidden, drafts, keys }
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
  { ...special('a-draft', 'Draft of needle-draft'), status: 'draft', aliases: ['old-draft'] },
  {
    ...special('entwürf', 'needle-draft of the future', 'The needle-draft.\n'),
    ...{ status: 'draft', id: 'draft-id', tags: ['unused'], authors: ['idle'] },
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

function writeAcme(write: Write): void {
  write('acme/workspace.yml', `name: Acme\n${absoluteLinks}`)
  for (const [number, post] of [...posts, ...drafts, ...scheduled].entries())
    write(`acme/posts/file-${number}.md`, postFile(post))
  for (const [slug, [name, text]] of Object.entries(categories))
    write(`acme/categories/${slug}.md`, `---\nname: ${JSON.stringify(name)}\n---\n${text}\n`)
  write('acme/tags.yml', JSON.stringify(tags))
  write(
    'acme/authors/ada.md',
    [
      '---\nname: Ada & Söhne\nid: ada-id\nimage: https://example.com/ada.png\nrole: Editor\nsocials:',
      '  - platform: web\n    url: https://example.com/ada\n---\nWrites *things*.\n',
    ].join('\n'),
  )
  write('acme/authors/bob.md', '---\nname: bob\n---\n')
  write('acme/authors/idle.md', '---\nname: Idle\n---\n')
  writeKeys(write, 'acme', {
    full: {},
    postsOnly: { scopes: ['posts:read'] },
    noPosts: { scopes: ['tags:read', 'categories:read', 'authors:read'] },
    drafts: { scopes: allScopes },
    expired: { expires: '2025-01-01T00:00:00Z' },
    revoked: { revoked: '2025-01-01T00:00:00Z' },
  })
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
function writeBeta(write: Write): void {
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
  writeKeys(write, 'beta', { other: {} })
}

function writeSecret(write: Write): void {
  write('secret/workspace.yml', 'name: Secret\nv1: private\n')
  write('secret/posts/one.md', postFile({ ...special('one', 'One'), category: 'news', tags: [] }))
  write('secret/categories/news.md', '---\nname: News\n---\n')
  writeKeys(write, 'secret', { secret: {} })
}

/** JSON is YAML, but for line separators. */
function postFile({ body, ...front }: FixturePost): string {
  const lines = Object.entries(front).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
  return `---\n${lines.join('').replaceAll('\u2028', '\\u2028')}---\n${body}`
}

function writeKeys(
  write: Write,
  workspace: string,
  entries: Readonly<Partial<Record<FixtureKey, object>>>,
): void {
  const listed = Object.entries(entries).map(([name, more]) => {
    const id = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    const sha256 = hashKey(keys[name as FixtureKey])
    return { id, name, sha256, created: '2024-01-01T00:00:00Z', ...more }
  })
  write(`${workspace}/keys.yml`, JSON.stringify(listed))
}
