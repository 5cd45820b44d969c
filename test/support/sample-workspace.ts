// A workspace as plain objects, and the snapshot that `respond` reads, made without the build's rooms.
import { createHash } from 'node:crypto'
import { facetHeadOf } from '../../src/api/facets.ts'
import type { IndexedField } from '../../src/api/field-parameters.ts'
import {
  type Author,
  authorJson,
  type Post,
  postItemJson,
  postJson,
  type Term,
  type TermKind,
  termJson,
} from '../../src/api/resources.ts'
import type { Awaitable, FragmentRef, OrderBy, Snapshot } from '../../src/api/snapshot.ts'
import { indexField } from '../../src/query/field-index.ts'
import { identifierTable } from '../../src/query/identifiers.ts'
import { packLists } from '../../src/query/packed-lists.ts'
import type { PostIndex, TermIndex } from '../../src/query/post-index.ts'
import { postNames } from '../../src/query/post-names.ts'
import { indexedMembers } from '../../src/query/post-queries.ts'
import { foldTexts, type PostText, scanSearch } from '../../src/query/text-scan.ts'

/** A post with its body in both formats, and what a reader sees of it. */
export interface SamplePost {
  readonly post: Post
  readonly html: string
  readonly markdown: string
  readonly text: string
  /** Title and text folded already, where so much is asked that folding them each time takes too long. */
  readonly folded?: readonly string[]
}

/** A workspace in no order at all. */
export interface SampleWorkspace {
  readonly posts: readonly SamplePost[]
  readonly categories: readonly Term[]
  readonly tags: readonly Term[]
  readonly authors: readonly Author[]
  /** Ids of terms that no file states; none without it. */
  readonly created?: ReadonlySet<string>
  /** Custom fields that posts can be filtered by; none without it. */
  readonly indexed?: readonly IndexedField[]
}

/** A category or a tag with defaults for all that a test does not name. */
export function sampleTerm(slug: string, fields: Partial<Term> = {}): Term {
  return { id: `${slug}-id`, slug, name: slug, description: null, ...fields }
}

/** An author with defaults for all that a test does not name. */
export function sampleAuthor(slug: string, fields: Partial<Author> = {}): Author {
  const absent = { image: null, bio: null, role: null, socials: [] }
  return { id: `${slug}-id`, slug, name: slug, ...absent, ...fields }
}

/** A post with defaults for all that a test does not name; published on 2026-01-01. */
export function samplePost(slug: string, fields: Partial<Post> = {}, text = ''): SamplePost {
  const publishedAt = fields.publishedAt ?? '2026-01-01T00:00:00.000Z'
  const post: Post = {
    id: `${slug}-id`,
    slug,
    title: slug,
    featured: false,
    coverImage: null,
    description: '',
    publishedAt,
    updatedAt: publishedAt,
    attribution: null,
    authors: [],
    category: sampleTerm('news'),
    tags: [],
    ...fields,
  }
  return { post, html: `<p>${text}</p>`, markdown: text, text }
}

/** A workspace of these posts and of the terms that they name. */
export function workspaceOf(posts: readonly SamplePost[]): SampleWorkspace {
  return {
    posts,
    categories: distinct(posts.map(({ post }) => post.category)),
    tags: distinct(posts.flatMap(({ post }) => post.tags)),
    authors: distinct(posts.flatMap(({ post }) => post.authors)),
  }
}

/** Latest first, equal dates by id, descending. */
export function inPostOrder(posts: readonly SamplePost[]): readonly SamplePost[] {
  return [...posts].sort(
    (a, b) =>
      Date.parse(b.post.publishedAt) - Date.parse(a.post.publishedAt) ||
      compareTexts(b.post.id, a.post.id),
  )
}

/** In an order, the latest or last one first; ties by id in the same direction. */
export function inOrder(posts: readonly SamplePost[], by: OrderBy): readonly SamplePost[] {
  const keyOf = ({ post }: SamplePost) => (by === 'title' ? post.title.toLowerCase() : post[by])
  return [...posts].sort(
    (a, b) => compareTexts(keyOf(b), keyOf(a)) || compareTexts(b.post.id, a.post.id),
  )
}

/** By lower-cased name, then by id. */
export function inNameOrder<T extends { readonly name: string; readonly id: string }>(
  terms: readonly T[],
): readonly T[] {
  return [...terms].sort(
    (a, b) => compareTexts(a.name.toLowerCase(), b.name.toLowerCase()) || compareTexts(a.id, b.id),
  )
}

/** The terms of one kind that a post names. */
export function termsOf({ post }: SamplePost, kind: TermKind): readonly (Term | Author)[] {
  return kind === 'categories' ? [post.category] : post[kind]
}

/**
 * A snapshot of a workspace.
 *
 * @param isPaused everything that may come later does, as where an index is fetched block by block
 */
