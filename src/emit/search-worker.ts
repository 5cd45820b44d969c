// The thread that makes search files: inputs in, names of files out, and the bytes of those that are asked for.
// Knows nothing of the output folder.
import { parentPort } from 'node:worker_threads'
import { CacheDamageError } from '../cache/stored-bytes.ts'
import type { BundleFile } from './blocks.ts'
import { makeSearch } from './search-files.ts'
import { type SearchInput, termsOf } from './search-input.ts'
import type { SearchReply, SearchRequest } from './search-protocol.ts'

/** Bytes of terms that are sent at once. */
const sentBytes = 1024 * 1024

const made: (readonly BundleFile<Uint8Array>[])[] = []

parentPort?.on('message', (request: SearchRequest) => {
  try {
    if (request.kind === 'make') make(request.input)
    else read(made[request.made]?.[request.file])
  } catch (error) {
    const damaged = error instanceof CacheDamageError ? error.path : null
    reply({ kind: 'failed', error, damaged })
  }
})

function read(file: BundleFile<Uint8Array> | undefined): void {
  // A copy of its own: a view would take all that it is a view of along.
  const bytes = new Uint8Array(file?.bytes() ?? [])
  const message: SearchReply = { kind: 'bytes', bytes }
  parentPort?.postMessage(message, [bytes.buffer])
}

function make(input: SearchInput): void {
  let terms: [number, Uint8Array][] = []
  let bytes = 0
  const send = () => {
    if (terms.length > 0) reply({ kind: 'terms', terms })
    terms = []
    bytes = 0
  }
  const all = termsOf(input, (post, made) => {
    terms.push([post, made])
    bytes += made.length
    if (bytes >= sentBytes) send()
  })
  const { files, search } = makeSearch(input.ids, all)
  send()
  made.push(files)
  reply({ kind: 'made', files: files.map(({ path, etag }) => ({ path, etag })), search })
}

function reply(message: SearchReply): void {
  parentPort?.postMessage(message)
}
