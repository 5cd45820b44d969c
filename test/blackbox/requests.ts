// Reads `requests.txt`, sends its requests over HTTP, and describes the responses in lines.
import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent, request as send } from 'node:http'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { keys } from './site.ts'

/** A request as `requests.txt` has it, with its line as its name. */
export interface TableRequest {
  readonly line: string
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A response, less what differs from run to run. */
export interface Answer {
  readonly request: TableRequest
  readonly status: number
  /** In lower case and in order; several values of a name are joined. */
  readonly headers: ReadonlyMap<string, string>
  /** Undefined where the body is not the same in every run. */
  readonly etag: string | undefined
  /** Decoded, with placeholders. */
  readonly body: string
  readonly size: number
  readonly hash: string
}

/** The requests of a part of `requests.txt`, without its comments. */
export function readRequests(part: string): readonly TableRequest[] {
  const text = readFileSync(join(import.meta.dirname, 'requests.txt'), 'utf8')
  const section = text.split(/^== /m).find((found) => found.startsWith(`${part}\n`))
  if (section === undefined) throw new Error(`requests.txt has no part "${part}".`)
  const lines = section.split('\n').slice(1)
  return lines.filter((line) => /^[A-Z]/.test(line)).map(parseRequest)
}

/** `METHOD target [@key] [| Name: value]… [< body]`; `{x*300}` repeats a text. */
function parseRequest(line: string): TableRequest {
  const [head = '', body = ''] = line.split(' < ')
  const [start = '', ...headers] = head.split(' | ')
  const [method = '', written = '', key] = start.split(' ')
  const target = written.replace(/\{(.*?)\*(\d+)\}/g, (_, unit, count) =>
    unit.repeat(Number(count)),
  )
  const pairs = headers.map((header) => header.split(': ') as [string, string])
  if (key !== undefined) pairs.push(['Authorization', `Bearer ${clearKey(key.slice(1))}`])
  const filled = pairs.map(([name, value]) => [
    name,
    value.replace(/@(\w+)/g, (_, name: string) => clearKey(name)),
  ])
  return { line, method, target, headers: Object.fromEntries(filled), body }
}

function clearKey(name: string): string {
  const key = keys[name]
  if (key === undefined) throw new Error(`There is no key "${name}".`)
  return key
}

/** Sends requests, a few at a time. @param builds ids of builds by the names of their placeholders */
export async function ask(
  url: string,
  requests: readonly TableRequest[],
  builds: Readonly<Record<string, string>>,
): Promise<readonly Answer[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const answers: Answer[] = []
  await Promise.all(
    requests.map(async (request, index) => {
      answers[index] = await answerTo(url, agent, request, builds)
    }),
  )
  agent.destroy()
  return answers
}

async function answerTo(
  url: string,
  agent: Agent,
  request: TableRequest,
  builds: Readonly<Record<string, string>>,
): Promise<Answer> {
  const fill = (text: string) => text.replace(/\{build(\w*)\}/g, (_, name) => builds[name] ?? '')
  const path = fill(request.target)
  const headers = { ...request.headers }
  // The validator of the response without this header.
  if (headers['If-None-Match']?.includes('{etag}')) {
    const { 'If-None-Match': condition, ...rest } = headers
    const { fields } = await exchange(url, agent, { ...request, headers: rest }, path)
    headers['If-None-Match'] = condition.replace('{etag}', fields.get('etag') ?? '')
  }
  const { raw, status, fields } = await exchange(url, agent, { ...request, headers }, path)
  const body = withoutIds(raw.toString('utf8'), status, Object.values(builds))
  const isStable = body === raw.toString('utf8')
  const bytes = isStable ? raw : Buffer.from(body)
  const hasTag = isStable && !isPage(fields) && !fields.has('content-encoding')
  return {
    request,
    status,
    headers: describedHeaders(fields, request, raw.length),
    etag: hasTag ? fields.get('etag') : undefined,
    body,
    size: isPage(fields) ? 0 : bytes.length,
    hash: isPage(fields) ? '<page>' : hash('sha256', bytes).slice(0, 12),
  }
}

/** Ids of builds become `<build>`, and the id of the request in the message of a 500. */
function withoutIds(text: string, status: number, builds: readonly string[]): string {
  const known = text.replace(/\b[0-9a-f]{16}\b/g, (id) => (builds.includes(id) ? '<build>' : id))
  return status === 500 ? known.replace(requestId, '<request id>') : known
}

const requestId = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** True for the explorer, whose bytes are those of a program. */
function isPage(headers: ReadonlyMap<string, string>): boolean {
  return headers.get('content-type')?.startsWith('text/html') === true
}

interface Exchange {
  readonly status: number
  readonly fields: ReadonlyMap<string, string>
  readonly raw: Buffer
}

function exchange(
  url: string,
  agent: Agent,
  { method, headers, body }: TableRequest,
  path: string,
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const outgoing = send(`${url}/`, { agent, method, path, headers }, async (incoming) => {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(chunk as Buffer)
      const fields = new Map<string, string>()
      const names = incoming.rawHeaders.filter((_, index) => index % 2 === 0)
      for (const name of names.map((name) => name.toLowerCase()).sort()) {
        fields.set(name, String(incoming.headers[name]))
      }
      const decode = decoders.get(fields.get('content-encoding') ?? '') ?? ((bytes) => bytes)
      resolve({ status: incoming.statusCode ?? 0, fields, raw: decode(Buffer.concat(chunks)) })
    })
    outgoing.on('error', (error) => reject(new Error(`${method} ${path}`, { cause: error })))
    outgoing.end(body)
  })
}

