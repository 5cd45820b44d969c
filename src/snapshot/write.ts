// Writes the files of a snapshot. Names and digests are known before any body is read, so unchanged files are not
// made again. Parts are cut by content: a new, edited or removed post changes its own part, and rarely the next.
import {
  compareCodePoints,
  digestBytes,
  hex,
  joinBytes,
  parseJson,
  sha256,
  utf8,
} from '../api/bytes.ts'
import type { IndexedField } from '../api/parameter-values.ts'
import {
  type Json,
  type Post,
  postItemJson,
  postJson,
  type RowKind,
  type TermKind,
} from '../api/resources.ts'
import type { Assets, Awaitable, Channel, Expiry, PostPart, Sum } from '../api/snapshot.ts'
import { fold } from '../search/fold.ts'
import { mergeTerms, partTerms } from '../search/terms.ts'
import { type Index, type IndexPart, type IndexTerm, type IndexTerms, partKinds } from './format.ts'
import { dataName, frameHead, groupBytes } from './frame.ts'
import { contentHash } from './storage.ts'

/** A workspace or a collection to write. */
export interface SnapshotInput {
  /** @default posts */
  readonly kind?: RowKind
  /** The own order of a collection; absent for latest first. */
  readonly own?: Index['own']
  /** Posts, latest first. */
  readonly posts: readonly WrittenPost[]
  /** Terms in name order. */
  readonly terms: Readonly<Record<TermKind, readonly IndexTerm[]>>
  /** Custom fields that posts can be filtered by. */
  readonly fields: readonly IndexedField[]
  readonly channel: Channel | null
  readonly language?: Index['language']
  readonly assets: Assets
  /** Number of posts without a search index: the first ones, which are scheduled. A search scans their texts. */
  readonly unindexed: number
}

/** A post to write. */
export interface WrittenPost {
  readonly post: Post
  /** Milliseconds since 1970. */
  readonly publishedAt: number
  readonly isDraft: boolean
  /** Milliseconds since 1970; null for a post that does not expire. */
  readonly expiresAt: number | null
  /** True for an item without content. */
  readonly isData?: boolean
  /** Former slugs. */
  readonly aliases: readonly string[]
  /** The body as JSON string literals. */
  readonly html: WrittenBody
  readonly markdown: WrittenBody
  /** The folded visible text, without the title. */
  readonly text: Pick<WrittenBody, 'digest' | 'read'>
}

/** Bytes that are read only when a file that contains them is made. */
export interface WrittenBody extends Sum {
  readonly read: () => Awaitable<Uint8Array>
}

/** A file of the function. */
export interface SnapshotFile {
  /** File name, relative to the function's folder. It contains a hash of the content. */
  readonly name: string
  /** Not called for files that exist. */
  readonly make: () => Awaitable<Uint8Array>
}

/**
 * Caches terms between builds, by a hash of their texts, the version of quarry and the Unicode version. Values may get
 * lost.
 */
export interface TermsCache {
  get(key: string): Uint8Array | undefined
  set(key: string, bytes: Uint8Array): void
}

/** Writes a workspace. Reads bodies only to make files, and texts only if their terms are not cached. */
export async function writeSnapshot(
  input: SnapshotInput,
  cache: TermsCache,
): Promise<{
  /** Name of the index, which is the last of the files. */
  readonly index: string
  readonly files: readonly SnapshotFile[]
}> {
  const writer = new FrameWriter(cache)
  const rows = input.posts.map((post) => writer.row(post, input.kind)).reverse()
  const files: SnapshotFile[] = []
  const parts: IndexPart[] = []
  const writePart = async (posts: readonly PostRow[]) => {
    const [part, texts] = [writer.part(posts), await writer.texts(posts)]
    files.push(part, texts)
    parts.push({ posts: posts.length, part: part.hash, text: texts.hash })
    return texts
  }
  // No part mixes posts with and without a search index.
  const indexed = rows.length - input.unindexed
  const searched: Texts[] = []
  for (const posts of cut(rows.slice(0, indexed), partBytes)) searched.push(await writePart(posts))
  for (const posts of cut(rows.slice(indexed), partBytes)) await writePart(posts)
  const search: IndexTerms[] = []
  for (const texts of cut(searched, groupBounds(searched.length))) {
    const written = await writer.terms(texts)
    files.push(...written.files)
    search.push(written.index)
  }
  const assets = jsonFile('assets', input.assets)
  const columns: Index = { ...columnsOf(input), parts, search, assets: assets.name }
  const index = jsonFile('index', columns)
  return { index: index.name, files: [...files, assets, index] }
}

/** Returns a JSON file that is named by its content. */
export function jsonFile(kind: string, value: object): SnapshotFile {
  const bytes = utf8(JSON.stringify(value))
  return { name: dataName(kind, hashOf(bytes), 'json'), make: () => bytes }
}

/** A post with the sums of all its sections. */
interface PostRow extends Item {
  readonly title: string
  readonly sections: Readonly<Record<PostPart, WrittenBody>>
  readonly text: WrittenPost['text']
}

