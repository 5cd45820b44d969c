// Writes the files of a snapshot. Names and digests are known before any body is read, so that unchanged files are not
// made again. Parts are cut by content: a new, edited or removed post changes its own part, and rarely the next.
import { compareCodePoints, digestBytes, hex, joinBytes, utf8 } from '../api/bytes.ts'
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
import { dataName, frameHead, groupBytes, rowBytes } from './frame.ts'
import { contentHash } from './storage.ts'

/** A workspace or a collection to write. */
export interface SnapshotInput {
  /** @default posts */
  readonly kind?: RowKind
  /** The own order of a collection; absent if it is latest first. */
  readonly own?: Index['own']
  /** Latest first. */
  readonly posts: readonly WrittenPost[]
  /** In name order. */
  readonly terms: Readonly<Record<TermKind, readonly IndexTerm[]>>
  /** Custom fields that posts can be filtered by. */
  readonly fields: readonly IndexedField[]
  readonly channel: Channel | null
  readonly language?: Index['language']
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
  /** Milliseconds since 1970; null for a post that stays. */
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

/** Bytes that are read only when a file with them is made. */
export interface WrittenBody extends Sum {
  readonly read: () => Awaitable<Uint8Array>
}

/** A file of the function. */
export interface SnapshotFile {
  /** File name, relative to the function's folder; names the content. */
  readonly name: string
  /** Not called for files that exist. */
  readonly make: () => Awaitable<Uint8Array>
}

/** @returns 32 bytes */
type Sha256 = (bytes: Uint8Array) => Uint8Array

/**
 * Remembers terms between builds, by the hash of their texts, of one version of quarry and of the Unicode tables. Values
 * may get lost.
 */
export interface TermsCache {
  get(key: string): Uint8Array | undefined
  set(key: string, bytes: Uint8Array): void
}

/** Writes a workspace. Reads bodies only to make a file, and texts whose terms are not cached. */
export async function writeSnapshot(
  input: SnapshotInput,
  { sha256, cache }: { readonly sha256: Sha256; readonly cache: TermsCache },
): Promise<{
  /** Name of the index, which is the last one of the files. */
  readonly index: string
  readonly files: readonly SnapshotFile[]
}> {
  const writer = new FrameWriter(sha256, cache)
  const rows = input.posts.map((post) => rowOf(post, input.kind, sha256)).reverse()
  const indexed = rows.length - input.unindexed
  const files: SnapshotFile[] = []
  const parts: IndexPart[] = []
  const searched: { readonly texts: Texts; readonly lastId: string }[] = []
  // No part has both posts with and without a search index.
  const cuts = [rows.slice(0, indexed), rows.slice(indexed)].flatMap((posts) =>
    cut(posts, partBytes),
  )
  let end = 0
  for (const count of cuts) {
    const own = rows.slice(end, end + count)
    end += count
    const part = writer.part(own)
    const texts = await writer.texts(own)
    files.push(part, texts.file)
    parts.push({ posts: count, part: part.hash, text: texts.file.hash })
    if (end <= indexed) searched.push({ texts, lastId: own.at(-1)?.id ?? '' })
  }
  const search: IndexTerms[] = []
  for (const count of cutSearch(searched.map(({ lastId }) => lastId))) {
    const written = await writer.terms(searched.splice(0, count).map(({ texts }) => texts))
    files.push(...written.files)
    search.push({ parts: count, ...written.index })
  }
  const assets = jsonFile('assets', input.assets, sha256)
  const columns: Index = { ...columnsOf(input), parts, search, assets: assets.name }
  const index = jsonFile('index', columns, sha256)
  return { index: index.name, files: [...files, assets, index] }
}

/** Returns a JSON file that is named by its content. */
export function jsonFile(kind: string, value: object, sha256: Sha256): SnapshotFile {
  const bytes = utf8(JSON.stringify(value))
  return { name: dataName(kind, contentHash(sha256(bytes)), 'json'), make: () => bytes }
}

/** A post with the sums of all its sections. */
interface PostRow {
  readonly id: string
  readonly title: string
  /** Bytes in its part, at least 1 KiB: thousands of short posts are more than one part. */
  readonly weight: number
  readonly sections: Readonly<Record<PostPart, WrittenBody>>
  readonly text: WrittenPost['text']
}

function rowOf(
  { post, html, markdown, text }: WrittenPost,
  kind: RowKind | undefined,
  sha256: Sha256,
): PostRow {
  const { head, tail } = postJson(post, kind)
  const own = (json: string): WrittenBody => ({
    ...sumOf(utf8(json), sha256),
    read: () => utf8(json),
  })
  const item = own(postItemJson(post, kind))
  const sections = { head: own(head), html, tail: own(tail), markdown, item }
  const weight = partKinds.reduce((sum, kind) => sum + sections[kind].size, 1024)
  return { id: post.id, title: post.title, weight, sections, text }
}

function sumOf(bytes: Uint8Array, sha256: Sha256): Sum {
  return { size: bytes.length, digest: sha256(bytes).subarray(0, digestBytes) }
}

/** A frame that is named by its head. */
interface FrameFile extends SnapshotFile {
  readonly hash: string
}

/** The texts of a part. */
interface Texts {
  readonly file: FrameFile
  /** Identifies the texts. */
  readonly key: string
  readonly terms: () => Promise<Uint8Array>
}

/** Writes frames. Heads of texts and terms are cached, so that texts are read only for new and changed parts. */
class FrameWriter {
  readonly #sha256: Sha256
  readonly #cache: TermsCache

