// Terms of posts that wait until it is worth sending them to another thread.
// Knows nothing of threads.
import type { MadeTerms } from './search-protocol.ts'

/** Bytes of terms that are sent at once. */
const sentBytes = 1024 * 1024

/** Terms on their way. */
export class TermsOutbox {
  readonly #send: (terms: readonly MadeTerms[]) => void
  #waiting: MadeTerms[] = []
  #bytes = 0

  constructor(send: (terms: readonly MadeTerms[]) => void) {
    this.#send = send
  }

  /** Sent with others. */
  add(post: number, terms: Uint8Array): void {
    this.#waiting.push([post, terms])
    this.#bytes += terms.length
    if (this.#bytes >= sentBytes) this.send()
  }

  /** Sends what waits, if anything does. */
  send(): void {
    if (this.#waiting.length > 0) this.#send(this.#waiting)
    this.#waiting = []
    this.#bytes = 0
  }
}
