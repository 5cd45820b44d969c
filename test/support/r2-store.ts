// Cloudflare's R2 as a store of S3: a bucket of workerd, in memory, behind a worker that speaks S3.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type S3Server, s3At } from './ceph.ts'
import { provideHostPackages } from './host-packages.ts'

/** The part of miniflare that is used. */
interface MiniflareModule {
  readonly Miniflare: new (
    options: object,
  ) => {
    readonly ready: Promise<URL>
    dispose(): Promise<void>
  }
}

/** Starts workerd with an empty bucket. */
export async function startR2(): Promise<S3Server> {
  const main = join(provideHostPackages('wrangler'), 'miniflare/dist/src/index.js')
  const { Miniflare }: MiniflareModule = createRequire(import.meta.url)(main)
  const server = new Miniflare({
    modules: true,
    script: readFileSync(join(import.meta.dirname, 'r2-store-worker.mjs'), 'utf8'),
    compatibilityDate: '2026-01-01',
    r2Buckets: ['BUCKET'],
    host: '127.0.0.1',
    port: 0,
  })
  const { origin } = await server.ready
  return { ...s3At(origin), stop: () => server.dispose() }
}
