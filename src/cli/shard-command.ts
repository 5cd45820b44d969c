// `quarry build --shard`: renders a shard of the posts into the cache.
import { renderShard, type Shard } from '../check.ts'
import type { Settings } from '../config.ts'
import { readCacheAccess } from './options.ts'
import { createProgress } from './progress.ts'
import { withRemoteCache } from './remote-cache.ts'
import { describeDiagnostics, describeWarnings, plural, shortest } from './report.ts'
import { terminalOf } from './terminal.ts'
import { fromWorkingFolder, withWorkingPaths } from './working-paths.ts'

/** Renders. Results go to stdout, everything else to stderr. */
export async function runShard(
  settings: Settings,
  shard: Shard,
  flags: { readonly json?: boolean; readonly quiet?: boolean },
): Promise<void> {
  const terminal = terminalOf(process.env, process.stderr)
  const progress = createProgress(terminal, (text) => process.stderr.write(text))
  const warnings: string[] = []
  const caching = readCacheAccess((sentence) => warnings.push(sentence))
  const onProgress = flags.quiet === true ? undefined : progress.update
  const work = { cache: settings.cache, caching, part: shard.number + 1 }
  const { rendered, diagnostics } = await withRemoteCache(work, () =>
    withWorkingPaths(settings.content, () => renderShard(settings, shard, { caching, onProgress })),
  ).finally(() => {
    progress.end()
    process.stderr.write(describeWarnings(warnings, terminal))
  })
  if (diagnostics.length > 0) {
    const shown = fromWorkingFolder(diagnostics, settings.content)
    process.stderr.write(`${describeDiagnostics(shown, terminal)}\n`)
  }
  const part = `${shard.number + 1}/${shard.count}`
  if (flags.json === true) {
    const warned = diagnostics.length
    process.stdout.write(`${JSON.stringify({ shard: part, rendered, warnings: warned })}\n`)
  } else if (flags.quiet !== true) {
    const cache = shortest(settings.cache ?? '')
    process.stdout.write(`Rendered part ${part} into ${cache}: ${plural(rendered, 'body')}.\n`)
  }
}
