// A workspace as plain objects, and the snapshot that `respond` reads, made without the build's rooms.
import { sha256 } from '../../src/api/bytes.ts'
import type { IndexedField } from '../../src/api/parameter-values.ts'
import {
  type Author,
  authorJson,
  type Post,
  type Term,
  type TermKind,
  termJson,
} from '../../src/api/resources.ts'
import type { OrderBy, Snapshot } from '../../src/api/snapshot.ts'
import { fold } from '../../src/search/fold.ts'
import { DataFiles } from '../../src/snapshot/frame.ts'
import { openSnapshot } from '../../src/snapshot/open.ts'
import type { Storage } from '../../src/snapshot/storage.ts'
import { type SnapshotInput, writeSnapshot } from '../../src/snapshot/write.ts'

/** A post with its body in both formats, and its visible text. */
export interface SamplePost {
  readonly post: Post
  readonly html: string
  readonly markdown: string
  readonly text: string
  /** When it expires, in milliseconds since 1970; absent if it does not. */
  readonly expiresAt?: number
}

/** A workspace. Its posts and terms have no order. */
export interface SampleWorkspace {
  readonly posts: readonly SamplePost[]
  readonly categories: readonly Term[]
  readonly tags: readonly Term[]
  readonly authors: readonly Author[]
  /** Ids of terms without a file. @default none */
  readonly created?: ReadonlySet<string>
  /** Custom fields that posts can be filtered by. @default none */
  readonly indexed?: readonly IndexedField[]
}

/** Sorts posts: latest first, equal dates by id, descending. */
export function inPostOrder(posts: readonly SamplePost[]): readonly SamplePost[] {
  return [...posts].sort(
    (a, b) =>
      Date.parse(b.post.publishedAt) - Date.parse(a.post.publishedAt) ||
      compareTexts(b.post.id, a.post.id),
  )
}

/** Sorts posts by an order; ties by id in the same direction; posts without a value at the end. */
export function inOrder(
  posts: readonly SamplePost[],
  by: OrderBy,
  isAscending: boolean,
): readonly SamplePost[] {
  const keyOf = ({ post }: SamplePost) => {
    if (by === 'title') return post.title.toLowerCase()
    if (by === 'publishedAt' || by === 'updatedAt') return post[by]
    const value = post.fields?.[by.slice('fields.'.length)] ?? null
    return typeof value === 'string' ? fold(value) : (value as number | null)
  }
  const compare = (a: string | number | null, b: string | number | null) =>
    typeof a === 'string' ? compareTexts(a, String(b)) : Number(a) - Number(b)
  return [false, true].flatMap((isMissing) => {
    const some = posts.filter((post) => (keyOf(post) === null) === isMissing)
    const ordered = some.sort(
      (a, b) => compare(keyOf(b), keyOf(a)) || compareTexts(b.post.id, a.post.id),
    )
    return isAscending ? ordered.reverse() : ordered
  })
}

/** Sorts terms by lower-cased name, then by id. */
export function inNameOrder<T extends { readonly name: string; readonly id: string }>(
  terms: readonly T[],
): readonly T[] {
  return [...terms].sort(
    (a, b) => compareTexts(a.name.toLowerCase(), b.name.toLowerCase()) || compareTexts(a.id, b.id),
  )
}

/** Returns the terms of one kind that a post names. */
export function termsOf({ post }: SamplePost, kind: TermKind): readonly (Term | Author)[] {
  return kind === 'categories' ? [post.category] : post[kind]
}

/**
 * Writes a workspace to memory, and opens its snapshot.
 *
 * @param isPaused true if every read takes a turn of the event loop, as when files are fetched
 */
export async function snapshotOf(workspace: SampleWorkspace, isPaused = false): Promise<Snapshot> {
  const fields = workspace.indexed ?? []
  const written = await writeSnapshot(inputOf(workspace), new Map())
  const made = new Map<string, Uint8Array>()
  for (const { name, make } of written.files) made.set(name, await make())
  const read = (name: string, from?: number, to?: number) => {
    const bytes = made.get(name)
    if (bytes === undefined) throw new Error(`there is no ${name}`)
    return bytes.subarray(from, to)
  }
  const storage: Storage = { read: isPaused ? async (...of) => read(...of) : read }
  const snapshot = await openSnapshot(written.index, new DataFiles(storage), fields)
  return {
    ...snapshot,
    history: () => ({ workspace: 'acme', build: 'b', scheduled: 0, steps: [] }),
  }
}

/** Returns the data of a workspace that a build writes. */
export function inputOf(workspace: SampleWorkspace): SnapshotInput {
  const { created } = workspace
  const named = ({ id, slug }: Term | Author, json: string) =>
    created?.has(id) === true ? { id, slug, json, isCreated: true as const } : { id, slug, json }
  return {
    posts: inPostOrder(workspace.posts).map((sample) => ({
      post: sample.post,
      publishedAt: Date.parse(sample.post.publishedAt),
      isDraft: false,
      expiresAt: sample.expiresAt ?? null,
      aliases: [],
      html: bodyOf(JSON.stringify(sample.html)),
      markdown: bodyOf(JSON.stringify(sample.markdown)),
      text: bodyOf(fold(sample.text)),
    })),
    terms: {
      categories: inNameOrder(workspace.categories).map((term) => named(term, termJson(term))),
      tags: inNameOrder(workspace.tags).map((term) => named(term, termJson(term))),
      authors: inNameOrder(workspace.authors).map((author) => named(author, authorJson(author))),
    },
    fields: workspace.indexed ?? [],
    channel: null,
    assets: { media: [], fields: [] },
    unindexed: 0,
  }
}

function bodyOf(text: string) {
  const bytes = new TextEncoder().encode(text)
  return { size: bytes.length, digest: sha256(bytes).subarray(0, 16), read: () => bytes }
}

function compareTexts(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