export function snapshotOf(workspace: SampleWorkspace, isPaused = false): Snapshot {
  const posts = inPostOrder(workspace.posts)
  const index = indexOf(posts, workspace)
  const fragments = fragmentReader(posts, workspace)
  const later = <T>(value: T): Awaitable<T> => (isPaused ? Promise.resolve(value) : value)
  const search = scanSearch(() => later(foldTexts(textsOf(posts))))
  return {
    ...indexedMembers(index, search),
    facetHead: facetHeadOf((of, ordinal) =>
      new TextEncoder().encode(fragments({ of, part: 'resource', ordinal })),
    ),
    termCount: (kind) => workspace[kind].length,
    aliases: () => [],
    history: () => ({ workspace: 'acme', build: 'b', scheduled: 0, steps: [] }),
    channel: null,
    post: (ordinal) => {
      const found = posts[ordinal]
      if (found === undefined) throw new RangeError(`no post ${ordinal}`)
      return later(found.post)
    },
    assets: () => ({ media: [], fields: [] }),
    digest: (ref) => createHash('sha256').update(fragments(ref)).digest().subarray(0, 16),
    size: (ref) => Buffer.byteLength(fragments(ref)),
    read: (ref) => later(new TextEncoder().encode(fragments(ref))),
  }
}

/** What a reader sees of each post. */
export function textsOf(posts: readonly SamplePost[]): readonly PostText[] {
  return posts.map(({ post, text }) => ({ title: post.title, text }))
}

/** The index of posts that are in order already. */
export function indexOf(posts: readonly SamplePost[], workspace: SampleWorkspace): PostIndex {
  const terms = (kind: TermKind) => {
    const ordered = inNameOrder<Term | Author>(workspace[kind])
    const created = ordered.flatMap(({ id }, at) => (workspace.created?.has(id) ? [at] : []))
    return { ...termIndex(ordered, posts, kind), created: Uint32Array.from(created) }
  }
  return {
    publishedAt: Float64Array.from(posts, ({ post }) => Date.parse(post.publishedAt)),
    updatedAt: Float64Array.from(posts, ({ post }) => Date.parse(post.updatedAt)),
    orders: {
      updatedAt: ordinalsInOrder(posts, 'updatedAt'),
      title: ordinalsInOrder(posts, 'title'),
    },
    names: postNames(posts.map(({ post }) => post)),
    all: Uint32Array.from(posts.keys()),
    drafts: new Uint32Array(0),
    featured: Uint32Array.from(ordinalsWhere(posts, ({ post }) => post.featured)),
    terms: { categories: terms('categories'), tags: terms('tags'), authors: terms('authors') },
    ...(workspace.indexed === undefined ? {} : { fields: indexFields(posts, workspace.indexed) }),
  }
}

function indexFields(posts: readonly SamplePost[], indexed: readonly IndexedField[]) {
  return Object.fromEntries(
    indexed.map(({ name, type }) => {
      const values = posts.map(({ post }) => post.fields?.[name])
      return [name, indexField(type, values)]
    }),
  )
}

function ordinalsInOrder(posts: readonly SamplePost[], by: OrderBy): Uint32Array {
  return Uint32Array.from(inOrder(posts, by), (post) => posts.indexOf(post))
}

function termIndex(
  terms: readonly (Term | Author)[],
  posts: readonly SamplePost[],
  kind: TermKind,
): Omit<TermIndex, 'created'> {
  return {
    identifiers: slugsAndIds(terms),
    slugs: identifierTable(new Map(terms.map(({ slug }, ordinal) => [slug, ordinal]))),
    postings: packLists(
      terms.map(({ id }) =>
        ordinalsWhere(posts, (post) => termsOf(post, kind).some((term) => term.id === id)),
      ),
    ),
  }
}

function fragmentReader(
  posts: readonly SamplePost[],
  workspace: SampleWorkspace,
): (ref: FragmentRef) => string {
  const terms = {
    categories: inNameOrder(workspace.categories).map(termJson),
    tags: inNameOrder(workspace.tags).map(termJson),
    authors: inNameOrder(workspace.authors).map(authorJson),
  }
  return (ref) => {
    if (ref.of !== 'posts') return at(terms[ref.of], ref.ordinal)
    const { post, html, markdown } = at(posts, ref.ordinal)
    if (ref.part === 'html') return JSON.stringify(html)
    if (ref.part === 'markdown') return JSON.stringify(markdown)
    return ref.part === 'item' ? postItemJson(post) : postJson(post)[ref.part]
  }
}

function slugsAndIds(resources: readonly { readonly slug: string; readonly id: string }[]) {
  return identifierTable(
    new Map(
      resources.flatMap(({ slug, id }, ordinal): [string, number][] => [
        [slug, ordinal],
        [id, ordinal],
      ]),
    ),
  )
}

function ordinalsWhere(
  posts: readonly SamplePost[],
  isWanted: (post: SamplePost) => boolean,
): readonly number[] {
  return [...posts.keys()].filter((ordinal) => isWanted(at(posts, ordinal)))
}

function distinct<T extends { readonly id: string }>(terms: readonly T[]): readonly T[] {
  return [...new Map(terms.map((term) => [term.id, term])).values()]
}

function compareTexts(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

function at<T>(items: readonly T[], index: number): T {
  const item = items[index]
  if (item === undefined) throw new RangeError(`there is no item ${index}`)
  return item
}
