// The stored pieces of a workspace's posts: what stands around a body is made once and lies close together, the
// body itself stays where it is kept. Knows nothing of answers.
import type { Format } from '../api/request.ts'
import { type Post, postItemJson, postJson } from '../api/resources.ts'
import type { PostPart } from '../api/snapshot.ts'
import { digestOf } from '../cache/digested.ts'
import type { StoredBytes } from '../cache/stored-bytes.ts'
import type { KeptBody } from '../markdown/bodies.ts'
import type { ReadPost } from '../model/posts.ts'
import { type PieceRow, PieceTable } from './piece-table.ts'

/** What earlier builds found out about pieces. */
export interface KnownPieces {
  readonly table: PieceTable
  /** Stands for all terms that posts name. */
  readonly terms: string
  /** The posts are those of the table, in its order, and all terms are the same. @default false */
  readonly isSame?: boolean
}

/** How much is kept, and what is known. */
export interface PieceOptions {
  /** Bytes that are kept of what stands around bodies. @default some 50,000 posts' */
  readonly framesBytesMax?: number | undefined
  /** Spares making what it knows; what it does not is noted for the next build. */
  readonly known?: KnownPieces | undefined
}

/**
 * Pieces by ordinal and part; what stands around a body is made when it is first asked for, and again from then on
 * once there is much of it: digests and sizes are kept of all, bytes of some 50,000 posts.
 */
export class PostPieces {
  readonly #posts: readonly ReadPost[]
  #bodies: readonly KeptBody[] = []
  readonly #frames: (Uint8Array | undefined)[]
  readonly #framesBytesMax: number
  #framesBytes = 0
  /** The latest that is not kept: its parts are asked for in a row. */
  #passing: { readonly ordinal: number; readonly frame: Uint8Array } | undefined
  readonly #table: PieceTable
  readonly #known: KnownPieces | undefined
  #hasLearned: boolean

  constructor(
    posts: readonly ReadPost[],
    { framesBytesMax = defaultFramesBytes, known }: PieceOptions = {},
  ) {
    this.#posts = posts
    this.#framesBytesMax = framesBytesMax
    this.#frames = new Array(posts.length)
    const isSame = known?.isSame === true && known.table.count === posts.length
    this.#table = new PieceTable(isSame ? new Uint8Array(known.table.bytes) : posts.length)
    this.#known = known
    this.#hasLearned = known !== undefined && !isSame
  }

