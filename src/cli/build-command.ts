// `quarry build`: builds, and says what it did and what can be done next.
// Knows nothing of how a build is made.
import { relative, resolve } from 'node:path'
import { mediaFolder } from '../api/paths.ts'
import { type BuildResult, build } from '../build.ts'
import type { Settings } from '../config.ts'
import type { Manifest } from '../emit/manifest.ts'
import type { HostName } from '../platforms/hosts.ts'
import type { WrittenDeployment } from '../platforms/write-deployment.ts'
import type { Reporting } from './build-report/reporting.ts'
import { type CommonFlags, readSettings } from './options.ts'
import { createProgress } from './progress.ts'
import { describeDiagnostics, formatBytes, plural } from './report.ts'
import { type Terminal, terminalOf } from './terminal.ts'

/** The flags of `quarry build`. */
export interface BuildFlags extends CommonFlags {
  /** Milliseconds since 1970. */
  readonly now?: number
  readonly force?: boolean
  readonly json?: boolean
  readonly quiet?: boolean
  /** Where a page about the build goes; `true` where nothing was said. */
  readonly report?: string | true
}

/** Builds; results go to stdout, everything else to stderr. */
export async function runBuild(flags: BuildFlags): Promise<void> {
  const settings = await readSettings(flags)
  const terminal = terminalOf(process.env, process.stderr)
  const progress = createProgress(terminal, (text) => process.stderr.write(text))
  const { platform, out } = settings
  const reporting = flags.report === undefined ? null : await startReport(flags.report, settings)
  let result: BuildResult
  try {
    result = await build(settings, {
      now: flags.now,
      isForced: flags.force,
      onProgress: flags.quiet === true ? undefined : progress.update,
      trace: {
        onBody: reporting?.measures.onBody,
        onStage: (stage, milliseconds) => {
          reporting?.measures.onStage(stage, milliseconds)
          if (flags.quiet !== true) progress.afterStage(stage)
        },
      },
    })
  } finally {
    progress.end()
  }
  const deployment =
    platform === undefined ? null : await deploy(platform, resolve(out), result.manifest)
  if (result.diagnostics.length > 0) {
    process.stderr.write(`${describeDiagnostics(result.diagnostics, terminal)}\n`)
  }
  const report = reporting?.end(result, shortest(out))
  if (report !== undefined && flags.quiet !== true) {
    process.stderr.write(`Report: ${shortest(report)}\n`)
  }
  if (flags.json === true) process.stdout.write(`${resultJson(result, out, deployment)}\n`)
  else if (flags.quiet !== true) {
    process.stdout.write(
      `${describeResult(result, out, terminalOf(process.env, process.stdout), deployment)}\n`,
    )
  }
}

/** Loaded only where a report was asked for. */
async function startReport(place: string | true, settings: Settings): Promise<Reporting> {
  const reporting = await import('./build-report/reporting.ts')
  return reporting.startReport(place, settings)
}

/** What hosts are given is loaded only where there is one. */
async function deploy(
  platform: HostName,
  out: string,
  manifest: Manifest,
): Promise<WrittenDeployment> {
  const { measureDeployment, requireRoom } = await import('../platforms/plan.ts')
  const { programBytes, writeDeployment } = await import('../platforms/write-deployment.ts')
  requireRoom(platform, measureDeployment(platform, manifest, programBytes(platform)))
  return writeDeployment(platform, out, manifest)
}

/** What was built, for a person. @param next what it was made ready for; null to say what can be done with it */
export function describeResult(
  result: BuildResult,
  out: string,
  terminal: Terminal,
  next: WrittenDeployment | 'serving' | null = null,
): string {
  const { manifest, changes, timings } = result
  const workspaces = Object.entries(manifest.workspaces).map(([id, counts]) => {
    const scheduled = counts.scheduled > 0 ? ` (${counts.scheduled} more scheduled)` : ''
    return `  ${id}: ${plural(counts.posts, 'post')}${scheduled}, ${plural(counts.categories, 'category')}, ${plural(counts.tags, 'tag')}, ${plural(counts.authors, 'author')}`
  })
  const folder = shortest(out)
  const seconds = (timings.total / 1000).toFixed(2)
  const size = `${plural(manifest.fileCount, 'file')}, ${formatBytes(manifest.byteCount)}`
  const changed = `${changes.written.toLocaleString('en-US')} written, ${changes.unchanged.toLocaleString('en-US')} unchanged, ${changes.removed.toLocaleString('en-US')} removed`
  return [
    ...workspaces,
    `${terminal.green('Built')} ${terminal.bold(folder)} in ${seconds} s: ${size} (${changed})`,
    manifest.validUntil === null
      ? ''
      : `The next scheduled post appears at ${manifest.validUntil}.`,
    describeNext(next, folder, terminal),
    next === null || next === 'serving' ? '' : describeImages(next.host, manifest, folder),
  ]
    .filter((line) => line !== '')
    .join('\n')
}

function describeNext(
  next: WrittenDeployment | 'serving' | null,
  folder: string,
  terminal: Terminal,
): string {
  if (next === 'serving') return ''
  if (next !== null) return describeDeployment(next, terminal)
  return `Next: ${terminal.cyan('quarry serve')} answers every request from it; ${folder}/public is ready for a CDN.`
}

function describeDeployment(
  { host, folder, files, next }: WrittenDeployment,
  terminal: Terminal,
): string {
  const bytes = [...files.values()].reduce((sum, file) => sum + file.bytes, 0)
  const size = `${plural(files.size, 'file')}, ${formatBytes(bytes)}`
  return `Ready for ${host} in ${terminal.bold(shortest(folder))}: ${size}\nNext: ${terminal.cyan(next)}`
}

/** What a host that is given the function alone does not show; nginx stands before `quarry serve`, which does. */
function describeImages(host: HostName, { files }: Manifest, folder: string): string {
  const images = [...files.keys()].filter((path) => path.startsWith(`${mediaFolder}/`)).length
  if (images === 0 || host === 'nginx') return ''
  return `${plural(images, 'image')} not among them: put ${folder}/${mediaFolder} on a CDN, and set baseUrl to where ${folder}/public is then.`
}

/** A path as somebody in the working folder would say it. */
function shortest(path: string): string {
  const below = relative(process.cwd(), path)
  return below === '' || below.startsWith('..') ? resolve(path) : below
}

function resultJson(
  { manifest, changes, rendered, timings, diagnostics }: BuildResult,
  out: string,
  deployment: WrittenDeployment | null,
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
    ...(deployment === null
      ? {}
      : { deployment: { host: deployment.host, folder: deployment.folder } }),
  })
}
