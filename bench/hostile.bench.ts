// Sends legal but expensive requests to `quarry serve`, and prints processor time and the charge: the number of
// requests that each counts as for the rate limit. Fails when a unit of the charge costs more than 10 ms.
// Usage: npm run bench:hostile -- [posts] [part of a name]
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request as send } from 'node:http'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { corpusPosts, writePosts } from './corpus.ts'

const posts = Number(process.argv[2] ?? 4000)
const wanted = process.argv[3] ?? ''
const main = join(import.meta.dirname, '../.lib/cli/main.js')
const folder = mkdtempSync(join(tmpdir(), 'quarry-hostile-bench-'))
const unitMillisecondsMax = 10
/** Maximum milliseconds for a request that is not counted. */
const freeMillisecondsMax = 2
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let server: ChildProcess | undefined
let turn = 0
let probed = 0

interface HostileRequest {
  readonly path: string
  /** @default GET, or POST with a body */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Returns requests of one kind. @param turn differs each time, so that no response is cached */
type Kind = (turn: number) => HostileRequest

try {
  await run()
} finally {
  server?.kill('SIGKILL')
  agent.destroy()
  rmSync(folder, { recursive: true, force: true })
}

async function run(): Promise<void> {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  print(
    `machine   ${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, Node ${process.version}`,
  )
  print(`commit    ${commit}; ${posts} posts of 3 kB, 2,000 tags`)
  const key = buildSite()
  const urls = await startServer()
  print('')
  print(
    'request                                            status      bytes  ms CPU  units  ms/unit',
  )
  let worst = 0
  for (const [name, kind] of Object.entries(kindsOf(key))) {
    if (!name.includes(wanted)) continue
    const { status, bytes, milliseconds, units } = await measure(kind, urls, key)
    const isFree = units === 0
    const each = isFree ? milliseconds : milliseconds / units
    worst = Math.max(worst, each / (isFree ? freeMillisecondsMax : unitMillisecondsMax))
    print(
      `${name.padEnd(50)} ${String(status).padStart(6)} ${String(bytes).padStart(10)} ${milliseconds.toFixed(2).padStart(7)} ${(isFree ? 'none' : units.toFixed(1)).padStart(6)} ${each.toFixed(2).padStart(8)}`,
    )
  }
  if (worst <= 1) return
  print(`\nA request costs ${worst.toFixed(1)} times its charge.`)
  process.exitCode = 1
}

function kindsOf(key: string): Readonly<Record<string, Kind>> {
  const v1 = '/v1/bench'
  const fill = (part: string, length = 8000) => part.repeat(Math.floor(length / part.length))
  const many = (name: (at: number) => string, count = 100) =>
    Array.from({ length: count }, (_, at) => name(at)).join(',')
  const list =
    (query: string, headers: Readonly<Record<string, string>> = {}): Kind =>
    (turn) => ({
      path: `${v1}/posts?${query.replaceAll('TURN', String(turn % 2000)).replaceAll('PAGE', String(1 + (turn % 39)))}&_=${turn}`,
      headers,
    })
  const at = (path: string, headers: Readonly<Record<string, string>> = {}): Kind => {
    return () => ({ path, headers })
  }
  const keyed =
    (path: string): Kind =>
    (turn) => ({
      path: `/v2/${path}${path.includes('?') ? '&' : '?'}_=${turn}`,
      headers: { authorization: `Bearer ${key}` },
    })
  const agents =
    (calls: number, name: string, given: object): Kind =>
    (turn) => ({
      path: '/mcp',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify(
        Array.from({ length: calls }, (_, id) => {
          const params = { name, arguments: { workspace: 'bench', ...given, _: `${turn}-${id}` } }
          return { jsonrpc: '2.0', id, method: 'tools/call', params }
        }),
      ),
    })
  const br = { 'accept-encoding': 'br' }
  const gzip = { 'accept-encoding': 'gzip' }
  return {
    'a path of slashes': at(`/a${'/'.repeat(8180)}b/`),
    'a path of slashes and backslashes': at(`/${fill('\\/')}b/`),
    'a path that ends in slashes': at(`${v1}/posts${'/'.repeat(8000)}`),
    'a path of dots': at(`/${fill('../')}`),
    'a path of percent signs': at(`${v1}/posts/${fill('%')}`),
    'an identifier of 8 kB': at(`${v1}/posts/${fill('%C3%A9')}`),
    'an unknown post': (turn) => ({ path: `${v1}/posts/none-${turn}` }),
    'an alias': at(`${v1}/posts/old-post-7`),
    'an unknown workspace': (turn) => ({ path: `/v1/none-${turn}/posts` }),
    'OPTIONS with 8 kB': () => ({ path: `${v1}/posts?${fill('a&')}`, method: 'OPTIONS' }),
    'a status': at('/status'),
    'the OpenAPI document': at('/openapi.json'),
    'the OpenAPI document, br': at('/openapi.json', br),
    'the explorer, br': at('/', { ...br, accept: 'text/html' }),
    'If-None-Match of 15 kB': list('', { 'if-none-match': fill('W/"a-br",', 15_000) }),
    'Accept-Encoding of 15 kB': list('', { 'accept-encoding': fill('a;q=0,', 15_000) }),
    '3,000 headers': list(
      '',
      Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`a${n}`, ''])),
    ),
    'a key that is none': (turn) => ({
      path: '/v2/posts',
      headers: { authorization: `Bearer qk_${String(turn).padStart(49, '0')}` },
    }),
    '4,000 names without a value': list(fill('a&')),
    '2,000 unknown names': list(fill('%C3=&')),
    '800 unknown names, strict': list(
      `strict=true&${Array.from({ length: 800 }, (_, n) => `a${n}=1`).join('&')}`,
    ),
    '700 unknown fields': list(Array.from({ length: 560 }, (_, n) => `fields.${n}=1`).join('&')),
    'one field 500 times': list(fill('fields.level=a&')),
    'bad percent-encodings': list(fill('tags=%&')),
    'a number of 8 kB': list(`page=${fill('9')}`),
    'a date of 8 kB': list(`publishedAfter=${fill('2')}`),
    'a list of 8 kB': list(`select=${fill('id,')}`),
    '100 filters of each kind': list(
      ['tags', 'excludeTags', 'authors', 'excludeAuthors', 'categories', 'excludeCategories']
        .map((name) => `${name}=${many((n) => `${name.replace(/^exclude/, '')[0]}-${n}`)}`)
        .join('&'),
    ),
    '100 tags': list(`tags=${many((n) => `tag-${n}`)}&limit=100`),
    '100 tags excluded': list(`excludeTags=${many((n) => `rare-${n}`)}&limit=100`),
    '100 ids and slugs': list(
      `slugs=${many((n) => `post-${n}`)}&ids=${many((n) => `post-${n}`)}&limit=100`,
    ),
    '100 values of a field': list(`fields.rating[in]=${many(String)}&limit=100`),
    'a range of a field': list('fields.rating[gte]=1&fields.rating[lte]=900&limit=100'),
    'all but one of a field': list('fields.level[ne]=a&limit=100'),
    'updated, by title, oldest first': list(
      'updatedAfter=2001-01-01&orderBy=title&order=asc&limit=100',
    ),
    'the last page': list(`limit=1&page=${posts}`),
    '100 posts': list('limit=100&page=PAGE'),
    '100 posts, gzip': list('excludeTags=rare-TURN&page=PAGE&limit=100', gzip),
    '100 posts, br': list('excludeTags=rare-TURN&page=PAGE&limit=100', br),
    '100 posts in Markdown, br': list(
      'excludeTags=rare-TURN&page=PAGE&limit=100&format=markdown',
      br,
    ),
    'all posts': list('limit=all'),
    'all posts, gzip': list('excludeTags=rare-TURN&limit=all', gzip),
    'all posts, br': list('excludeTags=rare-TURN&limit=all', br),
    'all posts without content': list('limit=all&excludeContent=true'),
    'all posts without content, br': list(
      'excludeTags=rare-TURN&limit=all&excludeContent=true',
      br,
    ),
    'HEAD of all posts': (turn) => ({ path: `${v1}/posts?limit=all&_=${turn}`, method: 'HEAD' }),
    'one key of all posts': list('limit=all&select=tags'),
    'every key of 100 posts': list(
      'limit=100&select=id,slug,title,content,featured,coverImage,description,publishedAt,updatedAt,attribution,authors,category,tags,fields',
    ),
    facets: list('include=facets&limit=1'),
    'facets of a search, every filter': list(
      `include=facets&limit=1&query=e&tags=${many((n) => `tag-${n}`)}&authors=${many((n) => `author-${n}`)}&categories=${many((n) => `category-${n}`)}`,
    ),
    'facets, br': list('excludeTags=rare-TURN&include=facets&limit=1', br),
    'a query of one letter': list('query=e&limit=100'),
    'a query of two letters': list('query=st&limit=100'),
    'a query that folds to 18 letters': list('query=%EF%B7%BA'),
    'a phrase': list('query=da%20gu%20lo'),
    'a phrase of common words': list('query=e%20a&limit=100'),
    'a query of 256 letters': list(`query=${fill('ab%20', 420)}`),
    'a query of 256 equal letters': list(`query=${fill('e', 256)}`),
    'a query of 256 marks': list(`query=${fill('%CC%81', 6 * 256)}`),
    '10 posts with matches': list('include=matches&query=e&page=PAGE'),
    '100 posts with matches': list('include=matches&query=e&limit=100&page=PAGE'),
    '100 posts with matches and facets, br': list(
      'excludeTags=rare-TURN&include=matches,facets&query=a&limit=100',
      br,
    ),
    'all posts with matches': list('include=matches&query=e&limit=all'),
    'a post with related and neighbours': (turn) => ({
      path: `${v1}/posts/post-3?include=related,neighbours&_=${turn}`,
    }),
    '100 tags with posts': (turn) => ({ path: `${v1}/tags?limit=100&include=posts&_=${turn}` }),
    '100 tags with posts, br': (turn) => ({
      path: `${v1}/tags?limit=100&include=posts&_=${turn}`,
      headers: br,
    }),
    'all authors with posts': (turn) => ({
      path: `${v1}/authors?limit=100&include=posts&_=${turn}`,
    }),
    'a category with 100 posts': (turn) => ({
      path: `${v1}/categories/category-0?include=posts&limit=100&_=${turn}`,
    }),
    'RSS, br': (turn) => ({ path: `${v1}/feed.xml?_=${turn}`, headers: br }),
    'JSON Feed': (turn) => ({ path: `${v1}/feed.json?_=${turn}` }),
    'the sitemap': (turn) => ({ path: `${v1}/sitemap.xml?_=${turn}` }),
    'the sitemap, br': (turn) => ({ path: `${v1}/sitemap.xml?_=${turn}`, headers: br }),
    'llms.txt, br': (turn) => ({ path: `${v1}/llms.txt?_=${turn}`, headers: br }),
    changes: (turn) => ({ path: `${v1}/changes?_=${turn}` }),
    redirects: (turn) => ({ path: `${v1}/redirects?_=${turn}` }),
    'all drafts and posts': keyed('posts?status=all&limit=all'),
    '100 drafts and posts': keyed('posts?status=all&limit=100'),
    'one draft or post': keyed('posts?status=all&limit=1'),
    'facets of drafts and posts': keyed('posts?status=all&limit=1&include=facets'),
    'a draft with related': keyed('posts/post-3?status=all&include=related,neighbours'),
    'the SDK: 100 posts': (turn) => ({
      path: `/v1/posts?limit=100&_=${turn}`,
      headers: { authorization: key },
    }),
    'the SDK: 100 tags': (turn) => ({
      path: `/v1/tags?limit=100&_=${turn}`,
      headers: { authorization: key },
    }),
    'the SDK: 100 images': (turn) => ({
      path: `/v1/media?limit=100&query=e&_=${turn}`,
      headers: { authorization: key },
    }),
    'an agent: no call': () => ({ ...agents(0, '', {})(0), body: '{"jsonrpc":"2.0"}' }),
    'an agent: the tools': () => ({
      ...agents(0, '', {})(0),
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    }),
    'an agent: 100 lists of tools': () => ({
      ...agents(0, '', {})(0),
      body: JSON.stringify(
        Array.from({ length: 100 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' })),
      ),
    }),
    'an agent: 10 posts': agents(1, 'list_posts', { excludeContent: false }),
    'an agent: 10 × 100 posts': agents(10, 'list_posts', { limit: 100, excludeContent: false }),
    'an agent: 100 × 100 posts': agents(100, 'list_posts', { limit: 100, excludeContent: false }),
    'an agent: 10 × matches': agents(10, 'search_posts', { query: 'e', include: 'matches' }),
    'an agent: 30 × matches': agents(30, 'search_posts', {
      query: 'e',
      limit: 100,
      include: ['matches'],
    }),
    'an agent: 120 kB of arguments': agents(1, 'list_posts', { tags: [fill('[', 120_000)] }),
    'an agent: 60 kB of nesting': () => ({
      ...agents(0, '', {})(0),
      body: `${'['.repeat(60_000)}${']'.repeat(60_000)}`,
    }),
  }
}

