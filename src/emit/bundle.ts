// The function's files except text search: blocks of post records, an index per workspace, and the root that names the
// indexes.
import { hash } from 'node:crypto'
import type { Assets } from '../api/assets.ts'
import {
  type BundleContents,
  type BundledSearch,
  type BundledWorkspace,
  bundleFolder,
  indexName,
  recordParts,
  type WorkspaceContents,
} from '../api/bundle.ts'
import { joinBytes, utf8 } from '../api/bytes.ts'
import { digestBytes } from '../api/fragment.ts'
import { type OpenApiOptions, openApiJson } from '../api/openapi.ts'
import type { TermKind } from '../api/resources.ts'
import type { Memo, StoredRule } from '../memo/memo.ts'
import { indexedFields } from '../model/indexed-fields.ts'
import type { Workspace } from '../model/library.ts'
import { checksum } from '../query/checksum.ts'
import { joinHeaded } from '../query/headed-sections.ts'
import { encodeIndexFile } from '../query/index-file.ts'
import { offsetsOf } from '../query/packed-lists.ts'
import { emptyRecordTable, type RecordTable, writeRecordTable } from '../query/record-table.ts'
import { type SectionTable, SectionWriter } from '../query/sections.ts'
import { writeIndex } from '../query/workspace-index.ts'
import { type BundleFile, blockSizes, contentHash, cutChunks } from './blocks.ts'
import type { MemorySnapshot } from './snapshot.ts'

/** A workspace to bundle. */
export interface BundleInput {
  readonly workspace: Workspace
  readonly snapshot: MemorySnapshot
  readonly assets: Assets
  /** Number of posts that are scheduled at the time of the build. */
  readonly scheduled: number
  /** True for the variant of a workspace with drafts, added after the workspace itself. @default false */
  readonly hasDrafts?: boolean
}

/** Rule: name and checksums of a block, by the digests of its records. */
const blockSums: StoredRule<string, Uint8Array> = {
  name: 'block',
  keyOf: (digests) => digests,
  valueOf: (record) => record.read('sums'),
}

/** A workspace whose index lacks only its search. */
interface Layout {
  readonly entry: Omit<BundledWorkspace, 'index'>
  readonly hasDrafts: boolean
  readonly contents: Omit<WorkspaceContents<SectionTable>, 'search'>
  readonly sections: Uint8Array
}

/** Settings that the root contains. */
export type SiteOptions = OpenApiOptions & Required<Pick<OpenApiOptions, 'limitAll'>>

/** Id of a build, and the file of earlier changes. */
type BuildIdentity = Pick<BundleContents<SectionTable>, 'build' | 'steps'>

/** Builds the files of all workspaces, one after the other. */
export class Bundle {
  readonly #memo: Memo
  readonly #options: SiteOptions
  readonly #layouts: Layout[] = []
  readonly #workspaces: BundledWorkspace[] = []
  readonly #draftIndexes = new Map<string, Pick<BundledWorkspace, 'draftIndex'>>()

  constructor(memo: Memo, options: SiteOptions) {
    this.#memo = memo
    this.#options = options
  }

  /** Adds a workspace; yields its blocks. */
  *add(input: BundleInput): Generator<BundleFile> {
    const { workspace, snapshot, assets, scheduled, hasDrafts = false } = input
    const { records, blocks } = placeRecords(workspace, snapshot)
    const names: string[] = []
    for (const block of blocks) {
      let cached: Uint8Array | undefined
      // Shared by the name, the checksums and the file, so that the fragments of a block are read once.
      const bytes = () => (cached ??= recordsOf(snapshot, block))
      const digests = hashOfRecords(records, block)
      const make = () => ({ sums: sumsOf(bytes(), records, block) })
      const sums = this.#memo.getMade(blockSums, digests, make)
      const name = `blocks/${Buffer.from(sums.subarray(0, hashDigits))}.bin`
      placeChecks(sums.subarray(hashDigits), records, block)
      names.push(name)
      yield { path: `${bundleFolder}/${name}`, bytes, etag: digests }
    }
    const writer = new SectionWriter()
    const aliases = snapshot.aliases()
    const contents = {
      index: writeIndex(snapshot.index, writer),
      records: writeRecordTable(records, writer),
      blocks: names,
      assets: { json: writer.add(jsonBytes(assets)) },
      ...(aliases.length === 0 ? {} : { aliases: { json: writer.add(jsonBytes(aliases)) } }),
      ...(snapshot.channel === null ? {} : { channel: snapshot.channel }),
      terms: {
        categories: writeTerms(snapshot, 'categories', writer),
        tags: writeTerms(snapshot, 'tags', writer),
        authors: writeTerms(snapshot, 'authors', writer),
      },
    }
    const { id, isV1Private, keys } = workspace
    const fields = indexedFields(workspace.fields)
    const entry = { id, isV1Private, keys, scheduled, ...(fields.length === 0 ? {} : { fields }) }
    this.#layouts.push({ entry, hasDrafts, contents, sections: writer.finish() })
  }

