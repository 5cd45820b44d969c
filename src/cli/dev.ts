// `quarry dev`: builds the content, serves it, and rebuilds it after every change.
import { join, relative, resolve } from 'node:path'
import { maskCleartextKeys } from '../api/keys.ts'
import { mediaFolder } from '../api/paths.ts'
import { matchRoute } from '../api/routes.ts'
import { type DevEvent, startDev } from '../build/dev.ts'
import { codeOf } from '../build/disk.ts'
import { configFiles } from '../config.ts'
import { BuildError, quote } from '../diagnostics.ts'
import { createDevPage } from '../hosts/dev-page.ts'
import { imagesIn } from '../hosts/folder.ts'
import { withImages } from '../hosts/function.ts'
import { listen, localOnly, type NodeServer, type ResponseEntry } from '../hosts/server.ts'
import { keyringOf } from '../runtime/keys.ts'
import type { ServedSite } from '../runtime/open-build.ts'
import { createResponder, type Responder } from '../runtime/responder.ts'
import { describeResult } from './build.ts'
import { explain, ignoredHint } from './explain.ts'
import { describeDiagnostics, explainFailure, relativeToCwd } from './report.ts'
import { type CommonFlags, readSettings } from './settings.ts'
import { createProgress, type Terminal, terminalOf } from './terminal.ts'

/** Flags of `quarry dev`. `now` is in milliseconds since 1970. With `strictPort`, no other port is tried. */
type DevFlags = CommonFlags & Readonly<{ now?: number; drafts?: boolean; strictPort?: boolean }>

/** Runs `quarry dev`: builds, serves and watches until SIGINT or SIGTERM. */
export async function runDev(flags: DevFlags): Promise<void> {
  // `quarry build` and `quarry notify` find the last real build in the configured output folder.
  const read = async () => {
    const settings = await readSettings(flags)
    return { ...settings, out: join(settings.cache, 'dev') }
  }
  const settings = await read()
  const { content, host } = settings
  const keyring = keyringOf(process.env['QUARRY_KEYS'] ?? '')
  const terminal = terminalOf(process.env, process.stderr)
  const progress = createProgress(terminal, (text) => process.stderr.write(text))
  const now = () => flags.now ?? Date.now()
  const page = createDevPage(host, {
    now: flags.now,
    root: process.cwd(),
    folder: relative(process.cwd(), resolve(content)),
    at: (moment) =>
      createResponder(() => loop.current(), { keyring, now: () => moment, replyCacheBytes: 0 }),
    explain: async (request) => {
      const site = loop.current()
      const files = await loop.plannedPaths()
      const built = { site, files, keyring: keyring(site) }
      return maskCleartextKeys(
        JSON.stringify(await explain(request.target, { ...built, ...request })),
      )
    },
  })
  const handler = createResponder(() => loop.current(), {
    ...{ keyring, now },
    readPage: page.read,
    onError: (error, id) => log(`${terminal.red('error:')} request ${id}: ${String(error)}`),
  })
  const service = withImages(page.before(handler), imagesIn(join(settings.out, mediaFolder)))
  // A request waits for the first build. If that fails, the server closes the connection.
  const waiting: Responder = (request) => starting.then(() => service(request), forever)
  const last = flags.strictPort ? settings.port : Math.min(settings.port + 19, 65_535)
  const listenFrom = (port: number): Promise<NodeServer> =>
    listen(localOnly(waiting, host), {
      ...{ host, port, serverTiming: true, onResponse: logIgnored },
    }).catch((error) => {
      if (codeOf(error) === 'EADDRINUSE' && port < last) return listenFrom(port + 1)
      throw error
    })
  const server = await listenFrom(settings.port)
  const { port } = new URL(server.url)
  if (settings.port > 0 && Number(port) > settings.port)
    log(`Port ${settings.port} is in use; using ${port} instead.`)
  const configuration = flags.config ?? process.env['QUARRY_CONFIG']
  const files = configuration ? [configuration] : configFiles
  const starting = startDev(settings, {
    drafts: flags.drafts,
    now: flags.now,
    config: { files: files.map((file) => resolve(file)), read },
    types: '.quarry',
    onProgress: progress.update,
  }).finally(progress.end)
  const loop = await starting.catch((error) => server.close(0).then(() => Promise.reject(error)))
  const onBroken = (error: unknown) => {
    const { text } = explainFailure(error, terminal)
    if (!(error instanceof BuildError)) return log(text)
    page.send({ type: 'broken', diagnostics: relativeToCwd(error.diagnostics, content) })
    const isUp = loop.current().workspaces.size > 0
    const served = isUp ? 'Still serving the last good build' : 'Nothing is served'
    log(`${text}\n${served} until this is fixed.`)
  }
  const onEvent = (event: DevEvent, isFirst = false) => {
    if (event.kind === 'broken') return onBroken(event.error)
    const { manifest, timings } = event.result
    const diagnostics = relativeToCwd(event.result.diagnostics, content)
    const built = { build: manifest.build, milliseconds: timings.total, diagnostics }
    page.send({ type: 'built', ...built }, event.workspaces)
    if (diagnostics.length > 0) log(describeDiagnostics(diagnostics, terminal))
    const seconds = (timings.total / 1000).toFixed(2)
    log(
      isFirst
        ? `${describeResult(event.result, settings.out, terminal)}\n`
        : `${terminal.green('Rebuilt')} in ${seconds} s`,
    )
  }
  onEvent(loop.latest(), true)
  loop.subscribe((event) => onEvent(event))
  const stop = () => {
    page.close()
    void loop.close()
    void server.close()
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop)
  const addresses = describeAddresses(server.url, loop.current(), terminal)
  process.stdout.write(`${addresses}\n`)
}

const forever = () => new Promise<never>(() => {})

/** Logs ignored parameters, which the response reports only in a header that is easily overlooked. */
function logIgnored({ method, target, reply }: ResponseEntry): void {
  const ignored = reply.headers.find(([name]) => name === 'x-ignored-parameters')?.[1] ?? ''
  const route = ignored === '' ? null : matchRoute(target.replace(/\?.*/s, ''))
  if (route === null) return
  for (const name of ignored.split(', ').map(decodeURIComponent)) {
    const hint = ignoredHint(route, name)
    log(`${method} ${target.slice(0, 200)}: the parameter ${quote(name)} is ignored. ${hint}`)
  }
}

function describeAddresses(url: string, { workspaces }: ServedSite, terminal: Terminal): string {
  const lists = [...workspaces.keys()].map((id) => `${url}/v1/${encodeURIComponent(id)}/posts`)
  return [
    `${terminal.green('Serving')} ${terminal.bold(url)}, and rebuilding when the content changes. Ctrl+C stops it.`,
    `  Explorer  ${terminal.cyan(`${url}/`)}`,
    ...lists.map((list, at) => `  ${at === 0 ? 'API' : '   '}       ${terminal.cyan(list)}`),
  ].join('\n')
}

function log(text: string): void {
  process.stderr.write(`${maskCleartextKeys(text)}\n`)
}
