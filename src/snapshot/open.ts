// Opens a snapshot: the one implementation that builds, functions and servers respond from.
import { digestBytes, joinBytes, parseJson, sha256, utf8 } from '../api/bytes.ts'
import { facetHeadOf } from '../api/include.ts'
import type { IndexedField } from '../api/parameter-values.ts'
import type { Post, TermKind } from '../api/resources.ts'
import {
  type Alias,
  type Assets,
  type Awaitable,
  type JsonRef,
  type PostPart,
  type Snapshot,
  whenAllReady,
  whenReady,
} from '../api/snapshot.ts'
import { openTerms, type TermsReader, type TermsSearch } from '../search/search.ts'
import { type Index, type IndexPart, type IndexTerms, partKinds, type Root } from './format.ts'
import { type DataFiles, dataName, type Frame, type Section } from './frame.ts'
import { Rows } from './rows.ts'
import { type FindText, relatedPosts, selectPosts } from './select.ts'

/** A snapshot without the history, which is that of its site. */
export interface OpenSnapshot extends Omit<Snapshot, 'history'> {
  /** Names of the files that it reads, besides its index. */
  readonly dataFiles: readonly string[]
}

/** @param name of an index @param fields that posts can be filtered by @throws when it does not exist, or is damaged */
export function openSnapshot(
  name: string,
  files: DataFiles,
  fields: readonly IndexedField[] = [],
): Awaitable<OpenSnapshot> {
  return whenReady(files.file(name), (bytes) => snapshotOf(parseJson<Index>(bytes), files, fields))
}

/** The files of an index: frames, and a file of JSON without sections. */
function filesOfIndex({ parts, search, assets }: Index): readonly Frame[] {
  return [
    ...parts.map(({ part, posts }) => partFrame(part, posts)),
    ...parts.map(({ text, posts }) => ({ name: dataName('text', text), count: posts })),
    ...search.map(({ terms }) => ({ name: dataName('terms', terms, 'json'), count: 0 })),
    ...search.map(({ lists, pages }) => ({ name: dataName('lists', lists), count: pages })),
    { name: assets, count: 0 },
  ]
}

function partFrame(part: string, posts: number): Frame {
  return { name: dataName('part', part), count: posts * partKinds.length }
}

/** Returns every file that a root needs. @throws when an index does not exist, or is damaged */
export async function filesOfRoot(root: Root, files: DataFiles): Promise<readonly Frame[]> {
  const { openapi, steps = openapi, workspaces } = root
  const indexes = workspaces.flatMap(({ index, draftIndex = index }) => [index, draftIndex])
  const named = [openapi, steps, ...indexes].map((name): Frame => ({ name, count: 0 }))
  for (const name of new Set(indexes))
    named.push(...filesOfIndex(parseJson<Index>(await files.file(name))))
  return [...new Map(named.map((file) => [file.name, file])).values()]
}

