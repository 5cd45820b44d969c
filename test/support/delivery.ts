// Counts, over a log of requests, how often a host starts its function and how often the function needs its index; each
// response is compared with the function's own.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeCorpus } from '../../bench/corpus.ts'
import { responsesFolder } from '../../src/runtime/stored-response.ts'
import { openCloudFront } from '../conformance/cloudfront.ts'
import { type FunctionHost, openLambda, openNetlify } from '../conformance/functions.ts'
import { openNginx } from '../conformance/nginx.ts'
import { openCloudflare } from '../conformance/programs.ts'
import { openVercel } from '../conformance/vercel.ts'
import { deliveryPosts, type LoggedRequest } from './delivery-log.ts'
import { NetlifyCache } from './netlify-cache.ts'
import { askHandler, serveFolder } from './served-site.ts'

/** A host that answers a log. */
export interface DeliveryHost {
  /** The output folder of the build. */
  readonly out: string
  send(target: string): Promise<{ readonly status: number; text(): Promise<string> }>
  /** Requests that started the function since the last call; null where every request does, or only `withdraw` tells. */
  readonly starts?: () => number
  /** Takes away the function, or the index of a function that every request starts. */
  withdraw(): Promise<void>
  /** Takes away the precomputed responses: the function answers from its index. */
  withdrawResponses(): Promise<void>
  close(): Promise<void>
}

/** What was counted. */
export interface Delivery {
  readonly requests: number
  /** Requests whose status or body is another than the function's own. */
  readonly differ: readonly string[]
  /** Requests that started the function. */
  readonly started: number
  /** Requests that needed the index. */
  readonly needed: number
  /** Of canonical requests alone. */
  readonly canonicalNeeded: number
  /** Of a canonical request, in milliseconds. */
  readonly p50: number
}

const addContent = (content: string) =>
  writeCorpus(content, { posts: deliveryPosts, meanBytes: 1500 })

/** The hosts, by name: those that decide by the query, and those whose function comes first. */
export const deliveryHosts: Readonly<
  Record<string, { readonly startsAlways: boolean; open(): Promise<DeliveryHost> }>
> = {
  nginx: {
    startsAlways: false,
    open: async () => fileHost(await openNginx(addContent), 'dist/public'),
  },
  vercel: {
    startsAlways: false,
    open: async () => fileHost(await openVercel(addContent), '.vercel/output/static'),
  },
  cloudfront: {
    startsAlways: false,
    open: async () => fileHost(await openCloudFront(addContent), 'dist/public'),
  },
  cloudflare: { startsAlways: true, open: openWorkerd },
  netlify: { startsAlways: false, open: openCached },
  'aws-lambda': {
    startsAlways: true,
    open: async () => indexHost(await openLambda('function URL', false, addContent)),
  },
}

/** Runs a log twice: as it is, and without the function or its index. */
export async function measureDelivery(
  name: string,
  log: readonly LoggedRequest[],
): Promise<Delivery> {
  const described = deliveryHosts[name]
  if (described === undefined) throw new Error(`no host ${name}`)
  const host = await described.open()
  try {
    const own = await ownResponses(host.out, log)
    const whole = await runLog(host, log, own)
    const starts = host.starts?.()
    await host.withdraw()
    const { differ: needing } = await runLog(host, log, own)
    const started = described.startsAlways ? log.length : (starts ?? needing.length)
    return {
      requests: log.length,
      differ: whole.differ.map(({ target }) => target),
      started,
      needed: needing.length,
      canonicalNeeded: needing.filter(({ kind }) => kind === 'canonical').length,
      p50: medianOf(whole.times),
    }
  } finally {
    await host.close()
  }
}

/**
 * The p50 of the canonical requests of a log where there are no precomputed responses, in milliseconds.
 *
 * @throws Error when a response is not the function's own
 */
export async function measureFromIndex(
  name: string,
  log: readonly LoggedRequest[],
): Promise<number> {
  const host = await deliveryHosts[name]?.open()
  if (host === undefined) throw new Error(`no host ${name}`)
  try {
    const canonical = log.filter(({ kind }) => kind === 'canonical')
    const own = await ownResponses(host.out, canonical)
    await host.withdrawResponses()
    const { differ, times } = await runLog(host, canonical, own)
    if (differ.length > 0) throw new Error(`${name}: another response to ${differ[0]?.target}`)
    return medianOf(times)
  } finally {
    await host.close()
  }
}

