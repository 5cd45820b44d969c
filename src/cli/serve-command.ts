// `quarry serve`: the production server for a built folder, until a signal stops it.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { UseError } from '../config/use-error.ts'
import { compressing } from '../hosts/compression.ts'
import { loadAgents } from '../hosts/function.ts'
import type { LiveSite } from '../hosts/live-site.ts'
import { builtImages, withMedia } from '../hosts/media.ts'
import type { Metrics } from '../hosts/metrics.ts'
import { listen, type ResponseEntry } from '../hosts/server.ts'
import { keyringOf } from '../runtime/keys.ts'
import { createResponder } from '../runtime/responder.ts'
import type { ServedSite } from '../runtime/site.ts'
import { createLog } from './log.ts'
import { openBuild } from './open-build.ts'
import { type CommonFlags, checked, environmentText, parsePort, readSettings } from './options.ts'
import { createRateLimits } from './rate-limits.ts'
import { clientAddressReader } from './trusted-proxies.ts'

/** Serves. On SIGTERM or SIGINT, finishes open requests for at most 10 s. */
export async function runServe(flags: CommonFlags): Promise<void> {
  const settings = await readSettings(flags)
  const log = createLog(process.stderr)
  const keyring = keyringOf(process.env['QUARRY_KEYS'] ?? '')
  const clientAddress = clientAddressReader(environmentText(process.env, 'QUARRY_TRUSTED_PROXIES'))
  const isAgentsOn = isOn(process.env, 'QUARRY_MCP')
  // The protocol's package is optional: a server without it fails at its start, not at the first message.
  if (isAgentsOn) await loadAgents()
  const limits = await createRateLimits(process.env, (error) =>
    log({ event: 'rate-limit', error: String(error) }),
  )
  let site: LiveSite | undefined
  let metrics: Metrics | undefined
  // Open resources keep the process alive.
  const closeAll = () => {
    site?.close()
    limits?.close()
    metrics?.close()
  }
  try {
    const onBuild = (event: BuildEvent) => {
      log(event)
      if (event.event === 'build') metrics?.setBuild(event.build)
      else metrics?.countRefusedBuild()
    }
    const live = await openSite(resolve(settings.out), onBuild, keyring)
    site = live
    metrics = await openMetrics(process.env, settings.host, live.current().build)
    const onError = (error: unknown, requestId: string) =>
      log({ event: 'error', requestId, error: describe(error) })
    const handler = createResponder(live.current, {
      keyring,
      readPage: pageReader(settings.out, live.current),
      ...(limits === null ? {} : { limits }),
      loadAgents: isAgentsOn ? loadAgents : undefined,
      onError,
    })
    const onResponse = (entry: ResponseEntry) => {
      log(accessLine(entry))
      metrics?.observe(entry)
    }
    const service = withMedia(
      compressing(handler),
      builtImages(resolve(settings.out)),
      live.current,
    )
    const serverTiming = isOn(process.env, 'QUARRY_SERVER_TIMING')
    const server = await listen(service, {
      ...settings,
      clientAddress,
      onResponse,
      onError,
      serverTiming,
    })
    process.stdout.write(`Serving build ${live.current().build} at ${server.url}\n`)
    if (metrics !== undefined) process.stdout.write(`Metrics at ${metrics.url}\n`)
    const stop = () =>
      void server.close(9000).then(() => {
        closeAll()
        // A log without a reader would keep the process alive: it has one second for the last lines.
        setTimeout(() => process.exit(), 1000).unref()
      })
    process.once('SIGTERM', stop)
    process.once('SIGINT', stop)
  } catch (error) {
    closeAll()
    throw error
  }
}

/** Imports its package only if metrics are enabled. @throws UseError if `QUARRY_METRICS_PORT` is malformed */
async function openMetrics(
  environment: NodeJS.ProcessEnv,
  host: string,
  build: string,
): Promise<Metrics | undefined> {
  const text = environmentText(environment, 'QUARRY_METRICS_PORT')
  if (text === undefined) return undefined
  const port = checked('QUARRY_METRICS_PORT', text, parsePort)
  const { serveMetrics } = await import('../hosts/metrics.ts')
  try {
    return await serveMetrics({ host, port }, build)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new UseError(`Port ${port} is taken. Set QUARRY_METRICS_PORT to another one.`)
  }
}

/** @throws UseError if the variable is neither `on` nor `off` */
function isOn(environment: NodeJS.ProcessEnv, name: string): boolean {
  const text = environmentText(environment, name) ?? 'off'
  if (text === 'on' || text === 'off') return text === 'on'
  throw new UseError(`${name} is ${JSON.stringify(text)}. Expected "on" or "off".`)
}

/** Reads the explorer once per build; null if there is none, as an output folder may contain only the function. */
function pageReader(out: string, site: () => ServedSite): () => Uint8Array | null {
  const file = join(out, 'public/index.html')
  const pages = new WeakMap<ServedSite, Uint8Array | null>()
  return () => {
    const cached = pages.get(site())
    if (cached !== undefined) return cached
    const page = existsSync(file) ? readFileSync(file) : null
    pages.set(site(), page)
    return page
  }
}

/** A log entry about a new build. */
type BuildEvent =
  | { readonly event: 'build'; readonly build: string }
  | { readonly event: 'build-refused'; readonly error: string }

function openSite(
  out: string,
  onBuild: (event: BuildEvent) => void,
  keyring: (site: ServedSite) => unknown,
): Promise<LiveSite> {
  return openBuild(out, {
    onChange: (build) => onBuild({ event: 'build', build }),
    onError: (error) => onBuild({ event: 'build-refused', error: describe(error) }),
    // Keys that two workspaces share are reported at start, not on each request.
    check: keyring,
  })
}

/**
 * Returns the log line of a request as JSON. Concatenated by hand, as it is on the hot path; values from
 * the client are escaped.
 */
function accessLine({ method, target, clientAddress, reply, milliseconds }: ResponseEntry): string {
  let requestId = ''
  let bytes = '0'
  for (const [name, value] of reply.headers) {
    if (name === 'x-request-id') requestId = value
    else if (name === 'content-length') bytes = value
  }
  const shown = JSON.stringify(target.slice(0, 2048))
  const about = `"client":${JSON.stringify(clientAddress)},"method":${JSON.stringify(method)},"target":${shown}`
  const rounded = Math.round(milliseconds * 100) / 100
  return `{"event":"request","requestId":"${requestId}",${about},"status":${reply.status},"source":"${reply.source}","bytes":${bytes},"milliseconds":${rounded}}`
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