function snapshotOf(index: Index, files: DataFiles, fields: readonly IndexedField[]): OpenSnapshot {
  const rows = new Rows(index, fields)
  const parts = new Parts(index.parts, files)
  const termJson = (kind: TermKind, term: number) => {
    const found = index.terms[kind][term]
    if (found === undefined) throw new RangeError(`no resource ${term} of ${kind}`)
    return utf8(found.json)
  }
  const digests = new Map<string, Uint8Array>()
  const termDigest = (kind: TermKind, term: number) => {
    const known = digests.get(`${kind} ${term}`)
    const digest = known ?? sha256(termJson(kind, term)).subarray(0, digestBytes)
    if (!known) digests.set(`${kind} ${term}`, digest)
    return digest
  }
  const data = new Set(index.data)
  const findText = textFinder(index, files)
  const all = Uint32Array.from(index.ids.keys())
  let aliases: readonly Alias[] | undefined
  let assets: Assets | undefined
  const read = (ref: JsonRef): Awaitable<Uint8Array> =>
    ref.of === 'posts' ? parts.read(ref.part, ref.ordinal) : termJson(ref.of, ref.ordinal)
  return {
    postCount: rows.count,
    shown: all,
    isShown: (post) => post !== -1,
    dataFiles: filesOfIndex(index).map(({ name }) => name),
    drafts: new Set(index.drafts),
    expiries: index.expiries ?? [],
    isData: (row) => data.has(row),
    family: (row) => familyOf(row, index, rows),
    channel: index.channel,
    ...(index.language === undefined ? {} : { language: index.language }),
    publishedAt: (post) => rows.publishedAt[post] ?? Number.NaN,
    termCount: (kind) => rows.termCount(kind),
    findPost: rows.findPost,
    findTerm: (kind, identifier) => rows.findTerm(kind, identifier),
    postsOf: (kind, term) => rows.postsOf(kind, term),
    isCreated: (kind, term) => index.terms[kind][term]?.isCreated === true,
    facetHead: facetHeadOf(termJson),
    select: (filter, by, among = all) => selectPosts(rows, findText, filter, by, among),
    related: (post, most, among = all) => relatedPosts(rows, post, most, among),
    aliases: () => {
      aliases ??= index.aliases.map(([from, post]) => ({ from, to: index.slugs[post] ?? '', post }))
      return aliases
    },
    assets: () =>
      assets ??
      whenReady(files.file(index.assets), (bytes) => (assets ??= parseJson<Assets>(bytes))),
    post: (ordinal) =>
      whenAllReady([parts.read('head', ordinal), parts.read('tail', ordinal)], (bytes) =>
        parseJson<Post>(joinBytes(bytes)),
      ),
    digest: (ref) =>
      ref.of === 'posts'
        ? whenReady(parts.section(ref.part, ref.ordinal), ({ digest }) => digest)
        : termDigest(ref.of, ref.ordinal),
    size: (ref) =>
      ref.of === 'posts'
        ? whenReady(parts.section(ref.part, ref.ordinal), ({ start, end }) => end - start)
        : termJson(ref.of, ref.ordinal).length,
    read,
  }
}

/** The parent of an item, -1 for none, and its children in the own order: by the path that is its slug. */
function familyOf(row: number, { slugs }: Index, rows: Rows) {
  const slug = slugs[row] ?? ''
  const end = slug.lastIndexOf('/')
  const isChild = (other: number) => {
    const name = slugs[other] ?? ''
    return name.startsWith(`${slug}/`) && !name.includes('/', slug.length + 1)
  }
  const all = Uint32Array.from(slugs.keys())
  return {
    parent: end === -1 ? -1 : rows.findPostBy('slugs', slug.slice(0, end)),
    children: [...rows.ordered(all, { orderBy: 'own', order: 'desc' }).filter(isChild)],
  }
}

/** The JSON of posts, in parts. */
class Parts {
  readonly #files: DataFiles
  /** By ordinal: the part of a post, and its number there. */
  readonly #places: readonly { readonly frame: Frame; readonly number: number }[]

  constructor(parts: readonly IndexPart[], files: DataFiles) {
    this.#files = files
    const oldestFirst = parts.flatMap(({ part, posts }) => {
      const frame = partFrame(part, posts)
      return Array.from({ length: posts }, (_, number) => ({ frame, number }))
    })
    this.#places = oldestFirst.reverse()
  }

  read(kind: PostPart, post: number): Awaitable<Uint8Array> {
    const { frame, number } = this.#find(kind, post)
    return this.#files.section(frame, number)
  }

  section(kind: PostPart, post: number): Awaitable<Section> {
    const { frame, number } = this.#find(kind, post)
    return this.#files.row(frame, number)
  }

  #find(kind: PostPart, post: number): { readonly frame: Frame; readonly number: number } {
    const place = this.#places[post]
    if (place === undefined) throw new RangeError(`no post ${post}`)
    const { frame, number } = place
    const at = partKinds.indexOf(kind)
    const posts = frame.count / partKinds.length
    return { frame, number: at < 2 ? 2 * number + at : at * posts + number }
  }
}

/**
 * Returns the search over a workspace. The first search reads the dictionaries; every search reads posting lists, and
 * texts where these cannot tell.
 */
