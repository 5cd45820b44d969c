// The files of a snapshot as data. The build writes them, and every reader opens them.
//
//   root.json ──► data/index-HASH.json   a workspace: columns of its posts, its terms, the names of its other files
//                   ├─► part-HASH.bin     the JSON of adjacent posts (a frame)
//                   ├─► text-HASH.bin     their folded texts (a frame)
//                   ├─► terms-HASH.json   the search index of adjacent parts: its dictionary
//                   ├─► lists-HASH.bin    its posting lists (a frame)
//                   └─► assets-HASH.json  images and custom fields
import { hex, parseJson, sha256, utf8 } from '../api/bytes.ts'
import type { KeyRecord } from '../api/keys.ts'
import type { IndexedField, Reference } from '../api/parameter-values.ts'
import type { FieldValue, TermKind } from '../api/resources.ts'
import type { Channel, Expiry, Language, OrderBy, PostOrder, PostPart } from '../api/snapshot.ts'
import { fastSha256, type Storage } from './storage.ts'

/** Folder of the function's files, below the output folder. */
export const functionFolder = 'function'

/** File name of the root, below the function's folder. */
export const rootName = 'root.json'

/** Version of the layout of all files. */
export const schema = 15

/** The root of a build. Readers of a root use only files of its build. */
export interface Root {
  readonly schema: number
  /** Id of the build that wrote the files. */
  readonly build: string
  /** Name of the OpenAPI document. */
  readonly openapi: string
  /** Settings of headers; absent if there are none. */
  readonly http?: HttpSettings
  readonly workspaces: readonly RootWorkspace[]
  /** Name of the changes of earlier builds; absent if there are none. */
  readonly steps?: string
}

/** Headers of responses. */
export interface HttpSettings {
  /** `Cache-Control` of v1. Ages end when a post appears or expires. @default 'public, max-age=60, s-maxage=300, stale-while-revalidate=86400' */
  readonly cacheControl?: string | undefined
  /** Origins whose pages may read the API, such as `https://example.com`. @default all */
  readonly cors?: readonly string[] | undefined
}

/** Rows in the root: posts of a workspace, items of a collection, or singletons. */
interface RootRows {
  /** Number of posts that were scheduled when the files were written. */
  readonly scheduled: number
  /** Number of posts that expire after the files were written; absent if there are none. */
  readonly expiring?: number
  /** When responses change, ascending: the last publication before the build (0 for none), then later changes. */
  readonly instants: readonly number[]
  /** Custom fields that posts can be filtered by; absent if there are none. */
  readonly fields?: readonly IndexedField[]
  /** Name of its index. */
  readonly index: string
  /** Name of its index with drafts; absent if there are none. */
  readonly draftIndex?: string
  /** Fields of its posts that refer to other resources; absent if there are none. */
  readonly references?: readonly Reference[]
  /** False if resources that fields of the workspace refer to appear or expire; absent otherwise. */
  readonly areReferencesLasting?: false
  /** Language of the workspace; absent if it has none. */
  readonly locale?: string
  /** True if v1 leaves out translations; absent otherwise. */
  readonly hidesTranslations?: true
}

/** A workspace in the root. */
export interface RootWorkspace extends RootRows {
  readonly id: string
  readonly isV1Private: boolean
  readonly keys: readonly KeyRecord[]
  /** Id of the original workspace of its group of translations; absent without a locale. */
  readonly group?: string
  /** Collections in order of definition; absent if there are none. */
  readonly collections?: readonly RootCollection[]
  /** Singletons; absent if there are none. */
  readonly singletons?: RootCollection
}

/** A collection, or the singletons of a workspace. */
export interface RootCollection extends RootRows {
  readonly name: string
  /** Direction of its own order. */
  readonly order: PostOrder['order']
}

/** Returns the rows of a workspace and of all its collections and singletons. */
export const rowsInRoot = (workspace: RootWorkspace): readonly RootRows[] =>
  [workspace, workspace.collections ?? [], workspace.singletons ?? []].flat()

