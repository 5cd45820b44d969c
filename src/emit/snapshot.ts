// A workspace as a snapshot in memory: serialized resources, an index, and references to rendered bodies. Only
// `respond` builds responses from it.

import type { Assets } from '../api/assets.ts'
import { hex, joinBytes } from '../api/bytes.ts'
import { facetHeadOf } from '../api/facets.ts'
import { isAbsoluteLink } from '../api/feed-posts.ts'
import type { Fragment } from '../api/fragment.ts'
import type { Format } from '../api/request.ts'
import { authorJson, type TermKind, termJson } from '../api/resources.ts'
import type { Alias, Channel, FragmentRef, Snapshot } from '../api/snapshot.ts'
import { digestOf, fragmentOf } from '../cache/digested.ts'
import type { StoredBytes } from '../cache/stored-bytes.ts'
import type { StoredBody } from '../markdown/bodies.ts'
import type { Workspace } from '../model/library.ts'
import type { PostIndex } from '../query/post-index.ts'
import { indexedMembers } from '../query/post-queries.ts'
import { foldTexts, type PostText, scanSearch } from '../query/text-scan.ts'
import { type FragmentStore, PostFragments } from './post-fragments.ts'
import { indexWorkspace } from './workspace-index.ts'

/** The visible text of a post, read lazily. */
export interface StoredText {
  readonly title: string
  /** Identifies the text without the title. */
  readonly digest: Uint8Array
  /** Returns the text without the title. */
  readonly read: () => string
  /** Returns a reference to its UTF-8 that threads can read. */
  readonly stored: () => StoredBytes
}

/** A snapshot with its underlying data. */
export interface MemorySnapshot extends Snapshot {
  readonly index: PostIndex
  /** Returns a fragment with its bytes. */
  fragment(ref: FragmentRef): Fragment
  read(ref: FragmentRef): Uint8Array
  /** Yields the visible text of each post, by ordinal. */
  texts(): Iterable<StoredText>
  /** Returns the entity tag of a single-post response, if an earlier build stored it for the same fragments. */
  tagOf(post: number, format: Format): string | undefined
  noteTag(post: number, format: Format, tag: string): void
  /** Stores the entity tags of this build for the next one. */
  storeTags(): void
}

/** The input of a snapshot. */
export interface SnapshotInput {
  readonly workspace: Workspace
  /** Rendered bodies, one per post, in the workspace's order. */
  readonly bodies: readonly StoredBody[]
  readonly store: FragmentStore
  /** Called once, on first use of the assets. @default there are none */
  readonly assets?: (() => Promise<Assets>) | undefined
}

/** Returns a snapshot of a workspace. */
export function makeSnapshot({ workspace, bodies, store, assets }: SnapshotInput): MemorySnapshot {
  const index = indexWorkspace(workspace)
  const terms: TermFragments = {
    categories: workspace.categories.map((term) => fragmentOf(termJson(term))),
    tags: workspace.tags.map((term) => fragmentOf(termJson(term))),
    authors: workspace.authors.map((author) => fragmentOf(authorJson(author))),
  }
  const ofTerms = digestOfAll(Object.values(terms).flat())
  const posts = new PostFragments(workspace.posts, bodies, { terms: ofTerms, store })
  let memoized: Promise<Assets> | undefined
  const assetsOnce = () => (memoized ??= assets?.() ?? Promise.resolve({ media: [], fields: [] }))
  return { ...snapshotOf(workspace, index, { posts, terms }), assets: assetsOnce }
}

type TermFragments = Readonly<Record<TermKind, readonly Fragment[]>>

interface Fragments {
  readonly posts: PostFragments
  readonly terms: TermFragments
}

function snapshotOf(
  workspace: Workspace,
  index: PostIndex,
  { posts, terms }: Fragments,
): Omit<MemorySnapshot, 'assets'> {
  const termFragment = (kind: TermKind, ordinal: number): Fragment => {
    const found = terms[kind][ordinal]
    if (found === undefined) throw new RangeError(`no resource ${ordinal} of ${kind}`)
    return found
  }
  const digest = (ref: FragmentRef): Uint8Array =>
    ref.of === 'posts'
      ? posts.digest(ref.ordinal, ref.part)
      : termFragment(ref.of, ref.ordinal).digest
  const size = (ref: FragmentRef): number =>
    ref.of === 'posts'
      ? posts.size(ref.ordinal, ref.part)
      : termFragment(ref.of, ref.ordinal).bytes.length
  const read = (ref: FragmentRef): Uint8Array =>
    ref.of === 'posts' ? posts.read(ref.ordinal, ref.part) : termFragment(ref.of, ref.ordinal).bytes
  const texts = () => textsOf(workspace, posts)
  let aliases: readonly Alias[] | undefined
  const search = scanSearch(() => foldTexts(readTexts(texts())))
  return {
    index,
    fragment: (ref) => ({ bytes: read(ref), digest: digest(ref) }),
    texts,
    tagOf: (post, format) => posts.tagOf(post, format),
    noteTag: (post, format, tag) => posts.noteTag(post, format, tag),
    storeTags: () => posts.storeTags(),
    ...indexedMembers(index, search),
    facetHead: facetHeadOf((kind, term) => termFragment(kind, term).bytes),
    termCount: (kind) => terms[kind].length,
    aliases: () => (aliases ??= aliasesOf(workspace)),
    history: () => {
      throw new Error('The build has no id yet.')
    },
    channel: channelOf(workspace),
    post: (ordinal) => {
      const found = workspace.posts[ordinal]
      if (found === undefined) throw new RangeError(`no post ${ordinal}`)
      return found.post
    },
    digest,
    size,
    read,
  }
}

function channelOf({ id, name, destinations }: Workspace): Channel | null {
  const { post, baseUrl } = destinations.settings
  if (post === null || !isAbsoluteLink(post)) return null
  return { workspace: id, name, postLink: post, baseUrl }
}

/** By `from`, in code unit order. */
function aliasesOf({ posts }: Workspace): readonly Alias[] {
  const aliases = posts.flatMap(({ aliases, post: { slug } }, post) =>
    aliases.map((from) => ({ from, to: slug, post })),
  )
  return aliases.sort((a, b) => (a.from < b.from ? -1 : 1))
}

/** Identifies a sequence of fragments, hexadecimal. */
function digestOfAll(fragments: readonly Fragment[]): string {
  return hex(digestOf(joinBytes(fragments.map(({ digest }) => digest))))
}

function* textsOf(workspace: Workspace, fragments: PostFragments): Generator<StoredText> {
  const decoder = new TextDecoder()
  for (const [ordinal, { post }] of workspace.posts.entries()) {
    yield {
      title: post.title,
      digest: fragments.textDigest(ordinal),
      read: () => decoder.decode(fragments.text(ordinal)),
      stored: () => fragments.storedText(ordinal),
    }
  }
}

function* readTexts(texts: Iterable<StoredText>): Generator<PostText> {
  for (const { title, read } of texts) yield { title, text: read() }
}