function textFinder({ parts, search }: Index, files: DataFiles): FindText {
  const texts = new Texts(parts, files)
  const count = texts.start(parts.length)
  const finders: FindPlaces[] = []
  let part = 0
  for (const terms of search) {
    finders.push(termsFinder(terms, texts.start(part), texts, files))
    part += terms.parts
  }
  const scannedFrom = texts.start(part)
  if (scannedFrom < count) {
    finders.push((query, isWanted) => {
      const all = Array.from({ length: count - scannedFrom }, (_, at) => scannedFrom + at)
      return texts.containing(query, all.filter(isWanted))
    })
  }
  const ordinalOf = (place: number) => count - 1 - place
  return (query, among) => {
    const found = finders.map((find) => find(query, (place) => among(ordinalOf(place))))
    return whenAllReady(found, (places) => places.flat().map(ordinalOf))
  }
}

/** Returns the places of posts with a text, counted from the oldest post. Texts of unwanted posts are not read. */
type FindPlaces = (
  query: string,
  isWanted: (place: number) => boolean,
) => Awaitable<readonly number[]>

/** Returns the search over a search index. @param first the place of its first post */
function termsFinder(
  { terms, lists, pages }: IndexTerms,
  first: number,
  texts: Texts,
  files: DataFiles,
): FindPlaces {
  const frame: Frame = { name: dataName('lists', lists), count: pages }
  const reader: TermsReader = {
    page: (number) => files.section(frame, number),
    containing: async (query, posts) => {
      const places = Array.from(posts, (post) => first + post)
      return Uint32Array.from(await texts.containing(query, places), (place) => place - first)
    },
  }
  let opened: TermsSearch | undefined
  const open = (): Awaitable<TermsSearch> =>
    opened ??
    whenReady(files.file(dataName('terms', terms, 'json')), (bytes) => {
      opened ??= openTerms(parseJson(bytes), reader)
      return opened
    })
  return (query, isWanted) =>
    whenReady(open(), (index) => {
      const found = index.search(query, (post) => isWanted(first + post))
      return whenReady(found, (posts) => Array.from(posts, (post) => first + post))
    })
}

/** The folded texts of a workspace, counted from the oldest post. */
class Texts {
  readonly #parts: readonly IndexPart[]
  readonly #files: DataFiles
  /** The first post of each part, and the end. */
  readonly #starts: readonly number[]

  constructor(parts: readonly IndexPart[], files: DataFiles) {
    const starts = [0]
    for (const { posts } of parts) starts.push((starts.at(-1) ?? 0) + posts)
    this.#parts = parts
    this.#files = files
    this.#starts = starts
  }

  /** The first post of a part; the number of posts, for the number after the last one. */
  start(part: number): number {
    return this.#starts[part] ?? 0
  }

  /** Returns the posts whose text contains a query. @param places ascending @returns ascending */
  async containing(query: string, places: readonly number[]): Promise<readonly number[]> {
    const found: (readonly number[])[] = []
    let [at, part] = [0, 0]
    const readNext = async (): Promise<void> => {
      while (at < places.length) {
        while (this.start(part + 1) <= (places[at] ?? 0)) part += 1
        const own = part
        const [start, end] = [this.start(own), this.start(own + 1)]
        const numbers: number[] = []
        while ((places[at] ?? end) < end) numbers.push((places[at++] ?? 0) - start)
        const texts = await this.#readPart(own, numbers)
        const containing = numbers.filter((_, index) => texts[index]?.includes(query))
        found[own] = containing.map((number) => start + number)
      }
    }
    // So many parts are read at once.
    await Promise.all(Array.from({ length: 32 }, readNext))
    return found.flat()
  }

  #readPart(part: number, numbers: readonly number[]): Awaitable<readonly string[]> {
    const { text = '', posts = 0 } = this.#parts[part] ?? {}
    const frame: Frame = { name: dataName('text', text), count: posts }
    const key = `${frame.name} texts`
    const known = (this.#files.cache.get(key) ?? []) as (string | undefined)[]
    const missing = numbers.filter((number) => known[number] === undefined)
    if (missing.length === 0) return numbers.map((number) => known[number] ?? '')
    return whenReady(this.#files.sections(frame, missing, textGap), (sections) => {
      const decoder = new TextDecoder()
      for (const [at, number] of missing.entries()) known[number] = decoder.decode(sections[at])
      const bytes = known.reduce((sum, text = '') => sum + text.length, 0)
      this.#files.cache.set(key, known, bytes)
      return numbers.map((number) => known[number] ?? '')
    })
  }
}

/** Bytes of texts that are read rather than a range more is asked for. */
const textGap = 8 * 1024
