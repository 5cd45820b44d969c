// The sample site: 300 posts with every feature in four workspaces, and own content types in two languages.
// A function of nothing but this file.
import { hash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { writeBelow } from '../support/empty-folder.ts'
import { bodies, titles } from './texts.ts'

/** The time of every build and of every server. */
export const now = '2026-06-01T12:00:00.000Z'

/** When the scheduled posts of `journal` are due, and a time after it. */
const dueAt = '2026-07-01T00:00:00.000Z'
export const later = '2026-07-02T00:00:00.000Z'

/** API keys by the names that `requests.txt` uses. They open nothing but this site. */
export const keys: Readonly<Record<string, string>> = {
  full: 'qk_00000000000000000000000000000000000000000011reiyo',
  postsOnly: 'qk_00000000000000000000000000000000000000000024d43Oq',
  noPosts: 'qk_00000000000000000000000000000000000000000032Yl6b0',
  drafts: 'qk_00000000000000000000000000000000000000000040OetmP',
  expired: 'qk_00000000000000000000000000000000000000000051o3NGV',
  revoked: 'qk_00000000000000000000000000000000000000000064boJ5t',
  notes: 'qk_00000000000000000000000000000000000000000072ZnncF',
  vault: 'qk_00000000000000000000000000000000000000000080VnXTC',
  shop: 'qk_000000000000000000000000000000000000000000A0z8U9m',
  unknown: 'qk_00000000000000000000000000000000000000000091xW6a8',
}

type Write = (path: string, content: string | Uint8Array) => void

/**
 * Writes the site's configuration and content.
 *
 * @param posts of `journal` @param due when the scheduled ones of them appear
 */
export function writeSite(folder: string, posts = 280, due: string = dueAt): void {
  const write: Write = (path, content) => writeBelow(folder, path, content)
  const config = { changes: true, baseUrl: 'https://content.example.com' }
  write('quarry.config.json', `${JSON.stringify(config)}\n`)
  writeJournal(write, posts, due)
  writeNotes(write)
  writeVault(write)
  writeSoon(write)
  writeShop(write, due)
}

/** Edits of the second build: a title, a body, a new slug with an alias, a new post, a removed one, a new name of a tag. */
export function editSite(folder: string): void {
  const write: Write = (path, content) => writeBelow(folder, path, content)
  const edit = (index: number, edits: Partial<JournalPost>) => {
    const post = { ...journalPost(index), ...edits }
    write(`content/journal/posts/${post.file}`, yamlPost(post.frontMatter, post.body))
  }
  const third = journalPost(3)
  edit(3, { frontMatter: { ...third.frontMatter, title: 'A title after the edit' } })
  edit(4, { body: 'A body after the edit, with the word *quetzal*.\n' })
  const fifth = journalPost(5)
  edit(5, { frontMatter: { ...fifth.frontMatter, slug: 'renamed', aliases: [fifth.slug] } })
  edit(300, {})
  rmSync(join(folder, 'content/journal/posts', journalPost(6).file))
  write('content/journal/tags/alpha.md', '---\nname: Alpha, renamed\n---\nThe first.\n')
}

const categories = ['news', 'tools', 'fish', 'essays']
const tags = ['alpha', 'beta', 'gamma', '日本', 'a.json', 'index', 'rare']

/** Of 280 posts, 265 are published, 10 are drafts and 5 scheduled. */
function writeJournal(write: Write, posts: number, due: string): void {
  write(
    'content/journal/workspace.yml',
    `name: The Journal
links: { post: "https://example.com/{workspace}/{year}/{slug}" }
derived: [excerpt, wordCount, readingTime, toc, images]
fields:
  subtitle: text
  rating: { type: number, index: true, label: Rating, description: From 1 to 5 }
  seen: { type: date, index: true }
  isNew: { type: boolean, index: true, default: false }
  level: { type: select, options: [beginner, expert], default: beginner, index: true }
  parts: { type: list, index: true }
`,
  )
  for (let index = 0; index < posts; index++) {
    const { file, frontMatter, body } = journalPost(index, due)
    const format = index % 11 === 7 ? tomlPost : index % 13 === 8 ? jsonPost : yamlPost
    write(`content/journal/posts/${file}`, format(frontMatter, body))
  }
  for (let index = 0; index < 3; index++) {
    write(`content/journal/posts/picture-${index}.png`, png(3 + index, 2))
  }
  write('content/journal/media/two words.png', png(1, 1))
  const names = ['News', 'tools', 'Fish & <Chips> "quoted"', 'Essays']
  for (const [index, slug] of categories.entries()) {
    const name = JSON.stringify(names[index])
    const description = index === 1 ? '' : `Salt & <b>vinegar</b>, number ${index}.\n`
    write(`content/journal/categories/${slug}.md`, `---\nname: ${name}\n---\n${description}`)
  }
  write('content/journal/categories/idle.md', '---\nname: Zero\n---\nNothing is in here.\n')
  for (const [index, slug] of tags.entries()) {
    const name = JSON.stringify(slug.toUpperCase())
    write(
      `content/journal/tags/${slug}.md`,
      `---\nname: ${name}\n---\n${index % 2 === 0 ? `The ${slug}.\n` : ''}`,
    )
  }
  write(
    'content/journal/authors/ada.md',
    `---
name: Ada & Söhne
id: ada-id
image: https://example.com/ada.png
role: Editor
url: https://ada.example
socials: { github: https://github.com/ada }
---
Writes *things*.
`,
  )
  write('content/journal/authors/bob.md', '---\nname: bob\n---\n')
  write('content/journal/authors/idle.md', '---\nname: Idle\n---\n')
  writeKeys(write, 'journal', {
    full: '',
    postsOnly: 'scopes: [posts:read]',
    noPosts: 'scopes: [tags:read, categories:read, authors:read]',
    drafts: 'scopes: [posts:read, categories:read, tags:read, authors:read, drafts:read]',
    expired: 'expires: 2025-01-01T00:00:00Z',
    revoked: 'revoked: 2025-01-01T00:00:00Z',
  })
}

type FrontMatter = Readonly<Record<string, unknown>>

interface JournalPost {
  /** Below `posts`. */
  readonly file: string
  readonly slug: string
  readonly frontMatter: FrontMatter
  readonly body: string
}

/** Each feature has a period of its own, so that features meet. */
function journalPost(index: number, due: string = dueAt): JournalPost {
  const title = `${pick(titles, index)}${index < titles.length ? '' : ` ${index}`}`
  const named =
    index % 10 === 4 ? pick(['über-straße', '日本語', 'हिन्दी', 'v1.2_final'], index) : 'post'
  const slug = `${named}-${index}`
  const day = new Date(
    Date.UTC(2023, 0, 1 + Math.floor(index / 3) * 8, index % 3 === 0 ? 0 : index % 24),
  )
  const publishedAt = index % 56 === 50 ? due : day.toISOString()
  const isDatedFile = index % 7 === 2
  const file = fileName(index, isDatedFile ? `${publishedAt.slice(0, 10)}-${slug}` : slug)
  const up = file.startsWith('sub/') ? '../../' : './'
  const text = pick(bodies, index)
    .replaceAll('./picture-', `${up}picture-`)
    .replaceAll('../media', `${up}../media`)
  const chosen = optionalKeys.filter(([period, rest]) => index % period === rest)
  return {
    slug,
    file,
    frontMatter: {
      ...(index % 40 === 39 ? {} : { title }),
      category: pick(categories, index),
      tags: tags.filter((_, tag) => index % (tag * 3 + 2) === 0),
      ...(isDatedFile ? {} : { [index % 6 === 0 ? 'date' : 'publishedAt']: publishedAt }),
      ...Object.assign({}, ...chosen.map(([, , keys]) => keys({ index, slug, title }))),
    },
    body: `${text}\nParagraph ${index} of ${title.length} ends with word${index * 7919}.\n`,
  }
}

interface Naming {
  readonly index: number
  readonly slug: string
  readonly title: string
}

/** Keys of the posts whose number has a rest by a period. */
const optionalKeys: readonly (readonly [number, number, (post: Naming) => FrontMatter])[] = [
  [5, 0, ({ slug }) => ({ slug })],
  [8, 3, ({ index }) => ({ id: `id-of-${index}` })],
  [3, 1, ({ title }) => ({ description: `About “${title}” & more.` })],
  [2, 0, ({ index }) => ({ authors: index % 4 === 0 ? ['bob', 'ada'] : 'ada' })],
  [9, 1, () => ({ updatedAt: '2026-02-03T04:05:06+07:00' })],
  [10, 0, () => ({ featured: true })],
  [46, 7, () => ({ coverImage: './picture-1.png' })],
  [12, 6, () => ({ coverImage: 'https://example.com/c.png?a=1&b="2"' })],
  [14, 6, () => ({ attribution: 'First on <example.org> & elsewhere' })],
  [9, 0, ({ index }) => ({ aliases: [`old-${index}`, `früher-${index}`] })],
  [28, 17, () => ({ status: 'draft' })],
  [2, 0, ({ index }) => ({ fields: customFields(index) })],
]

function pick<T>(items: readonly T[], index: number): T {
  return items[index % items.length] as T
}

function customFields(index: number): FrontMatter {
  return {
    rating: (index % 11) - 0.5,
    ...(index % 3 === 0 ? { seen: `2025-0${(index % 9) + 1}-1${index % 10}` } : {}),
    ...(index % 5 === 0 ? { isNew: true } : {}),
    ...(index % 4 === 0 ? { level: 'expert', subtitle: 'Ein "Untertitel", ≥ 1' } : {}),
    ...(index % 7 === 0 ? { parts: ['one', `part & ${index % 3}`] } : {}),
  }
}

function fileName(index: number, name: string): string {
  if (index % 17 === 3) return `${name}.mdx`
  if (index % 23 === 5) return `sub/${name}/index.md`
  return index % 19 === 6 ? `${name}.markdown` : `${name}.md`
}

function yamlPost(frontMatter: FrontMatter, body: string): string {
  const lines = Object.entries(frontMatter).map(([key, value]) => `${key}: ${yamlValue(value)}`)
  return `---\n${lines.join('\n')}\n---\n\n${body}`
}

/** Dates and slugs stand as people type them, all else as JSON, which is YAML. */
function yamlValue(value: unknown): string {
  return typeof value === 'string' && /^[\w:.+-]+$/.test(value) ? value : JSON.stringify(value)
}

function tomlPost(frontMatter: FrontMatter, body: string): string {
  const value = (item: unknown): string =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? `{ ${Object.entries(item)
          .map(([key, inner]) => `${key} = ${value(inner)}`)
          .join(', ')} }`
      : JSON.stringify(item)
  const lines = Object.entries(frontMatter).map(([key, item]) => `${key} = ${value(item)}`)
  return `+++\n${lines.join('\n')}\n+++\n${body}`
}

function jsonPost(frontMatter: FrontMatter, body: string): string {
  return `${JSON.stringify(frontMatter, null, 2)}\n\n${body}`
}

/** 16 posts whose categories, tags and authors no file names; no links, no scheduled post, and lists of terms in YAML. */
function writeNotes(write: Write): void {
  write(
    'content/notes/workspace.yml',
    'name: Notes\nreferences: create\ndefaults: { category: open-source }\n',
  )
  const people = ['Ada Lovelace', '[Grace Hopper](https://grace.example)', 'Listed Person']
  for (let index = 0; index < 16; index++) {
    const frontMatter = {
      title: `Note ${index}: ${titles[(index * 3) % titles.length]}`,
      date: `2024-${String((index % 12) + 1).padStart(2, '0')}-28`,
      ...(index % 4 === 0 ? { category: index === 0 ? 'open source' : 'Node.js' } : {}),
      tags: [['JavaScript', 'Javascript', 'javascript', 'C++ & more'][index % 4], 'Listed'],
      authors: [
        people[index % 3],
        ...(index === 5 ? [{ name: 'Alan Turing', role: 'Editor', url: 'https://a.example' }] : []),
      ],
      ...(index % 5 === 0 ? { aliases: [`note-old-${index}`] } : {}),
    }
    const body = `${bodies[(index * 5) % bodies.length]}\n[to another](./note-${(index + 1) % 16}.md)\n`
    write(`content/notes/posts/note-${index}.md`, yamlPost(frontMatter, body.replace(/!\[.*/g, '')))
  }
  write('content/notes/tags.yml', '- name: Listed\n  slug: listed\n  description: In a file.\n')
  write('content/notes/authors.yml', '- name: Listed Person\n  slug: listed-person\n  bio: Bio.\n')
  writeKeys(write, 'notes', { notes: '' })
}

/** Three posts that v1 does not show. */
function writeVault(write: Write): void {
  write('content/vault/workspace.yml', 'name: Vault\nv1: private\nfields: { owner: text }\n')
  write('content/vault/categories/news.md', '---\nname: News of the vault\n---\n')
  for (const [index, slug] of ['one', 'two', 'post-1'].entries()) {
    const date = `2025-05-0${index + 1}`
    const frontMatter = { title: `Vault ${slug}`, category: 'news', date, fields: { owner: slug } }
    write(`content/vault/posts/${slug}.md`, yamlPost(frontMatter, `Secret ${slug}.\n`))
  }
  writeKeys(write, 'vault', { vault: '' })
}

/** A workspace with a post that is due two minutes after `now`. */
function writeSoon(write: Write): void {
  write('content/soon/categories/news.md', '---\nname: News\n---\n')
  const post = (slug: string, date: string) =>
    write(
      `content/soon/posts/${slug}.md`,
      yamlPost({ title: slug, category: 'news', date }, 'Soon.\n'),
    )
  post('here', '2026-05-31')
  post('in-two-minutes', '2026-06-01T12:02:00Z')
}

const shopSettings = `collections:
  guides:
    folder: guides
    fields:
      level: { type: number, index: true, min: 1 }
      kind: { type: select, options: [howto, reference], default: howto, index: true }
      author: { type: reference, to: authors, index: true }
      next: { type: references, to: guides }
  products:
    file: products.yml
    orderBy: label
    fields:
      label: { type: text, required: true, index: true }
      releases: { type: objects, fields: { name: text, date: date, lts: boolean } }
      guide: { type: reference, to: guides, index: true }
singletons: { navigation: navigation.yml, about: about.md }
fieldsOf: { authors: { email: text } }
`

/** Collections and singletons in English and in German. */
function writeShop(write: Write, due: string): void {
  for (const [id, language] of [
    ['shop', 'locale: en'],
    ['laden', 'locale: de\ntranslationOf: shop'],
  ] as const) {
    const own = (path: string, text: string) => write(`content/${id}/${path}`, text)
    own('workspace.yml', `${language}\n${shopSettings}`)
    own('categories/news.md', '---\nname: News\n---\n')
    own('authors/eve.md', '---\nname: Eve\nemail: eve@example.com\n---\n')
    const opened = { title: `Opened (${id})`, category: 'news', date: '2026-01-02' }
    own('posts/opened.md', yamlPost(opened, 'We are open.\n'))
    const guide = (path: string, frontMatter: FrontMatter) =>
      own(
        `guides/${path}.md`,
        yamlPost({ title: `${path} (${id})`, ...frontMatter }, `On ${path}.\n`),
      )
    guide('install/index', { author: 'eve', next: ['install/linux', 'coming-guide'] })
    guide('install/linux', { level: 2, kind: 'reference', aliases: ['linux', 'setup/linux'] })
    guide('install/mac', { level: 1, translationKey: 'apple' })
    guide('tools/_index', {})
    guide('coming-guide', { date: due })
    guide('unfinished-guide', { status: 'draft' })
    if (id === 'shop') guide('brief', { expiresAt: '2999-01-01' })
    own('navigation.yml', 'items: [{ label: Home, url: / }]\n')
    own('about.md', '---\nsince: 2020\n---\n# About us\n')
  }
  write(
    'content/shop/products.yml',
    `node:
  label: Node
  releases: [{ name: "20", date: 2023-04-18, lts: true }]
  guide: install/linux
deno: { label: Deno, guide: coming-guide }
zig: { label: A Zig, title: The Zig }
`,
  )
  write('content/laden/products.yml', '- { slug: node, label: Knoten }\n')
  writeKeys(write, 'shop', { shop: '' })
}

function writeKeys(write: Write, workspace: string, added: Readonly<Record<string, string>>): void {
  const entries = Object.entries(added).map(([name, more]) =>
    [
      `- id: ${name}`,
      `name: ${name}`,
      `sha256: "${hash('sha256', keys[name] ?? '')}"`,
      'created: 2024-01-01T00:00:00Z',
      ...(more === '' ? [] : [more]),
    ].join('\n  '),
  )
  write(`content/${workspace}/keys.yml`, `${entries.join('\n')}\n`)
}

/** A grey image. Only its dimensions and bytes matter, so the checksums of its chunks are left at zero. */
export function png(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc((width + 1) * height))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** An image of one pixel. */
export const pixel: Buffer = png(1, 1)
