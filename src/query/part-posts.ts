// The posts of all tokens that have a part, for many parts at once.

/** The posts of tokens. */
export interface TokenPostings {
  readonly postCount: number
  /** The posts of each token, ascending, one token after the other; and where those of each begin, and one more. */
  readonly postings: { readonly posts: Uint32Array; readonly starts: Uint32Array }
}

/** Which posts have which parts, as bits: 32 parts at a time. */
export class PartPosts {
  readonly #tokens: TokenPostings
  readonly #words: number
  /** Parts of the token that is added. */
  readonly #mask: Uint32Array
  #token = -1
  /** Parts by post: the first 32 of all posts, the next 32 of all posts … */
  readonly #parts: Uint32Array

  /** @param count parts are numbered from 0 */
  constructor(count: number, tokens: TokenPostings) {
    this.#tokens = tokens
    this.#words = Math.ceil(count / 32)
    this.#mask = new Uint32Array(this.#words)
    this.#parts = new Uint32Array(this.#words * tokens.postCount)
  }

  /** Adds the posts of a token to a part; all parts of a token are added one after the other. */
  add(part: number, token: number): void {
    if (token !== this.#token) this.#addToken()
    this.#token = token
    this.#mask[part >>> 5] = (this.#mask[part >>> 5] ?? 0) | (1 << (part & 31))
  }

  /** The posts of a part, ascending; nothing is added from then on. */
  union(part: number): Uint32Array {
    this.#addToken()
    const { postCount } = this.#tokens
    const first = (part >>> 5) * postCount
    const bit = 1 << (part & 31)
    const found = new Uint32Array(postCount)
    let size = 0
    for (let post = 0; post < postCount; post++) {
      if (((this.#parts[first + post] ?? 0) & bit) !== 0) found[size++] = post
    }
    return found.subarray(0, size)
  }

  #addToken(): void {
    const { postings, postCount } = this.#tokens
    const { posts, starts } = postings
    const parts = this.#parts
    const end = starts[this.#token + 1] ?? 0
    for (let word = 0; word < this.#words; word++) {
      const mask = this.#mask[word] ?? 0
      if (mask === 0) continue
      this.#mask[word] = 0
      const first = word * postCount
      for (let at = starts[this.#token] ?? 0; at < end; at++) {
        const place = first + (posts[at] ?? 0)
        parts[place] = (parts[place] ?? 0) | mask
      }
    }
  }
}
