// A workspace as a snapshot in memory: its resources serialised once, its index, its rendered bodies.
// Knows nothing of files; answers are made from it by `respond` alone.
import { createHash } from 'node:crypto'
import { digestBytes, type Piece } from '../api/piece.ts'
import { authorJson, postItemJson, postJson, type TermKind, termJson } from '../api/resources.ts'
import type { PieceRef, PostPart, Snapshot } from '../api/snapshot.ts'
import type { RenderedBody } from '../markdown/pool.ts'
import type { LibraryPost, Workspace } from '../model/library.ts'
import { findIdentifier } from '../query/identifiers.ts'
import { listAt } from '../query/packed-lists.ts'
import { type PostIndex, selectPosts } from '../query/post-index.ts'
import { joinTexts, type PostText, scanSearch } from '../query/text-scan.ts'
import { indexWorkspace } from './workspace-index.ts'

/** A snapshot, and what it is made of. */
export interface MemorySnapshot extends Snapshot {
  readonly index: PostIndex
  /** A stored piece. */
  piece(ref: PieceRef): Piece
  /** What a reader sees of each post, by ordinal. */
  texts(): Iterable<PostText>
}

/**
 * A snapshot of a workspace.
 *
 * @param bodies rendered bodies, one a post, in the workspace's order
 */
export function workspaceSnapshot(
  workspace: Workspace,
  bodies: readonly RenderedBody[],
): MemorySnapshot {
  const index = indexWorkspace(workspace)
  const posts = workspace.posts.map((post, ordinal) => postPieces(post, bodies[ordinal]))
  const terms: Readonly<Record<TermKind, readonly Piece[]>> = {
    categories: workspace.categories.map((term) => piece(termJson(term))),
    tags: workspace.tags.map((term) => piece(termJson(term))),
    authors: workspace.authors.map((author) => piece(authorJson(author))),
  }
  const pieceOf = (ref: PieceRef): Piece => {
    const found = ref.of === 'posts' ? posts[ref.ordinal]?.[ref.part] : terms[ref.of][ref.ordinal]
    if (found === undefined) throw new RangeError(`no ${ref.part} of ${ref.of} ${ref.ordinal}`)
    return found
  }
  const texts = () => textsOf(workspace, bodies)
  const search = scanSearch(() => joinTexts(texts()))
  return {
    index,
    piece: pieceOf,
    texts,
    postCount: posts.length,
    termCount: (kind) => terms[kind].length,
    publishedAt: (post) => index.publishedAt[post] ?? Number.NaN,
    findPost: (identifier) => findIdentifier(index.identifiers, identifier),
    findTerm: (kind, identifier) => findIdentifier(index.terms[kind].identifiers, identifier),
    postsOf: (kind, term) => listAt(index.terms[kind].postings, term),
    select: (filter) => selectPosts(filter, index, search),
    digest: (ref) => pieceOf(ref).digest,
    size: (ref) => pieceOf(ref).bytes.length,
    read: (ref) => pieceOf(ref).bytes,
  }
}

function* textsOf(workspace: Workspace, bodies: readonly RenderedBody[]): Generator<PostText> {
  const decoder = new TextDecoder()
  for (const [ordinal, { post }] of workspace.posts.entries()) {
    yield { title: post.title, text: decoder.decode(bodies[ordinal]?.text) }
  }
}

function postPieces(
  { post }: LibraryPost,
  body: RenderedBody | undefined,
): Readonly<Record<PostPart, Piece>> {
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
