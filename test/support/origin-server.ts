// A host that serves files of a folder, with faults that a test selects.
import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { respondAt } from './process.ts'

/** An origin under test. */
export interface OriginServer {
  /** The URL, with a slash at its end. */
  readonly url: string
  /** The folder of the files. */
  folder: string
  fault: 'none' | 'down' | 'slow' | 'truncated' | 'wrong'
  hasRanges: boolean
  /** Number of requests whose connections are closed. */
  dropped: number
  /** The required header; other requests are refused. */
  authorization: string | undefined
  /** The time of the root's upload, in milliseconds since 1970. */
  modified: number
  /** Names, statuses and bytes of the responses since the list was cleared. */
  readonly sent: { readonly name: string; readonly status: number; readonly bytes: number }[]
}

/** Serves a folder on a free port. */
export async function openOrigin(folder: string): Promise<OriginServer> {
  const url = await respondAt(({ url = '/', headers }, response) => {
    const name = url.slice(1)
    const isDropped = origin.fault === 'down' || origin.dropped-- > 0
    if (isDropped) response.destroy()
    if (isDropped || origin.fault === 'slow') return
    const { status, bytes, about } = replyTo(origin, name, headers)
    origin.sent.push({ name, status, bytes: bytes.length })
    response.writeHead(status, about).end(bytes)
  })
  const usual = {
    hasRanges: true,
    dropped: 0,
    authorization: undefined,
    modified: Date.UTC(2026, 0),
  }
  const origin: OriginServer = { ...usual, url: `${url}/`, folder, fault: 'none', sent: [] }
  return origin
}

function replyTo(origin: OriginServer, name: string, headers: IncomingHttpHeaders) {
  const file = join(origin.folder, name)
  const refuse = (status: number) => ({ status, bytes: Buffer.from('no'), about: {} })
  if (headers.authorization !== origin.authorization) return refuse(401)
  if (!existsSync(file)) return refuse(404)
  const whole = readFileSync(file)
  const etag = `"${hash('sha256', whole)}"`
  const about = { etag, 'last-modified': new Date(origin.modified).toUTCString() }
  if (headers['if-none-match'] === etag) return { status: 304, bytes: Buffer.alloc(0), about }
  if (origin.fault === 'wrong') return { status: 200, bytes: Buffer.from('<h1>'), about }
  const [, from, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
  const isRange = origin.hasRanges && from !== undefined
  const bytes = isRange ? whole.subarray(Number(from), Number(last) + 1) : whole
  const end = origin.fault === 'truncated' ? bytes.length >> 1 : bytes.length
  return { status: isRange ? 206 : 200, bytes: bytes.subarray(0, end), about }
}
