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

/**
 * Opens the index of a workspace.
 *
 * @param name of the index
 * @param fields custom fields that posts can be filtered by
 * @throws when it does not exist, or is damaged
 */
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

/**
 * Returns every file that a root needs: frames, and files of JSON without sections.
 *
 * @throws when an index does not exist, or is damaged
 */
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
  const terms = new Terms(index)
  const data = new Set(index.data)
  const findText = textFinder(index, files)
  let aliases: readonly Alias[] | undefined
  let assets: Assets | undefined
  const read = (ref: JsonRef): Awaitable<Uint8Array> =>
    ref.of === 'posts' ? parts.read(ref.part, ref.ordinal) : terms.read(ref.of, ref.ordinal)
  return {
    postCount: rows.count,
    dataFiles: filesOfIndex(index).map(({ name }) => name),
    drafts: new Set(index.drafts),
    expiries: index.expiries ?? [],
    isData: (row) => data.has(row),
    family: (row) => familyOf(row, index, rows),
    channel: index.channel,
    publishedAt: (post) => rows.publishedAt[post] ?? Number.NaN,
    termCount: (kind) => rows.termCount(kind),
    findPost: rows.findPost,
    findTerm: (kind, identifier) => rows.findTerm(kind, identifier),
    postsOf: (kind, term) => rows.postsOf(kind, term),
    createdTerms: (kind) =>
      Uint32Array.from(
        index.terms[kind].flatMap(({ isCreated }, term) => (isCreated === true ? [term] : [])),
      ),
    facetHead: facetHeadOf((kind, term) => terms.read(kind, term)),
    select: (...given) => selectPosts(rows, findText, ...given),
    related: (...given) => relatedPosts(rows, ...given),
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
        : terms.digest(ref.of, ref.ordinal),
    size: (ref) =>
      ref.of === 'posts'
        ? whenReady(parts.section(ref.part, ref.ordinal), ({ start, end }) => end - start)
        : terms.read(ref.of, ref.ordinal).length,
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
    return whenReady(this.#files.head(frame), (sections) => sections[number] as Section)
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

/** The JSON of terms. */
class Terms {
  readonly #terms: Index['terms']
  readonly #digests = new Map<string, Uint8Array>()

  constructor({ terms }: Index) {
    this.#terms = terms
  }

  read(kind: TermKind, term: number): Uint8Array {
    const found = this.#terms[kind][term]
    if (found === undefined) throw new RangeError(`no resource ${term} of ${kind}`)
    return utf8(found.json)
  }

  digest(kind: TermKind, term: number): Uint8Array {
    const known = this.#digests.get(`${kind} ${term}`)
    if (known !== undefined) return known
    const digest = sha256(this.read(kind, term)).subarray(0, digestBytes)
    this.#digests.set(`${kind} ${term}`, digest)
    return digest
  }
}

/**
 * Returns the search over a workspace. The first search reads the dictionaries; every search reads posting lists, and
 * texts where these cannot tell.
 */
function textFinder({ parts, search }: Index, files: DataFiles): FindText {
  const count = parts.reduce((sum, { posts }) => sum + posts, 0)
  const texts = new Texts(parts, files)
  const finders: FindPlaces[] = []
  let part = 0
  for (const terms of search) {
    finders.push(termsFinder(terms, texts.start(part), texts, files))
    part += terms.parts
  }
  const scannedFrom = texts.start(part)
  if (scannedFrom < count) finders.push((...of) => texts.scan(scannedFrom, count, ...of))
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
    texts: (posts) => texts.read(Array.from(posts, (post) => first + post)),
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

  /** Reads texts. @param places ascending */
  read(places: readonly number[]): Awaitable<readonly string[]> {
    const read: Awaitable<readonly string[]>[] = []
    let part = 0
    for (let at = 0; at < places.length; ) {
      while (this.start(part + 1) <= (places[at] ?? 0)) part += 1
      const numbers: number[] = []
      const [start, end] = [this.start(part), this.start(part + 1)]
      while ((places[at] ?? end) < end) numbers.push((places[at++] ?? 0) - start)
      read.push(this.#readPart(part, numbers))
    }
    return whenAllReady(read, (texts) => texts.flat())
  }

  /** Returns the posts between two whose text contains a query. Reads the texts of about a part at once. */
  async scan(
    first: number,
    end: number,
    query: string,
    isWanted: (place: number) => boolean,
  ): Promise<readonly number[]> {
    const found: number[] = []
    for (let from = first; from < end; from += scannedAtOnce) {
      const length = Math.min(scannedAtOnce, end - from)
      const places = Array.from({ length }, (_, at) => from + at).filter(isWanted)
      const texts = await this.read(places)
      found.push(...places.filter((_, at) => texts[at]?.includes(query)))
    }
    return found
  }

  #readPart(part: number, numbers: readonly number[]): Awaitable<readonly string[]> {
    const { text = '', posts = 0 } = this.#parts[part] ?? {}
    const frame: Frame = { name: dataName('text', text), count: posts }
    const key = `${frame.name} texts`
    const known = (this.#files.cache.get(key) ?? []) as (string | undefined)[]
    const missing = numbers.filter((number) => known[number] === undefined)
    if (missing.length === 0) return numbers.map((number) => known[number] ?? '')
    return whenReady(this.#files.head(frame), (head) =>
      whenReady(this.#files.sections(frame, missing), (sections) => {
        const decoder = new TextDecoder()
        for (const [at, number] of missing.entries()) known[number] = decoder.decode(sections[at])
        // Weighs all texts of the part from the first on, as others follow.
        this.#files.cache.set(key, known, head.at(-1)?.end ?? 0)
        return numbers.map((number) => known[number] ?? '')
      }),
    )
  }
}

/** Number of posts whose texts are in memory at once during a scan. */
const scannedAtOnce = 64
