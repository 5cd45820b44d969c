// Writes the files of a snapshot. Names and digests are known before any body is read, so that unchanged files are not
// made again.
import type { Assets } from '../api/assets.ts'
import { compareCodePoints, digestBytes, hex, utf8 } from '../api/bytes.ts'
import type { IndexedField } from '../api/field-parameters.ts'
import { type Post, postItemJson, postJson, type TermKind } from '../api/resources.ts'
import { type Awaitable, type Channel, type PostPart, whenReady } from '../api/snapshot.ts'
import { fold } from '../search/fold.ts'
import { mergeTerms, partTerms } from '../search/terms.ts'
import { type Index, type IndexPart, type IndexTerm, type IndexTerms, partKinds } from './format.ts'
import { dataName, frameBytes, frameHead, type SectionSum, sectionCount } from './frame.ts'
import { cutParts, cutSearch } from './partition.ts'
import { contentHash } from './storage.ts'

/** A workspace to write. */
export interface SnapshotInput {
  /** Latest first. */
  readonly posts: readonly WrittenPost[]
  /** In name order. */
  readonly terms: Readonly<Record<TermKind, readonly IndexTerm[]>>
  /** Custom fields that posts can be filtered by. */
  readonly fields: readonly IndexedField[]
  readonly channel: Channel | null
  readonly assets: Assets
  /** Number of posts without a search index: the first ones, as they are scheduled. A search scans their texts. */
  readonly unindexed: number
}

/** A post to write. */
export interface WrittenPost {
  readonly post: Post
  /** Milliseconds since 1970. */
  readonly publishedAt: number
  readonly isDraft: boolean
  /** Former slugs. */
  readonly aliases: readonly string[]
  /** The body as JSON string literals. */
  readonly html: WrittenBody
  readonly markdown: WrittenBody
  /** The folded visible text, without the title. */
  readonly text: Pick<WrittenBody, 'digest' | 'read'>
}

/** Bytes that are read only when a file with them is made. */
export interface WrittenBody extends SectionSum {
  readonly read: () => Awaitable<Uint8Array>
}

/** A file of the function. */
export interface SnapshotFile {
  /** File name, relative to the function's folder; names the content. */
  readonly name: string
  /** Not called for files that exist. */
  readonly make: () => Awaitable<Uint8Array>
}

/** What the writer needs of its surroundings. */
export interface WriteContext {
  /** Returns 32 bytes. */
  readonly sha256: (bytes: Uint8Array) => Uint8Array
  /**
   * Remembers terms between builds, by the hash of their texts, of one version of quarry and of the Unicode tables. Values
   * may get lost.
   */
  readonly cache: TermsCache
}

export interface TermsCache {
  get(key: string): Uint8Array | undefined
  set(key: string, bytes: Uint8Array): void
}

/** The files of a workspace. */
export interface WrittenSnapshot {
  /** Name of the index, which is one of `files`. */
  readonly index: string
  /** The index is the last one. */
  readonly files: readonly SnapshotFile[]
}

/** Writes a workspace. Reads bodies only to make a file, and texts whose terms are not cached. */
export async function writeSnapshot(
  input: SnapshotInput,
  context: WriteContext,
): Promise<WrittenSnapshot> {
  const { sha256 } = context
  const posts = input.posts.map((post) => rowOf(post, sha256)).reverse()
  const files: SnapshotFile[] = []
  const parts: IndexPart[] = []
  const searched: { readonly text: TextFile; readonly lastId: string }[] = []
  const indexed = posts.length - input.unindexed
  for (const { start, end } of partsOf(posts, indexed)) {
    const own = posts.slice(start, end)
    const part = partFile(own, sha256)
    const text = await textFile(own, context)
    files.push(part, text)
    parts.push({ posts: own.length, part: part.hash, text: text.hash })
    if (end <= indexed) searched.push({ text, lastId: own.at(-1)?.id ?? '' })
  }
  const search: SearchFile[] = []
  for (const count of cutSearch(searched.map(({ lastId }) => lastId))) {
    const texts = searched.splice(0, count).map(({ text }) => text)
    search.push(await searchFile(texts, context))
  }
  const assets = jsonFile('assets', input.assets, sha256)
  const index = jsonFile(
    'index',
    {
      ...columnsOf(input),
      parts,
      search: search.map(({ terms }) => terms),
      assets: assets.name,
    } satisfies Index,
    sha256,
  )
  return { index: index.name, files: [...files, ...search, assets, index] }
}

