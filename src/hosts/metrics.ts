// Prometheus metrics of a server, on a separate port.
import { createServer } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type ListenAddress, listenAt, type ResponseEntry } from './server.ts'

/** The metrics of a process, and the server that exposes them. */
export interface Metrics {
  /** `http://127.0.0.1:9464/metrics`. */
  readonly url: string
  /** Counts a response. Labels have few values; the version is the only part of a target among them. */
  observe(entry: ResponseEntry): void
  /** Records a switch to another build. */
  setBuild(build: string): void
  /** Counts a rejected build. */
  countRefusedBuild(): void
  close(): void
}

/** In seconds, from half a millisecond (most responses take less than one) to the longest search. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]

/**
 * Serves `GET /metrics`.
 *
 * @param build the build that is currently served
 * @throws Error with Node's code when it cannot listen: `EADDRINUSE`
 */
export async function serveMetrics(address: ListenAddress, build: string): Promise<Metrics> {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const metric = <Name extends string>(name: string, help: string, labelNames: readonly Name[]) => {
    return { name: `quarry_${name}`, help, labelNames, registers: [registry] }
  }
  const requestsHelp = 'Responses, by version of the interface, status, and source of the body.'
  const labels = ['version', 'status', 'source'] as const
  const requests = new Counter(metric('http_requests_total', requestsHelp, labels))
  const help = 'Time until the last byte of a response was handed over.'
  const timing = metric('http_request_duration_seconds', help, ['version'])
  const durations = new Histogram({ ...timing, buckets })
  const buildsHelp = 'The build that is served; the value is 1.'
  const builds = new Gauge(metric('build_info', buildsHelp, ['build']))
  const refusedHelp = 'New builds that could not be served.'
  const refused = new Counter(metric('builds_refused_total', refusedHelp, []))
  builds.set({ build }, 1)
  const server = createServer(async ({ url = '' }, outgoing) => {
    if (!/^\/metrics(\?|$)/.test(url)) return outgoing.writeHead(404).end()
    return outgoing.setHeader('content-type', registry.contentType).end(await registry.metrics())
  })
  const url = await listenAt(server, address)
  return {
    url: `${url}/metrics`,
    observe: ({ target, reply, milliseconds }) => {
      const version = /^\/(v[12])(?:[/?]|$)/.exec(target)?.[1] ?? 'none'
      requests.inc({ version, status: reply.status, source: reply.source })
      durations.observe({ version }, milliseconds / 1000)
    },
    setBuild: (next) => {
      builds.reset()
      builds.set({ build: next }, 1)
    },
    countRefusedBuild: () => refused.inc(),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
