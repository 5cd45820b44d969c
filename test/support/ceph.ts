// A store of S3 of one's own: Ceph's object gateway, in memory.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AwsClient } from 'aws4fetch'
import { freePort, startProgram } from './process.ts'
import { provideProgram } from './programs.ts'

/** Makes sure that Ceph is there; null, or why it is not. */
export function provideCeph(): string | null {
  const programs = ['radosgw', 'ceph-mon', 'ceph-osd']
  return programs.reduce<string | null>((reason, name) => reason ?? provideProgram(name), null)
}

/** A running store, and who may use it. */
export interface S3Server {
  readonly endpoint: string
  /** Variables of a command that uses it. */
  readonly environment: Readonly<Record<string, string>>
  /** Creates a bucket. */
  createBucket(name: string): Promise<void>
  /** The objects of a bucket by name, a thousand at most. */
  readAll(bucket: string): Promise<ReadonlyMap<string, ArrayBuffer>>
  stop(): Promise<void>
}

const credentials = { accessKeyId: 'QUARRYKEY', secretAccessKey: 'quarrysecret' }

/** Starts a store; it takes some seconds. */
export async function startCeph(): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-ceph-'))
  const ports = [await freePort(), await freePort(), 6800 + Math.floor(Math.random() * 900) * 20]
  const script = join(import.meta.dirname, 'ceph-rgw.sh')
  const program = await startProgram('bash', [script, folder, ...ports.map(String)], {
    cwd: folder,
    ready: /gateway is ready/,
  })
  const stop = async () => {
    await program.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { ...s3At(`http://127.0.0.1:${ports[0]}`), stop }
}

/** The same store under another address: behind a proxy. */
export function s3At(endpoint: string): Omit<S3Server, 'stop'> {
  const client = new AwsClient({ ...credentials, service: 's3', region: 'us-east-1' })
  return {
    endpoint,
    environment: {
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      AWS_ENDPOINT_URL: endpoint,
    },
    createBucket: async (name) => {
      const { ok, status } = await client.fetch(`${endpoint}/${name}`, { method: 'PUT' })
      if (!ok) throw new Error(`The bucket ${name} was refused with ${status}.`)
    },
    readAll: async (bucket) => {
      const list = await (await client.fetch(`${endpoint}/${bucket}?list-type=2`)).text()
      const objects = new Map<string, ArrayBuffer>()
      for (const [, key = ''] of list.matchAll(/<Key>([^<]+)</g)) {
        objects.set(key, await (await client.fetch(`${endpoint}/${bucket}/${key}`)).arrayBuffer())
      }
      return objects
    },
  }
}
