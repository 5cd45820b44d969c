// The requests of the black box, asked of real hosts, which respond as `quarry serve` does over the same build.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Answer, ask, readRequests } from '../blackbox/requests.ts'
import { keys } from '../blackbox/site.ts'
import { run, type Server, serve } from '../support/command-line.ts'
import { provideNginx } from '../support/nginx.ts'
import { openBun, openCloudflare, openDeno, openNginx, type RealHost, settings } from './hosts.ts'

/** Without the page, encoded bodies, and paths that `Request` resolves: hosts of functions have their own way with them. */
const requests = [...readRequests('sample'), ...readRequests('hosts')].filter(
  ({ line }) => !/^\w+ (?:\/ \||\S+\/(?:\.|%2e){2}\/)|Accept-Encoding/.test(line),
)

const compared = [
  ...['content-type', 'cache-control', 'etag', 'location', 'allow', 'www-authenticate'],
  ...['x-ignored-parameters', 'access-control-allow-origin', 'access-control-allow-headers'],
]
/** Headers of a file that a host serves by itself are the host's, as far as they are not about its content. */
const comparedOfFiles = ['content-type', 'location', 'access-control-allow-origin']

describe.each([
  ['Bun', openBun],
  ['Deno', openDeno],
  ['workerd', openCloudflare],
  ['nginx before quarry serve', openNginx],
] as const)('%s', (name, open) => {
  const isProxy = open === openNginx
  let host: RealHost
  let served: Server
  let build = ''

  beforeAll(async () => {
    if (isProxy) expect(provideNginx()).toBeNull()
    host = await open()
    served = await serve(host.folder, settings)
    build = JSON.parse(readFileSync(join(host.folder, 'dist/manifest.json'), 'utf8')).build
  }, 120_000)

  const shown = ({ request, status, headers, size, hash, etag }: Answer) => {
    const names = isProxy ? comparedOfFiles : compared
    // An empty body has no type, or that which the host gives it.
    const own = names.filter((name) => name !== 'content-type' || size > 0)
    const about = own.map((name) => `${name}: ${headers.get(name)}`)
    const isKeyed = /\bAuthorization\b/i.test(headers.get('vary') ?? '')
    return [request.line.slice(0, 100), status, hash, isProxy ? '' : etag, isKeyed, ...about]
  }

  it('responds to every request as quarry serve does', async () => {
    // nginx refuses a malformed target before it reads the headers: a 400 with any key.
    const asked = requests.filter(({ line }) => !isProxy || !/^GET \/v2\/posts\/%$/.test(line))
    const builds = { '': build, Before: build }
    const isOfProxy = ({ status, headers }: Answer) =>
      status === 503 && headers.get('content-type')?.startsWith('text/plain')
    // Wrangler's proxy refuses a POST, or resets it, when the worker has just closed the connection.
    const send = async (tries: number): Promise<readonly Answer[]> => {
      try {
        const found = await ask(host.url, asked, builds)
        if (tries === 1 || !found.some(isOfProxy)) return found
      } catch (error) {
        if (tries === 1) throw error
      }
      return send(tries - 1)
    }
    const answers = await send(open === openCloudflare ? 4 : 1)
    const expected = await ask(served.url, asked, builds)
    const pairs = answers.map((answer, at) => [answer, expected[at] ?? answer].map(shown))
    expect(pairs.filter(([found, wanted]) => !isDeepStrictEqual(found, wanted))).toEqual([])
    const ids = new Set(answers.map(({ headers }) => headers.has('x-request-id')))
    expect([...ids]).toEqual([true])
  }, 120_000)

  it('gives no private byte without a key', { timeout: 1_200_000 }, async () => {
    // Wrangler takes a while for each request.
    const files = open === openCloudflare ? '2' : '20'
    const words = ['doctor', host.url, '--files', files]
    const { exitCode, stdout, stderr } = await run(host.folder, words, {
      QUARRY_KEY: keys['notes'] ?? '',
    })
    process.stdout.write(`${name}: ${stdout.trim().split('\n').at(-1)}\n`)
    expect([stderr, exitCode]).toEqual(['', 0])
    expect(stdout).toMatch(/: 0 findings\. [\d,]{5,} probes: 0 leaks\.\n$/)
    if (open === openCloudflare) await expectNoAsset(host)
  })

  it.skipIf(isProxy)(
    'responds from its start on, while clients leave, and depends on none of them',
    async () => {
      const targets = listOf(`posts?categories=news posts?limit=all&tags=alpha tags posts?limit=7
        posts/post-2?format=markdown&x=1 posts?query=aragraph%201 posts/none`).map(
        (path) => `${host.url}/v1/journal/${path}`,
      )
      const expected = await Promise.all(targets.map(async (url) => (await fetch(url)).text()))
      const send = async (number: number) => {
        const at = number % targets.length
        const leaves = number % 3 === 0 ? AbortSignal.timeout(1 + (number % 20)) : null
        const get = async () => (await fetch(targets[at] ?? '', { signal: leaves })).text()
        try {
          // A connection to the process before the restart may be reset.
          const text = await get().catch((error) =>
            error?.cause?.code === 'ECONNRESET' ? get() : Promise.reject(error),
          )
          expect(text).toBe(expected[at])
        } catch (error) {
          if (leaves?.aborted !== true) throw error
        }
      }
      for (let turn = 0; turn < 3; turn++) {
        await host.restart()
        await Promise.all(Array.from({ length: 36 }, (_, number) => send(number + turn)))
      }
    },
    120_000,
  )

  it.skipIf(isProxy)(
    'never ends a long response as a whole one whose bytes are damaged',
    async () => {
      const target = `${host.url}/v1/long/posts?limit=all`
      const read = async () =>
        (await fetch(target, { headers: { 'accept-encoding': 'identity' } })).text()
      expect((await read()).length).toBeGreaterThan(1024 * 1024)
      for (const part of readdirSync(join(host.files, 'data')).filter((one) =>
        one.startsWith('part-'),
      )) {
        const path = join(host.files, 'data', part)
        const bytes = readFileSync(path)
        // Within the HTML of a post, which comes before the Markdown and is about as long.
        const at = Math.floor(bytes.length / 4)
        bytes[at] = (bytes[at] ?? 0) ^ 1
        writeFileSync(path, bytes)
      }
      await host.restart()
      // Bun resets the connection before the head, the others after it.
      await expect(read()).rejects.toThrow()
    },
    120_000,
  )

  // The last one: the function does not come back.
  it.runIf(isProxy)(
    'sends the files of canonical requests without the function, and needs it for all others',
    async () => {
      const files =
        listOf(`notes/posts notes/posts?page=2 notes/posts/note-3 notes/tags notes/authors
        notes/posts?page=1&limit=10&order=desc&format=html&excludeContent=false&include=
        notes/posts?utm_source=a%20b&fbclid=x notes/posts?PAGE=2&unknown=1 notes/posts?&
        notes/posts/note-1?format=markdown journal/posts/post-3`)
      const others = listOf(`notes/posts?page=02 notes/posts?limit=7 notes/posts?limit=all&page=2
        notes/posts?tags=a notes/posts?query=x notes/posts?strict=true notes/posts?fields.a=1
        notes/posts?page=1&page=2 journal/posts journal/tags vault/posts vault/posts/one
        notes/posts/nobody notes/posts/_all notes/posts/_page/2.json notes/posts/index.json
        notes/posts.json`)
      const wanted = await Promise.all(
        files.map(async (path) => (await fetch(`${served.url}/v1/${path}`)).text()),
      )
      await host.stopFunction()
      for (const [at, path] of files.entries()) {
        const response = await fetch(`${host.url}/v1/${path}`)
        expect([path, response.status, await response.text()]).toEqual([path, 200, wanted[at]])
      }
      for (const path of others) {
        // Nothing that a cache before the function has kept.
        const { status } = await fetch(
          `${host.url}/v1/${path}${path.includes('?') ? '&' : '?'}fresh=1`,
        )
        expect(status, path).toBeGreaterThanOrEqual(500)
      }
    },
  )
})

/** Words between white space. */
function listOf(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}

/** Assets but images, by their own path: keys, records and one of ten precomputed responses are among them. */
async function expectNoAsset({ url, files }: RealHost): Promise<void> {
  const names = readdirSync(files, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(files.length + 1))
    .filter((name) => !name.startsWith('media/'))
    .filter((name, at) => at % 10 === 0 || !name.startsWith('responses/'))
  expect(names.some((name) => name.startsWith('responses/'))).toBe(true)
  for (const name of names)
    for (const path of [
      `/${name}`,
      `/%2e/${name}`,
      `/${name}?x`,
      `/assets/${name}`,
      `//${name}`,
    ].concat(`/v1/../${name}`, `/media/%2e%2e/${name}`, `/${name.replace('/', '%2f')}`))
      expect([401, 404], path).toContain((await fetch(`${url}${path}`)).status)
}
