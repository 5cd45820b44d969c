// A site in a function: the index of each workspace in typed arrays, records of posts read on demand through a
// storage.

import type { Assets } from '../api/assets.ts'
import { whenAllReady, whenReady } from '../api/awaitable.ts'
import {
  type BundleContents,
  filesOfIndex,
  indexName,
  recordParts,
  type WorkspaceContents,
} from '../api/bundle.ts'
import { joinBytes, parseJson } from '../api/bytes.ts'
import { facetHeadOf } from '../api/facets.ts'
import { digestBytes } from '../api/fragment.ts'
import type { BuildStep } from '../api/history.ts'
import type { Post } from '../api/resources.ts'
import type { Alias, Awaitable, FragmentRef, Snapshot } from '../api/snapshot.ts'
import type { Bitmap } from '../query/bitmaps.ts'
import { splitHeaded } from '../query/headed-sections.ts'
import { decodeIndexFile, IndexFileError } from '../query/index-file.ts'
import type { PostIndex } from '../query/post-index.ts'
import { indexedMembers } from '../query/post-queries.ts'
import { digestOfPart, placeOfPart, readRecordTable } from '../query/record-table.ts'
import { sectionReader } from '../query/section-reader.ts'
import type { SectionTable } from '../query/sections.ts'
import { readIndex } from '../query/workspace-index.ts'
import { bundledSearch } from './bundled-search.ts'
import { openedOnce } from './opened-once.ts'
import { RecentValues } from './recent-values.ts'
import { RecordCache } from './record-cache.ts'
import type { ServedSite, ServedWorkspace } from './site.ts'
import { readNamed, type Storage } from './storage.ts'

/** Options of `openBundle`. */
export interface BundleOptions {
  /** The expected build; the index of another build is refused. */
  readonly build?: string
  /** Size of the cache of records, in bytes. @default 16 MiB */
  readonly recordCacheBytes?: number
  /** Size of the cache of posting lists in bytes, per workspace. @default 8 MiB */
  readonly searchCacheBytes?: number
}

/** An open bundle. */
export interface OpenBundle {
  readonly site: ServedSite
}

/**
 * Opens the bundle in a storage. The first content request for a workspace reads its index.
 *
 * @throws IndexFileError when the root is damaged, or belongs to another schema or build
 */
export async function openBundle(
  storage: Storage,
  options: BundleOptions = {},
): Promise<OpenBundle> {
  // The checksum and the schema are verified, so the contents have this version's type.
  const { head, sections } = await decodeIndexFile<BundleContents<SectionTable>>(
    await storage.read(indexName),
  )
  const { build, openapi, limitAll, workspaces, steps: stepsName } = head
  if (options.build !== undefined && options.build !== build) {
    throw new IndexFileError(
      `The index belongs to build ${build}, the files around it to build ${options.build}. Deploy one build as a whole.`,
    )
  }
  const cache = new RecordCache(storage, options.recordCacheBytes)
  const { searchCacheBytes } = options
  const steps = openedOnce(async () =>
    stepsName === undefined
      ? []
      : parseJson<readonly BuildStep[]>(await readNamed(storage, stepsName)),
  )
  const served = workspaces.map(
    ({ id, isV1Private, scheduled, index, draftIndex, fields = [] }): [string, ServedWorkspace] => {
      const history = async () => ({ workspace: id, build, scheduled, steps: await steps() })
      const names = fields.map(({ name }) => name)
      const readers = { storage, cache, searchCacheBytes, fields: names }
      const opened = (name: string) =>
        openedOnce(async () => ({ ...(await openWorkspace(name, readers)), history }))
      const open = opened(index)
      const openDrafts = draftIndex === undefined ? open : opened(draftIndex)
      return [id, { isV1Private, scheduled, fields, open, openDrafts }]
    },
  )
  const site = {
    build,
    openapi: sectionReader(sections, openapi)('document', 'u8'),
    limitAll,
    keys: workspaces.flatMap(({ keys }) => keys),
    workspaces: new Map(served),
    steps,
  }
  return { site }
}

interface Readers {
  readonly storage: Storage
  readonly cache: RecordCache
  readonly searchCacheBytes: number | undefined
  /** Names of the indexed custom fields. */
  readonly fields: readonly string[]
}

/**
 * Reads the index of a workspace.
 *
 * Cost: one read and one verification; creates no object per post.
 */
