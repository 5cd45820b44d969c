// Requests asked of the compiled server and of the deployments of hosts; see README.md.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { emptyFolder } from '../support/empty-folder.ts'
import { expectGolden } from './golden.ts'
import { quarryMust, type Server, startHost, startServe } from './programs.ts'
import {
  type Answer,
  ask,
  describeAnswer,
  headerClasses,
  keepBodies,
  readRequests,
  sharedLines,
  type TableRequest,
} from './requests.ts'
import { editSite, later, now, writeSite } from './site.ts'

const platforms = ['aws-lambda', 'netlify', 'vercel', 'cloudflare']
const hosts = ['aws-lambda', 'aws-lambda-streamed', 'netlify', 'vercel', 'cloudflare']

const folder = emptyFolder()
const builds: Record<string, string> = {}

/** Two builds, so that there are changes between them; deployments of the second. */
beforeAll(async () => {
  writeSite(folder)
  await build([])
  builds['Before'] = buildId()
  editSite(folder)
  for (const platform of platforms) await build(['--for', platform])
  builds[''] = buildId()
})

it('responds to every request of the table, on every host', async () => {
  const requests = readRequests('sample')
  expect(requests.length).toBeGreaterThan(300)
  const served = await askServer(() => startServe(folder, {}), 'serve', requests)
  const byHost = new Map<string, readonly Answer[]>([['serve', served]])
  for (const host of hosts) {
    byHost.set(host, await askServer(() => startHost(folder, host), host, requests))
  }
  expectGolden({
    'headers.txt': headerLines(byHost),
    'responses.txt': responseLines(byHost),
    'etags.txt': etagLines(byHost),
  })
})

it('shows scheduled posts on time, without a build', async () => {
  const start = () => startServe(folder, { BLACKBOX_NOW: later })
  const answers = await askServer(start, 'later', readRequests('later'))
  const byHost = new Map([['serve', answers]])
  expectGolden({ 'later.txt': `${responseLines(byHost)}\n${headerLines(byHost)}` })
})

it('counts the requests of a client and of a key', async () => {
  const server = await startServe(folder, { QUARRY_RATE_LIMIT: '3/10' })
  const answers: Answer[] = []
  for (const request of readRequests('limited')) {
    answers.push(...(await ask(server.url, [request], builds)))
  }
  await server.stop()
  const byHost = new Map([['serve', answers]])
  expectGolden({ 'limited.txt': `${responseLines(byHost)}\n${headerLines(byHost)}` })
})

async function build(words: readonly string[]): Promise<void> {
  const fixed = ['--now', now, '--drafts', '--cache', 'cache']
  await quarryMust(folder, ['build', ...fixed, ...words])
}

function buildId(): string {
  const { build } = JSON.parse(readFileSync(join(folder, 'dist/manifest.json'), 'utf8'))
  return build
}

async function askServer(
  start: () => Promise<Server>,
  name: string,
  requests: readonly TableRequest[],
): Promise<readonly Answer[]> {
  const server = await start()
  try {
    const answers = await ask(server.url, requests, builds)
    keepBodies(name, answers)
    return answers
  } finally {
    await server.stop()
  }
}

type ByHost = ReadonlyMap<string, readonly Answer[]>

/** Each request with the response of the server, and with those of the hosts that differ from it. */
function responseLines(byHost: ByHost): string {
  const described = [...byHost].map(([host, answers]): [string, readonly string[]] => {
    const classes = headerClasses(answers)
    return [host, answers.map((answer) => describeAnswer(answer, classes))]
  })
  const [[, ofServer = []] = []] = described
  const requests = byHost.get('serve')?.map(({ request }) => request.line) ?? []
  return requests
    .map((line, index) => {
      const expected = ofServer[index] ?? ''
      const others = new Map<string, string[]>()
      for (const [host, answers] of described.slice(1)) {
        const answer = answers[index] ?? ''
        if (answer !== expected) others.set(answer, [...(others.get(answer) ?? []), host])
      }
      const differing = [...others].map(([answer, names]) => `  ${names.join(', ')}: ${answer}\n`)
      return `${line}\n  ${expected}\n${differing.join('')}`
    })
    .join('')
}

/** Headers of every response and of each kind; of hosts, how they differ from those of the server. */
function headerLines(byHost: ByHost): string {
  const ofServer = headerClasses(byHost.get('serve') ?? [])
  const ofAll = sharedLines([...ofServer.values()])
  const blocks = [...byHost].flatMap(([host, answers]) =>
    [...headerClasses(answers)].map(([kind, lines]) => {
      const expected = (host === 'serve' ? undefined : ofServer.get(kind)) ?? ofAll
      const added = lines.filter((line) => !expected.includes(line))
      const missing = expected.filter((line) => !lines.includes(line)).map((line) => `- ${line}`)
      return block(`${host}: ${kind}`, [...missing, ...added])
    }),
  )
  return [block('every response', ofAll), ...blocks].join('')
}

function block(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${title}\n${lines.map((line) => `  ${line}\n`).join('')}`
}

/** The validators of each body. Fails unless a validator is for one body, and a request has the same on all hosts. */
function etagLines(byHost: ByHost): string {
  const etags = new Map<string, Set<string>>()
  const hashes = new Map<string, string>()
  for (const [host, answers] of byHost) {
    for (const [index, { request, status, etag, hash, headers }] of answers.entries()) {
      if (etag === undefined || status !== 200 || request.method === 'HEAD') continue
      const about = `${host}: ${request.line}`
      const served = byHost.get('serve')?.[index]
      if (served?.hash === hash) expect(etag, about).toBe(served.etag ?? etag)
      expect(hashes.get(etag) ?? hash, about).toBe(hash)
      expect(headers.get('etag'), about).toBe('strong')
      hashes.set(etag, hash)
      etags.set(hash, (etags.get(hash) ?? new Set()).add(etag))
    }
  }
  return [...etags]
    .map(([hash, found]) => `${hash} ${[...found].join(' ')}\n`)
    .sort()
    .join('')
}
