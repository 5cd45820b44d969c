// The posts of all tokens that contain a part, for many parts at once.

/** The posting lists of tokens. */
export interface TokenPostings {
  readonly postCount: number
  /** The posts of each token, ascending and concatenated, and the offset of each token plus the end. */
  readonly postings: { readonly posts: Uint32Array; readonly starts: Uint32Array }
}

/** A bit matrix of posts and parts, in words of 32 parts. */
export class PartPosts {
  readonly #tokens: TokenPostings
  readonly #words: number
  /** The parts of the current token. */
  readonly #mask: Uint32Array
  #token = -1
  /** Word `w` of post `p` is at `w` × posts + `p`. */
  readonly #parts: Uint32Array

  /** @param count the number of parts, numbered from 0 */
  constructor(count: number, tokens: TokenPostings) {
    this.#tokens = tokens
    this.#words = Math.ceil(count / 32)
    this.#mask = new Uint32Array(this.#words)
    this.#parts = new Uint32Array(this.#words * tokens.postCount)
  }

  /** Adds the posts of a token to a part. Calls for one token must be consecutive. */
  add(part: number, token: number): void {
    if (token !== this.#token) this.#addToken()
    this.#token = token
    this.#mask[part >>> 5] = (this.#mask[part >>> 5] ?? 0) | (1 << (part & 31))
  }

  /** The posts of a part, ascending. Nothing may be added afterwards. */
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