const decoders = new Map<string, (bytes: Buffer) => Buffer>([
  ['gzip', gunzipSync],
  ['br', brotliDecompressSync],
])

/** Headers of the connection, which are those of a server and not of the interface. */
const ofConnection = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

/** Headers as they are recorded: values that are consequences of the body are only checked. */
function describedHeaders(
  fields: ReadonlyMap<string, string>,
  { method }: TableRequest,
  size: number,
): ReadonlyMap<string, string> {
  const described = new Map<string, string>()
  for (const [name, value] of fields) {
    if (!ofConnection.has(name)) described.set(name, value)
  }
  const replace = (name: string, pattern: RegExp, text: string) => {
    const value = described.get(name)
    if (value !== undefined && pattern.test(value)) described.set(name, text)
  }
  replace('etag', /^"[\w-]+"$/, 'strong')
  replace('etag', /^W\/"[\w-]+"$/, 'weak')
  replace('x-request-id', /^[\w:=-]{4,}$/, '<id>')
  if (fields.has('content-encoding')) replace('content-length', /^\d+$/, 'encoded')
  if (isPage(fields)) {
    replace('content-length', /^\d+$/, 'size')
    replace('content-security-policy', /sha256-/, 'with hashes')
  }
  if (method !== 'HEAD') replace('content-length', new RegExp(`^${size}$`), 'size')
  return described
}

/** Headers that most responses of a kind share, as `name: value` lines by kind. */
export type HeaderClasses = ReadonlyMap<string, readonly string[]>

/** For each kind of response, the headers that most of them have with the same value. */
export function headerClasses(answers: readonly Answer[]): HeaderClasses {
  const kinds = new Map<string, (readonly string[])[]>()
  for (const answer of answers) {
    const kind = kindOf(answer)
    kinds.set(kind, [...(kinds.get(kind) ?? []), headerLines(answer).filter(isShareable)])
  }
  const sorted = [...kinds].sort(([a], [b]) => (a < b ? -1 : 1))
  return new Map(sorted.map(([kind, members]) => [kind, sharedLines(members)]))
}

/** Lines that more than half of the members have, in order. */
export function sharedLines(members: readonly (readonly string[])[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const line of members.flat()) counts.set(line, (counts.get(line) ?? 0) + 1)
  const shared = [...counts].filter(([, count]) => count * 2 > members.length)
  return shared.map(([line]) => line).sort()
}

/** False for what is a property of one response. */
function isShareable(line: string): boolean {
  return !/^(content-length: \d|location: |x-ignored-parameters: )/.test(line)
}

function headerLines({ headers }: Answer): readonly string[] {
  return [...headers].map(([name, value]) => `${name}: ${value}`)
}

/** Responses of a kind have the same headers, but for a few. */
function kindOf(answer: Answer): string {
  const { method, target } = answer.request
  const [, version = '', next = ''] = target.split(/[/?]/)
  const isKeyed = version === 'v1' && /^(posts|categories|tags|authors|media|fields)$/.test(next)
  const surface = isKeyed ? 'keyed' : version === 'v1' && answer.status === 200 ? next : ''
  const words = [
    origin(answer),
    answer.status,
    /^v[12]$/.test(version) ? version : 'other',
    surface,
  ]
  return [...words, method === 'GET' ? '' : method].filter((word) => word !== '').join(' ')
}

/** `file` where the host itself responded, without the function. */
function origin({ headers }: Answer): string {
  return headers.has('x-served-by') ? 'file' : ''
}

/** A response in one line: status, size, hash, and headers that differ from those of its kind (`-` for missing ones). */
export function describeAnswer(answer: Answer, classes: HeaderClasses): string {
  const shared = classes.get(kindOf(answer)) ?? []
  const own = headerLines(answer)
  const added = own.filter((line) => !shared.includes(line))
  const names = new Set(own.map(nameOf))
  const missing = shared.map(nameOf).filter((name) => !names.has(name))
  const { status, size, hash, body } = answer
  const shown =
    size > 0 && size <= 420 && status >= 300
      ? ` ${JSON.stringify(body).slice(1, -1).replaceAll('\\"', '"')}`
      : ''
  const bytes = size === 0 && hash !== '<page>' ? 'empty' : `${size} ${hash}`
  const from = origin(answer) === '' ? '' : 'file '
  return [`${from}${status} ${bytes}${shown}`, ...missing.map((name) => `-${name}`), ...added].join(
    ' | ',
  )
}

function nameOf(line: string): string {
  return line.slice(0, line.indexOf(':'))
}

/** Writes bodies to the folder of the variable BODIES, to compare those of two commits with `diff -r`. */
export function keepBodies(name: string, answers: readonly Answer[]): void {
  const folder = process.env['BODIES']
  if (folder === undefined) return
  mkdirSync(join(folder, name), { recursive: true })
  for (const { request, body } of answers) {
    const file = encodeURIComponent(request.line).slice(0, 200)
    writeFileSync(join(folder, name, file), body)
  }
}