/** The index of a workspace. Columns have one value per post, in publication order, latest first. */
export interface Index {
  readonly ids: readonly string[]
  readonly slugs: readonly string[]
  /** Milliseconds since 1970 of the first post, then the differences between adjacent posts. */
  readonly publishedAt: readonly number[]
  /** Milliseconds from the publication to the update. */
  readonly updatedAt: readonly number[]
  /** Ordinals of categories; `tags` and `authors` have ordinals, too. */
  readonly categories: readonly number[]
  readonly tags: readonly (readonly number[])[]
  readonly authors: readonly (readonly number[])[]
  /** Ordinals of posts, by lower-cased title, descending. */
  readonly byTitle: readonly number[]
  /** Ordinals of posts, ascending. */
  readonly featured: readonly number[]
  /** The own order of a collection: rows, or the name of an order; absent for latest first. */
  readonly own?: readonly number[] | OrderBy
  /** Rows without content, ascending; absent if there are none. */
  readonly data?: readonly number[]
  readonly drafts: readonly number[]
  /** Posts that expire, with the time in milliseconds since 1970; absent if there are none. */
  readonly expiries?: readonly Expiry[]
  /** Columns of indexed custom fields, by name. */
  readonly fields: Readonly<Record<string, readonly (FieldValue | null)[]>>
  /** Terms in name order. */
  readonly terms: Readonly<Record<TermKind, readonly IndexTerm[]>>
  /** Former slugs with the ordinal of the post, in code unit order. */
  readonly aliases: readonly (readonly [from: string, post: number])[]
  readonly channel: Channel | null
  /** Absent without a locale. */
  readonly language?: Language
  /** Parts, oldest posts first. */
  readonly parts: readonly IndexPart[]
  /** The search index, oldest parts first. The latest parts have none, because their posts were scheduled. */
  readonly search: readonly IndexTerms[]
  /** Name of the file of images and custom fields. */
  readonly assets: string
}

/** A term in an index. */
export interface IndexTerm {
  readonly slug: string
  readonly id: string
  /** JSON of the term, up to its count. */
  readonly json: string
  /** True for a term without a file or list entry; absent otherwise. */
  readonly isCreated?: true
}

/** Adjacent posts, with the hashes of their frames. */
export interface IndexPart {
  readonly posts: number
  /** `part-HASH.bin`: one section for each kind of `partKinds` and each post, oldest first. */
  readonly part: string
  /** `text-HASH.bin`: one section for each post, oldest first. */
  readonly text: string
}

/** The search index of adjacent parts. */
export interface IndexTerms {
  /** Number of parts. */
  readonly parts: number
  /** `terms-HASH.json`. */
  readonly terms: string
  /** `lists-HASH.bin`: one section for each page. */
  readonly lists: string
  /** Number of pages. */
  readonly pages: number
}

/** Kinds of sections of a part, in file order: a list without content reads heads and tails, which are adjacent. */
export const partKinds: readonly PostPart[] = ['head', 'tail', 'item', 'html', 'markdown']

/** The root is unusable. The message has the reason. */
export class RootError extends Error {
  override readonly name = 'RootError'
}

/** Encodes a root with its checksum. */
export function encodeRoot(root: Root): Uint8Array {
  const json = JSON.stringify(root)
  return utf8(`{"sha256":"${hex(sha256(utf8(json)))}","root":${json}}`)
}

/** Reads the root of a storage. @throws RootError if it is damaged or written by another version of quarry */
export async function readRoot(storage: Storage): Promise<Root> {
  const bytes = await storage.read(rootName)
  let read: { readonly sha256?: unknown; readonly root?: Root } = {}
  try {
    read = parseJson(bytes)
  } catch {
    // The root is damaged, which is reported below.
  }
  const { sha256: sum, root } = read
  if (typeof root?.schema === 'number' && root.schema !== schema)
    throw new RootError(
      `The build has layout ${root.schema}, but this version of quarry reads layout ${schema}. Build again.`,
    )
  if (root && hex(await fastSha256(utf8(JSON.stringify(root)))) === sum) return root
  throw new RootError(`${rootName} was cut short or changed after it was built. Build again.`)
}
