// A workspace as a snapshot in memory: its resources serialised once, its index, its rendered bodies
// where they are kept. Knows nothing of files; answers are made from it by `respond` alone.
import { hex, joinBytes } from '../api/bytes.ts'
import type { Piece } from '../api/piece.ts'
import type { Format } from '../api/request.ts'
import { authorJson, type TermKind, termJson } from '../api/resources.ts'
import type { PieceRef, Snapshot } from '../api/snapshot.ts'
import { digestOf, pieceOf } from '../cache/digested.ts'
import type { StoredBytes } from '../cache/stored-bytes.ts'
import type { KeptBody } from '../markdown/bodies.ts'
import type { Workspace } from '../model/library.ts'
import { findIdentifier } from '../query/identifiers.ts'
import { listAt } from '../query/packed-lists.ts'
import { type PostIndex, selectPosts } from '../query/post-index.ts'
import { foldTexts, type PostText, scanSearch } from '../query/text-scan.ts'
import { PieceTable } from './piece-table.ts'
import { PostPieces } from './post-pieces.ts'
import { indexWorkspace } from './workspace-index.ts'

/** What a reader sees of a post, not read yet. */
export interface StoredText {
  readonly title: string
  /** Stands for the text without the title. */
  readonly digest: Uint8Array
  /** The text without the title. */
  readonly read: () => string
  /** Its UTF-8, as any thread can have it. */
  readonly stored: () => StoredBytes
}

/** A snapshot, and what it is made of. */
export interface MemorySnapshot extends Snapshot {
  readonly index: PostIndex
  /** A stored piece, its bytes read. */
  piece(ref: PieceRef): Piece
  read(ref: PieceRef): Uint8Array
  /** What a reader sees of each post, by ordinal. */
  texts(): Iterable<StoredText>
  /** The entity tag of the answer that is one post, where an earlier build noted it of the same pieces. */
  tagOf(post: number, format: Format): string | undefined
  noteTag(post: number, format: Format, tag: string): void
  /** What the next build may be given to know of the pieces; undefined where it is what this one was given. */
  readonly learned: Uint8Array | undefined
}

/** A snapshot whose posts have no bodies yet. */
export interface PendingSnapshot {
  /** Works out what needs no body, a little with each step; what is left is worked out when it is asked for. */
  readonly steps: () => Iterable<unknown>
  /** @param bodies rendered bodies, one a post, in the workspace's order */
  readonly withBodies: (bodies: readonly KeptBody[]) => MemorySnapshot
}

/** What an earlier build has learned of pieces. */
export interface KnownOfPieces {
  /** Empty for nothing. */
  readonly learned: Uint8Array
  /** It had the same posts in the same order, but for their bodies, and the same terms. */
  readonly isSame: boolean
}

/**
 * A snapshot of a workspace.
 *
 * @param known undefined where there is no next build that would be told
 */
export function pendingSnapshot(workspace: Workspace, known?: KnownOfPieces): PendingSnapshot {
  const index = indexWorkspace(workspace)
  const terms: TermPieces = {
    categories: workspace.categories.map((term) => pieceOf(termJson(term))),
    tags: workspace.tags.map((term) => pieceOf(termJson(term))),
    authors: workspace.authors.map((author) => pieceOf(authorJson(author))),
  }
  const posts = new PostPieces(workspace.posts, {
    known: known && {
      table: new PieceTable(known.learned),
      isSame: known.isSame,
      terms: digestOfAll(Object.values(terms).flat()),
    },
  })
  return {
    steps: () => posts.lookUp(),
    withBodies: (bodies) =>
      snapshotOf(workspace, index, { posts: posts.withBodies(bodies), terms }),
  }
}

type TermPieces = Readonly<Record<TermKind, readonly Piece[]>>

interface Pieces {
  readonly posts: PostPieces
  readonly terms: TermPieces
}

function snapshotOf(
  workspace: Workspace,
  index: PostIndex,
  { posts, terms }: Pieces,
): MemorySnapshot {
  const termPiece = (kind: TermKind, ordinal: number): Piece => {
    const found = terms[kind][ordinal]
    if (found === undefined) throw new RangeError(`no resource ${ordinal} of ${kind}`)
    return found
  }
  const digest = (ref: PieceRef): Uint8Array =>
    ref.of === 'posts' ? posts.digest(ref.ordinal, ref.part) : termPiece(ref.of, ref.ordinal).digest
  const size = (ref: PieceRef): number =>
    ref.of === 'posts'
      ? posts.size(ref.ordinal, ref.part)
      : termPiece(ref.of, ref.ordinal).bytes.length
  const read = (ref: PieceRef): Uint8Array =>
    ref.of === 'posts' ? posts.read(ref.ordinal, ref.part) : termPiece(ref.of, ref.ordinal).bytes
  const texts = () => textsOf(workspace, posts)
  const search = scanSearch(() => foldTexts(readTexts(texts())))
  return {
    index,
    piece: (ref) => ({ bytes: read(ref), digest: digest(ref) }),
    texts,
    tagOf: (post, format) => posts.tagOf(post, format),
    noteTag: (post, format, tag) => posts.noteTag(post, format, tag),
    get learned() {
      return posts.learned?.bytes
    },
    postCount: workspace.posts.length,
    termCount: (kind) => terms[kind].length,
    publishedAt: (post) => index.publishedAt[post] ?? Number.NaN,
    findPost: (identifier) => findIdentifier(index.identifiers, identifier),
    findTerm: (kind, identifier) => findIdentifier(index.terms[kind].identifiers, identifier),
    postsOf: (kind, term) => listAt(index.terms[kind].postings, term),
    createdTerms: (kind) => index.terms[kind].created,
    select: (filter, first) => selectPosts(filter, index, search, { first }),
    digest,
    size,
    read,
  }
}

/** Stands for pieces one after the other, hexadecimal. */
function digestOfAll(pieces: readonly Piece[]): string {
  return hex(digestOf(joinBytes(pieces.map(({ digest }) => digest))))
}

function* textsOf(workspace: Workspace, pieces: PostPieces): Generator<StoredText> {
  const decoder = new TextDecoder()
  for (const [ordinal, { post }] of workspace.posts.entries()) {
    yield {
      title: post.title,
      digest: pieces.textDigest(ordinal),
      read: () => decoder.decode(pieces.text(ordinal)),
      stored: () => pieces.storedText(ordinal),
    }
  }
}

function* readTexts(texts: Iterable<StoredText>): Generator<PostText> {
  for (const { title, read } of texts) yield { title, text: read() }
}
