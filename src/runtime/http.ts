// Requests and replies as plain data, independent of host objects.

/** A request as received. */
export interface HttpRequest {
  readonly method: string
  /** Path and query, percent-encoded, with the leading `/`. */
  readonly target: string
  /** The address that requests without a key are counted for, as the host reports it; '' when unknown. */
  readonly clientAddress: string
  /** Reads the body; null when it has more bytes than that. Absent when the host does not pass it on. */
  readonly readBody?: (bytesMax: number) => Promise<Uint8Array | null>
  /** The value of a header; repeated headers are joined with `, `; null when absent. */
  header(name: LowerCaseName): string | null
}

/** The name of a header in lower case. */
export type LowerCaseName = string

/** A header of a reply. */
export type Header = readonly [name: LowerCaseName, value: string]

/** The source of a response: the cache, a written file, the index, or none for replies without content. */
export type ReplySource = 'cache' | 'file' | 'index' | 'none'

/** A reply, ready to send. */
export interface HttpReply {
  readonly status: number
  /** Includes `content-length` when there is content, also for HEAD. */
  readonly headers: readonly Header[]
  /** Null for 304, 204, 308 and HEAD. Long bodies are sent in fragments. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array> | null
  readonly source: ReplySource
}
