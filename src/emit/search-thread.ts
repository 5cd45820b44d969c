// A thread that makes search files while the main one does something else.
// Knows nothing of what search files are.
import { Worker } from 'node:worker_threads'
import { CacheDamageError } from '../cache/stored-bytes.ts'
import type { MadeSearch } from './search-files.ts'
import type { ExpectedText, KnownPart, OnMade, PreparedPosts, SearchInput } from './search-input.ts'
import type { SearchReply, SearchRequest } from './search-protocol.ts'

/** The search of a workspace that a thread made. */
export interface ThreadSearch extends MadeSearch {
  /** What the thread was prepared with does for the next one too. */
  readonly isKnown: boolean
  /** What the next thread may be prepared with: `SearchAdder.known`. */
  readonly known: (of: string, part: KnownPart) => Promise<Uint8Array>
}

/** Told the terms of each post that was expected, by its place, before its workspace is made. */
export type OnExpected = (workspace: string, place: number, terms: Uint8Array) => void

/** A running thread; it keeps the files of all that it made until it is closed. */
export class SearchThread {
  readonly #worker: Worker
  readonly #waiting: Waiting[] = []
  readonly #onExpected: OnExpected
  #made = 0
  #failure: unknown
  #isClosed = false

  /** Starts the thread: it is ready by the time it has something to do. */
  constructor(onExpected: OnExpected = () => {}) {
    this.#onExpected = onExpected
    // Compiled, also when this module is not: threads load no TypeScript.
    const file = new URL(import.meta.resolve('#search-worker'))
    this.#worker = new Worker(file, { name: 'quarry-search', execArgv: [] })
    this.#worker.on('message', (reply: SearchReply) => this.#answered(reply))
    this.#worker.on('error', (error) => this.#failed(error))
    this.#worker.on('exit', () => this.#failed(new Error('The search thread ended unasked.')))
    this.#worker.unref()
  }

  /**
   * Begins before it is known which posts a workspace has.
   *
   * @param posts kept ones that it is likely to have; what it has not is left out again
   */
  prepare(workspace: string, posts: PreparedPosts): void {
    const request: SearchRequest = { kind: 'prepare', workspace, posts }
    this.#worker.postMessage(request)
  }

  /**
   * Goes on with a post that a workspace is likely to have.
   *
   * @param post its text is gone afterwards
   */
  expect(workspace: string, post: ExpectedText): void {
    const request: SearchRequest = { kind: 'expect', workspace, post }
    this.#worker.postMessage(request, [post.text.buffer])
  }

  /**
   * Makes the files of a workspace; once.
   *
   * @param onMade called before the promise is kept
   * @throws CacheDamageError when something kept is not what it was
   */
  async make(workspace: string, input: SearchInput, onMade: OnMade): Promise<ThreadSearch> {
    const reply = await this.#ask({ kind: 'make', workspace, input }, onMade)
    if (reply.kind !== 'made') throw new Error('The search thread answered something else.')
    const made = this.#made++
    const { search, isKnown } = reply
    const files = reply.files.map((named, file) => ({
      ...named,
      bytes: () => this.#bytes({ kind: 'read', made, file }),
    }))
    const known = (of: string, part: KnownPart) => this.#bytes({ kind: 'known', made, of, part })
    return { search, files, isKnown, known }
  }

  /** Ends the thread: the bytes of its files are gone. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#worker.terminate()
  }

  async #bytes(request: SearchRequest): Promise<Uint8Array> {
    const reply = await this.#ask(request)
    if (reply.kind !== 'bytes') throw new Error('The search thread answered something else.')
    return reply.bytes
  }

  #ask(request: SearchRequest, onMade: OnMade = () => {}): Promise<SearchReply> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure)
      this.#waiting.push({ resolve, reject, onMade })
      this.#worker.ref()
      this.#worker.postMessage(request)
    })
  }

  #answered(reply: SearchReply): void {
    if (reply.kind === 'terms') {
      for (const [post, terms] of reply.terms) this.#waiting[0]?.onMade(post, terms)
      return
    }
    if (reply.kind === 'expected') {
      for (const [place, terms] of reply.terms) this.#onExpected(reply.workspace, place, terms)
      return
    }
    const asked = this.#waiting.shift()
    // Its end is waited for too: an answer that was on its way must not end the process before.
    if (this.#waiting.length === 0 && !this.#isClosed) this.#worker.unref()
    if (reply.kind !== 'failed') asked?.resolve(reply)
    else asked?.reject(reply.damaged === null ? reply.error : new CacheDamageError(reply.damaged))
  }

  #failed(error: unknown): void {
    this.#failure ??= error
    for (const { reject } of this.#waiting.splice(0)) reject(error)
  }
}

interface Waiting {
  readonly resolve: (reply: SearchReply) => void
  readonly reject: (error: unknown) => void
  readonly onMade: OnMade
}
