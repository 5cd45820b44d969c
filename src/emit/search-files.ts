// The search index of a workspace as files: vocabulary, tables, posting lists, and folded texts in blocks.
// Knows nothing of the disk: it gives bytes and where they go.
import type { BundledSearch, BundledSections } from '../api/bundle.ts'
import type { Awaitable } from '../api/snapshot.ts'
import { checksum } from '../query/checksum.ts'
import type { LaidOutIndex } from '../query/index-builder.ts'
import type { SectionTable } from '../query/sections.ts'
import { pageBytes, pageNumber } from '../query/stored-lists.ts'
import { type SectionBuffer, textRoom } from '../query/text-index.ts'
import { layOutTextIndex, type TextPlaces } from '../query/text-index-layout.ts'
import {
  assignBlocks,
  type BundleFile,
  contentHash,
  contentNamed,
  namedBy,
  powerOfTwo,
} from './blocks.ts'

/** Bytes of texts in a block, on average at most; a post lies in one block, however long it is. */
const textBlockBytes = 1024 * 1024

/** The largest file of anything else: some hosts take none over 25 MiB, and a small one is fetched sooner. */
const fileBytesMax = 4 * 1024 * 1024

/** The smallest file of posting lists but for the last one. */
const listBytesMin = 64 * 1024

/** The files of a workspace's search, and what is in them. */
export interface MadeSearch<Bytes = Awaitable<Uint8Array>> {
  readonly files: readonly BundleFile<Bytes>[]
  readonly search: BundledSearch<SectionTable>
}

/** A folded text as it is stored. */
export interface CheckedText {
  readonly size: number
  readonly check: number
  readonly bytes: () => Uint8Array
}

/** What a block of texts is called for its content, where that is known. @param posts ordinals */
export type KnownBlock = (posts: readonly number[]) => string | undefined

/** What search files are made of. */
export interface SearchParts {
  /** Of the posts, latest first. */
  readonly ids: readonly string[]
  /** In the same order. */
  readonly texts: readonly CheckedText[]
  readonly stored: LaidOutIndex
  readonly knownBlock: KnownBlock
}

/** Files, what is in them, and the blocks of texts: their posts, with commas between, and what each is called. */
export interface SearchFiles {
  readonly files: readonly BundleFile<Uint8Array>[]
  readonly search: Omit<BundledSearch<SectionTable>, 'terms'>
  readonly blocks: readonly (readonly [posts: string, etag: string])[]
}

/** Cost: O(bytes of the index), and those of the blocks of texts of which it is not known what they are called. */
export function makeSearchFiles({ ids, texts, stored, knownBlock }: SearchParts): SearchFiles {
  const blocks: [string, string][] = []
  const nameBlock: NameBlock = (block, bytes) => {
    const etag = knownBlock(block) ?? contentHash(bytes())
    blocks.push([block.join(), etag])
    return etag
  }
  const steps = searchFiles(ids, texts, { stored, nameBlock })
  const files: BundleFile<Uint8Array>[] = []
  for (;;) {
    const step = steps.next()
    if (step.done === true) return { files, search: step.value, blocks }
    files.push(step.value)
  }
}

/** What a block of texts is called for its content. @param posts ordinals */
type NameBlock = (posts: readonly number[], bytes: () => Uint8Array) => string

type FileSteps<Result> = Generator<BundleFile<Uint8Array>, Result>

function* searchFiles(
  ids: readonly string[],
  texts: readonly CheckedText[],
  { stored, nameBlock }: { readonly stored: LaidOutIndex; readonly nameBlock: NameBlock },
): FileSteps<Omit<BundledSearch<SectionTable>, 'terms'>> {
  const { places, blocks } = placeTexts(ids, texts)
  const textNames: string[] = []
  for (const block of blocks) {
    const join = () => joinTexts(block.map((post) => texts[post] ?? noText))
    const file = namedBy(nameBlock(block, join), 'texts', join)
    textNames.push(file.name)
    yield file
  }
  const { pageChecks, ...lists } = yield* listFiles(stored)
  const { vocabulary, tables } = layOutTextIndex(stored, { ...places, pageChecks })
  return {
    vocabulary: yield* sectionFiles(vocabulary),
    tables: yield* sectionFiles(tables),
    ...lists,
    texts: textNames,
  }
}

function placeTexts(
  ids: readonly string[],
  texts: readonly CheckedText[],
): {
  readonly places: Omit<TextPlaces, 'pageChecks'>
  readonly blocks: readonly (readonly number[])[]
} {
  const bytes = texts.reduce((sum, { size }) => sum + size, 0)
  const blocks = assignBlocks(ids, powerOfTwo(bytes / textBlockBytes)).filter(
    ({ length }) => length > 0,
  )
  const places = {
    textBlocks: new Uint32Array(texts.length),
    textOffsets: new Uint32Array(texts.length),
    textSizes: Uint32Array.from(texts, ({ size }) => size),
    textChecks: Uint32Array.from(texts, ({ check }) => check),
  }
  blocks.forEach((posts, block) => {
    let offset = 0
    for (const post of posts) {
      places.textBlocks[post] = block
      places.textOffsets[post] = offset
      offset += textRoom(texts[post]?.size ?? 0)
    }
  })
  return { places, blocks }
}

const noText: CheckedText = { size: 0, check: 0, bytes: () => new Uint8Array(0) }

function joinTexts(texts: readonly CheckedText[]): Uint8Array {
  const joined = new Uint8Array(texts.reduce((sum, { size }) => sum + textRoom(size), 0))
  let at = 0
  for (const { size, bytes } of texts) {
    joined.set(bytes(), at)
    at += textRoom(size)
  }
  return joined
}

interface ListFiles extends Pick<BundledSearch<SectionTable>, 'lists' | 'listStarts'> {
  readonly pageChecks: Uint32Array
}

function* listFiles({ lists, cuts }: LaidOutIndex): FileSteps<ListFiles> {
  const names: string[] = []
  const starts = [0]
  const checks: number[] = []
  const ends = [...cuts, lists.length]
  for (const [at, end] of ends.entries()) {
    const start = starts.at(-1) ?? 0
    const isLast = end === lists.length
    // A list lies in one file: what would be too long with the next part ends here.
    const next = ends[at + 1] ?? end
    if (end === start || (!isLast && end - start < listBytesMin && next - start <= fileBytesMax))
      continue
    const file = contentNamed('search', () => lists.subarray(start, end))
    names.push(file.name)
    starts.push(end)
    for (let page = start; page < end; page += pageBytes) {
      const bytes = lists.subarray(page, Math.min(page + pageBytes, end))
      checks[pageNumber(page, names.length - 1)] = checksum(bytes)
    }
    yield file
  }
  return {
    lists: names,
    listStarts: starts,
    pageChecks: Uint32Array.from(checks, (check = 0) => check),
  }
}

function* sectionFiles({ bytes, table }: SectionBuffer): FileSteps<BundledSections<SectionTable>> {
  const files: string[] = []
  for (let start = 0; start < bytes.length; start += fileBytesMax) {
    const file = contentNamed('search', () => bytes.subarray(start, start + fileBytesMax))
    files.push(file.name)
    yield file
  }
  return { files, sections: table }
}
