// `quarry dev`: builds the content, serves it, and rebuilds it after every change.
import { relative, resolve } from 'node:path'
import { hideClearKeys } from '../api/clear-key.ts'
import { parametersOf } from '../api/parameter-table.ts'
import { matchRoute } from '../api/routes.ts'
import type { BuildResult } from '../build.ts'
import { type DevEvent, type DevLoop, startDev } from '../dev.ts'
import { BuildError, quote } from '../diagnostics.ts'
import { createDevPage, type DevPage } from '../hosts/dev-page.ts'
import { withMedia } from '../hosts/media.ts'
import { listen, type ResponseEntry } from '../hosts/server.ts'
import { onThisMachine } from '../hosts/this-machine.ts'
import { didYouMean } from '../model/problems.ts'
import { keyringOf } from '../runtime/keys.ts'
import { createResponder } from '../runtime/responder.ts'
import type { ServedSite } from '../runtime/site.ts'
import { describeResult } from './build-command.ts'
import { explainFailure } from './failures.ts'
import { freePort } from './free-port.ts'
import { type CommonFlags, readSettings } from './options.ts'
import { createProgress } from './progress.ts'
import { describeDiagnostics, describeWarnings } from './report.ts'
import { listenForKeys } from './shortcuts.ts'
import { type Terminal, terminalOf } from './terminal.ts'
import { errorFromWorkingFolder, fromWorkingFolder } from './working-paths.ts'

/** The flags of `quarry dev`. */
export interface DevFlags extends CommonFlags {
  readonly drafts?: boolean
  /** Fails if the port is in use, instead of trying the next one. */
  readonly strictPort?: boolean
}

/** Builds, serves and watches until SIGINT or SIGTERM. */
export async function runDev(flags: DevFlags): Promise<void> {
  const settings = await readSettings(flags)
  const port = await freePort(settings, flags.strictPort)
  const keyring = keyringOf(process.env['QUARRY_KEYS'] ?? '')
  const terminal = terminalOf(process.env, process.stderr)
  const progress = createProgress(terminal, (text) => process.stderr.write(text))
  const page = createDevPage(settings.host, {
    root: process.cwd(),
    folder: relative(process.cwd(), resolve(settings.content)),
    explain: async ({ target, key }) => {
      const { explain } = await import('./explain-command.ts')
      const site = loop.current()
      const out = resolve(settings.out)
      const manifest = latest?.manifest ?? { files: new Map(), validFrom: null }
      const around = { site, out, manifest, keyring: keyring(site), key }
      return hideClearKeys(JSON.stringify(await explain(target, { ...around, now: Date.now() })))
    },
  })
  let first: BuildResult | undefined
  let latest: BuildResult | undefined
  const loop = await startDev(settings, {
    drafts: flags.drafts,
    onProgress: progress.update,
    caching: {
      onWarning: (sentence) => process.stderr.write(describeWarnings([sentence], terminal)),
    },
    onEvent: (event) => {
      if (event.kind === 'written') {
        first ??= event.result
        latest = event.result
      }
      if (event.kind === 'built' && event.diagnostics.length > 0) {
        say(describeDiagnostics(fromWorkingFolder(event.diagnostics, settings.content), terminal))
      }
    },
  }).finally(progress.end)
  try {
    if (first !== undefined) say(`${describeResult(first, settings.out, terminal, 'serving')}\n`)
    const handler = createResponder(() => loop.current(), {
      keyring,
      readPage: page.read,
      onError: (error, id) => say(`${terminal.red('error:')} request ${id}: ${String(error)}`),
    })
    const service = withMedia(
      page.before(handler),
      (path) => loop.image(path),
      () => loop.current(),
    )
    const server = await listen(onThisMachine(service, settings.host), {
      ...settings,
      port,
      serverTiming: true,
      onResponse: sayIgnored,
    })
    show(loop.latest(), page, settings.content)
    if (loop.latest().kind === 'broken') report(loop.latest(), loop, settings.content, terminal)
    loop.subscribe((event) => {
      show(event, page, settings.content)
      report(event, loop, settings.content, terminal)
    })
    const keys = shortcutsOf(server.url, terminal)
    if (port !== settings.port) say(`Port ${settings.port} is taken; using ${port}.`)
    process.stdout.write(
      `${describeAddresses(server.url, loop.current(), keys !== null, terminal)}\n`,
    )
    const stop = () => {
      keys?.()
      page.close()
      void loop.close()
      void server.close()
    }
    process.once('SIGINT', stop)
    process.once('SIGTERM', stop)
  } catch (error) {
    await loop.close()
    throw error
  }
}

