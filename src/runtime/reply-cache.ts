// Answers that were given lately, kept within a bound, so that what is asked again is not made again.
// Knows nothing of who asks: an entry belongs to a workspace, a version, a target and what may be shown.
import type { Located } from './located.ts'

/** Bytes that are kept where nothing else is said. */
export const replyCacheBytesDefault: number = 16 * 1024 * 1024

/** An answer that is kept. */
export interface KeptAnswer {
  readonly etag: string
  readonly body: Uint8Array
  /** Milliseconds since 1970; null for ever. */
  readonly validUntil: number | null
}

/** Answers of one build; the least recently used leave first. */
export class ReplyCache {
  readonly #bytesMax: number
  readonly #answers = new Map<string, KeptAnswer>()
  #build = ''
  #bytes = 0

  constructor(bytesMax: number = replyCacheBytesDefault) {
    this.#bytesMax = bytesMax
  }

  /** A kept answer that is still true; undefined when there is none. */
  get(build: string, key: string, now: number): KeptAnswer | undefined {
    if (build !== this.#build) this.#startOver(build)
    const kept = this.#answers.get(key)
    if (kept === undefined) return undefined
    this.#answers.delete(key)
    if (kept.validUntil !== null && now >= kept.validUntil) {
      this.#bytes -= weight(key, kept)
      return undefined
    }
    this.#answers.set(key, kept)
    return kept
  }

  /** Keeps an answer unless it is large beside the bound. */
  set(build: string, key: string, answer: KeptAnswer): void {
    const size = weight(key, answer)
    if (build !== this.#build || size > this.#bytesMax / 32 || this.#answers.has(key)) return
    this.#answers.set(key, answer)
    this.#bytes += size
    for (const [oldest, kept] of this.#answers) {
      if (this.#bytes <= this.#bytesMax) break
      this.#answers.delete(oldest)
      this.#bytes -= weight(oldest, kept)
    }
  }

  #startOver(build: string): void {
    this.#answers.clear()
    this.#bytes = 0
    this.#build = build
  }
}

/** The name under which an answer is kept: whoever may read less than others shares no answer with them. */
export function replyKey(
  { target: { version }, workspace, mayReadPosts }: Located,
  target: string,
): string {
  return `${version}${mayReadPosts ? '' : '-'} ${workspace} ${target}`
}

/** Bytes that an entry holds, roughly. */
function weight(key: string, { body }: KeptAnswer): number {
  return body.length + 2 * key.length + 200
}
