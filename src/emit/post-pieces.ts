// The stored pieces of a workspace's posts: what stands around a body is made once and lies close together, the
// body itself stays where it is kept. Knows nothing of answers.
import { hash } from 'node:crypto'
import { digestBytes } from '../api/piece.ts'
import { postItemJson, postJson } from '../api/resources.ts'
import type { PostPart } from '../api/snapshot.ts'
import type { StoredBytes } from '../cache/stored-bytes.ts'
import type { KeptBody } from '../markdown/bodies.ts'
import type { LibraryPost } from '../model/library.ts'

/**
 * Pieces by ordinal and part; what stands around a body is made when it is first asked for. A post costs some
 * 1.5 kB of memory, however long it is.
 */
export class PostPieces {
  readonly #posts: readonly LibraryPost[]
  readonly #bodies: readonly KeptBody[]
  readonly #frames: (Uint8Array | undefined)[]
  readonly #ends: Uint32Array
  readonly #digests: Uint8Array

  /** @param bodies one a post, in the same order */
  constructor(posts: readonly LibraryPost[], bodies: readonly KeptBody[]) {
    if (bodies.length !== posts.length) throw new RangeError('a post has no rendered body')
    this.#posts = posts
    this.#bodies = bodies
    this.#frames = new Array(posts.length)
    this.#ends = new Uint32Array(posts.length * frameParts.length)
    this.#digests = new Uint8Array(posts.length * frameParts.length * digestBytes)
  }

  size(ordinal: number, part: PostPart): number {
    if (isBodyPart(part)) return this.#body(ordinal).size(part)
    this.#frame(ordinal)
    const { start, end } = this.#range(ordinal, part)
    return end - start
  }

  digest(ordinal: number, part: PostPart): Uint8Array {
    if (isBodyPart(part)) return this.#body(ordinal).digest(part)
    this.#frame(ordinal)
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

  #frame(ordinal: number): Uint8Array {
    const made = this.#frames[ordinal]
    if (made !== undefined) return made
    const entry = this.#posts[ordinal]
    if (entry === undefined) throw new RangeError(`no post ${ordinal}`)
    const { head, tail } = postJson(entry.post)
    return this.#makeFrame(ordinal, [head, tail, postItemJson(entry.post)])
  }

  #makeFrame(ordinal: number, texts: readonly string[]): Uint8Array {
    const frame = Buffer.from(texts.join(''))
    let end = 0
    for (const [index, text] of texts.entries()) {
      const place = ordinal * frameParts.length + index
      const start = end
      end += Buffer.byteLength(text)
      this.#ends[place] = end
      const digest = hash('sha256', frame.subarray(start, end), 'buffer')
      this.#digests.set(digest.subarray(0, digestBytes), place * digestBytes)
    }
    this.#frames[ordinal] = frame
    return frame
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

const frameParts = ['head', 'tail', 'item'] as const
type FramePart = (typeof frameParts)[number]

function isBodyPart(part: PostPart): part is 'html' | 'markdown' {
  return part === 'html' || part === 'markdown'
}
