// Cloudflare's R2 as a store of S3: a bucket of workerd behind a worker that speaks S3; and the worker of a deployment
// that reads from the same bucket.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type S3Server, s3At } from './ceph.ts'
import { provideHostPackages } from './host-packages.ts'

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
  const server = startWorkerd({ workers: [storeWorker, siteWorker], r2Persist: folder })
  const { origin } = await server.ready
  const site = (await server.unsafeGetDirectURL('site')).origin
  return { ...s3At(origin), site, stop: () => server.dispose() }
}

const compatibilityDate = '2026-01-01'
const r2Buckets = { BUCKET: 'bucket' }

const storeWorker = {
  name: 'store',
  modules: true,
  script: readFileSync(join(import.meta.dirname, 'r2-store-worker.mjs'), 'utf8'),
  compatibilityDate,
  r2Buckets,
}

function startWorkerd(options: object): Miniflare {
  const main = join(provideHostPackages('wrangler'), 'miniflare/dist/src/index.js')
  const { Miniflare }: MiniflareModule = createRequire(import.meta.url)(main)
  return new Miniflare({ ...options, host: '127.0.0.1', port: 0 })
}
