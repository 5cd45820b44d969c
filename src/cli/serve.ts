// `quarry serve`: the production server for a built folder, until a signal stops it.
import { existsSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join, resolve } from 'node:path'
import compression from 'compression'
import { mediaFolder } from '../api/paths.ts'
import { UseError } from '../diagnostics.ts'
import { imagesIn } from '../hosts/folder.ts'
import { clientAddress, loadAgents, withImages } from '../hosts/function.ts'
import { listen, type ResponseEntry } from '../hosts/server.ts'
import { keyringOf } from '../runtime/keys.ts'
import {
  defaultRate,
  failedKeyRate,
  memoryLimits,
  parseRateLimit,
  type RateLimits,
} from '../runtime/rate-limit.ts'
import { createResponder } from '../runtime/responder.ts'
import { followBuilds } from './open-build.ts'
import {
  type CommonFlags,
  messageOf,
  parseNumber,
  parseSiteUrl,
  readSettings,
  readVariable,
} from './settings.ts'
import { createLog } from './terminal.ts'

/** Runs `quarry serve`. On SIGTERM or SIGINT, open requests have 10 s to finish. */
export async function runServe(flags: CommonFlags & { readonly from?: string }): Promise<void> {
  const settings = await readSettings(flags)
  const out = resolve(settings.out)
  // An output folder may contain only the function.
  const page = join(out, 'public/index.html')
  const log = createLog(process.stderr)
  const keyring = keyringOf(process.env['QUARRY_KEYS'] ?? '')
  const proxies = readVariable('QUARRY_TRUSTED_PROXIES', parseNumber(0, 16)) ?? 0
  const isAgentsOn = readVariable('QUARRY_MCP', parseOnOff) ?? false
  // The protocol's package is optional. If it is missing, the server fails at start, not at the first message.
  if (isAgentsOn) await loadAgents()
  const onError = (error: unknown, requestId: string) =>
    log({ event: 'error', requestId, error: messageOf(error) })
  const limits = await createRateLimits((error) =>
    log({ event: 'rate-limit', error: String(error) }),
  )
  try {
    const from = flags.from ?? readVariable('QUARRY_SITE', parseSiteUrl)
    const { current, failingSince } = await followBuilds(out, from, {
      onChange: ({ build }) => log({ event: 'build', build }),
      onError: (error) =>
        log({ event: from === undefined ? 'build-refused' : 'origin', error: messageOf(error) }),
      // Keys that two workspaces share are reported at start, not on each request.
      check: keyring,
    })
    const handler = createResponder(current, {
      ...{ keyring, limits, onError },
      readPage: () => (existsSync(page) ? readFileSync(page) : null),
      loadAgents: isAgentsOn ? loadAgents : undefined,
      ...(from !== undefined && { failingSince }),
    })
    const server = await listen(withImages(handler, imagesIn(join(out, mediaFolder))), {
      ...settings,
      prepare: compressing,
      // Finds the client behind trusted proxies, for rate limits.
      clientAddress: ({ socket, headersDistinct }) => {
        const forwarded = proxies === 0 ? [] : (headersDistinct['x-forwarded-for'] ?? [])
        return clientAddress(socket.remoteAddress ?? '', forwarded.join(), proxies)
      },
      onResponse: (entry) => log(accessEntry(entry)),
      onError,
    })
    process.stdout.write(`Serving build ${current().build} at ${server.url}\n`)
    const stop = () =>
      void server.close(9000).then(() => {
        limits?.close?.()
        // A log that nobody reads would keep the process alive, so it has one second for the last lines.
        setTimeout(() => process.exit(), 1000).unref()
      })
    for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, stop)
  } catch (error) {
    // An open connection would keep the process alive.
    limits?.close?.()
    throw error
  }
}

function parseOnOff(text: string): boolean {
  if (!/^(?:on|off)$/.test(text)) throw new Error('It must be "on" or "off".')
  return text === 'on'
}

/** Returns rate limits in memory or in Redis; null for none. @throws UseError for a malformed variable */
async function createRateLimits(
  onError: (error: unknown) => void,
): Promise<(RateLimits & { close?(): void }) | null> {
  const set = readVariable('QUARRY_RATE_LIMIT', parseRateLimit)
  const [rate, url] = [set === undefined ? defaultRate : set, process.env['QUARRY_REDIS_URL']]
  if (rate === null || !url) return memoryLimits(rate)
  const { createRedisLimits } = await import('../hosts/redis.ts')
  try {
    return createRedisLimits(url, { requests: rate, failures: failedKeyRate }, onError)
  } catch (error) {
    throw new UseError(`QUARRY_REDIS_URL cannot be used. ${messageOf(error)}`)
  }
}

/** Returns the log entry of a request. */
function accessEntry(entry: ResponseEntry): object {
  const { method, target, clientAddress, reply, milliseconds } = entry
  const header = (sought: string) => reply.headers.find(([name]) => name === sought)?.[1]
  return {
    ...{ event: 'request', requestId: header('x-request-id') ?? '', client: clientAddress },
    ...{ method, target: target.slice(0, 2048), status: reply.status, source: reply.source },
    bytes: Number(header('content-length') ?? 0),
    milliseconds: Math.round(milliseconds * 100) / 100,
  }
}

type Express = Parameters<typeof compression.filter>

const compress = compression({
  filter: (incoming, outgoing) => {
    // A 304 has the `Vary` of the response that it confirms (RFC 9110 §15.4.5).
    if (outgoing.statusCode === 304) outgoing.appendHeader('vary', 'Accept-Encoding')
    return outgoing.statusCode === 200 && compression.filter(incoming, outgoing)
  },
})

/** Compresses a response as `Accept-Encoding` allows, before it is written. */
export function compressing(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const write = outgoing.writeHead.bind(outgoing)
  // Runs after the compression has chosen an encoding: its bytes have another strong ETag (RFC 9110 §8.8.3).
  outgoing.writeHead = (status: number) => {
    const etag = outgoing.getHeader('etag')
    const [, known] = /-(br|gzip|deflate)"$/.exec(incoming.headers['if-none-match'] ?? '') ?? []
    const encoding = status === 304 ? known : outgoing.getHeader('content-encoding')
    if (etag && encoding) outgoing.setHeader('etag', `${etag}`.replace(/"$/, `-${encoding}"`))
    return write(status)
  }
  // The package would not compress HEAD, whose headers are those of GET (RFC 9110 §9.3.2).
  const method = incoming.method === 'HEAD' ? 'GET' : incoming.method
  const asked: Express[0] = Object.create(incoming, { method: { value: method } })
  compress(asked, outgoing as Express[1], () => {})
}
