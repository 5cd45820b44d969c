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
      const all = name === 'other' ? ['--probe'] : []
      const { exitCode, stdout } = await doctorWith(fixture.site.keys[name], url, ...all)
      process.stdout.write(`node: ${stdout.trim().split('\n').at(-1)}\n`)
      expect(stdout).toMatch(/\n16 checks: 0 findings\. [\d,]{5,} probes: 0 leaks\.\n$/)
      expect(stdout).toContain('ok shared caches do not store v2')
      expect(exitCode).toBe(0)
    },
  )

  it('announces a sample, or all requests, before it sends any', async () => {
    const sent = async (...words: readonly string[]) => {
      const targets: string[] = []
      const silent = await listen((target) => {
        targets.push(target)
        return [404, '{}']
      })
      const { stdout } = await doctor(...words.map((word) => (word === 'URL' ? silent.url : word)))
      silent.server.close()
      const [line = ''] = stdout.split('\n')
      const [, count = '', files, all] =
        /^Sending about ([\d,]+) requests to \S+ for (\d+) of (\d+) private files/.exec(line) ?? []
      const announced = Number(count.replaceAll(',', ''))
      expect(Math.abs(announced - targets.length)).toBeLessThan(10)
      return { announced, files: Number(files), all: Number(all), line }
    }
    const sample = await sent('URL')
    expect(sample.files).toBe(2)
    expect(sample.line).toContain('--probe requests all of them')
    expect((await sent('--probe', 'URL', '--files', '3')).files).toBe(3)
    const whole = await sent('--probe', 'URL')
    expect(whole.files).toBe(whole.all)
    expect(whole.announced).toBeGreaterThan(3 * sample.announced)
    expect(whole.line).not.toContain('--probe')
  })

  it('counts the requests that a rate limit hid', async () => {
    const limited = await listen((target) => [target.startsWith('/private') ? 429 : 404, '{}'])
    const { stdout } = await doctor(limited.url)
    limited.server.close()
    expect(stdout).toMatch(/ {2}[\d,]+ responses of 429: the rate limit hid/)
  })

  it('refuses a key that opens nothing', async () => {
    const { exitCode, stderr } = await doctorWith(fixture.site.keys.expired, '--probe', url)
    expect(stderr).toContain('The key is not valid for this build')
    expect(exitCode).toBe(2)
  })

  it('tells of another build, and of a deployment without a key that it should ask for', async () => {
    const careless = await listen((target) => {
      if (target === '/status') return [200, '{"status":"ok","build":"0000"}']
      return [200, readFileSync(join(fixture.out, 'private/v2/acme/posts/index.json'), 'utf8')]
    })
    const { exitCode, stdout } = await doctor('--probe', careless.url, '--files', '1')
    careless.server.close()
    expect(stdout).toContain('finding the deployment has this build: it has 0000')
    expect(stdout).toContain('finding parameters have an effect')
    expect(stdout).toContain('finding a request without a key is a 401: is a 200')
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
    expect(stdout).toMatch(/probes: [\d,]+ leaks\./)
    expect(exitCode).toBe(1)
    expect(target).toMatch(/^\//)
  })
})

describe('quarry doctor, wrongly used', () => {
  it.each([
    [['--probe', 'ftp://example.com'], 'must be an address'],
    [[], 'Pass the URL of the deployment'],
    [['--probe'], 'Pass the URL of the deployment'],
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