  /** Returns the index of the next workspace, in the order of `add`. */
  addSearch(search: BundledSearch<SectionTable>): BundleFile {
    const layout = this.#layouts.shift()
    if (layout === undefined) throw new RangeError('more searches than workspaces')
    const bytes = joinHeaded({ ...layout.contents, search }, layout.sections)
    const etag = contentHash(bytes)
    const index = `workspaces/${etag}.bin`
    if (layout.hasDrafts) this.#draftIndexes.set(layout.entry.id, { draftIndex: index })
    else this.#workspaces.push({ ...layout.entry, index })
    return { path: `${bundleFolder}/${index}`, bytes: () => bytes, etag }
  }

  /**
   * Returns the root, after the search of every workspace was added.
   *
   * @param identify returns the build id; its argument changes with everything in the root except draft indexes
   */
  async root(identify: (fingerprint: string) => Promise<BuildIdentity>): Promise<BundleRoot> {
    const writer = new SectionWriter()
    // Stored as data, so that the function does not need the code that generates it.
    const openapi = { document: writer.add(openApiJson(this.#options)) }
    const workspaces = this.#workspaces.toSorted(byId)
    const { limitAll } = this.#options
    const contents: BundleContents<SectionTable> = { build: '', openapi, limitAll, workspaces }
    const sections = writer.finish()
    const identity = await identify(hash('sha256', joinHeaded(contents, sections)))
    const whole = workspaces.map((of) => ({ ...of, ...this.#draftIndexes.get(of.id) }))
    const bytes = await encodeIndexFile({ ...contents, ...identity, workspaces: whole }, sections)
    return { build: identity.build, path: `${bundleFolder}/${indexName}`, bytes }
  }
}

/** The root as a file. */
export interface BundleRoot {
  readonly build: string
  /** Path below the output folder. */
  readonly path: string
  readonly bytes: Uint8Array
}

/** Compares ids in code unit order. */
export function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : Number(a.id > b.id)
}

function jsonBytes(value: unknown): Uint8Array {
  return utf8(JSON.stringify(value))
}

function writeTerms(snapshot: MemorySnapshot, kind: TermKind, writer: SectionWriter): SectionTable {
  const fragments = Array.from({ length: snapshot.termCount(kind) }, (_, ordinal) =>
    snapshot.fragment({ of: kind, part: 'resource', ordinal }),
  )
  return {
    offsets: writer.add(offsetsOf(fragments.map(({ bytes }) => bytes.length))),
    json: writer.add(joinBytes(fragments.map(({ bytes }) => bytes))),
    digests: writer.add(joinBytes(fragments.map(({ digest }) => digest))),
  }
}

/** Returns block numbers and offsets of all records, and the ordinals of each block. */
function placeRecords(
  workspace: Workspace,
  snapshot: MemorySnapshot,
): { readonly records: RecordTable; readonly blocks: readonly (readonly number[])[] } {
  const records = emptyRecordTable(snapshot.postCount, recordParts.length)
  const blocks = cutChunks(
    workspace.posts.map(({ post }) => post.id),
    blockSizes,
  )
  blocks.forEach((ordinals, block) => {
    let offset = 0
    for (const ordinal of ordinals) {
      records.blocks[ordinal] = block
      records.offsets[ordinal] = offset
      recordParts.forEach((part, index) => {
        const ref = { of: 'posts', part, ordinal } as const
        const at = ordinal * recordParts.length + index
        const size = snapshot.size(ref)
        records.sizes[at] = size
        records.digests.set(snapshot.digest(ref), at * digestBytes)
        offset += size
      })
    }
  })
  return { records, blocks }
}

/** Returns the records of posts, concatenated. */
function recordsOf(snapshot: MemorySnapshot, ordinals: readonly number[]): Uint8Array {
  const parts = ordinals.flatMap((ordinal) =>
    recordParts.map((part) => snapshot.read({ of: 'posts', part, ordinal })),
  )
  return joinBytes(parts)
}

/** Number of digits of `contentHash`. */
const hashDigits = 32

/** The content-addressed name of a block, followed by the checksum of each record (u32, little-endian). */
function sumsOf(
  bytes: Uint8Array,
  { offsets }: RecordTable,
  ordinals: readonly number[],
): Uint8Array {
  const sums = new Uint8Array(hashDigits + ordinals.length * 4)
  sums.set(utf8(contentHash(bytes)))
  const view = new DataView(sums.buffer, hashDigits)
  ordinals.forEach((ordinal, at) => {
    const next = ordinals[at + 1]
    const record = bytes.subarray(offsets[ordinal], next === undefined ? undefined : offsets[next])
    view.setUint32(at * 4, checksum(record), true)
  })
  return sums
}

/** Copies the checksums of a block's records into the table. */
function placeChecks(sums: Uint8Array, { checks }: RecordTable, ordinals: readonly number[]): void {
  const view = new DataView(sums.buffer, sums.byteOffset)
  ordinals.forEach((ordinal, at) => {
    checks[ordinal] = view.getUint32(at * 4, true)
  })
}

/** Identifies the content of a block without reading a fragment. */
function hashOfRecords({ digests }: RecordTable, ordinals: readonly number[]): string {
  const row = recordParts.length * digestBytes
  return hash(
    'sha256',
    joinBytes(ordinals.map((ordinal) => digests.subarray(ordinal * row, (ordinal + 1) * row))),
  )
}
