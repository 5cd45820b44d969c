// `quarry build`: builds, and reports the result and possible next steps.
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type BuildResult, build } from '../build/build.ts'
import type { WorkspaceCounts } from '../build/manifest.ts'
import { deploymentRoots, type HostName } from '../config/host-names.ts'
import type { BuiltFolder } from '../hosts/deploy.ts'
import type { Deployments } from './deployments.ts'
import {
  describeDiagnostics,
  describeWarnings,
  errorFromWorkingFolder,
  fromWorkingFolder,
} from './report.ts'
import { type CommonFlags, readSettings } from './settings.ts'
import {
  createProgress,
  formatBytes,
  formatCount,
  plural,
  shortest,
  type Terminal,
  terminalOf,
} from './terminal.ts'

/** `now` is in milliseconds since 1970. */
type BuildFlags = CommonFlags &
  Readonly<Partial<Record<'force' | 'allowEmpty' | 'drafts' | 'json' | 'quiet', boolean>>> &
  Readonly<{ now?: number }>

/** Builds. Results go to stdout, everything else to stderr. */
export async function runBuild(flags: BuildFlags): Promise<void> {
  const settings = await readSettings(flags)
  const terminal = terminalOf(process.env, process.stderr)
  const say = (text: string) => void process.stderr.write(text)
  const progress = createProgress(terminal, flags.quiet === true ? () => {} : say)
  const { platform, out, content } = settings
  const warnings: string[] = []
  if (flags.drafts === true && platform === 'static') {
    warnings.push('The host static has no function, so --drafts adds nothing: see docs/drafts.md.')
  }
  const result = await build(settings, {
    now: flags.now,
    isForced: flags.force,
    isEmptyAllowed: flags.allowEmpty,
    drafts: flags.drafts,
    onProgress: progress.update,
  })
    .catch((error) => Promise.reject(errorFromWorkingFolder(error, content)))
    .finally(() => {
      progress.end()
      say(describeWarnings(warnings, terminal))
    })
  if (result.diagnostics.length > 0) {
    say(`${describeDiagnostics(fromWorkingFolder(result.diagnostics, content), terminal)}\n`)
  }
  const built = { out: resolve(out), manifest: result.manifest, precompute: settings.precompute }
  const stdout = terminalOf(process.env, process.stdout)
  const made = await makeDeployments(built, platform, stdout)
  say(describeWarnings(made?.problems ?? [], terminal))
  const next = `Next: ${stdout.cyan('npx quarry serve')} serves it; ${shortest(out)}/public is ready for a CDN.`
  const lines = [...(made?.lines ?? []), ...(platform === undefined ? [next] : [])]
  if (flags.json === true) process.stdout.write(`${resultJson(result, out, made)}\n`)
  else if (flags.quiet !== true)
    process.stdout.write(`${[describeResult(result, out, stdout), ...lines].join('\n')}\n`)
}

/** Imports the code of deployments only if there is one, or was one before. */
async function makeDeployments(
  built: BuiltFolder,
  platform: HostName | undefined,
  terminal: Terminal,
): Promise<Deployments | null> {
  const places = deploymentRoots.map((root) => join(dirname(built.out), root))
  if (platform === undefined && !places.some((place) => existsSync(place))) return null
  return (await import('./deployments.ts')).makeDeployments(built, platform, terminal)
}

/** Formats the result of a build. */
export function describeResult(
  { manifest, changes, timings }: BuildResult,
  out: string,
  terminal: Terminal,
): string {
  const workspaces = Object.entries(manifest.workspaces).map(([id, counts]) => {
    const scheduled = counts.scheduled > 0 ? ` (${counts.scheduled} more scheduled)` : ''
    return `  ${id}: ${plural(counts.posts, 'post')}${scheduled}, ${plural(counts.categories, 'category')}, ${plural(counts.tags, 'tag')}, ${plural(counts.authors, 'author')}${itemsOf(counts)}`
  })
  const expiring = Object.values(manifest.workspaces).some(({ expiring }) => expiring)
  const folder = shortest(out)
  const seconds = (timings.total / 1000).toFixed(2)
  const size = `${plural(manifest.fileCount, 'file')}, ${formatBytes(manifest.byteCount)}`
  const changed = `${formatCount(changes.written)} written, ${formatCount(changes.unchanged)} unchanged, ${formatCount(changes.removed)} removed`
  return [
    ...workspaces,
    `${terminal.green('Built')} ${terminal.bold(folder)} in ${seconds} s: ${size} (${changed})`,
    ...(manifest.validUntil === null
      ? []
      : [
          `The next scheduled post appears${expiring ? ', or a post expires,' : ''} at ${manifest.validUntil}.`,
        ]),
  ].join('\n')
}

/** `, 464 products`: the items of each collection. */
function itemsOf({ collections = {} }: WorkspaceCounts): string {
  return Object.entries(collections)
    .map(([name, { items }]) => `, ${formatCount(items)} ${name}`)
    .join('')
}

function resultJson(
  { manifest, changes, rendered, timings, diagnostics }: BuildResult,
  out: string,
  made: Deployments | null,
): string {
  const { build: id, validUntil, workspaces, fileCount, byteCount } = manifest
  const milliseconds = Object.fromEntries(
    Object.entries(timings).map(([step, time]) => [step, Math.round(time)]),
  )
  const files = { total: fileCount, bytes: byteCount, ...changes }
  const built = { build: id, out, validUntil, workspaces, files, rendered, milliseconds }
  return JSON.stringify({ ...built, warnings: diagnostics.length, ...made?.json })
}
