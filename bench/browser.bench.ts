// Measures the bytes that queries in a browser transfer from a host that compresses .json and .js files and serves
// ranges of other files. A visit is a filtered list and nine searches. Files of posts are counted separately.
// Usage: npm run bench:browser -- [posts:meanBytes …]
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from '../src/build/build.ts'
import { resolveSettings } from '../src/config.ts'
import createFunction from '../src/hosts/browser.ts'
import { corpusPosts, mulberry32, writeWorkspace } from './corpus.ts'
import { median } from './figures.ts'

const visits = 20
const given = process.argv.slice(2)
const corpora = (given.length > 0 ? given : ['1000:8000', '10000:2400']).map((text) => {
  const [posts = 0, meanBytes = 0] = text.split(':').map(Number)
  return { posts, meanBytes }
})
const code = createRequire(import.meta.url).resolve('#functions/quarry-function.js')
print(`code ${kilobytes(gzipSync(readFileSync(code)).length)} kB`)

for (const corpus of corpora) {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-browser-'))
  try {
    const posts = [...corpusPosts(corpus)]
    const content = join(folder, 'content')
    writeWorkspace(content, posts)
    const precompute = { versions: [] }
    const out = join(folder, 'dist')
    await build(
      resolveSettings({ content, out, cache: join(folder, 'cache'), browser: true, precompute }),
    )
    await measure(join(out, 'public'), corpus, posts)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The cost of requests: the posts of responses, and everything else. */
interface Cost {
  requests: number
  others: number
  posts: number
  response: number
}

async function measure(
  folder: string,
  { posts: count, meanBytes }: (typeof corpora)[number],
  posts: readonly { readonly frontMatter: string; readonly body: string }[],
): Promise<void> {
  print('')
  print(`${count} posts of ${meanBytes} bytes; kB, median (greatest) of ${visits} visits`)
  const random = mulberry32(3)
  const queries = queriesOf(posts, random)
  for (const content of ['&excludeContent=true', '']) {
    const rows = new Map<string, Cost[]>()
    for (let visit = 0; visit < visits; visit++) {
      const ask = visitor(folder)
      const add = async (name: string, query: string) => {
        const cost = await ask(`/v1/bench/posts?${query}${content}`)
        rows.set(name, [...(rows.get(name) ?? []), cost])
        return cost
      }
      await add('filtered list', `tags=tag-${visit % 7}&order=asc`)
      await add('first search', `query=${queries.word()}`)
      for (const [name, query] of [...Object.entries(queries), ...Object.entries(queries)]) {
        const cost = await add(name, `query=${query()}`)
        rows.set('further searches', [...(rows.get('further searches') ?? []), cost])
      }
    }
    print(content === '' ? 'with content' : 'without content')
    for (const [name, costs] of rows) print(`  ${name.padEnd(17)}${rowOf(costs)}`)
  }
}

/** Returns a visitor with an empty cache. */
function visitor(folder: string): (target: string) => Promise<Cost> {
  let cost: Cost
  const fetch = async (url: string, init: RequestInit = {}) => {
    const path = new URL(url).pathname
    const whole = readFileSync(join(folder, path))
    const [, from, to] =
      /bytes=(\d+)-(\d+)/.exec(new Headers(init.headers).get('range') ?? '') ?? []
    const isRange = from !== undefined
    const bytes = isRange ? whole.subarray(Number(from), Number(to) + 1) : whole
    const sent = /\.js(?:on)?$/.test(path) && !isRange ? gzipSync(bytes) : bytes
    cost.requests += 1
    cost[path.includes('/part-') ? 'posts' : 'others'] += sent.length
    return new Response(new Uint8Array(bytes), { status: isRange ? 206 : 200 })
  }
  const respond = createFunction({ base: 'http://files.invalid/', fetch })
  return async (target) => {
    cost = { requests: 0, others: 0, posts: 0, response: 0 }
    const response = await respond(target)
    if (response.status !== 200) throw new Error(`${target}: ${await response.text()}`)
    cost.response = (await response.arrayBuffer()).byteLength
    return cost
  }
}

/** Returns queries that posts contain. */
function queriesOf(
  posts: readonly { readonly body: string }[],
  random: () => number,
): Readonly<Record<'word' | 'part of a word' | 'two words' | 'four words', () => string>> {
  const pick = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)] as T
  const words = () => pick(posts).body.match(/[a-zé]{3,}/g) ?? ['stone']
  const phrase = (length: number) => {
    const all = words()
    const at = Math.floor(random() * all.length)
    return all.slice(at, at + length).join('+')
  }
  return {
    word: () => pick(words()),
    'part of a word': () => pick(words()).slice(1, 5),
    'two words': () => phrase(2),
    'four words': () => phrase(4),
  }
}

function rowOf(costs: readonly Cost[]): string {
  const figure = (of: (cost: Cost) => number, show = kilobytes) => {
    const values = costs.map(of)
    return `${show(median(values))} (${show(Math.max(...values))})`
  }
  const ratio = (cost: Cost) => cost.posts / cost.response
  const times = (value: number) => `${value.toFixed(1)} ×`
  return [
    `index, search ${figure(({ others }) => others)}`,
    `posts ${figure(({ posts }) => posts)}`,
    `${figure(ratio, times)} of the response`,
    `requests ${figure(({ requests }) => requests, String)}`,
  ].join(', ')
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
