// The stored pieces of a workspace's posts: what stands around a body is made once and lies close together, the
// body itself stays where it is kept. Knows nothing of answers.
import { hash } from 'node:crypto'
import { digestBytes } from '../api/piece.ts'
import { postItemJson, postJson } from '../api/resources.ts'
import type { PostPart } from '../api/snapshot.ts'
import type { StoredBytes } from '../cache/stored-bytes.ts'
import type { KeptBody } from '../markdown/bodies.ts'
import type { ReadPost } from '../model/posts.ts'

/**
 * Pieces by ordinal and part; what stands around a body is made when it is first asked for, and again from then on
 * once there is much of it: digests and sizes are kept of all, bytes of some 50,000 posts.
 */
export class PostPieces {
  readonly #posts: readonly ReadPost[]
  readonly #bodies: readonly KeptBody[]
  readonly #frames: (Uint8Array | undefined)[]
  readonly #framesBytesMax: number
  #framesBytes = 0
  /** The latest that is not kept: its parts are asked for in a row. */
  #passing: { readonly ordinal: number; readonly frame: Uint8Array } | undefined
  readonly #ends: Uint32Array
  readonly #digests: Uint8Array

  /**
   * @param bodies one a post, in the same order
   * @param framesBytesMax how much is kept of what stands around them
   */
  constructor(
    posts: readonly ReadPost[],
    bodies: readonly KeptBody[],
    framesBytesMax: number = defaultFramesBytes,
  ) {
    if (bodies.length !== posts.length) throw new RangeError('a post has no rendered body')
    this.#posts = posts
    this.#bodies = bodies
    this.#framesBytesMax = framesBytesMax
    this.#frames = new Array(posts.length)
    this.#ends = new Uint32Array(posts.length * frameParts.length)
    this.#digests = new Uint8Array(posts.length * frameParts.length * digestBytes)
  }

  size(ordinal: number, part: PostPart): number {
    if (isBodyPart(part)) return this.#body(ordinal).size(part)
    this.#measure(ordinal)
    const { start, end } = this.#range(ordinal, part)
    return end - start
  }

  digest(ordinal: number, part: PostPart): Uint8Array {
    if (isBodyPart(part)) return this.#body(ordinal).digest(part)
    this.#measure(ordinal)
    const at = this.#place(ordinal, part) * digestBytes
    return this.#digests.subarray(at, at + digestBytes)
  }

  /** @throws CacheDamageError when a body is not what was kept */
  read(ordinal: number, part: PostPart): Uint8Array {
    if (isBodyPart(part)) return this.#body(ordinal).read(part)
    const frame = this.#frame(ordinal)
    const { start, end } = this.#range(ordinal, part)
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

  /** Makes sure that sizes and digests are there. */
  #measure(ordinal: number): void {
    if (!this.#isMeasured(ordinal)) this.#frame(ordinal)
  }

  #isMeasured(ordinal: number): boolean {
    return this.#ends[ordinal * frameParts.length] !== 0
  }

  #frame(ordinal: number): Uint8Array {
    const made = this.#frames[ordinal]
    if (made !== undefined) return made
    if (this.#passing?.ordinal === ordinal) return this.#passing.frame
    const entry = this.#posts[ordinal]
    if (entry === undefined) throw new RangeError(`no post ${ordinal}`)
    const { head, tail } = postJson(entry.post)
    const texts = [head, tail, postItemJson(entry.post)]
    const frame = Buffer.from(texts.join(''))
    if (!this.#isMeasured(ordinal)) this.#enter(ordinal, texts, frame)
    if (this.#framesBytes + frame.length > this.#framesBytesMax) this.#passing = { ordinal, frame }
    else {
      this.#frames[ordinal] = frame
      this.#framesBytes += frame.length
    }
    return frame
  }

  /** Sizes and digests of a post's parts; none of them is empty. */
  #enter(ordinal: number, texts: readonly string[], frame: Uint8Array): void {
    let end = 0
    for (const [index, text] of texts.entries()) {
      const place = ordinal * frameParts.length + index
      const start = end
      end += Buffer.byteLength(text)
      this.#ends[place] = end
      const digest = hash('sha256', frame.subarray(start, end), 'buffer')
      this.#digests.set(digest.subarray(0, digestBytes), place * digestBytes)
    }
  }

  #range(ordinal: number, part: FramePart): { readonly start: number; readonly end: number } {
    const place = this.#place(ordinal, part)
    const isFirst = part === frameParts[0]
    return { start: isFirst ? 0 : (this.#ends[place - 1] ?? 0), end: this.#ends[place] ?? 0 }
  }

  #place(ordinal: number, part: FramePart): number {
    return ordinal * frameParts.length + frameParts.indexOf(part)
  }

  #body(ordinal: number): KeptBody {
    const body = this.#bodies[ordinal]
    if (body === undefined) throw new RangeError(`no post ${ordinal}`)
    return body
  }
}

/** Those that come first are kept: all are gone through in turn, and the next one is seldom the last one used. */
const defaultFramesBytes = 64 * 1024 * 1024

const frameParts = ['head', 'tail', 'item'] as const
type FramePart = (typeof frameParts)[number]

function isBodyPart(part: PostPart): part is 'html' | 'markdown' {
  return part === 'html' || part === 'markdown'
}
