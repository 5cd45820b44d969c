import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltFixture, buildFixture } from '../conformance/hosts.ts'
import { type Running, run, start } from '../support/command-line.ts'
import { provideNginx, startNginx } from '../support/nginx.ts'
import { freePort } from '../support/process.ts'

let fixture: BuiltFixture
beforeAll(async () => {
  fixture = await buildFixture()
})
afterAll(() => fixture.remove())

const doctor = (...words: readonly string[]) => run(fixture.folder, ['doctor', ...words])
const doctorWith = (key: string, ...words: readonly string[]) =>
  run(fixture.folder, ['doctor', ...words], { QUARRY_KEY: key })

describe('quarry doctor, before quarry serve', () => {
  let served: Running
  let url: string
  beforeAll(async () => {
    served = start(fixture.folder, ['serve', '--port', '0'], {
      ...{ QUARRY_RATE_LIMIT: 'off', QUARRY_MCP: 'on' },
    })
    url = (await served.waitFor(/ at (\S+)/))[1] ?? ''
  })
  afterAll(async () => {
    served.stop('SIGTERM')
    await served.ended
  })

  it.each(['other', 'full', 'drafts'] as const)(
    'finds nothing, with no key and with the key %s',
    async (name) => {
      const files = name === 'other' ? [] : ['--files', '2']
      const { exitCode, stdout } = await doctorWith(
        fixture.site.keys[name],
        '--probe',
        url,
        ...files,
      )
      process.stdout.write(`node: ${stdout.trim().split('\n').at(-1)}\n`)
      expect(stdout).toMatch(/ in [\d,]{5,} requests: 0 leaks\..*: 0 findings\.\n$/)
      expect(stdout).toMatch(/private files and 2 drafts in/)
      expect(stdout).toContain('ok v2 is kept only by its client')
      expect(exitCode).toBe(0)
    },
  )

  it('asks for as many files as it is told', async () => {
    const { stdout } = await doctor('--probe', url, '--files', '3')
    expect(stdout).toContain('Probed 3 private files')
  })

  it('refuses a key that opens nothing', async () => {
    const { exitCode, stderr } = await doctorWith(fixture.site.keys.expired, '--probe', url)
    expect(stderr).toContain('opens none of the workspaces')
    expect(exitCode).toBe(2)
  })

  it('tells of another build, and of a deployment without a key that it should ask for', async () => {
    const careless = await listen((target) => {
      if (target === '/status') return [200, '{"status":"ok","build":"0000"}']
      return [200, readFileSync(join(fixture.out, 'private/v2/acme/posts/index.json'), 'utf8')]
    })
    const { exitCode, stdout } = await doctor('--probe', careless.url, '--files', '1')
    careless.server.close()
    expect(stdout).toContain('finding build: serves build 0000')
    expect(stdout).toContain('finding a query counts')
    expect(stdout).toContain('finding no key is 401: is a 200')
    expect(exitCode).toBe(1)
  })
})

describe.skipIf(provideNginx() !== null)('quarry doctor, before a careless nginx', () => {
  it.each([
    ['shows the whole folder', (out: string) => `root ${out};`, '/private/v2/acme/posts/a.json'],
    ['shows private alone', (out: string) => `root ${out}/private;`, '/v2/acme/posts/a.json'],
    [
      'guards a folder by its name, but not another way to it',
      (out: string) =>
        `root ${out}; location /private/ { return 401; } location /dist/ { alias ${out}/; }`,
      '/dist/private/v2/acme/posts/a.json',
    ],
  ])('tells that it %s', async (_, body, target) => {
    const port = await freePort()
    const text = `server { listen 127.0.0.1:${port}; ${body(fixture.out)} }`
    const nginx = await startNginx(text, port)
    const { exitCode, stdout } = await doctor('--probe', `http://127.0.0.1:${port}`)
    await nginx.stop()
    expect(stdout).toMatch(/leak \S+ is a 200 with no key/)
    expect(stdout).toMatch(/: [\d,]+ leaks\./)
    expect(exitCode).toBe(1)
    expect(target).toMatch(/^\//)
  })
})

describe('quarry doctor, wrongly used', () => {
  it.each([
    [['--probe', 'ftp://example.com'], 'must be an address'],
    [[], '--probe'],
    [['--probe', 'http://127.0.0.1:1', '--files', '0'], 'must be a number'],
    [['--probe', 'http://127.0.0.1:1'], 'No response from'],
    [['--probe', 'http://127.0.0.1:1', '--out', 'nowhere'], 'There is no build'],
  ])('says so: %j', async (words, message) => {
    const { exitCode, stderr } = await doctor(...words)
    expect(stderr).toContain(message)
    expect(exitCode).toBe(2)
  })
})

async function listen(
  response: (target: string) => readonly [number, string],
): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer((incoming, outgoing) => {
    const [status, text] = response(incoming.url ?? '')
    outgoing.writeHead(status, { 'content-type': 'application/json' }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}
