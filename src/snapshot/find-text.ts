// Text search over the posts of a snapshot: the search index of adjacent parts, and a scan of parts without one.
import { parseJson } from '../api/bytes.ts'
import { type Awaitable, whenAllReady, whenReady } from '../api/snapshot.ts'
import { openTerms, type TermsReader, type TermsSearch } from '../search/search.ts'
import type { Index, IndexPart, IndexTerms } from './format.ts'
import { type DataFiles, dataName, type Frame } from './frame.ts'
import type { FindText } from './select.ts'

/**
 * Returns the search over a workspace. The first search reads the dictionaries; every search reads posting lists, and
 * texts where these cannot tell.
 */
export function textFinder({ parts, search }: Index, files: DataFiles): FindText {
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
