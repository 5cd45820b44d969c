// `quarry dev`: builds the content, answers every request from it, and builds again when it changes.
// Knows nothing of how requests are answered.
import { type BuildResult, build } from '../build.ts'
import type { Settings } from '../config.ts'
import { resolveFolder } from '../content/tree.ts'
import { BuildError } from '../diagnostics.ts'
import { listen } from '../platforms/node/server.ts'
import { watchFolder } from '../platforms/node/watch.ts'
import { keyringOf } from '../runtime/keyrings.ts'
import { createResponder } from '../runtime/responder.ts'
import type { ServedSite, ServedWorkspace } from '../runtime/site.ts'
import { describeResult } from './build-command.ts'
import { explainFailure } from './failures.ts'
import { type CommonFlags, readSettings } from './options.ts'
import { createProgress } from './progress.ts'
import { describeDiagnostics } from './report.ts'
import { type Terminal, terminalOf } from './terminal.ts'

/** Builds, serves and watches; ends with SIGINT or SIGTERM. */
export async function runDev(flags: CommonFlags): Promise<void> {
  const settings = await readSettings(flags)
  const keyring = keyringOf(process.env['QUARRY_KEYS'] ?? '')
  const terminal = terminalOf(process.env, process.stderr)
  let served: ServedSite | undefined
  const rebuild = oneAtATime(async () => {
    const next = await rebuildAndTell(settings, terminal)
    if (next !== undefined) served = servedSite(next)
  })
  await resolveFolder(settings.content)
  const unwatch = watchFolder(settings.content, () => {
    if (served !== undefined) rebuild()
  })
  try {
    const result = await buildAndTell(settings, terminal)
    const first = servedSite(result)
    say(`${describeResult(result, settings.out, terminal)}\n`)
    const handler = createResponder(() => served ?? first, {
      keyring,
      onError: (error, id) => say(`${terminal.red('error')} request ${id}: ${String(error)}`),
    })
    const server = await listen(handler, settings)
    served = first
    process.stdout.write(`${describeAddresses(server.url, result, terminal)}\n`)
    const stop = () => {
      unwatch()
      void server.close()
    }
    process.once('SIGINT', stop)
    process.once('SIGTERM', stop)
  } catch (error) {
    unwatch()
    throw error
  }
}

async function buildAndTell(settings: Settings, terminal: Terminal): Promise<BuildResult> {
  const progress = createProgress(terminal, (text) => process.stderr.write(text))
  const result = await build(settings, { onProgress: progress.update }).finally(progress.end)
  if (result.diagnostics.length > 0) say(describeDiagnostics(result.diagnostics, terminal))
  return result
}

/** @returns undefined when the content is broken: the last good answers stay up */
async function rebuildAndTell(
  settings: Settings,
  terminal: Terminal,
): Promise<BuildResult | undefined> {
  try {
    const result = await buildAndTell(settings, terminal)
    const { written, removed } = result.changes
    const seconds = (result.timings.total / 1000).toFixed(2)
    say(`${terminal.green('Rebuilt')} in ${seconds} s: ${written} written, ${removed} removed`)
    return result
  } catch (error) {
    say(explainFailure(error, terminal).text)
    if (error instanceof BuildError) say('The last good answers stay up until this is mended.')
    return undefined
  }
}

/** A change during a run makes one more run behind it, however many changes there were. */
function oneAtATime(run: () => Promise<void>): () => void {
  let isRunning = false
  let isWanted = false
  const next = async () => {
    isRunning = true
    while (isWanted) {
      isWanted = false
      await run()
    }
    isRunning = false
  }
  return () => {
    isWanted = true
    if (!isRunning) void next()
  }
}

function servedSite({ manifest, site }: BuildResult): ServedSite {
  const workspaces = new Map<string, ServedWorkspace>()
  for (const { workspace, snapshot } of site.workspaces) {
    const { id, isV1Private } = workspace
    const scheduled = manifest.workspaces[id]?.scheduled ?? 0
    workspaces.set(id, { snapshot, isV1Private, scheduled })
  }
  const keys = site.workspaces.flatMap(({ workspace }) => workspace.keys)
  return { build: manifest.build, workspaces, keys }
}

function describeAddresses(url: string, { manifest }: BuildResult, terminal: Terminal): string {
  const lists = Object.keys(manifest.workspaces).map(
    (id) => `  ${url}/v1/${encodeURIComponent(id)}/posts`,
  )
  return [
    `${terminal.green('Serving')} ${terminal.bold(url)}, built again when the content changes (Ctrl+C ends it). Try:`,
    ...lists,
  ].join('\n')
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
