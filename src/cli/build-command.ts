// `quarry build`: builds, and reports the result and possible next steps.
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type BuildOptions, type BuildResult, build } from '../build.ts'
import type { BuiltFolder } from '../hosts/deploy.ts'
import { deploymentRoots, type HostName } from '../hosts/names.ts'
import type { Deployments } from './make-deployments.ts'
import { type CommonFlags, readSettings } from './options.ts'
import { createProgress } from './progress.ts'
import {
  describeDiagnostics,
  describeWarnings,
  formatBytes,
  formatCount,
  plural,
  shortest,
} from './report.ts'
import { type Terminal, terminalOf } from './terminal.ts'
import { limitInlining } from './v8-flags.ts'
import { fromWorkingFolder, withWorkingPaths } from './working-paths.ts'

/** The flags of `quarry build`. */
export interface BuildFlags extends CommonFlags {
  /** Milliseconds since 1970. */
  readonly now?: number
  readonly force?: boolean
  readonly allowEmpty?: boolean
  readonly drafts?: boolean
  readonly json?: boolean
  readonly quiet?: boolean
}

/** Builds. Results go to stdout, everything else to stderr. */
export async function runBuild(flags: BuildFlags): Promise<void> {
  limitInlining()
  const settings = await readSettings(flags)
  const terminal = terminalOf(process.env, process.stderr)
  const progress = createProgress(terminal, (text) => process.stderr.write(text))
  const { platform, out } = settings
  const warnings: string[] = []
  const caching = { onWarning: (sentence: string) => void warnings.push(sentence) }
  if (flags.drafts === true && platform === 'static') {
    warnings.push(
      'The host static has no function, so --drafts adds nothing there: docs/drafts.md.',
    )
  }
  let result: BuildResult
  try {
    const options: BuildOptions = {
      now: flags.now,
      isForced: flags.force,
      isEmptyAllowed: flags.allowEmpty,
      drafts: flags.drafts,
      caching,
      onProgress: flags.quiet === true ? undefined : progress.update,
      trace: {
        onStage: (stage) => {
          if (flags.quiet !== true) progress.afterStage(stage)
        },
      },
    }
    result = await withWorkingPaths(settings.content, () => build(settings, options))
  } finally {
    progress.end()
    process.stderr.write(describeWarnings(warnings, terminal))
  }
  if (result.diagnostics.length > 0) {
    const shown = fromWorkingFolder(result.diagnostics, settings.content)
    process.stderr.write(`${describeDiagnostics(shown, terminal)}\n`)
  }
  const built = { out: resolve(out), manifest: result.manifest, precompute: settings.precompute }
  const deployments = await makeDeployments(built, platform)
  for (const problem of deployments?.problems(terminal) ?? []) process.stderr.write(`${problem}\n`)
  if (flags.json === true) process.stdout.write(`${resultJson(result, out, deployments)}\n`)
  else if (flags.quiet !== true) {
    process.stdout.write(
      `${describeResult(result, out, terminalOf(process.env, process.stdout), deployments)}\n`,
    )
  }
}

/** Imports the code of deployments only if there is one, or was one before. */
async function makeDeployments(built: BuiltFolder, platform: HostName | undefined) {
  const places = deploymentRoots.map((root) => join(dirname(built.out), root))
  if (platform === undefined && !places.some((place) => existsSync(place))) return null
  const deployments = await import('./make-deployments.ts')
  return deployments.makeDeployments(built, platform)
}

/** Formats the result of a build. @param made the deployment; null prints the possible next steps */
export function describeResult(
  result: BuildResult,
  out: string,
  terminal: Terminal,
  made: Deployments | 'serving' | null = null,
): string {
  const { manifest, changes, timings } = result
  const workspaces = Object.entries(manifest.workspaces).map(([id, counts]) => {
    const scheduled = counts.scheduled > 0 ? ` (${counts.scheduled} more scheduled)` : ''
    return `  ${id}: ${plural(counts.posts, 'post')}${scheduled}, ${plural(counts.categories, 'category')}, ${plural(counts.tags, 'tag')}, ${plural(counts.authors, 'author')}`
  })
  const folder = shortest(out)
  const seconds = (timings.total / 1000).toFixed(2)
  const size = `${plural(manifest.fileCount, 'file')}, ${formatBytes(manifest.byteCount)}`
  const changed = `${formatCount(changes.written)} written, ${formatCount(changes.unchanged)} unchanged, ${formatCount(changes.removed)} removed`
  return [
    ...workspaces,
    `${terminal.green('Built')} ${terminal.bold(folder)} in ${seconds} s: ${size} (${changed})`,
    manifest.validUntil === null
      ? ''
      : `The next scheduled post appears at ${manifest.validUntil}.`,
    describeNext(made, folder, terminal),
  ]
    .filter((line) => line !== '')
    .join('\n')
}

function describeNext(
  made: Deployments | 'serving' | null,
  folder: string,
  terminal: Terminal,
): string {
  if (made === 'serving') return ''
  const next = `Next: ${terminal.cyan('npx quarry serve')} serves every request from it; ${folder}/public is ready for a CDN.`
  const lines = made?.describe(terminal) ?? []
  return [...lines, ...(made?.isRequested === true ? [] : [next])].join('\n')
}

function resultJson(
  { manifest, changes, rendered, timings, diagnostics }: BuildResult,
  out: string,
  made: Deployments | null,
): string {
  const { build: id, validUntil, workspaces, fileCount, byteCount } = manifest
  const milliseconds = Object.fromEntries(
    Object.entries(timings).map(([stage, time]) => [stage, Math.round(time)]),
  )
  return JSON.stringify({
    build: id,
    out,
    validUntil,
    workspaces,
    files: { total: fileCount, bytes: byteCount, ...changes },
    rendered,
    milliseconds,
    warnings: diagnostics.length,
    ...made?.json,
  })
}
