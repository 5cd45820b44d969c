// A request and a reply as plain data: what every host can give and take without objects of its own.

/** A request as it arrived. */
export interface HttpRequest {
  readonly method: string
  /** Path and query, still percent-encoded, with its leading `/`. */
  readonly target: string
  /** Whom requests are counted for where no key says it: an address, as the host knows it; '' for nobody. */
  readonly clientAddress: string
  /** The body of a request; absent where a host passes none on. */
  readonly body?: ReadableStream<Uint8Array> | null
  /** A header's value; several of one name joined with `, `; null when it is absent. */
  header(name: LowerCaseName): string | null
}

/** A header's name in lower case. */
export type LowerCaseName = string

/** A header of a reply. */
export type Header = readonly [name: LowerCaseName, value: string]

/** Where a response came from: memory, a written file, the index, or no content at all. */
export type ReplySource = 'cache' | 'file' | 'index' | 'none'

/** A reply, ready to be sent. */
export interface HttpReply {
  readonly status: number
  /** With `content-length` wherever there is content, also for HEAD. */
  readonly headers: readonly Header[]
  /** Null for none: 304, 204, 308 and HEAD. Long ones come in fragments. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array> | null
  readonly source: ReplySource
}