  /** Gives posts their bodies. @param bodies one a post, in the same order */
  withBodies(bodies: readonly KeptBody[]): this {
    if (bodies.length !== this.#posts.length) throw new RangeError('a post has no rendered body')
    this.#bodies = bodies
    return this
  }

  /** Looks up what is known of what stands around bodies, a few posts with each step; no body is needed for that. */
  *lookUp(): Generator<void, void, undefined> {
    for (const ordinal of this.#posts.keys()) {
      this.#measure(ordinal)
      if (ordinal % lookedUpAtOnce === lookedUpAtOnce - 1) yield
    }
  }

  /** What the next build may know; undefined where that is known already. */
  get learned(): PieceTable | undefined {
    return this.#known !== undefined && this.#hasLearned ? this.#table : undefined
  }

  size(ordinal: number, part: PostPart): number {
    if (isBodyPart(part)) return this.#body(ordinal).size(part)
    this.#measure(ordinal)
    const { start, end } = this.#table.range(ordinal, part)
    return end - start
  }

  digest(ordinal: number, part: PostPart): Uint8Array {
    if (isBodyPart(part)) return this.#body(ordinal).digest(part)
    this.#measure(ordinal)
    return this.#table.digest(ordinal, part)
  }

  /** @throws CacheDamageError when a body is not what was kept */
  read(ordinal: number, part: PostPart): Uint8Array {
    if (isBodyPart(part)) return this.#body(ordinal).read(part)
    const frame = this.#frame(ordinal)
    const { start, end } = this.#table.range(ordinal, part)
    return frame.subarray(start, end)
  }

  /** The visible text, as UTF-8. */
  text(ordinal: number): Uint8Array {
    return this.#body(ordinal).read('text')
  }

  /** The same as any thread can have it. */
  storedText(ordinal: number): StoredBytes {
    return this.#body(ordinal).stored('text')
  }

  /** Stands for the visible text; nothing is read to know it. */
  textDigest(ordinal: number): Uint8Array {
    return this.#body(ordinal).digest('text')
  }

  /** The entity tag of the answer that is this post, where it was noted for the same pieces. */
  tagOf(ordinal: number, format: Format): string | undefined {
    this.#measure(ordinal)
    return this.#table.tagOf(ordinal, format, this.#body(ordinal).digest(format))
  }

  noteTag(ordinal: number, format: Format, tag: string): void {
    this.#measure(ordinal)
    this.#table.setTag(ordinal, format, this.#body(ordinal).digest(format), tag)
    this.#hasLearned = true
  }

  /** Makes sure that sizes and digests are there. */
  #measure(ordinal: number): void {
    if (this.#table.isFilled(ordinal)) return
    const { table } = this.#known ?? {}
    const input = this.#inputOf(ordinal)
    const row = table?.find(input)
    if (table === undefined || row === undefined) this.#frame(ordinal, input)
    else this.#table.copy(ordinal, table, row)
  }

  /** Stands for all that stands around a body; of no length where nothing is to be known of it. */
  #inputOf(ordinal: number): Uint8Array {
    if (this.#known === undefined) return new Uint8Array()
    const post = this.#post(ordinal)
    const names = {
      authors: post.authors.map(({ slug }) => slug),
      category: post.category.slug,
      tags: post.tags.map(({ slug }) => slug),
    }
    return digestOf(Buffer.from(JSON.stringify([this.#known.terms, { ...post, ...names }])))
  }

  #frame(ordinal: number, input?: Uint8Array): Uint8Array {
    const made = this.#frames[ordinal]
    if (made !== undefined) return made
    if (this.#passing?.ordinal === ordinal) return this.#passing.frame
    const post = this.#post(ordinal)
    const { head, tail } = postJson(post)
    const texts = [head, tail, postItemJson(post)]
    const frame = Buffer.from(texts.join(''))
    if (!this.#table.isFilled(ordinal)) {
      const measured = measure(texts, frame)
      this.#table.fill(ordinal, { input: input ?? this.#inputOf(ordinal), ...measured })
      this.#hasLearned = true
    }
    if (this.#framesBytes + frame.length > this.#framesBytesMax) this.#passing = { ordinal, frame }
    else {
      this.#frames[ordinal] = frame
      this.#framesBytes += frame.length
    }
    return frame
  }

  #post(ordinal: number): Post {
    const entry = this.#posts[ordinal]
    if (entry === undefined) throw new RangeError(`no post ${ordinal}`)
    return entry.post
  }

  #body(ordinal: number): KeptBody {
    const body = this.#bodies[ordinal]
    if (body === undefined) throw new RangeError(`no post ${ordinal}`)
    return body
  }
}

/** About a millisecond. */
const lookedUpAtOnce = 64

/** Those that come first are kept: all are gone through in turn, and the next one is seldom the last one used. */
const defaultFramesBytes = 64 * 1024 * 1024

function isBodyPart(part: PostPart): part is 'html' | 'markdown' {
  return part === 'html' || part === 'markdown'
}

/** Where the parts of a frame end, and their digests; none of them is empty. */
function measure(texts: readonly string[], frame: Uint8Array): Pick<PieceRow, 'ends' | 'digests'> {
  const ends: number[] = []
  const digests: Uint8Array[] = []
  for (const text of texts) {
    const start = ends.at(-1) ?? 0
    const end = start + Buffer.byteLength(text)
    ends.push(end)
    digests.push(digestOf(frame.subarray(start, end)))
  }
  return { ends, digests }
}
