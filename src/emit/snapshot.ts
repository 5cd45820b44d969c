// A workspace as a snapshot in memory: its resources serialised once, its index, its rendered bodies.
// Knows nothing of files; answers are made from it by `respond` alone.
import { createHash } from 'node:crypto'
import { digestBytes, type Piece } from '../api/piece.ts'
import {
  authorJson,
  postItemJson,
  postJson,
  type Term,
  type TermKind,
  termJson,
  termKinds,
} from '../api/resources.ts'
import type { PieceRef, Snapshot } from '../api/snapshot.ts'
import type { RenderedBody } from '../markdown/pool.ts'
import type { LibraryPost, Workspace } from '../model/library.ts'
import { findIdentifier, type IdentifierTable, identifierTable } from '../query/identifiers.ts'
import { listAt, type PackedLists, packLists } from '../query/packed-lists.ts'
import { type PostIndex, selectPosts, type TermIndex } from '../query/post-index.ts'
import { scanSearch } from '../query/text-scan.ts'

/**
 * A snapshot of a workspace.
 *
 * @param bodies rendered bodies, one a post, in the workspace's order
 */
export function workspaceSnapshot(workspace: Workspace, bodies: readonly RenderedBody[]): Snapshot {
  const index = indexWorkspace(workspace)
  const posts = workspace.posts.map((post, ordinal) => postPieces(post, bodies[ordinal]))
  const terms = {
    categories: workspace.categories.map((term) => piece(termJson(term))),
    tags: workspace.tags.map((term) => piece(termJson(term))),
    authors: workspace.authors.map((author) => piece(authorJson(author))),
  }
  const text = scanSearch(posts.length, (ordinal) => ({
    title: workspace.posts[ordinal]?.post.title ?? '',
    text: new TextDecoder().decode(bodies[ordinal]?.text),
  }))
  const pieceOf = (ref: PieceRef): Piece => {
    const found = ref.of === 'posts' ? posts[ref.ordinal]?.[ref.part] : terms[ref.of][ref.ordinal]
    if (found === undefined) throw new RangeError(`no ${ref.part} of ${ref.of} ${ref.ordinal}`)
    return found
  }
  return {
    postCount: posts.length,
    termCount: (kind) => terms[kind].length,
    publishedAt: (post) => index.publishedAt[post] ?? Number.NaN,
    findPost: (identifier) => findIdentifier(index.identifiers, identifier),
    findTerm: (kind, identifier) => findIdentifier(index.terms[kind].identifiers, identifier),
    postsOf: (kind, term) => listAt(index.terms[kind].postings, term),
    select: (filter) => selectPosts(filter, index, text),
    digest: (ref) => pieceOf(ref).digest,
    read: (ref) => pieceOf(ref).bytes,
  }
}

type PostPieces = Readonly<Record<'head' | 'html' | 'markdown' | 'tail' | 'item', Piece>>

function postPieces({ post }: LibraryPost, body: RenderedBody | undefined): PostPieces {
  if (body === undefined) throw new RangeError(`no rendered body of post ${post.slug}`)
  const { head, tail } = postJson(post)
  return {
    head: piece(head),
    html: body.html,
    markdown: body.markdown,
    tail: piece(tail),
    item: piece(postItemJson(post)),
  }
}

function piece(json: string): Piece {
  const bytes = Buffer.from(json)
  return { bytes, digest: createHash('sha256').update(bytes).digest().subarray(0, digestBytes) }
}

function indexWorkspace(workspace: Workspace): PostIndex {
  const { posts } = workspace
  const [categories, tags, authors] = termKinds.map((kind) =>
    indexTerms(workspace[kind], postingsOf(kind, workspace)),
  ) as [TermIndex, TermIndex, TermIndex]
  return {
    publishedAt: Float64Array.from(posts, (post) => post.publishedAt),
    identifiers: slugsAndIds(posts.map(({ post }) => post)),
    all: Uint32Array.from(posts, (_, ordinal) => ordinal),
    featured: Uint32Array.from(
      posts.flatMap(({ post }, ordinal) => (post.featured ? [ordinal] : [])),
    ),
    terms: { categories, tags, authors },
  }
}

function postingsOf(kind: TermKind, workspace: Workspace): PackedLists {
  const lists: number[][] = workspace[kind].map(() => [])
  workspace.posts.forEach(({ terms }, ordinal) => {
    for (const term of terms[kind]) lists[term]?.push(ordinal)
  })
  return packLists(lists)
}

function indexTerms(terms: readonly Pick<Term, 'slug' | 'id'>[], postings: PackedLists): TermIndex {
  return {
    identifiers: slugsAndIds(terms),
    slugs: identifierTable(new Map(terms.map((term, ordinal) => [term.slug, ordinal]))),
    postings,
  }
}

function slugsAndIds(resources: readonly Pick<Term, 'slug' | 'id'>[]): IdentifierTable {
  return identifierTable(
    new Map(
      resources.flatMap(({ slug, id }, ordinal) => [
        [slug, ordinal],
        [id, ordinal],
      ]),
    ),
  )
}