/** A file of a frame, which is named by its hash. */
interface FrameFile extends SnapshotFile {
  readonly hash: string
}

/** The texts of a part. */
interface Texts extends FrameFile, Item {
  /** Identifies the texts. */
  readonly key: string
  readonly terms: () => Promise<Uint8Array>
}

/** Writes frames. Caches hashes of texts and terms, so that texts are read only for new and changed parts. */
class FrameWriter {
  readonly #cache: TermsCache

  constructor(cache: TermsCache) {
    this.#cache = cache
  }

  row({ post, html, markdown, text }: WrittenPost, kind?: RowKind): PostRow {
    const { head, tail } = postJson(post, kind)
    const own = (json: string): WrittenBody => ({
      ...sumOf(utf8(json)),
      read: () => utf8(json),
    })
    const item = own(postItemJson(post, kind))
    const sections = { head: own(head), html, tail: own(tail), markdown, item }
    // The weight is at least 1 KiB, so that thousands of short posts are more than one part.
    const weight = partKinds.reduce((sum, kind) => sum + sections[kind].size, 1024)
    return { id: post.id, title: post.title, weight, sections, text }
  }

  part(posts: readonly PostRow[]): FrameFile {
    const pairs = posts.flatMap(({ sections: { head, tail } }) => [head, tail])
    const others = partKinds.slice(2).flatMap((kind) => posts.map((post) => post.sections[kind]))
    const sections = [...pairs, ...others]
    return this.#frame('part', this.#nameOf(sections), () =>
      Promise.all(sections.map((section) => section.read())),
    )
  }

  async texts(posts: readonly PostRow[]): Promise<Texts> {
    const textOf = async ({ title, text }: PostRow) =>
      `${fold(title)}\0${new TextDecoder().decode(await text.read())}`
    const read = () => Promise.all(posts.map(textOf))
    const named = posts.map(({ title, text }) => [title, hex(text.digest)])
    const key = hashOf(utf8(JSON.stringify(named)))
    const bytes = async () => (await read()).map(utf8)
    const hash = () => bytes().then((all) => this.#nameOf(all.map(sumOf)))
    return {
      ...this.#frame('text', await this.#cachedJson(`text-${key}`, hash), bytes),
      key,
      // The prefix makes groups end at other hashes than parts.
      id: `part ${posts.at(-1)?.id}`,
      weight: 1,
      terms: () => this.#cached(`terms-${key}`, async () => partTerms(await read())),
    }
  }

  /** Writes the search index of adjacent parts. */
  async terms(parts: readonly Texts[]): Promise<{
    readonly files: readonly SnapshotFile[]
    readonly index: IndexTerms
  }> {
    const merge = async () => {
      const terms: Uint8Array[] = []
      for (const part of parts) terms.push(await part.terms())
      const { dictionary, pages } = mergeTerms(terms)
      return { dictionary: utf8(JSON.stringify(dictionary)), pages }
    }
    let merged: Awaited<ReturnType<typeof merge>> | undefined
    const made = async () => (merged ??= await merge())
    const key = hashOf(utf8(parts.map((part) => part.key).join()))
    const index = await this.#cachedJson(`search-${key}`, async () => {
      const { dictionary, pages } = await made()
      const lists = this.#nameOf(pages.map(sumOf))
      const terms = hashOf(dictionary)
      return { parts: parts.length, terms, lists, pages: pages.length }
    })
    const make = async () => (await made()).dictionary
    return {
      files: [
        { name: dataName('terms', index.terms, 'json'), make },
        this.#frame('lists', index.lists, async () => (await made()).pages),
      ],
      index,
    }
  }

  #frame(kind: string, hash: string, read: () => Promise<readonly Uint8Array[]>): FrameFile {
    const make = async () => {
      const sections = await read()
      return joinBytes([frameHead(sections.map(sumOf)), ...sections])
    }
    return { hash, name: dataName(kind, hash), make }
  }

  /** Returns the hash that names a frame. */
  #nameOf(sums: readonly Sum[]): string {
    return hashOf(frameHead(sums).subarray(0, groupBytes))
  }

  async #cachedJson<T>(key: string, make: () => Promise<T>): Promise<T> {
    return parseJson(await this.#cached(key, async () => utf8(JSON.stringify(await make()))))
  }

  async #cached(key: string, make: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const known = this.#cache.get(key)
    if (known !== undefined) return known
    const made = await make()
    this.#cache.set(key, made)
    return made
  }
}

/** Returns the hash that names a file. */
const hashOf = (bytes: Uint8Array) => contentHash(sha256(bytes))

function sumOf(bytes: Uint8Array): Sum {
  return { size: bytes.length, digest: sha256(bytes).subarray(0, digestBytes) }
}

