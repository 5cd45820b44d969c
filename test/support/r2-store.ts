// Cloudflare's R2 as a store of S3: a bucket of workerd behind a worker that speaks S3; and the worker of a deployment
// that reads from the same bucket.
import { type EventEmitter, on, once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type S3Server, s3At } from './ceph.ts'
import { provideHostPackages } from './host-packages.ts'
import { freePort } from './process.ts'

/** The part of miniflare that is used. */
interface MiniflareModule {
  readonly Miniflare: new (options: object) => Miniflare
}

interface Miniflare {
  readonly ready: Promise<URL>
  unsafeGetDirectURL(worker: string): Promise<URL>
  dispose(): Promise<void>
}

/** Starts workerd with an empty bucket, in memory. */
export async function startR2(): Promise<S3Server> {
  const server = startWorkerd({ workers: [storeWorker] })
  const { origin } = await server.ready
  return { ...s3At(origin), stop: () => server.dispose() }
}

/** A store, and the site of the build that was published to it. */
export interface R2Site extends S3Server {
  /** Where the worker listens. */
  readonly site: string
  /** The bytes of the worker's heap and of its buffers, which its host bounds together. */
  heapBytes(): Promise<number>
}

/**
 * Starts workerd with a bucket in a folder, and the worker that a deployment to Cloudflare runs with `storage: 'r2'`.
 *
 * @param folder of the bucket: a later start finds what was published
 */
export async function startR2Site(folder: string): Promise<R2Site> {
  const programs = join(import.meta.dirname, '../../.lib/functions')
  const names = ['cloudflare-r2.js', 'feeds.mjs', 'mcp.mjs']
  const siteWorker = {
    name: 'site',
    modules: names.map((name) => ({ type: 'ESModule', path: join(programs, name) })),
    modulesRoot: programs,
    compatibilityDate,
    r2Buckets,
    bindings: { QUARRY_RATE_LIMIT: 'off' },
    serviceBindings: { ASSETS: () => new Response(null, { status: 404 }) },
    unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
  }
  const inspectorPort = await freePort()
  const workers = [storeWorker, siteWorker]
  const server = startWorkerd({ workers, r2Persist: folder, inspectorPort })
  const { origin } = await server.ready
  const site = (await server.unsafeGetDirectURL('site')).origin
  const inspector = await openInspector(inspectorPort)
  const stop = async () => {
    inspector.close()
    await server.dispose()
  }
  return { ...s3At(origin), site, heapBytes: inspector.heapBytes, stop }
}

/** Opens workerd's inspector of the site's worker, which speaks the protocol of Chrome's developer tools. */
async function openInspector(port: number): Promise<{
  heapBytes(): Promise<number>
  close(): void
}> {
  const listed = await fetch(`http://127.0.0.1:${port}/json/list`)
  const targets = (await listed.json()) as readonly { id: string; webSocketDebuggerUrl: string }[]
  const target = targets.find(({ id }) => id === 'core:user:site')
  if (target === undefined) throw new Error('workerd shows no worker of the site')
  const WebSocket: WebSocketClient = createRequire(miniflareMain())('ws')
  const socket = new WebSocket(target.webSocketDebuggerUrl)
  await once(socket, 'open')
  let calls = 0
  const heapBytes = async () => {
    const id = ++calls
    socket.send(JSON.stringify({ id, method: 'Runtime.getHeapUsage' }))
    for await (const [message] of on(socket, 'message')) {
      const { id: answered, result } = JSON.parse(String(message))
      if (answered === id) return result.usedSize + result.backingStorageSize
    }
    throw new Error('the inspector has left')
  }
  return { heapBytes, close: () => socket.close() }
}

/** The part of `ws` that is used. */
type WebSocketClient = new (
  url: string,
) => EventEmitter & { send(text: string): void; close(): void }

const compatibilityDate = '2026-01-01'
const r2Buckets = { BUCKET: 'bucket' }

const storeWorker = {
  name: 'store',
  modules: true,
  script: readFileSync(join(import.meta.dirname, 'r2-store-worker.mjs'), 'utf8'),
  compatibilityDate,
  r2Buckets,
}

function miniflareMain(): string {
  return join(provideHostPackages('wrangler'), 'miniflare/dist/src/index.js')
}

function startWorkerd(options: object): Miniflare {
  const { Miniflare }: MiniflareModule = createRequire(import.meta.url)(miniflareMain())
  return new Miniflare({ ...options, host: '127.0.0.1', port: 0 })
}
