// The search index of a segment as files: term dictionary, tables, posting lists, and blocks of normalized texts.
import type { BundledSections, BundledSegment } from '../api/bundle.ts'
import { checksum } from '../query/checksum.ts'
import { buildIndex, type StoredIndex } from '../query/index-builder.ts'
import { sumOf } from '../query/inverted-terms.ts'
import type { SectionTable } from '../query/sections.ts'
import { pageBytes, pageNumber } from '../query/stored-lists.ts'
import { type SectionBuffer, textRoom } from '../query/text-index.ts'
import { layOutTextIndex, type TextPlaces } from '../query/text-index-layout.ts'
import { contentHash } from './blocks.ts'
import type { PostTexts, TextRecord } from './shard-record.ts'

/** Maximum size of a file, except of texts: some hosts refuse more than 25 MiB, and a small file is fetched faster. */
const fileBytesMax = 4 * 1024 * 1024

/** Minimum size of a file of posting lists, except the last one. */
const listBytesMin = 1024 * 1024

/** A content-addressed file of the function. */
export interface NamedFile {
  /** Path below the function's folder. */
  readonly name: string
  /** Content-addressed tag. */
  readonly etag: string
  readonly bytes: Uint8Array
}

/** Returns one file with the normalized texts of a block's posts. @param texts latest post first */
export function textFile(texts: readonly Uint8Array[]): {
  readonly file: NamedFile
  readonly texts: PostTexts
} {
  const sizes = Uint32Array.from(texts, ({ length }) => length)
  const bytes = new Uint8Array(sumOf(sizes.map(textRoom)))
  let at = 0
  for (const text of texts) {
    bytes.set(text, at)
    at += textRoom(text.length)
  }
  const etag = contentHash(bytes)
  return {
    file: { name: textName(etag), etag, bytes },
    texts: {
      sizes,
      checks: Uint32Array.from(texts, checksum),
      files: [{ etag, posts: texts.length }],
    },
  }
}

function textName(etag: string): string {
  return `texts/${etag}.bin`
}

/** The files of an index, and their description. */
export interface IndexFiles {
  /** All files except the texts. */
  readonly files: readonly NamedFile[]
  readonly segment: BundledSegment<SectionTable>
}

/**
 * Returns the index of shards, latest posts first.
 *
 * Cost: O(distinct terms of each shard + posts of all terms).
 */
export function indexFiles(shards: readonly TextRecord[], isIndexed: boolean): IndexFiles {
  const steps = segmentFiles(
    shards.map(({ texts }) => texts),
    buildIndex(shards.toReversed().flatMap(({ terms }) => terms ?? [])),
  )
  const files: NamedFile[] = []
  for (;;) {
    const step = steps.next()
    if (step.done === true) return { files, segment: { isIndexed, ...step.value } }
    files.push(step.value)
  }
}

type FileSteps<Result> = Generator<NamedFile, Result>

function* segmentFiles(
  texts: readonly PostTexts[],
  stored: StoredIndex,
): FileSteps<Omit<BundledSegment<SectionTable>, 'isIndexed'>> {
  const { pageChecks, ...lists } = yield* listFiles(stored)
  const { places, names } = placeTexts(texts)
  const { vocabulary, tables } = layOutTextIndex(stored, { ...places, pageChecks })
  return {
    posts: places.textSizes.length,
    vocabulary: yield* sectionFiles(vocabulary),
    tables: yield* sectionFiles(tables),
    ...lists,
    texts: names,
  }
}

/** Returns the texts of all shards, with consecutive file numbers. */
function placeTexts(shards: readonly PostTexts[]): {
  readonly places: Omit<TextPlaces, 'pageChecks'>
  readonly names: readonly string[]
} {
  const count = shards.reduce((sum, { sizes }) => sum + sizes.length, 0)
  const places = {
    textBlocks: new Uint32Array(count),
    textOffsets: new Uint32Array(count),
    textSizes: new Uint32Array(count),
    textChecks: new Uint32Array(count),
  }
  const names: string[] = []
  let post = 0
  for (const { sizes, checks, files } of shards) {
    places.textSizes.set(sizes, post)
    places.textChecks.set(checks, post)
    for (const { etag, posts } of files) {
      let offset = 0
      for (const end = post + posts; post < end; post++) {
        places.textBlocks[post] = names.length
        places.textOffsets[post] = offset
        offset += textRoom(places.textSizes[post] ?? 0)
      }
      names.push(textName(etag))
    }
  }
  return { places, names }
}

interface ListFiles extends Pick<BundledSegment<SectionTable>, 'lists' | 'listStarts'> {
  readonly pageChecks: Uint32Array
}

function* listFiles({ lists, cuts }: StoredIndex): FileSteps<ListFiles> {
  const names: string[] = []
  const starts = [0]
  const checks: number[] = []
  const ends = [...cuts, lists.length]
  for (const [at, end] of ends.entries()) {
    const start = starts.at(-1) ?? 0
    const isLast = end === lists.length
    // A list is never split: a file ends where the next list would make it too long.
    const next = ends[at + 1] ?? end
    if (end === start || (!isLast && end - start < listBytesMin && next - start <= fileBytesMax))
      continue
    const file = searchFile(lists.subarray(start, end))
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
    const file = searchFile(bytes.subarray(start, start + fileBytesMax))
    files.push(file.name)
    yield file
  }
  return { files, sections: table }
}

function searchFile(bytes: Uint8Array): NamedFile {
  const etag = contentHash(bytes)
  return { name: `search/${etag}.bin`, etag, bytes }
}
