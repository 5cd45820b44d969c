// Opens a snapshot: the only implementation, from which builds, functions and servers respond.
import { digestBytes, parseJson, sha256, utf8 } from '../api/bytes.ts'
import { facetHeadOf } from '../api/include.ts'
import type { IndexedField } from '../api/parameter-values.ts'
import type { TermKind } from '../api/resources.ts'
import type { Assets, JsonRef, PostPart, Snapshot, Sum } from '../api/snapshot.ts'
import { openTerms, type TermsReader, type TermsSearch } from '../search/search.ts'
import {
  type Index,
  type IndexPart,
  type IndexTerm,
  type IndexTerms,
  partKinds,
  type Root,
  rowsInRoot,
} from './format.ts'
import { type DataFiles, dataName, type Frame } from './frame.ts'
import { type FindText, Rows, relatedPosts, selectPosts } from './select.ts'

/**
 * Opens a snapshot without what belongs to the site: the history, other spaces and references to them.
 *
 * @param name name of an index
 * @param fields fields that posts can be filtered by
 * @throws if it does not exist or is damaged
 */
export async function openSnapshot(
  name: string,
  files: DataFiles,
  fields: readonly IndexedField[] = [],
): Promise<Omit<Snapshot, 'history'> & Pick<Index, 'ids' | 'slugs'>> {
  const index = parseJson<Index>(await files.file(name))
  const rows = new Rows(index, fields)
  const data = new Set(index.data)
  const findText = textFinder(index, files)
  const all = Uint32Array.from(index.ids.keys())
  let assets: Assets | undefined
  return {
    ...{ postCount: rows.count, ids: index.ids, slugs: index.slugs },
    shown: all,
    isShown: (post) => post !== -1,
    dataFiles: filesOfIndex(index).map(({ name }) => name),
    drafts: new Set(index.drafts),
    expiries: index.expiries ?? [],
    ...{ spaces: new Map(), references: [], areReferencesLasting: true },
    isData: (row) => data.has(row),
    family: (row) => familyOf(row, index, rows),
    channel: index.channel,
    ...(index.language === undefined ? {} : { language: index.language }),
    publishedAt: (post) => rows.publishedAt[post] ?? Number.NaN,
    termCount: (kind) => index.terms[kind].length,
    findPost: (name) => rows.find('posts', name),
    findTerm: (kind, name) => rows.find(kind, name),
    postsOf: (kind, term) => rows.postsOf(kind, term),
    isCreated: (kind, term) => index.terms[kind][term]?.isCreated === true,
    facetHead: facetHeadOf((kind, term) => termOf(index, kind, term).json),
    select: (filter, by, among = all) => selectPosts(rows, findText, filter, by, among),
    related: (post, most, among = all) => relatedPosts(rows, post, most, among),
    aliases: index.aliases.map(([from, post]) => ({ from, to: index.slugs[post] ?? '', post })),
    assets: async () => (assets ??= parseJson<Assets>(await files.file(index.assets))),
    ...storedJson(index, files),
  }
}

function filesOfIndex({ parts, search, assets }: Index): readonly Frame[] {
  const frames = [...parts.map(partFrame), ...parts.map(textFrame), ...search.map(listsFrame)]
  return [...frames, ...[...search.map(termsName), assets].map((name) => ({ name, count: 0 }))]
}

const partFrame = ({ part, posts }: IndexPart): Frame =>
  frameOf('part', part, posts * partKinds.length)
const textFrame = ({ text, posts }: IndexPart): Frame => frameOf('text', text, posts)
const listsFrame = ({ lists, pages }: IndexTerms): Frame => frameOf('lists', lists, pages)
const termsName = ({ terms }: IndexTerms) => dataName('terms', terms, 'json')

function frameOf(kind: string, hash: string, count: number): Frame {
  return { name: dataName(kind, hash), count }
}

/** Returns every file that a root needs. @throws if an index does not exist or is damaged */
export async function filesOfRoot(root: Root, files: DataFiles): Promise<readonly Frame[]> {
  const { openapi, steps = openapi, workspaces } = root
  const all = workspaces.flatMap(rowsInRoot)
  const indexes = all.flatMap(({ index, draftIndex = index }) => [index, draftIndex])
  const named = [openapi, steps, ...indexes].map((name): Frame => ({ name, count: 0 }))
  for (const name of new Set(indexes))
    named.push(...filesOfIndex(parseJson<Index>(await files.file(name))))
  return [...new Map(named.map((file) => [file.name, file])).values()]
}

function termOf(index: Index, kind: TermKind, term: number): IndexTerm {
  const found = index.terms[kind][term]
  if (found === undefined) throw new RangeError(`no resource ${term} of ${kind}`)
  return found
}