const medianOf = (times: number[]) => times.sort((a, b) => a - b)[times.length >> 1] ?? 0

type Responses = ReadonlyMap<string, readonly [status: number, text: string]>

/** The function's own responses, from its index. */
async function ownResponses(out: string, log: readonly LoggedRequest[]): Promise<Responses> {
  const reference = await serveFolder(out)
  const handler = reference.handler()
  const own = new Map<string, readonly [number, string]>()
  for (const { target } of log) {
    if (own.has(target)) continue
    const { status, text } = await askHandler(handler, target)
    own.set(target, [status, text])
  }
  reference.close()
  return own
}

/** The requests with another response than the function's own, and how long the canonical ones took. */
async function runLog(
  host: DeliveryHost,
  log: readonly LoggedRequest[],
  own: Responses,
): Promise<{ readonly differ: readonly LoggedRequest[]; readonly times: number[] }> {
  const differ: LoggedRequest[] = []
  const times: number[] = []
  for (const request of log) {
    const began = performance.now()
    const response = await host.send(request.target)
    const text = await response.text()
    if (request.kind === 'canonical') times.push(performance.now() - began)
    const [ownStatus, ownText] = own.get(request.target) ?? []
    if (response.status !== ownStatus || text !== ownText) differ.push(request)
  }
  return { differ, times }
}

type FileHost = Awaited<ReturnType<typeof openNginx>>

/** A host that serves files and passes the rest on. Once the function is stopped, nothing comes from a cache before it. */
function fileHost(
  host: Omit<FileHost, 'site' | 'url' | 'folder'>,
  responses: string,
): DeliveryHost {
  const { out, request, stopFunction, close } = host
  let fresh: number | null = null
  return {
    out,
    send: (target) => {
      if (fresh === null) return request(target)
      fresh += 1
      return request(`${target}${target.includes('?') ? '&' : '?'}_=${fresh}`)
    },
    withdraw: async () => {
      fresh = 0
      await stopFunction()
    },
    withdrawResponses: async () => removeFolder(join(dirname(out), responses, 'v1')),
    close: async () => close?.(),
  }
}

/** The index of a workspace may be in parts. */
function indexHost({
  out,
  request,
  files,
  close,
}: Pick<FunctionHost, 'out' | 'request' | 'files' | 'close'>): DeliveryHost {
  return {
    out,
    send: (target) => request(target),
    withdraw: async () => {
      const names = readdirSync(join(files.folder, 'data'))
      for (const name of names.filter((each) => each.startsWith('index-')))
        rmSync(join(files.folder, 'data', name))
      await files.restart()
    },
    withdrawResponses: async () => {
      removeFolder(join(files.folder, responsesFolder))
      await files.restart()
    },
    close: async () => close?.(),
  }
}

async function openWorkerd(): Promise<DeliveryHost> {
  const { folder, request, files, close } = await openCloudflare(addContent)
  if (files === undefined) throw new Error('a worker has files')
  return indexHost({
    out: join(folder, 'dist'),
    request,
    files,
    ...(close === undefined ? {} : { close }),
  })
}

async function openCached(): Promise<DeliveryHost> {
  const netlify = await openNetlify(addContent)
  const host = indexHost(netlify)
  const pass = async (request: Request) => {
    const { pathname, search } = new URL(request.url)
    return (await netlify.request(`${pathname}${search}`)) as Response
  }
  let cache = new NetlifyCache(pass, 'decoded, first value')
  let send: DeliveryHost['send'] = (target) =>
    cache.send(new Request(`https://host.invalid${target}`), Date.now())
  return {
    ...host,
    send: (target) => send(target),
    starts: () => cache.passed,
    // Without precomputed responses there was no cache either.
    withdrawResponses: async () => {
      await host.withdrawResponses()
      send = host.send
    },
    withdraw: async () => {
      await host.withdraw()
      cache = new NetlifyCache(pass, 'decoded, first value')
    },
  }
}

/** @throws Error where there is none: the measurement would be that of another state */
function removeFolder(folder: string): void {
  if (!existsSync(folder)) throw new Error(`no folder ${folder}`)
  rmSync(folder, { recursive: true })
}