  constructor(sha256: Sha256, cache: TermsCache) {
    this.#sha256 = sha256
    this.#cache = cache
  }

  part(posts: readonly PostRow[]): FrameFile {
    const pairs = posts.flatMap(({ sections: { head, tail } }) => [head, tail])
    const others = partKinds.slice(2).flatMap((kind) => posts.map((post) => post.sections[kind]))
    const sections = [...pairs, ...others]
    return this.#frame('part', frameHead(sections, this.#sha256), async () => {
      const read: Uint8Array[] = []
      for (const section of sections) read.push(await section.read())
      return read
    })
  }

  async texts(posts: readonly PostRow[]): Promise<Texts> {
    const read = async () => {
      const texts: string[] = []
      for (const { title, text } of posts) {
        texts.push(`${fold(title)}\0${new TextDecoder().decode(await text.read())}`)
      }
      return texts
    }
    const key = this.#keyOf(posts.map(({ title, text }) => [title, hex(text.digest)]))
    const bytes = async () => (await read()).map(utf8)
    const head = await this.#cached(`text-${key}`, async () => this.#headOf(await bytes()))
    return {
      file: this.#frame('text', head, bytes),
      key,
      terms: () => this.#cached(`terms-${key}`, async () => partTerms(await read())),
    }
  }

  /** The search index of adjacent parts. */
  async terms(parts: readonly Texts[]): Promise<{
    readonly files: readonly SnapshotFile[]
    readonly index: Omit<IndexTerms, 'parts'>
  }> {
    const merge = async () => {
      const terms: Uint8Array[] = []
      for (const part of parts) terms.push(await part.terms())
      const { dictionary, pages } = mergeTerms(terms)
      return [utf8(JSON.stringify(dictionary)), ...pages]
    }
    let merged: readonly Uint8Array[] | undefined
    const made = async () => (merged ??= await merge())
    const key = this.#keyOf(parts.map((part) => part.key))
    const sums = await this.#cached(`search-${key}`, async () => {
      const [dictionary = new Uint8Array(0), ...pages] = await made()
      // The number of pages, the digest of the dictionary, and the head of the lists.
      const count = new Uint8Array(Uint32Array.of(pages.length).buffer)
      return joinBytes([count, sumOf(dictionary, this.#sha256).digest, this.#headOf(pages)])
    })
    const terms = hex(sums.subarray(4, rowBytes))
    const make = async () => (await made())[0] as Uint8Array
    const lists = this.#frame('lists', sums.subarray(rowBytes), async () => (await made()).slice(1))
    return {
      files: [{ name: dataName('terms', terms, 'json'), make }, lists],
      index: {
        terms,
        lists: lists.hash,
        pages: new DataView(sums.buffer, sums.byteOffset).getUint32(0, true),
      },
    }
  }

  #frame(
    kind: string,
    head: Uint8Array,
    sections: () => Promise<readonly Uint8Array[]>,
  ): FrameFile {
    const hash = contentHash(this.#sha256(head.subarray(0, groupBytes)))
    const make = async () => joinBytes([head, ...(await sections())])
    return { hash, name: dataName(kind, hash), make }
  }

  #headOf(sections: readonly Uint8Array[]): Uint8Array {
    return frameHead(
      sections.map((section) => sumOf(section, this.#sha256)),
      this.#sha256,
    )
  }

  #keyOf(value: unknown): string {
    return contentHash(this.#sha256(utf8(JSON.stringify(value))))
  }

  async #cached(key: string, make: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const known = this.#cache.get(key)
    if (known !== undefined) return known
    const made = await make()
    this.#cache.set(key, made)
    return made
  }
}