/** Logs ignored parameters: the response reports them only in a header, which is easily overlooked. */
function sayIgnored({ method, target, reply }: ResponseEntry): void {
  const ignored = reply.headers.find(([name]) => name === 'x-ignored-parameters')?.[1] ?? ''
  const route = ignored === '' ? null : matchRoute(target.replace(/\?.*/s, ''))
  if (route === null) return
  for (const name of ignored.split(', ').map(decodeURIComponent)) {
    const hint = didYouMean(name, parametersOf(route)) ?? 'No operation has it.'
    say(`${method} ${target.slice(0, 200)}: the parameter ${quote(name)} is ignored. ${hint}`)
  }
}

function show(event: DevEvent, page: DevPage, content: string): void {
  if (event.kind === 'written') return
  const diagnostics = fromWorkingFolder(event.diagnostics, content)
  if (event.kind === 'broken' && diagnostics.length > 0) {
    page.send({ type: 'broken', diagnostics })
  }
  if (event.kind === 'built') {
    const { site, milliseconds, workspaces } = event
    page.send({ type: 'built', build: site.build, milliseconds, diagnostics }, workspaces)
  }
}

function report(event: DevEvent, loop: DevLoop, content: string, terminal: Terminal): void {
  if (event.kind === 'broken') {
    say(explainFailure(errorFromWorkingFolder(event.error, content), terminal).text)
    if (event.error instanceof BuildError) {
      const isUp = loop.current().workspaces.size > 0
      say(
        isUp
          ? 'Still serving the last good build until this is fixed.'
          : 'Nothing is served until this is fixed.',
      )
    }
  }
  // While the content is broken, the write of the last good build is not reported.
  if (event.kind === 'written' && loop.latest().kind !== 'broken') {
    const { changes, timings } = event.result
    const seconds = (timings.total / 1000).toFixed(2)
    const { written, removed } = changes
    say(`${terminal.green('Rebuilt')} in ${seconds} s: ${written} written, ${removed} removed`)
  }
}

function describeAddresses(
  url: string,
  { workspaces }: ServedSite,
  hasKeys: boolean,
  terminal: Terminal,
): string {
  const lists = [...workspaces.keys()].map((id) => `${url}/v1/${encodeURIComponent(id)}/posts`)
  const end = hasKeys ? 'Press o to open the explorer, q to quit.' : 'Ctrl+C stops it.'
  return [
    `${terminal.green('Serving')} ${terminal.bold(url)}, and rebuilding when the content changes. ${end}`,
    `  Explorer  ${terminal.cyan(`${url}/`)}`,
    ...lists.map((list, at) => `  ${at === 0 ? 'API' : '   '}       ${terminal.cyan(list)}`),
  ].join('\n')
}

/** Listens for shortcut keys on an interactive terminal; null elsewhere. @returns a function that stops it */
function shortcutsOf(url: string, terminal: Terminal): (() => void) | null {
  if (!terminal.isInteractive || !process.stdin.isTTY) return null
  const quit = () => process.kill(process.pid, 'SIGINT')
  const show = () => void import('open').then(({ default: open }) => open(`${url}/`))
  return listenForKeys(process.stdin, { o: show, q: quit })
}

function say(text: string): void {
  process.stderr.write(`${hideClearKeys(text)}\n`)
}
