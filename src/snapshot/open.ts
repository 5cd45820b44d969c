// Opens a snapshot: the one implementation that builds, functions and servers respond from.

import type { Assets } from '../api/assets.ts'
import { digestBytes, joinBytes, parseJson, utf8 } from '../api/bytes.ts'
import type { IndexedField } from '../api/field-parameters.ts'
import { facetHeadOf } from '../api/include.ts'
import type { Post, TermKind } from '../api/resources.ts'
import { sha256 } from '../api/sha256.ts'
import {
  type Alias,
  type Awaitable,
  type JsonRef,
  type PostPart,
  type Snapshot,
  whenAllReady,
  whenReady,
} from '../api/snapshot.ts'
import { textFinder } from './find-text.ts'
import { type Index, type IndexPart, partKinds, type Root } from './format.ts'
import { type DataFiles, dataName, type Frame, type Section } from './frame.ts'
import { Rows } from './rows.ts'
import { relatedPosts, selectPosts } from './select.ts'

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