/** The columns of an index. */
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
    categories: posts.map(({ category }) => ordinals.categories.get(category.id) ?? 0),
    tags: posts.map(({ tags }) => termsIn('tags', tags)),
    authors: posts.map(({ authors }) => termsIn('authors', authors)),
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

/** The value that a filter compares: a reference is found by its slug and its id. */
function filterValue(value: Json = null): Json {
  const namesOf = (item: Json): readonly Json[] =>
    typeof item === 'object' && item !== null && 'slug' in item && 'id' in item
      ? [item['slug'] ?? null, item['id'] ?? null]
      : [item]
  if (Array.isArray(value)) return value.flatMap(namesOf)
  return typeof value === 'object' && value !== null ? namesOf(value) : value
}

/** By lower-cased title, then by id, both descending in code point order. */
function ordinalsByTitle(posts: readonly Post[]): readonly number[] {
  const titles = posts.map(({ title }) => title.toLowerCase())
  return Array.from(posts.keys()).sort(
    (a, b) =>
      compareCodePoints(titles[b] ?? '', titles[a] ?? '') ||
      compareCodePoints(posts[b]?.id ?? '', posts[a]?.id ?? ''),
  )
}

/** What is cut, oldest first. */
interface Item {
  /** Decides, by its hash, whether a cut follows. */
  readonly id: string
  readonly weight: number
}

/** Minimum, mean and maximum of what a cut encloses. */
interface Bounds {
  readonly min: number
  readonly mean: number
  readonly max: number
}

/** Bytes of a part: hosts without ranges read it whole, and a change writes it again. */
const partBytes: Bounds = { min: 256 * 1024, mean: 512 * 1024, max: 1024 * 1024 }

/**
 * Parts of a search index at least, some 10 MB of text. An index of fewer repeats words: 23 % of the text for 4 MB of it,
 * 18 % for 16 MB (250,000 words, 2026-11). One of more takes longer to merge after a change: 1 s for 360 parts, 0.2 s for 48.
 */
const searchedParts = 48

/**
 * Cuts parts into groups that are searched together.
 *
 * @param lastIds the id of the last post of each part, oldest part first
 * @returns the number of parts of each group
 */
export function cutSearch(lastIds: readonly string[]): readonly number[] {
  // Prefixed, so that groups do not end by the same hash as parts.
  const parts = lastIds.map((id) => ({ id: `part ${id}`, weight: 1 }))
  // Few groups, as a search reads all. A power of two: groups change only when the number of posts has doubled.
  const mean = Math.max(searchedParts, 2 ** Math.ceil(Math.log2(lastIds.length / 4)))
  return cut(parts, { min: (mean * 2) / 3, mean, max: (mean * 4) / 3 })
}

/** Cuts after items whose hash says so, or that are full. */
function cut(items: readonly Item[], { min, mean, max }: Bounds): readonly number[] {
  const counts: number[] = []
  let count = 0
  let total = 0
  for (const [at, { id, weight }] of items.entries()) {
    count += 1
    total += weight
    const next = items[at + 1]?.weight ?? Number.POSITIVE_INFINITY
    const isCut = total >= min && hashOf(id) / 2 ** 32 < weight / (mean - min)
    if (!isCut && total + next <= max) continue
    counts.push(count)
    count = 0
    total = 0
  }
  return counts
}

/** FNV-1a, and a mix of its bits: ids differ in few characters. @returns 32 bits */
function hashOf(id: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  return (hash ^ (hash >>> 16)) >>> 0
}
