// A built folder that is served: the opened build, its handlers, and requests to them.
import { join } from 'node:path'
import type { ApiRequest } from '../../src/api/request.ts'
import { createFileStorage } from '../../src/build/disk.ts'
import type { HttpReply } from '../../src/runtime/http.ts'
import { createKeyring, encodeKey, hashKey } from '../../src/runtime/keys.ts'
import { openBuild } from '../../src/runtime/open-build.ts'
import {
  createResponder,
  type Responder,
  type ResponderOptions,
} from '../../src/runtime/responder.ts'

/** A served folder. */
export interface ServedFolder {
  /** Returns a key in clear text with all scopes. */
  keyOf(workspace: string): string
  /** Returns a handler without a cache of replies that knows these keys. */
  handler(options?: ResponderOptions): Responder
}

/** Opens the build in an output folder. */
export async function serveFolder(out: string): Promise<ServedFolder> {
  const storage = createFileStorage(join(out, 'function'))
  const site = await openBuild(storage)
  const ids = [...site.workspaces.keys()]
  const keys = new Map(
    ids.map((id, index) => [id, encodeKey(new Uint8Array(32).fill(100 + index))]),
  )
  const added = [...keys].map(([id, key]) => `${id}:${hashKey(key)}`)
  const keyring = createKeyring(site.keys, added.join(' '))
  return {
    keyOf: (workspace) => keys.get(workspace) ?? '',
    handler: (options = {}) =>
      createResponder(() => site, { replyCacheBytes: 0, keyring: () => keyring, ...options }),
  }
}

/** A reply that was read to its end. */
export interface ReadReply {
  readonly status: number
  readonly bytes: Uint8Array
  readonly text: string
  readonly headers: HttpReply['headers']
  /** Returns a header; null if absent. Values of repeated headers are joined. */
  header(name: string): string | null
}

/** Sends a request to a handler. */
export async function askHandler(
  handler: Responder,
  target: string,
  {
    method = 'GET',
    headers = {},
  }: { readonly method?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<ReadReply> {
  const reply = await handler({
    method,
    target,
    clientAddress: '192.0.2.1',
    header: (name) => (Object.hasOwn(headers, name) ? (headers[name] ?? null) : null),
  })
  const bytes = await bytesOf(reply.body)
  return {
    status: reply.status,
    bytes,
    text: new TextDecoder().decode(bytes),
    headers: reply.headers,
    header: (name) => {
      const values = reply.headers.flatMap(([known, value]) => (known === name ? [value] : []))
      return values.length === 0 ? null : values.join(', ')
    },
  }
}

/** Returns a response without the headers that differ in every request. */
export async function plain(response: Response) {
  const own = ['x-request-id', 'ratelimit-remaining', 'ratelimit-reset']
  const headers = [...response.headers].filter(([name]) => !own.includes(name))
  return { status: response.status, headers, body: await response.text() }
}

/** Returns the target of a canonical request. In v2, the key decides the workspace. */
export function targetOfRequest(request: ApiRequest): string {
  const { version, workspace, resource, collection, identifier, parameters } = request
  const base = version === 'v1' ? `/v1/${encodeURIComponent(workspace)}` : '/v2'
  const { limit, page, order, format, excludeContent, include } = parameters
  const query = [
    ...(limit === 10 ? [] : [`limit=${limit}`]),
    ...(page === 1 ? [] : [`page=${page}`]),
    ...(order === 'desc' || resource === 'items' ? [] : [`order=${order}`]),
    ...(format === 'html' ? [] : [`format=${format}`]),
    ...(excludeContent ? ['excludeContent=true'] : []),
    ...(include.length > 0 ? [`include=${include}`] : []),
  ].join('&')
  const folder = resource === 'items' ? `collections/${collection}` : resource
  const name = identifier?.split('/').map((part) => `/${encodeURIComponent(part)}`)
  const path = `${base}/${folder}${name?.join('') ?? ''}`
  return query === '' ? path : `${path}?${query}`
}

async function bytesOf(body: HttpReply['body']): Promise<Uint8Array> {
  if (body === null) return new Uint8Array(0)
  if (body instanceof Uint8Array) return body
  const parts: Uint8Array[] = []
  for await (const part of body) parts.push(part)
  return new Uint8Array(Buffer.concat(parts))
}