/** Returns a JSON file that is named by its content. */
export function jsonFile(
  kind: string,
  value: object,
  sha256: WriteContext['sha256'],
): SnapshotFile {
  const bytes = utf8(JSON.stringify(value))
  return { name: dataName(kind, contentHash(sha256(bytes)), 'json'), make: () => bytes }
}

/** A post with the sums of all its sections. */
interface PostRow {
  readonly id: string
  readonly title: string
  readonly sections: Readonly<Record<PostPart, WrittenBody>>
  readonly text: WrittenPost['text']
}

function rowOf(
  { post, html, markdown, text }: WrittenPost,
  sha256: WriteContext['sha256'],
): PostRow {
  const { head, tail } = postJson(post)
  const own = (json: string): WrittenBody => {
    const bytes = utf8(json)
    return { ...sumOf(bytes, sha256), read: () => utf8(json) }
  }
  const sections = {
    head: own(head),
    html,
    tail: own(tail),
    markdown,
    item: own(postItemJson(post)),
  }
  return { id: post.id, title: post.title, sections, text }
}

function sumOf(bytes: Uint8Array, sha256: WriteContext['sha256']): SectionSum {
  return { size: bytes.length, digest: sha256(bytes).subarray(0, digestBytes) }
}

/** Adjacent posts, oldest first; `end` exclusive. No part has both posts with and without a search index. */
function partsOf(
  posts: readonly PostRow[],
  indexed: number,
): readonly { readonly start: number; readonly end: number }[] {
  const weighed = posts.map(({ id, sections }) => ({
    id,
    bytes: partKinds.reduce((sum, kind) => sum + sections[kind].size, 0),
  }))
  let start = 0
  const cuts = [weighed.slice(0, indexed), weighed.slice(indexed)].flatMap(cutParts)
  return cuts.map((count) => {
    const part = { start, end: start + count }
    start = part.end
    return part
  })
}

/** A frame that is named by its head. */
interface FrameFile extends SnapshotFile {
  readonly hash: string
}

function frameFile(
  kind: string,
  head: Uint8Array,
  sha256: WriteContext['sha256'],
  sections: () => Awaitable<readonly Uint8Array[]>,
): FrameFile {
  const hash = contentHash(sha256(head))
  return {
    hash,
    name: dataName(kind, hash),
    make: () => whenReady(sections(), (made) => frameBytes(head, made)),
  }
}

function partFile(posts: readonly PostRow[], sha256: WriteContext['sha256']): FrameFile {
  const sections = partKinds.flatMap((kind) => posts.map((post) => post.sections[kind]))
  return frameFile('part', frameHead(sections), sha256, async () => {
    const read: Uint8Array[] = []
    for (const section of sections) read.push(await section.read())
    return read
  })
}

/** The file of a part's texts. */
interface TextFile extends FrameFile {
  /** Identifies the texts. */
  readonly key: string
  /** Returns the terms of the part. */
  readonly terms: () => Promise<Uint8Array>
}

/** The head of the file is cached, so that texts are read only for a new or changed part. */
async function textFile(
  posts: readonly PostRow[],
  { sha256, cache }: WriteContext,
): Promise<TextFile> {
  const texts = async () => {
    const read: string[] = []
    for (const { title, text } of posts) {
      read.push(`${fold(title)}\0${new TextDecoder().decode(await text.read())}`)
    }
    return read
  }
  const sums = posts.map(({ title, text }) => [title, hex(text.digest)])
  const key = keyOf(sums, sha256)
  const head = await cached(cache, `text-${key}`, async () =>
    frameHead((await texts()).map((text) => sumOf(utf8(text), sha256))),
  )
  return {
    ...frameFile('text', head, sha256, async () => (await texts()).map(utf8)),
    key,
    terms: () => cached(cache, `terms-${key}`, async () => partTerms(await texts())),
  }
}