/** Returns the columns of an index. */
function columnsOf({
  posts: given,
  terms,
  fields,
  channel,
  language,
  own,
}: SnapshotInput): Omit<Index, 'parts' | 'search' | 'assets'> {
  const posts = given.map(({ post }) => post)
  const times = given.map(({ publishedAt }) => publishedAt)
  const termsOf = (kind: TermKind, own: (post: Post) => readonly { readonly id: string }[]) => {
    const ordinals = new Map(terms[kind].map(({ id }, term) => [id, term]))
    return posts.map((post) => own(post).flatMap(({ id }) => ordinals.get(id) ?? []))
  }
  const where = (isWanted: (post: WrittenPost) => boolean) =>
    given.flatMap((post, ordinal) => (isWanted(post) ? [ordinal] : []))
  const expiries = given.flatMap(({ expiresAt }, post): readonly Expiry[] =>
    expiresAt === null ? [] : [[post, expiresAt]],
  )
  const data = where(({ isData }) => isData === true)
  return {
    ...(own === undefined ? {} : { own }),
    ...(data.length === 0 ? {} : { data }),
    ids: posts.map(({ id }) => id),
    slugs: posts.map(({ slug }) => slug),
    publishedAt: times.map((time, at) => (at === 0 ? time : (times[at - 1] ?? 0) - time)),
    updatedAt: posts.map(({ updatedAt }, at) => {
      return updatedAt === '' ? 0 : Date.parse(updatedAt) - (times[at] ?? 0)
    }),
    categories: termsOf('categories', ({ category }) => [category]).map(([term = 0]) => term),
    tags: termsOf('tags', ({ tags }) => tags),
    authors: termsOf('authors', ({ authors }) => authors),
    byTitle: ordinalsByTitle(posts),
    featured: where(({ post }) => post.featured),
    drafts: where(({ isDraft }) => isDraft),
    ...(expiries.length === 0 ? {} : { expiries }),
    fields: Object.fromEntries(
      fields.map(({ name }) => [name, posts.map((post) => filterValue(post.fields?.[name]))]),
    ),
    terms,
    aliases: given
      .flatMap(({ aliases }, post) => aliases.map((from): [string, number] => [from, post]))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
    channel,
    ...(language === undefined ? {} : { language }),
  }
}

/** Returns the value that a filter compares: for a reference, the slug and the id of its target. */
function filterValue(value: Json = null): Json {
  const namesOf = (item: Json): readonly Json[] =>
    typeof item === 'object' && item !== null && 'slug' in item && 'id' in item
      ? [item['slug'] ?? null, item['id'] ?? null]
      : [item]
  if (Array.isArray(value)) return value.flatMap(namesOf)
  return typeof value === 'object' && value !== null ? namesOf(value) : value
}

/** Returns ordinals by lower-cased title, then by id, both descending in code point order. */
function ordinalsByTitle(posts: readonly Post[]): readonly number[] {
  const titles = posts.map(({ title }) => title.toLowerCase())
  return Array.from(posts.keys()).sort(
    (a, b) =>
      compareCodePoints(titles[b] ?? '', titles[a] ?? '') ||
      compareCodePoints(posts[b]?.id ?? '', posts[a]?.id ?? ''),
  )
}

/** An element of a list that is cut. */
interface Item {
  /** The hash of the id decides whether a cut follows. */
  readonly id: string
  readonly weight: number
}

/** Bounds on the weight between two cuts. */
type Bounds = Readonly<Record<'min' | 'mean' | 'max', number>>

/** Sizes of a part in bytes. Hosts without ranges read a part whole, and a change writes it again. */
const partBytes: Bounds = { min: 256 * 1024, mean: 512 * 1024, max: 1024 * 1024 }

/**
 * Minimum number of parts in a search index, about 10 MB of text. Smaller indexes repeat words: their size is 23 % of
 * 4 MB of text, 18 % of 16 MB (250,000 words, 2026-11). Larger ones merge slowly: 1 s for 360 parts, 0.2 s for 48.
 */
const searchedParts = 48

/** Returns the bounds on the number of parts that share a search index. */
function groupBounds(parts: number): Bounds {
  // A search reads all groups, so they are few. With a power of two, they change only when the number of posts doubles.
  const mean = Math.max(searchedParts, 2 ** Math.ceil(Math.log2(parts / 4)))
  return { min: (mean * 2) / 3, mean, max: (mean * 4) / 3 }
}

/** Cuts a list after items that their hash selects, and when a piece is full. */
function cut<T extends Item>(
  items: readonly T[],
  { min, mean, max }: Bounds,
): readonly (readonly T[])[] {
  const groups: T[][] = []
  let start = 0
  let total = 0
  for (const [at, { id, weight }] of items.entries()) {
    total += weight
    const next = items[at + 1]?.weight ?? Number.POSITIVE_INFINITY
    const isCut = total >= min && fnv1a(id) / 2 ** 32 < weight / (mean - min)
    if (!isCut && total + next <= max) continue
    groups.push(items.slice(start, at + 1))
    start = at + 1
    total = 0
  }
  return groups
}

/** Returns 32 bits: FNV-1a, with its bits mixed because ids differ in few characters. */
function fnv1a(id: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  return (hash ^ (hash >>> 16)) >>> 0
}
