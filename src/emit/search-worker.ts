// The thread that makes search files: inputs in, names of files out, and the bytes of those that are asked for.
// Knows nothing of the output folder.
import { parentPort } from 'node:worker_threads'
import { CacheDamageError } from '../cache/stored-bytes.ts'
import type { BundleFile } from './blocks.ts'
import { SearchAdder } from './search-adder.ts'
import type { ExpectedText, PreparedPosts, SearchInput } from './search-input.ts'
import type { SearchReply, SearchRequest } from './search-protocol.ts'
import { TermsOutbox } from './terms-outbox.ts'

const made: { readonly files: readonly BundleFile<Uint8Array>[]; readonly adder: SearchAdder }[] =
  []

parentPort?.on('message', (request: SearchRequest) => {
  try {
    if (request.kind === 'prepare') prepare(request.workspace, request.posts)
    else if (request.kind === 'expect') expect(request.workspace, request.post)
    else if (request.kind === 'make') make(request.workspace, request.input)
    else if (request.kind === 'read') read(made[request.made]?.files[request.file])
    else sendKnown(request)
  } catch (error) {
    const damaged = error instanceof CacheDamageError ? error.path : null
    reply({ kind: 'failed', error, damaged })
  }
})

function sendKnown({ made: of, ...request }: Extract<SearchRequest, { kind: 'known' }>): void {
  send(made[of]?.adder.known(request.of, request.part) ?? new Uint8Array(0))
}

function read(file: BundleFile<Uint8Array> | undefined): void {
  if (file === undefined) throw new RangeError('no such file was made')
  // A copy of its own: a view would take all that it is a view of along.
  send(new Uint8Array(file.bytes()))
}

/** @param bytes gone from here afterwards */
function send(bytes: Uint8Array<ArrayBuffer>): void {
  const message: SearchReply = { kind: 'bytes', bytes }
  parentPort?.postMessage(message, [bytes.buffer])
}

/** A workspace that is not made yet. */
interface Begun {
  readonly adder: SearchAdder
  /** Terms of posts that were expected. */
  readonly expected: TermsOutbox
}

/** By workspace. */
const begun = new Map<string, Begun>()

function begunOf(workspace: string): Begun {
  const of = begun.get(workspace) ?? {
    adder: new SearchAdder(),
    expected: new TermsOutbox((terms) => reply({ kind: 'expected', workspace, terms })),
  }
  begun.set(workspace, of)
  return of
}

/** What is damaged is told to whoever wants it: it may belong to no post any more. */
function prepare(workspace: string, posts: PreparedPosts): void {
  try {
    const { adder } = begunOf(workspace)
    adder.prepare(posts)
    adder.begin()
  } catch (error) {
    if (!(error instanceof CacheDamageError)) throw error
  }
}

function expect(workspace: string, post: ExpectedText): void {
  const { adder, expected } = begunOf(workspace)
  expected.add(post.place, adder.expect(post))
}

function make(workspace: string, input: SearchInput): void {
  const { adder, expected } = begunOf(workspace)
  begun.delete(workspace)
  expected.send()
  const outbox = new TermsOutbox((terms) => reply({ kind: 'terms', terms }))
  const { files, search, isKnown } = adder.make(input, (post, terms) => outbox.add(post, terms))
  outbox.send()
  made.push({ files, adder })
  reply({ kind: 'made', files: files.map(({ path, etag }) => ({ path, etag })), search, isKnown })
}

function reply(message: SearchReply): void {
  parentPort?.postMessage(message)
}