/** The search index of adjacent parts. */
interface SearchFile extends SnapshotFile {
  readonly terms: IndexTerms
}

async function searchFile(
  parts: readonly TextFile[],
  { sha256, cache }: WriteContext,
): Promise<SearchFile> {
  const sections = async () => {
    const terms: Uint8Array[] = []
    for (const part of parts) terms.push(await part.terms())
    const { dictionary, pages } = mergeTerms(terms)
    return [dictionary, ...pages]
  }
  const key = keyOf(
    parts.map((part) => part.key),
    sha256,
  )
  let made: readonly Uint8Array[] | undefined
  const head = await cached(cache, `search-${key}`, async () => {
    made = await sections()
    return frameHead(made.map((section) => sumOf(section, sha256)))
  })
  const file = frameFile('terms', head, sha256, async () => made ?? (await sections()))
  const terms = { parts: parts.length, terms: file.hash, sections: sectionCount(head) }
  return { ...file, terms }
}

function keyOf(value: unknown, sha256: WriteContext['sha256']): string {
  return contentHash(sha256(utf8(JSON.stringify(value))))
}

async function cached(
  cache: TermsCache,
  key: string,
  make: () => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const known = cache.get(key)
  if (known !== undefined) return known
  const made = await make()
  cache.set(key, made)
  return made
}

/** The columns of an index. */
function columnsOf({
  posts: given,
  terms,
  fields,
  channel,
}: SnapshotInput): Omit<Index, 'parts' | 'search' | 'assets'> {
  const posts = given.map(({ post }) => post)
  const times = given.map(({ publishedAt }) => publishedAt)
  const ordinalsOf = (kind: TermKind) => new Map(terms[kind].map(({ id }, term) => [id, term]))
  const ordinals = {
    categories: ordinalsOf('categories'),
    tags: ordinalsOf('tags'),
    authors: ordinalsOf('authors'),
  }
  const termsIn = (kind: TermKind, own: readonly { readonly id: string }[]) =>
    own.flatMap(({ id }) => ordinals[kind].get(id) ?? [])
  const where = (isWanted: (post: WrittenPost) => boolean) =>
    given.flatMap((post, ordinal) => (isWanted(post) ? [ordinal] : []))
  return {
    ids: posts.map(({ id }) => id),
    slugs: posts.map(({ slug }) => slug),
    publishedAt: times.map((time, at) => (at === 0 ? time : (times[at - 1] ?? 0) - time)),
    updatedAt: posts.map(({ updatedAt }, at) => Date.parse(updatedAt) - (times[at] ?? 0)),
    categories: posts.map(({ category }) => ordinals.categories.get(category.id) ?? 0),
    tags: posts.map(({ tags }) => termsIn('tags', tags)),
    authors: posts.map(({ authors }) => termsIn('authors', authors)),
    byTitle: ordinalsByTitle(posts),
    featured: where(({ post }) => post.featured),
    drafts: where(({ isDraft }) => isDraft),
    fields: Object.fromEntries(
      fields.map(({ name }) => [name, posts.map((post) => post.fields?.[name] ?? null)]),
    ),
    terms,
    aliases: given
      .flatMap(({ aliases }, post) => aliases.map((from): [string, number] => [from, post]))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
    channel,
  }
}

/** By lower-cased title, then by id, both descending in code point order. */
function ordinalsByTitle(posts: readonly Post[]): readonly number[] {
  const titles = posts.map(({ title }) => title.toLowerCase())
  // Without surrogates, code unit order equals code point order, and comparison is four times as fast.
  const compare = titles.some((title) => /[\ud800-\udfff]/.test(title))
    ? compareCodePoints
    : (a: string, b: string) => (a < b ? -1 : Number(a > b))
  return Array.from(posts.keys()).sort(
    (a, b) =>
      compare(titles[b] ?? '', titles[a] ?? '') ||
      compareCodePoints(posts[b]?.id ?? '', posts[a]?.id ?? ''),
  )
}
