// CloudFront before a bucket and a function, by the template of the example: which behaviour a path has, the CloudFront
// Function under the rules of its runtime, origins with failover, and the headers that a policy adds.

import { createHash } from 'node:crypto'
import { cpSync, existsSync, lstatSync, mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { documentTable, feedKinds } from '../../src/api/documents.ts'
import type { HttpEvent } from '../../src/hosts/aws-lambda.ts'
import { matchesEtag } from '../../src/runtime/http.ts'
import { eventOf } from '../support/lambda-events.ts'
import {
  installLambdaRuntime,
  invokeStreaming,
  type StreamingHandler,
} from '../support/lambda-runtime.ts'
import { deployExample, unscheduledWorkspaces } from './deployed.ts'
import type { FileHost } from './files.ts'
import type { HostUnderTest } from './host.ts'
import { requestHandler } from './hosts.ts'

/** The secret that the template makes of the stack's id. */
const secret = '11111111-2222-3333-4444-555555555555'

type Function = { readonly streaming: StreamingHandler<HttpEvent> }

/** Starts it. @param addContent as `deployExample` takes it */
export async function openCloudFront(
  addContent?: (content: string) => void,
): Promise<HostUnderTest & FileHost> {
  const { folder, site, remove } = await deployExample('aws', addContent)
  // As `npm run template` writes it.
  const source = readFileSync(join(folder, 'cloudfront-function.js'), 'utf8')
  const template = JSON.parse(readFileSync(join(folder, 'template.json'), 'utf8'))
  template.Resources.Router.Properties.FunctionCode = source.replace(
    'listsInBucket = []',
    `listsInBucket = ${JSON.stringify(unscheduledWorkspaces(folder))}`,
  )
  installLambdaRuntime()
  process.env['QUARRY_RATE_LIMIT'] = 'off'
  process.env['QUARRY_MCP'] = 'on'
  process.env['QUARRY_ORIGIN'] = secret
  const functionFolder = join(folder, 'deploy/aws-lambda')
  // A copy: a module that was loaded before stays what it was.
  const copy = mkdtempSync(`${functionFolder}-`)
  cpSync(functionFolder, copy, { recursive: true })
  const loaded: Function = await import(pathToFileURL(join(copy, 'index.js')).href)
  let isStopped = false
  const distribution = new Distribution(template, join(folder, 'dist/public'), async (request) => {
    if (isStopped) return new Response('Internal Server Error', { status: 500 })
    const body = Buffer.from(await request.arrayBuffer())
    return invokeStreaming(loaded.streaming, eventOf('function URL', request, body))
  })
  return {
    site,
    out: join(folder, 'dist'),
    request: requestHandler((request) => distribution.respond(request)),
    stopFunction: () => {
      isStopped = true
    },
    close: () => {
      delete process.env['QUARRY_ORIGIN']
      remove()
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a document of CloudFormation
type Template = any

interface Behaviour {
  readonly PathPattern?: string
  readonly TargetOriginId: string
  readonly AllowedMethods: readonly string[]
  readonly ResponseHeadersPolicyId?: object
}

/** A request as a CloudFront Function sees and changes it. */
interface ViewerRequest {
  readonly method: string
  uri: string
  querystring: Record<string, { value: string }>
  readonly headers: Record<string, { value: string }>
}

interface OriginGroup {
  readonly originIds: readonly { readonly originId: string }[]
  readonly failoverCriteria: { readonly statusCodes: readonly number[] }
}

class Distribution {
  readonly #config
  readonly #policy
  readonly #router
  readonly #bucket: string
  readonly #callFunction: (request: Request) => Promise<Response>

  constructor(
    template: Template,
    publicFolder: string,
    callFunction: (request: Request) => Promise<Response>,
  ) {
    const { Distribution, Headers, Router } = template.Resources
    this.#config = Distribution.Properties.DistributionConfig
    this.#policy = Headers.Properties.ResponseHeadersPolicyConfig
    this.#router = loadRouter(Router.Properties.FunctionCode)
    this.#bucket = publicFolder
    this.#callFunction = callFunction
  }

  async respond(sent: Request): Promise<Response> {
    const { pathname, search } = new URL(sent.url)
    const behaviour = this.#behaviourOf(pathname)
    if (!behaviour.AllowedMethods.includes(sent.method)) return new Response('', { status: 403 })
    const request: ViewerRequest = {
      method: sent.method,
      uri: pathname,
      querystring: parsedQuery(search.slice(1)),
      headers: Object.fromEntries([...sent.headers].map(([name, value]) => [name, { value }])),
    }
    const group = this.#router(request, search)
    const query = Object.keys(request.querystring).length === 0 ? '' : search
    const body = sent.body === null ? null : await sent.arrayBuffer()
    const fetchFrom = (id: string) =>
      id === 'files' ? this.#readFile(request) : this.#callOrigin(request, query, body)
    const response = await this.#failOver(behaviour, group, fetchFrom)
    const headers = this.#headersOf(behaviour, response)
    return confirmed(sent, response, headers)
  }

  #behaviourOf(path: string): Behaviour {
    const { CacheBehaviors, DefaultCacheBehavior } = this.#config
    const found = CacheBehaviors.find(({ PathPattern = '' }: Behaviour) =>
      PathPattern.endsWith('*') ? path.startsWith(PathPattern.slice(0, -1)) : path === PathPattern,
    )
    return found ?? DefaultCacheBehavior
  }

  async #failOver(
    { TargetOriginId }: Behaviour,
    group: OriginGroup | null,
    fetchFrom: (id: string) => Promise<Response>,
  ): Promise<Response> {
    if (group === null) return fetchFrom(TargetOriginId)
    const [first = '', second = ''] = group.originIds.map(({ originId }) => originId)
    const response = await fetchFrom(first)
    const isFailing = group.failoverCriteria.statusCodes.includes(response.status)
    return isFailing ? fetchFrom(second) : response
  }

  /** A bucket without the right to list: what is not there is forbidden. It ignores queries and has no folders. */
  async #readFile({ method, uri }: ViewerRequest): Promise<Response> {
    const file = join(this.#bucket, decodeURIComponent(uri).replace('/files/', '/'))
    if (!existsSync(file) || !lstatSync(file).isFile()) return new Response('', { status: 403 })
    const bytes = readFileSync(file)
    const isImage = file.endsWith('.png')
    // As docs/deploying/aws.md uploads them.
    const document = feedKinds.find((kind) => file.endsWith(`/${kind}`))
    const type = document === undefined ? 'application/json' : documentTable[document].contentType
    const cacheControl = isImage
      ? 'public, max-age=31536000, immutable'
      : 'public, max-age=60, s-maxage=300, stale-while-revalidate=86400'
    return new Response(method === 'HEAD' ? null : bytes, {
      headers: {
        'content-type': isImage ? 'image/png' : type,
        'content-length': String(bytes.length),
        'cache-control': cacheControl,
        etag: `"${createHash('md5').update(bytes).digest('hex')}"`,
      },
    })
  }

  #callOrigin(
    { method, uri, headers }: ViewerRequest,
    query: string,
    body: ArrayBuffer | null,
  ): Promise<Response> {
    const { OriginCustomHeaders } = this.#config.Origins[1]
    const sent = Object.entries(headers).map(([name, { value }]) => [name, value] as const)
    const own = OriginCustomHeaders.map((item: { HeaderName: string }) => [item.HeaderName, secret])
    const all = Object.fromEntries([...sent, ...own])
    const url = `https://function.invalid${uri}${query}`
    return this.#callFunction(new Request(url, { method, headers: all, body }))
  }

  #headersOf({ ResponseHeadersPolicyId }: Behaviour, { headers }: Response) {
    const all = new Headers(headers)
    all.set('x-amz-cf-id', 'abcdefghijklmnop')
    if (ResponseHeadersPolicyId === undefined) return all
    const { CorsConfig, CustomHeadersConfig, RemoveHeadersConfig } = this.#policy
    for (const { Header } of RemoveHeadersConfig.Items) all.delete(Header)
    all.set('x-content-type-options', 'nosniff')
    const added = {
      // For requests of pages of other origins alone.
      'access-control-allow-origin': CorsConfig.AccessControlAllowOrigins.Items.join(),
      'access-control-expose-headers': CorsConfig.AccessControlExposeHeaders.Items.join(', '),
    }
    for (const { Header, Value } of CustomHeadersConfig.Items)
      if (!all.has(Header)) all.set(Header, Value)
    for (const [name, value] of Object.entries(added)) if (!all.has(name)) all.set(name, value)
    return all
  }
}

