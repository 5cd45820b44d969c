// `quarry doctor` with all probes, which take seconds.
import { beforeAll, describe, expect, it } from 'vitest'
import { keys } from '../blackbox/site.ts'
import { run, serve } from '../support/command-line.ts'
import { provideNginx, startNginx } from '../support/nginx.ts'
import { freePort, respondAt } from '../support/process.ts'
import { type BuiltSample, buildSample } from '../support/sample-site.ts'
import { temporarySite } from '../support/temporary-site.ts'

let fixture: BuiltSample
beforeAll(async () => {
  fixture = await buildSample()
})

const doctorWith = (key: string, ...words: readonly string[]) =>
  run(fixture.folder, ['doctor', ...words], { QUARRY_KEY: key })

describe('quarry doctor', () => {
  let url: string
  beforeAll(async () => {
    const environment = { QUARRY_RATE_LIMIT: 'off', QUARRY_MCP: 'on' }
    url = (await serve(fixture.folder, environment)).url
  })

  it('finds nothing at quarry serve, with a key that reads drafts', async () => {
    const { exitCode, stdout } = await doctorWith(keys['drafts'] ?? '', url)
    expect(stdout).toMatch(/\n8 checks: 0 findings\. [\d,]{5,} probes: 0 leaks\.\n$/)
    expect(stdout).toContain('ok the key opens v2, and shared caches do not store it')
    expect(exitCode).toBe(0)
  })

  it('announces the number of its requests, and counts those that a rate limit hid', async () => {
    const site = temporarySite().posts(3)
    await site.build()
    const announced = async (...flags: readonly string[]) => {
      let count = 0
      const silent = await respondAt(({ url = '' }, response) => {
        count++
        response.writeHead(url.startsWith('/private') ? 429 : 404).end('{}')
      })
      const { stdout } = await run(site.folder, ['doctor', silent, ...flags])
      expect(stdout).toMatch(/ leaks, [\d,]+ unknown: start the server/)
      const [line, about = '', files, all] =
        /^Sending about ([\d,]+) requests to \S+ for (\d+) of (\d+) private files.*/.exec(stdout) ??
        []
      expect(Math.abs(Number(about.replaceAll(',', '')) - count)).toBeLessThan(10)
      return { files, all, hasMore: line?.includes('--probe requests all of them') }
    }
    expect(await announced()).toMatchObject({ files: '2', hasMore: true })
    expect(await announced('--files', '3')).toMatchObject({ files: '3', hasMore: true })
    const whole = await announced('--probe')
    expect(whole).toEqual({ files: whole.all, all: whole.all, hasMore: false })
  })
})

it.skipIf(provideNginx() !== null).each([
  ['the whole folder', (out: string) => `root ${out};`],
  ['private alone', (out: string) => `root ${out}/private;`],
  [
    'a folder by another path',
    (out: string) =>
      `root ${out}; location /private/ { return 401; } location /dist/ { alias ${out}/; }`,
  ],
])('finds the leaks of an nginx that serves %s', async (_, body) => {
  const site = temporarySite()
    .posts(3)
    .write('content/vault/workspace.yml', 'v1: private\nreferences: create\n')
    .post('one', {}, 'One.\n', 'vault')
  await site.build()
  const port = await freePort()
  await startNginx(`server { listen 127.0.0.1:${port}; ${body(site.out)} }`, port)
  const words = ['doctor', '--probe', `http://127.0.0.1:${port}`]
  const { exitCode, stdout } = await run(site.folder, words)
  expect(stdout).toMatch(/leak \S+ is a 200 with no key[\s\S]*probes: [\d,]+ leaks\./)
  expect(exitCode).toBe(1)
})
