// The entity tags of a workspace's answers, from build to build: one whose pieces are those of an earlier build has
// the tag that it had, and nothing is made to know that. Knows nothing of files.
import { joinBytes } from '../api/bytes.ts'
import { digestBytes } from '../api/piece.ts'
import { digestOf } from '../cache/digested.ts'
import type { PlannedFile } from './plan.ts'
import type { MemorySnapshot } from './snapshot.ts'

/**
 * Tags of answers that are asked for in the order of their plan. Those that are one post are found by its pieces;
 * all others by their place in the plan and by the bodies that they hold: for them everything else must be the same.
 *
 * Rows of one length, one for each of the others, of 128 bits each:
 *
 * ```
 * bodies   tag
 * 16       16
 * ```
 */
export class AnswerTags {
  readonly #snapshot: MemorySnapshot
  readonly #known: Buffer
  readonly #rows: Uint8Array[] = []
  #hasLearned = false

  /** @param known what was learned of the same plan, posts and terms, but for bodies; empty for nothing */
  constructor(snapshot: MemorySnapshot, known: Uint8Array) {
    this.#snapshot = snapshot
    this.#known = Buffer.from(known.buffer, known.byteOffset, known.length)
  }

  /** What a build with the same plan, posts and terms may be given to know; undefined where it is what this one was given. */
  get learned(): Uint8Array | undefined {
    return this.#hasLearned ? joinBytes(this.#rows) : undefined
  }

  /** The tag of the next answer; undefined where it is not known. */
  next(planned: PlannedFile): string | undefined {
    const { post, request } = planned
    if (post !== null) return this.#snapshot.tagOf(post, request.parameters.format)
    const start = this.#rows.length * rowBytes
    const row = this.#known.subarray(start, start + rowBytes)
    const bodies = this.#bodiesOf(planned)
    const isKnown = row.length === rowBytes && row.subarray(0, digestBytes).equals(bodies)
    this.#rows.push(isKnown ? row : bodies)
    return isKnown ? `"${row.toString('hex', digestBytes)}"` : undefined
  }

  /** Notes the tag of the answer that was asked for last: 128 bits, hexadecimal, with its quotes. */
  note(planned: PlannedFile, tag: string): void {
    const { post, request } = planned
    if (post !== null) {
      this.#snapshot.noteTag(post, request.parameters.format, tag)
      return
    }
    const bodies = this.#rows.pop()?.subarray(0, digestBytes) ?? noBodies
    this.#rows.push(joinBytes([bodies, Buffer.from(tag.slice(1, -1), 'hex')]))
    this.#hasLearned = true
  }

  /** Stands for the bodies that an answer holds. */
  #bodiesOf({ bodies: { start, end }, request }: PlannedFile): Uint8Array {
    if (start === end) return noBodies
    const part = request.parameters.format
    const digests: Uint8Array[] = []
    for (let ordinal = start; ordinal < end; ordinal++) {
      digests.push(this.#snapshot.digest({ of: 'posts', part, ordinal }))
    }
    return digestOf(joinBytes(digests))
  }
}

const noBodies = new Uint8Array(digestBytes)
const rowBytes = 2 * digestBytes