interface Figures {
  readonly status: number
  readonly bytes: number
  /** Processor time of all threads of the server for one request. */
  readonly milliseconds: number
  /** Number of requests that one request counts as. */
  readonly units: number
}

async function measure(kind: Kind, { url, pid }: Served, key: string): Promise<Figures> {
  for (let warm = 0; warm < 3; warm++) await ask(url, kind(turn++))
  const before = await remaining(url, key)
  const started = processorSeconds(pid)
  const idle = processorSeconds(pid)
  const end = performance.now() + 1500
  let turns = 0
  let last = { status: 0, bytes: 0 }
  for (; turns < 3 || (turns < 200 && performance.now() < end); turns++)
    last = await ask(url, kind(turn++))
  // A scrape also costs processor time.
  const used = processorSeconds(pid) - idle - (idle - started)
  const counted = before - (await remaining(url, key))
  return { ...last, milliseconds: Math.max(0, (used * 1000) / turns), units: counted / turns }
}

/** Returns the remaining requests of every bucket that a kind may be counted in, without those of this function. */
async function remaining(url: string, key: string): Promise<number> {
  const probes: readonly HostileRequest[] = [
    { path: '/v1/bench/tags?limit=1' },
    { path: '/v1/none/tags' },
    { path: '/v2/tags?limit=1', headers: { authorization: `Bearer ${key}` } },
    { path: '/', method: 'HEAD' },
  ]
  let left = 0
  for (const probe of probes) left += (await ask(url, probe)).remaining
  probed += probes.length
  return left + probed
}