async function openWorkspace(name: string, readers: Readers): Promise<Omit<Snapshot, 'history'>> {
  const { storage } = readers
  const { head, sections } = splitHeaded<WorkspaceContents<SectionTable>>(
    await readNamed(storage, name),
  )
  storage.hold?.(filesOfIndex(head))
  return bundledSnapshot(head, sections, readers)
}

function bundledSnapshot(
  { blocks, search: searched, ...contents }: WorkspaceContents<SectionTable>,
  sections: Uint8Array,
  { storage, cache, searchCacheBytes, fields }: Readers,
): Omit<Snapshot, 'history'> {
  const index = readIndex(sections, contents.index, fields)
  const records = readRecordTable(sections, contents.records, recordParts.length)
  const terms = {
    categories: new TermFragments(sections, contents.terms.categories),
    tags: new TermFragments(sections, contents.terms.tags),
    authors: new TermFragments(sections, contents.terms.authors),
  }
  const search = bundledSearch(searched, storage, searchCacheBytes)
  const bitmaps = new RecentValues<Bitmap>(bitmapBytesMax(index))
  let assets: Assets | undefined
  let aliases: readonly Alias[] | undefined
  const partOf = (ref: FragmentRef & { readonly of: 'posts' }) => recordParts.indexOf(ref.part)
  const read = (ref: FragmentRef): Awaitable<Uint8Array> => {
    if (ref.of !== 'posts') return terms[ref.of].read(ref.ordinal)
    const place = placeOfPart(records, ref.ordinal, partOf(ref))
    const block = blocks[place.block] ?? ''
    return whenReady(cache.read(block, place), (record) =>
      record.subarray(place.offset, place.offset + place.size),
    )
  }
  return {
    ...indexedMembers(index, search, bitmaps),
    termCount: (kind) => terms[kind].count,
    facetHead: facetHeadOf((kind, term) => terms[kind].read(term)),
    aliases: () => (aliases ??= readAliases(sections, contents.aliases)),
    channel: contents.channel ?? null,
    post: (ordinal) => {
      const parts = (['head', 'tail'] as const).map((part) => read({ of: 'posts', part, ordinal }))
      return whenAllReady(parts, (bytes) => parseJson<Post>(joinBytes(bytes)))
    },
    assets: () => (assets ??= readJson<Assets>(sections, contents.assets)),
    digest: (ref) =>
      ref.of === 'posts'
        ? digestOfPart(records, ref.ordinal, partOf(ref))
        : terms[ref.of].digest(ref.ordinal),
    size: (ref) =>
      ref.of === 'posts'
        ? placeOfPart(records, ref.ordinal, partOf(ref)).size
        : terms[ref.of].read(ref.ordinal).length,
    read,
  }
}

function readAliases(sections: Uint8Array, table: SectionTable | undefined): readonly Alias[] {
  return table === undefined ? [] : readJson<readonly Alias[]>(sections, table)
}

/** Decodes the section `json`. */
function readJson<T>(sections: Uint8Array, table: SectionTable): T {
  return parseJson(sectionReader(sections, table)('json', 'u8'))
}

/**
 * Size of the cache of bitmaps of long term lists, per workspace. Facets use one bitmap for each term of at least one
 * post in 32. Together these take at most the bytes of the lists, and half of the bound is sure to stay cached.
 */
function bitmapBytesMax({ terms }: PostIndex): number {
  return (
    2 * Object.values(terms).reduce((sum, { postings }) => sum + postings.ordinals.byteLength, 0)
  )
}

/** The JSON of all terms of one kind, inside the index. */
class TermFragments {
  readonly count: number
  readonly #offsets: Uint32Array
  readonly #json: Uint8Array
  readonly #digests: Uint8Array

  constructor(sections: Uint8Array, table: SectionTable) {
    const reader = sectionReader(sections, table)
    this.#offsets = reader('offsets', 'u32')
    this.#json = reader('json', 'u8')
    this.#digests = reader('digests', 'u8')
    this.count = this.#offsets.length - 1
  }

  read(ordinal: number): Uint8Array {
    return this.#json.subarray(this.#offsets[ordinal], this.#offsets[ordinal + 1])
  }

  digest(ordinal: number): Uint8Array {
    return this.#digests.subarray(ordinal * digestBytes, (ordinal + 1) * digestBytes)
  }
}
