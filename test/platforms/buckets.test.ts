// The commands that the documentation gives for buckets, run as they are. QUARRY_S3 names a server that speaks the
// protocol of S3, with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; without it only the keys on the disk are looked at.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listFiles } from '../../src/emit/output-folder.ts'
import type { StoredObject } from '../../src/platforms/static/objects.ts'
import { type Deployed, deployExample } from '../conformance/deployed.ts'
import { askHandler, type ServedFolder, serveFolder } from '../support/served-site.ts'

const text = readFileSync(join(import.meta.dirname, '../../docs/deploying/static.md'), 'utf8')
const endpoint = process.env['QUARRY_S3']

let deployed: Deployed
let served: ServedFolder
let objects: readonly StoredObject[]

beforeAll(async () => {
  deployed = await deployExample('static')
  served = await serveFolder(join(deployed.folder, 'dist'))
  objects = JSON.parse(readFileSync(join(deployed.folder, 'deploy/static/objects.json'), 'utf8'))
  runCommands('keys')
})
afterAll(() => {
  served.close()
  deployed.remove()
})

/** Runs the block of commands under a mark. */
function runCommands(mark: string, variables: Readonly<Record<string, string>> = {}): void {
  const block = text.split(`<!-- ${mark} -->\n\`\`\`sh\n`)[1]?.split('\n```')[0] ?? 'exit 1'
  const { AWS_CA_BUNDLE: _, ...inherited } = process.env
  const env = { ...inherited, ...(endpoint && { AWS_ENDPOINT_URL: endpoint }), ...variables }
  execFileSync('bash', ['-euo', 'pipefail', '-c', block], {
    cwd: deployed.folder,
    env,
    stdio: 'pipe',
  })
}

const folders = () =>
  readFileSync(join(deployed.folder, 'deploy/keys.tsv'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t') as [folder: string, type: string, control: string])

describe('the files for the keys of a bucket', () => {
  it('are those of all objects, each in a folder of its type and cache times', () => {
    const found = folders().flatMap(([folder, contentType, cacheControl]) =>
      listFiles(join(deployed.folder, folder)).map((key) => {
        const bytes = readFileSync(join(deployed.folder, folder, key))
        return [key, { contentType, cacheControl, bytes: bytes.toString('latin1') }] as const
      }),
    )
    expect(found.length).toBe(objects.length)
    const byKey = new Map(found)
    for (const { key, file, contentType, cacheControl } of objects) {
      const bytes = readFileSync(join(deployed.folder, 'deploy/static', file)).toString('latin1')
      expect(byKey.get(key), key).toEqual({ contentType, cacheControl, bytes })
    }
  })

  it('are uploaded before the lists that name them', () => {
    const keysOf = (stage: string) =>
      folders()
        .filter(([folder]) => folder.startsWith(`deploy/keys/${stage}/`))
        .flatMap(([folder]) => listFiles(join(deployed.folder, folder)))
    expect(keysOf('1')).toContain('v1/acme/posts/post-1')
    expect(keysOf('1')).toContain('v1/acme/posts/_markdown/post-1')
    expect(keysOf('1').filter((key) => key.startsWith('media/'))).toHaveLength(1)
    const lists = [
      'v1/acme/posts',
      'v1/acme/posts/_page/2',
      'v1/acme/tags/alpha/_posts/1',
      'v1/acme/posts/_markdown/_page/2',
    ]
    expect(keysOf('2')).toEqual(expect.arrayContaining(lists))
    expect(keysOf('2').filter((key) => /^v1\/\w+\/\w+\/[^_/]+$/.test(key))).toEqual([])
  })
})

describe.skipIf(endpoint === undefined).each(['s3', 'rclone-keys'])(
  'a bucket, by the commands of %s',
  (mark) => {
    const bucket = `quarry-${mark}-${process.pid}`
    const aws = (...words: string[]) =>
      execFileSync('aws', words, {
        env: { ...process.env, AWS_ENDPOINT_URL: endpoint },
        stdio: 'pipe',
      })
    const request = (key: string, query = '') =>
      fetch(`${endpoint}/${bucket}/${key.split('/').map(encodeURIComponent).join('/')}${query}`)

    beforeAll(() => {
      const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = process.env
      const Resource = [`arn:aws:s3:::${bucket}/*`]
      const Statement = [{ Effect: 'Allow', Principal: '*', Action: ['s3:GetObject'], Resource }]
      aws('s3', 'mb', `s3://${bucket}`)
      aws(
        's3api',
        'put-bucket-policy',
        '--bucket',
        bucket,
        '--policy',
        JSON.stringify({ Version: '2012-10-17', Statement }),
      )
      runCommands(mark, {
        bucket,
        target: `ceph:${bucket}`,
        RCLONE_CONFIG_CEPH_TYPE: 's3',
        RCLONE_CONFIG_CEPH_PROVIDER: 'Ceph',
        RCLONE_CONFIG_CEPH_ENDPOINT: endpoint ?? '',
        RCLONE_CONFIG_CEPH_ACCESS_KEY_ID: AWS_ACCESS_KEY_ID,
        RCLONE_CONFIG_CEPH_SECRET_ACCESS_KEY: AWS_SECRET_ACCESS_KEY,
      })
    })
    afterAll(() => {
      aws('s3', 'rb', `s3://${bucket}`, '--force')
    })

    it('gives every documented path the body of the function', { timeout: 120_000 }, async () => {
      const handler = served.handler({ now: () => deployed.site.now })
      let documented = 0
      for (const { key, file, contentType, cacheControl } of objects) {
        const response = await request(key)
        const { headers } = response
        expect(
          [response.status, headers.get('content-type'), headers.get('cache-control')],
          key,
        ).toEqual([200, contentType, cacheControl])
        const body = Buffer.from(await response.arrayBuffer())
        expect(body.equals(readFileSync(join(deployed.folder, 'deploy/static', file))), key).toBe(
          true,
        )
        if (!/^v1\/[^_]*$/.test(key)) continue
        documented += 1
        const target = `/${key.split('/').map(encodeURIComponent).join('/')}`
        expect(body.toString(), key).toBe((await askHandler(handler, target)).text)
      }
      process.stdout.write(
        `${mark}: ${objects.length} objects, ${documented} of them documented paths\n`,
      )
      expect(documented).toBeGreaterThan(100)
    })

    it('ignores a query, as the documentation says, and gives nothing of v2 or a closed workspace', async () => {
      const first = await (await request('v1/acme/posts')).text()
      for (const query of ['?page=2', '?tags=alpha', '?query=x', '?strict=true']) {
        expect(await (await request('v1/acme/posts', query)).text(), query).toBe(first)
      }
      expect((await request('v1/acme/posts', '?acl')).status).toBe(403)
      for (const key of [
        'v2/posts',
        'v1/secret/posts',
        'v1/acme/posts/a-draft',
        'v1/acme/nothing',
      ]) {
        expect((await request(key)).status, key).toBe(403)
      }
    })

    it('loses the objects that are named no longer', { timeout: 120_000 }, async () => {
      aws(
        's3',
        'cp',
        join(deployed.folder, 'deploy/static/objects.json'),
        `s3://${bucket}/v1/acme/posts/withdrawn`,
      )
      expect((await request('v1/acme/posts/withdrawn')).status).toBe(200)
      runCommands('s3-remove', { bucket })
      expect((await request('v1/acme/posts/withdrawn')).status).toBe(403)
      expect((await request('v1/acme/posts')).status).toBe(200)
    })
  },
)