/** Returns readers of the JSON of terms, which is in the index, and of posts, which is in parts. */
function storedJson(index: Index, files: DataFiles): Pick<Snapshot, 'sums' | 'read'> {
  const sums = new Map<IndexTerm, Sum>()
  const sumOf = (term: IndexTerm): Sum => {
    const json = utf8(term.json)
    const sum = { size: json.length, digest: sha256(json).subarray(0, digestBytes) }
    sums.set(term, sum)
    return sum
  }
  /** The part of each post, and its number in the part, by ordinal. */
  const places = index.parts.flatMap((part) => {
    const frame = partFrame(part)
    return Array.from({ length: part.posts }, (_, number) => ({ frame, posts: part.posts, number }))
  })
  places.reverse()
  const sectionOf = (kind: PostPart, { posts, number }: (typeof places)[number]) => {
    const at = partKinds.indexOf(kind)
    return at < 2 ? 2 * number + at : at * posts + number
  }
  /** Returns values of references. Calls each part once. */
  const valuesOf = async <T>(
    refs: readonly JsonRef[],
    ofTerm: (term: IndexTerm) => T,
    ofSections: (frame: Frame, sections: readonly number[]) => Promise<readonly T[]>,
  ) => {
    const values: T[] = []
    const parts = new Map<Frame, { readonly sections: number[]; readonly at: number[] }>()
    for (const [at, ref] of refs.entries()) {
      if (ref.of !== 'posts') {
        values[at] = ofTerm(termOf(index, ref.of, ref.ordinal))
        continue
      }
      const place = places[ref.ordinal] as (typeof places)[number]
      const part = parts.get(place.frame) ?? { sections: [], at: [] }
      part.sections.push(sectionOf(ref.part, place))
      part.at.push(at)
      parts.set(place.frame, part)
    }
    const reads = Array.from(parts, async ([frame, { sections, at }]) => {
      for (const [number, value] of (await ofSections(frame, sections)).entries())
        values[at[number] ?? 0] = value
    })
    await Promise.all(reads)
    return values
  }
  const bytesOf = ({ json }: IndexTerm) => utf8(json)
  return {
    sums: (refs) =>
      valuesOf(
        refs,
        (term) => sums.get(term) ?? sumOf(term),
        (...part) => files.sums(...part),
      ),
    read: (refs) => valuesOf(refs, bytesOf, (...part) => files.sections(...part, identity)),
  }
}

const identity = (bytes: Uint8Array) => bytes

/** Returns the parent of an item (-1 for none) and its children in the own order. The slugs are paths. */
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

/**
 * Returns the search over a workspace. The first search reads the dictionaries; every search reads posting lists, and
 * texts if the lists do not suffice. Internally, posts are numbered from the oldest one.
 */
function textFinder({ parts, search }: Index, files: DataFiles): FindText {
  const frames = parts.map(textFrame)
  /** The first post of each part, and the end. */
  const starts = [0]
  for (const { posts } of parts) starts.push((starts.at(-1) ?? 0) + posts)
  const count = starts.at(-1) ?? 0
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

  /** Returns the posts whose text contains a query. @param places ascending @returns ascending */
  const containing = async (query: string, places: Iterable<number>) => {
    const wanted = new Map<number, number[]>()
    let part = 0
    for (const place of places) {
      while ((starts[part + 1] ?? count) <= place) part += 1
      const numbers = wanted.get(part) ?? []
      numbers.push(place - (starts[part] ?? 0))
      wanted.set(part, numbers)
    }
    const found: number[][] = []
    const next = wanted.entries()
    const readNext = async () => {
      for (const [part, numbers] of next) {
        const texts = await files.sections(frames[part] as Frame, numbers, decode, textGap)
        const those = numbers.filter((_, at) => texts[at]?.includes(query))
        found[part] = those.map((number) => (starts[part] ?? 0) + number)
      }
    }
    // Reads at most 32 parts at once.
    await Promise.all(Array.from({ length: Math.min(32, wanted.size) }, readNext))
    return found.flat()
  }

  const termsFinder = (terms: IndexTerms, first: number): FindText => {
    const frame = listsFrame(terms)
    const reader: TermsReader = {
      pages: (numbers) => files.sections(frame, numbers, identity),
      containing: async (query, posts) => {
        const places = await containing(
          query,
          posts.map((post) => first + post),
        )
        return Uint32Array.from(places, (place) => place - first)
      },
    }
    let opened: TermsSearch | undefined
    return async (query, isWanted) => {
      opened ??= openTerms(parseJson(await files.file(termsName(terms))), reader)
      const posts = await opened.search(query, (post) => isWanted(first + post))
      return posts.map((post) => first + post)
    }
  }

  let part = 0
  const finders = search.map((terms) => {
    const first = starts[part] ?? count
    part += terms.parts
    return termsFinder(terms, first)
  })
  // Posts that were scheduled at the build have no search index.
  const scannedFrom = starts[part] ?? count
  const scanned = Array.from({ length: count - scannedFrom }, (_, at) => scannedFrom + at)
  finders.push((query, isWanted) => containing(query, scanned.filter(isWanted)))
  return async (query, among) => {
    const isWanted = (place: number) => among(count - 1 - place)
    const found = await Promise.all(finders.map((find) => find(query, isWanted)))
    return found.flatMap((places) => Array.from(places, (place) => count - 1 - place))
  }
}

/** Number of unneeded bytes of texts to read rather than request another range. */
const textGap = 8 * 1024
