// The objects of a remote cache: packs named by their content, and lists of packs. Other formats use other names.
//
//            S3                            HTTP, as Bazel's remote cache
//   packs    cache/4/{sha256}.pack         cas/{sha256}
//   lists    cache/4/list-{part}.json      ac/{SHA-256 of path, format and part}
import { createHash, hash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { removeFile } from '../cache/cache-folder.ts'
import { packSchema } from '../cache/pack-format.ts'
import { type ListedPack, listBytesMax } from './pack-list.ts'
import type { HttpRemote, S3Remote } from './remote-location.ts'
import { LastingError, type RemoteRequest, sendRequest } from './send.ts'

/** Milliseconds without a byte. Shorter for reads, which delay a build, than for writes, which follow it. */
const pauseMax = { read: 2000, write: 30_000 } as const

/** Delay before the second request for a pack. */
const repeatMilliseconds = 200

type Outgoing = Pick<RemoteRequest, 'method' | 'body'> & { readonly sha256?: string }

/** The objects of a remote cache. */
export class RemoteStore {
  readonly #remote: S3Remote | HttpRemote

  constructor(remote: S3Remote | HttpRemote) {
    this.#remote = remote
  }

  /** The name as written by the user. */
  get name(): string {
    return this.#remote.kind === 's3' ? this.#remote.location.name : this.#remote.url.href
  }

  /** True when there is a writer's credential. */
  get canWrite(): boolean {
    return this.#remote.writer !== null
  }

  /**
   * Reads the list of a part.
   *
   * @returns null when there is none
   * @throws Error when the remote cache fails or refuses, like all methods
   */
  async readList(part: number): Promise<Uint8Array | null> {
    const chunks: Uint8Array[] = []
    const found = await this.#read(this.#listKey(part), listBytesMax, (chunk) => {
      chunks.push(chunk)
    })
    return found ? Buffer.concat(chunks) : null
  }

  /**
   * Reads a pack into a new file; retries once when the connection breaks or the server fails.
   *
   * @returns null when there is none; else whether its bytes match the pack's hash
   */
  async readPack(pack: ListedPack, path: string): Promise<boolean | null> {
    try {
      return await this.#readPack(pack, path)
    } catch (error) {
      if (error instanceof LastingError) throw error
      removeFile(path)
      await pause(repeatMilliseconds)
      return this.#readPack(pack, path)
    }
  }

  async writePack({ sha256, bytes }: ListedPack, path: string): Promise<void> {
    const body = { bytes, stream: createReadStream(path, { end: bytes - 1 }) }
    await this.#write(this.#packKey(sha256), { method: 'PUT', body, sha256 })
  }

  async writeList(part: number, list: Buffer): Promise<void> {
    const body = { bytes: list.length, stream: Readable.from([list]) }
    await this.#write(this.#listKey(part), { method: 'PUT', body, sha256: hash('sha256', list) })
  }

  /** Removes a pack. Not every server supports it: some expire packs themselves. @returns false on failure */
  async removePack({ sha256 }: ListedPack): Promise<boolean> {
    return this.#write(this.#packKey(sha256), { method: 'DELETE' }).then(
      () => true,
      () => false,
    )
  }

  async #readPack({ sha256, bytes }: ListedPack, path: string): Promise<boolean | null> {
    const digest = createHash('sha256')
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600 })
    const written = finished(file)
    // Reported by the await below.
    written.catch(() => {})
    const found = await this.#read(this.#packKey(sha256), bytes, async (chunk) => {
      digest.update(chunk)
      if (!file.write(chunk)) await Promise.race([once(file, 'drain'), written])
    }).finally(() => {
      file.end()
      // The file certainly exists only from here on, so that a second attempt can remove it first.
      return written
    })
    return found ? digest.digest('hex') === sha256 : null
  }

  async #read(
    key: string,
    bytesMax: number,
    receive: (chunk: Uint8Array) => void | Promise<void>,
  ): Promise<boolean> {
    const request = await this.#request('reader', key, { method: 'GET' })
    const status = await sendRequest({ ...request, bytesMax, pauseMax: pauseMax.read }, receive)
    if (status !== 200 && status !== 404) {
      const mayPass = status >= 500 || status === 408 || status === 429
      throw new (mayPass ? Error : LastingError)(`it responded with status ${status}`)
    }
    return status === 200
  }

  async #write(key: string, outgoing: Outgoing): Promise<void> {
    const request = await this.#request('writer', key, outgoing)
    const status = await sendRequest({ ...request, bytesMax: 64 * 1024, pauseMax: pauseMax.write })
    if (status < 200 || status > 299) throw new Error(`it refused a write with status ${status}`)
  }

  async #request(role: 'reader' | 'writer', key: string, { method, body, sha256 }: Outgoing) {
    const remote = this.#remote
    const { url, headers } =
      remote.kind === 's3'
        ? await signed(remote, role, key, { method, sha256: sha256 ?? hash('sha256', '') })
        : { url: new URL(key, remote.url), headers: authorization(remote[role]) }
    return { method, url, headers, ...(body === undefined ? {} : { body }) }
  }

  #packKey(sha256: string): string {
    return this.#remote.kind === 's3' ? `cache/${packSchema}/${sha256}.pack` : `cas/${sha256}`
  }

  #listKey(part: number): string {
    if (this.#remote.kind === 's3') return `cache/${packSchema}/list-${part}.json`
    // A server may share names between paths.
    const { pathname } = this.#remote.url
    return `ac/${hash('sha256', JSON.stringify(['quarry cache', packSchema, pathname, part]))}`
  }
}

async function signed(
  remote: S3Remote,
  role: 'reader' | 'writer',
  key: string,
  { method, sha256 }: { readonly method: string; readonly sha256: string },
) {
  const credentials = remote[role]
  if (credentials === null) throw new Error('AWS_ACCESS_KEY_ID is not set')
  const { bucketUrl, prefix, region } = remote.location
  const url = new URL(`${bucketUrl}${prefix}${key}`)
  const client = new AwsClient({ ...credentials, service: 's3', region })
  const request = await client.sign(url, { method, headers: { 'x-amz-content-sha256': sha256 } })
  return { url, headers: Object.fromEntries(request.headers) }
}

/** `user:password`, or a token. */
function authorization(token: string | null): Readonly<Record<string, string>> {
  if (token === null) return {}
  const isPassword = token.includes(':')
  const value = isPassword ? `Basic ${Buffer.from(token).toString('base64')}` : `Bearer ${token}`
  return { authorization: value }
}
