// `quarry dev`: builds the content, then answers every request from it until it is stopped.
// Knows nothing of how requests are answered.
import { type BuildResult, build } from '../build.ts'
import { listen } from '../platforms/node/server.ts'
import { createHandler } from '../runtime/handler.ts'
import { createKeyring } from '../runtime/keys.ts'
import type { ServedSite, ServedWorkspace } from '../runtime/site.ts'
import { describeResult } from './build-command.ts'
import { type CommonFlags, readSettings } from './options.ts'
import { createProgress } from './progress.ts'
import { describeDiagnostics } from './report.ts'
import { type Terminal, terminalOf } from './terminal.ts'

/** Builds and serves; ends with SIGINT or SIGTERM. */
export async function runDev(flags: CommonFlags): Promise<void> {
  const settings = await readSettings(flags)
  const terminal = terminalOf(process.env, process.stderr)
  const progress = createProgress(terminal, (text) => process.stderr.write(text))
  const result = await build(settings, { onProgress: progress.update }).finally(progress.end)
  if (result.diagnostics.length > 0) {
    process.stderr.write(`${describeDiagnostics(result.diagnostics, terminal)}\n`)
  }
  process.stderr.write(`${describeResult(result, settings.out, terminal)}\n\n`)
  const served = servedSite(result)
  const keys = createKeyring(served.keys, process.env['QUARRY_KEYS'])
  const handler = createHandler(() => served, {
    keyring: () => keys,
    onError: (error, id) =>
      process.stderr.write(`${terminal.red('error')} request ${id}: ${String(error)}\n`),
  })
  const server = await listen(handler, settings)
  process.stdout.write(`${describeAddresses(server.url, result, terminal)}\n`)
  const stop = () => void server.close()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
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
    `${terminal.green('Serving')} ${terminal.bold(url)} (Ctrl+C ends it). Try:`,
    ...lists,
  ].join('\n')
}
