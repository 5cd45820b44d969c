// Real hosts with a deployment, asked for every private byte by every spelling.
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openCloudFront } from '../conformance/cloudfront.ts'
import { openLambda, openNetlify } from '../conformance/functions.ts'
import type { HostUnderTest } from '../conformance/host.ts'
import { openNginx } from '../conformance/nginx.ts'
import { type ListeningHost, openBun, openCloudflare, openDeno } from '../conformance/programs.ts'
import { openVercel } from '../conformance/vercel.ts'
import { run } from '../support/command-line.ts'
import { provideNginx } from '../support/nginx.ts'

/** Private files that are asked for, each by every spelling; all of them take minutes on some hosts. */
const isWhole = process.env['QUARRY_PROBE_ALL'] !== undefined
const files = (count: number) => (isWhole ? [] : ['--files', String(count)])
const timeout = isWhole ? 1_200_000 : 300_000

async function expectClosed(
  name: string,
  open: () => Promise<ListeningHost>,
  check: (host: ListeningHost) => Promise<void> = async () => {},
  count = 30,
): Promise<void> {
  const host = await open()
  const { url, folder, site, close } = host
  await check(host)
  const words = ['doctor', '--probe', url, ...files(count)]
  const { exitCode, stdout, stderr } = await run(folder, words, { QUARRY_KEY: site.keys.other })
  await close?.()
  process.stdout.write(`${name}: ${stdout.trim().split('\n').at(-1)}\n`)
  expect(stderr).toBe('')
  expect(stdout).toMatch(/: 0 findings\. [\d,]{5,} probes: 0 leaks\.\n$/)
  expect(exitCode).toBe(0)
}

/** Every asset but images, by its own path: keys, records and precomputed responses are among them. */
async function expectNoAsset({ url, files }: ListeningHost): Promise<void> {
  const folder = files?.folder ?? ''
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .filter((name) => !name.startsWith('media/'))
  expect(names.some((name) => name.startsWith('responses/'))).toBe(true)
  const spellings = (name: string) => [
    ...[
      `/${name}`,
      `/./${name}`,
      `/%2e/${name}`,
      `/${name}?x`,
      `/assets/${name}`,
      `/v1/../${name}`,
    ],
    ...[`/media/../${name}`, `/media/%2e%2e/${name}`, `/${name.replace('/', '%2f')}`, `//${name}`],
  ]
  for (const path of names.flatMap(spellings)) {
    const response = await fetch(`${url}${path}`)
    const text = await response.text()
    expect([401, 404], path).toContain(response.status)
    expect(Object.keys(JSON.parse(text)).sort().join(), path).toMatch(/^(details,)?error,message$/)
  }
}

/** A function that is called, and no program, behind a server of Node. */
async function listening(
  open: () => Promise<HostUnderTest & { readonly out: string }>,
): Promise<ListeningHost> {
  const host = await open()
  const server = createServer(async (incoming, outgoing) => {
    const { url = '/', method = 'GET', headers } = incoming
    const sent = Object.entries(headers).map(([name, value]) => [name, String(value)])
    const response = await host
      .request(url, { method, headers: Object.fromEntries(sent) })
      .catch(() => new Response('{"error":"Bad Request"}', { status: 400 }))
    outgoing.writeHead(response.status, Object.fromEntries((response as Response).headers))
    outgoing.end(Buffer.from(await response.arrayBuffer()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    ...host,
    url: `http://127.0.0.1:${port}`,
    folder: dirname(host.out),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await host.close?.()
    },
  }
}

/** Hosts whose network is ours: the paths of requests are those of Node. */
function expectFunctionClosed(
  name: string,
  open: () => Promise<HostUnderTest & { readonly out: string }>,
): Promise<void> {
  return expectClosed(name, () => listening(open), undefined, 10)
}

describe('no private byte without a key', () => {
  it(
    'comes from workerd, whose assets hold all of them',
    () => expectClosed('workerd', openCloudflare, expectNoAsset),
    timeout,
  )

  it.skipIf(provideNginx() !== null)(
    'comes from nginx before quarry serve',
    () => expectClosed('nginx', openNginx),
    timeout,
  )

  it("comes from Netlify's function", () => expectFunctionClosed('netlify', openNetlify), timeout)

  it(
    "comes from Lambda's handler",
    () => expectFunctionClosed('aws-lambda', () => openLambda('function URL', false)),
    timeout,
  )

  it(
    "comes from Vercel's routes and function",
    () => expectFunctionClosed('vercel', openVercel),
    timeout,
  )

  it(
    'comes from CloudFront, a bucket and Lambda',
    () => expectFunctionClosed('cloudfront', openCloudFront),
    timeout,
  )

  it('comes from Deno', () => expectClosed('deno', openDeno), timeout)

  it('comes from Bun', () => expectClosed('bun', openBun), timeout)
})