/** Returns user and system time, in ticks of 10 ms; Linux only. */
function processorSeconds(pid: number): number {
  const [, , , , , , , , , , , user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(user) + Number(system)) / 100
}

function ask(
  url: string,
  { path, method, headers = {}, body }: HostileRequest,
): Promise<{ status: number; bytes: number; remaining: number }> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const options = { hostname, port, path, agent, headers, maxHeaderSize: 1024 * 1024 }
    const sent = send({ ...options, method: method ?? (body === undefined ? 'GET' : 'POST') })
    sent.on('error', reject)
    sent.on('response', (response) => {
      let bytes = 0
      response.on('data', (part: Uint8Array) => {
        bytes += part.length
      })
      response.on('error', reject)
      response.on('end', () => {
        const remaining = Number(response.headers['ratelimit-remaining'] ?? 0)
        resolve({ status: response.statusCode ?? 0, bytes, remaining })
      })
    })
    sent.end(body)
  })
}

/** Builds the site. @returns a key with all scopes */
function buildSite(): string {
  const workspace = join(folder, 'content/bench')
  mkdirSync(workspace, { recursive: true })
  writeFileSync(
    join(workspace, 'workspace.yml'),
    [
      'name: Bench',
      'references: create',
      'links: { broken: ignore, post: "https://example.com/{slug}" }',
      'fields:',
      '  rating: { type: number, index: true }',
      '  level: { type: text, index: true }',
      '',
    ].join('\n'),
  )
  writeFileSync(join(folder, 'quarry.config.json'), '{"changes": true}')
  writePosts(join(workspace, 'posts'), hostilePosts())
  const command = (...args: string[]) =>
    execFileSync(process.execPath, [main, ...args], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  const scopes = 'posts:read,categories:read,tags:read,authors:read,drafts:read'
  const key = command('keys', 'create', '--workspace', 'bench', '--scopes', scopes).trim()
  command('build', '--quiet', '--drafts')
  return key
}

function* hostilePosts() {
  let number = 0
  for (const post of corpusPosts({ posts, meanBytes: 3000 })) {
    const more = [
      `aliases: [old-${post.name}]`,
      `fields: { rating: ${number % 1000}, level: ${'abcdefgh'.charAt(number % 8)} }`,
      ...(number % 50 === 0 ? ['draft: true'] : []),
    ]
    const tags = `tags: [rare-${number % 2000}, rare-${(number * 7) % 2000}, `
    yield {
      ...post,
      frontMatter: `${post.frontMatter.replace('tags: [', tags)}\n${more.join('\n')}`,
    }
    number++
  }
}

interface Served {
  readonly url: string
  readonly pid: number
}

async function startServer(): Promise<Served> {
  const child = spawn(process.execPath, [main, 'serve', '--port', '0'], {
    cwd: folder,
    env: {
      ...process.env,
      QUARRY_RATE_LIMIT: '1000000/86400',
      QUARRY_MCP: 'on',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  server = child
  let text = ''
  for await (const part of child.stdout.iterator({ destroyOnReturn: false })) {
    text += String(part)
    const [url] = text.match(/http:\S+(?=\n)/) ?? []
    if (url !== undefined) return { url, pid: child.pid ?? 0 }
  }
  throw new Error('quarry serve ended')
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