/** CloudFront compares validators of what it has. */
function confirmed(sent: Request, { status, body }: Response, headers: Headers): Response {
  const etag = headers.get('etag')
  const known = sent.headers.get('if-none-match')
  if (status === 200 && etag !== null && matchesEtag(known, etag)) {
    headers.delete('content-length')
    return new Response(null, { status: 304, headers })
  }
  return new Response(status === 304 ? null : body, { status, headers })
}

/** The source in a context of its own: no modules, no timers, no network, no code from text. */
function loadRouter(
  source: string,
): (request: ViewerRequest, search: string) => OriginGroup | null {
  const line = "import cf from 'cloudfront'\n"
  if (!source.includes(line)) throw new Error('not the module of origins')
  let group: OriginGroup | null = null
  const cf = {
    createRequestOriginGroup: (made: OriginGroup) => {
      group = made
    },
  }
  const context = createContext({ cf }, { codeGeneration: { strings: false, wasm: false } })
  const handler = runInContext(`'use strict';${source.replace(line, '')};handler`, context)
  return (request, search) => {
    group = null
    const raw = search === '' ? undefined : search.slice(1)
    const event = {
      version: '1.0',
      context: { eventType: 'viewer-request' },
      viewer: { ip: '192.0.2.7' },
      request: Object.assign(request, { cookies: {}, rawQueryString: () => raw }),
    }
    if (handler(event) !== request) throw new Error('answered by the CloudFront Function')
    return group
  }
}

function parsedQuery(query: string): Record<string, { value: string }> {
  const pairs = query.split('&').filter((pair) => pair !== '')
  return Object.fromEntries(
    pairs.map((pair) => [pair.split('=')[0] ?? '', { value: pair.split('=')[1] ?? '' }]),
  )
}
