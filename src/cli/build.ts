// `quarry build`: builds, and reports the result and possible next steps.
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { type BuildResult, build, checkContent } from '../build/build.ts'
import type { Manifest } from '../build/manifest.ts'
import { deploymentRoots, type HostName } from '../config/names.ts'
import { BuildError, isError, shownOfCodeMax } from '../diagnostics.ts'
import type { BuiltFolder, Deployed } from '../hosts/deploy.ts'
import {
  describeDiagnostics,
  describeEach,
  describeWarnings,
  diagnosticsForGithub,
  diagnosticsJson,
  exitCodes,
  type ReportFormat,
  relativeToCwd,
} from './report.ts'
import { type CommonFlags, readSettings } from './settings.ts'
import {
  createProgress,
  displayPath,
  formatBytes,
  formatCount,
  plural,
  type Terminal,
  terminalOf,
} from './terminal.ts'

/** Flags of `quarry build`. `now` is in milliseconds since 1970. */
type BuildFlags = CommonFlags &
  Readonly<Partial<Record<'force' | 'allowEmpty' | 'drafts' | 'json' | 'quiet', boolean>>> &
  Readonly<{ now?: number }>

const say = (text: string) => void process.stderr.write(text)

/** Runs `quarry build`. Results go to stdout, everything else to stderr. */
export async function runBuild(flags: BuildFlags): Promise<void> {
  limitOptimizing()
  const settings = await readSettings(flags)
  const terminal = terminalOf(process.env, process.stderr)
  const progress = createProgress(terminal, flags.quiet === true ? () => {} : say)
  const { platform, out, content } = settings
  if (flags.drafts === true && platform === 'static') {
    const text = 'The host static has no function, so --drafts adds nothing: see docs/drafts.md.'
    say(describeWarnings([text], terminal))
  }
  const result = await build(settings, {
    now: flags.now,
    isForced: flags.force,
    isEmptyAllowed: flags.allowEmpty,
    drafts: flags.drafts,
    onProgress: progress.update,
  }).finally(progress.end)
  if (result.diagnostics.length > 0) {
    say(`${describeDiagnostics(relativeToCwd(result.diagnostics, content), terminal)}\n`)
  }
  const { manifest, isHistoryLost } = result
  if (isHistoryLost) say(describeWarnings([historyLost], terminal))
  const { removed, deployed } = await makeDeployment({ out: resolve(out), manifest }, platform)
  say(describeWarnings(removed, terminal))
  if (flags.json === true) process.stdout.write(`${resultJson(result, out, deployed)}\n`)
  else if (flags.quiet !== true) {
    const stdout = terminalOf(process.env, process.stdout)
    const serve = `npx quarry serve${flags.out === undefined ? '' : ` --out ${displayPath(out)}`}`
    const next = deployed
      ? await describeDeployment(deployed, manifest, stdout)
      : `Next: ${stdout.cyan(serve)} serves it; ${displayPath(out)}/public is ready for a CDN.`
    process.stdout.write(`${describeResult(result, out, stdout)}\n${next}\n`)
  }
}

const historyLost =
  'The last build cannot be read, so the recorded changes begin with this build: clients that ask for changes since an earlier one get a 410.'

/** Formats the result of a build. */
export function describeResult(
  { manifest, changes, unlinked, drafts, timings }: BuildResult,
  out: string,
  terminal: Terminal,
): string {
  const workspaces = Object.entries(manifest.workspaces).map(([id, counts]) => {
    const withheld = counts.scheduled > 0 ? [`${counts.scheduled} more scheduled`] : []
    if (drafts[id]) withheld.push(`${plural(drafts[id], 'draft')} left out`)
    const more = withheld.length > 0 ? ` (${withheld.join(', ')})` : ''
    const collections = Object.entries(counts.collections ?? {})
    const items = collections.map(([name, each]) => `, ${formatCount(each.items)} ${name}`).join('')
    return `  ${id}: ${plural(counts.posts, 'post')}${more}, ${plural(counts.categories, 'category')}, ${plural(counts.tags, 'tag')}, ${plural(counts.authors, 'author')}${items}`
  })
  const expiring = Object.values(manifest.workspaces).some(({ expiring }) => expiring)
  const seconds = (timings.total / 1000).toFixed(2)
  const size = `${plural(manifest.fileCount, 'file')}, ${formatBytes(manifest.byteCount)}`
  const changed = `${formatCount(changes.written)} written, ${formatCount(changes.unchanged)} unchanged, ${formatCount(changes.removed)} removed`
  const built = `${terminal.green('Built')} ${terminal.bold(displayPath(out))} in ${seconds} s: ${size} (${changed})`
  const ends = expiring ? ', or a post expires,' : ''
  const lines = [...workspaces, built]
  if (manifest.validUntil !== null)
    lines.push(`The next scheduled post appears${ends} at ${manifest.validUntil}.`)
  for (const id of unlinked)
    lines.push(`Posts of ${id} link to example.com: set links.post in its workspace.yml.`)
  return lines.join('\n')
}

function resultJson(
  { manifest, changes, rendered, timings, diagnostics }: BuildResult,
  out: string,
  deployed: Deployed | null,
): string {
  const { build: id, validUntil, workspaces, fileCount, byteCount } = manifest
  const milliseconds = { total: Math.round(timings.total) }
  const files = { total: fileCount, bytes: byteCount, ...changes }
  const built = { build: id, out, validUntil, workspaces, files, rendered, milliseconds }
  const deployment = deployed ? { host: deployed.host, folder: deployed.folder } : undefined
  return JSON.stringify({ ...built, warnings: diagnostics.length, deployment })
}

/** Removes deployments of older builds, then writes the deployment for a host. @throws OutputError */
async function makeDeployment(
  built: BuiltFolder,
  platform: HostName | undefined,
): Promise<{ readonly removed: readonly string[]; readonly deployed: Deployed | null }> {
  const places = deploymentRoots.map((root) => join(dirname(built.out), root))
  if (platform === undefined && !places.some((place) => existsSync(place)))
    return { removed: [], deployed: null }
  const { deploy, removeOutdated } = await import('../hosts/deploy.ts')
  // Removes them first, because an error of the requested host must not keep them.
  const removed = removeOutdated(built, platform).map(
    ({ host, folder }) =>
      `${displayPath(folder)} contained an older build, perhaps with posts that are no longer published, and was removed. npx quarry build --for ${host} writes it again.`,
  )
  return { removed, deployed: platform === undefined ? null : deploy(platform, built) }
}

async function describeDeployment(
  { host, folder, files }: Deployed,
  manifest: Manifest,
  terminal: Terminal,
): Promise<string> {
  const { countOpen, deployments, mediaFiles } = await import('../hosts/deployments.ts')
  const { folder: place, media, program, next } = deployments[host]
  const bytes = [...files.values()].reduce((sum, size) => sum + size, 0)
  const size = `${plural(files.size, 'file')}, ${formatBytes(bytes)}`
  const all = Object.keys(manifest.workspaces).length
  const closed = program === null ? all - countOpen(manifest) : 0
  const images = media === null ? mediaFiles(manifest).length : 0
  const leftOut = terminal.yellow('Left out:')
  const lines = [`Ready for ${host} in ${terminal.bold(displayPath(folder))}: ${size}`]
  if (closed > 0) lines.push(`${leftOut} ${plural(closed, 'closed workspace')}.`)
  if (images > 0)
    lines.push(
      `${leftOut} ${plural(images, 'image')}. Upload public/media to a bucket or a CDN, and set baseUrl to the URL of public there.`,
    )
  const home = folder.slice(0, -place.length - 1)
  const where = home === process.cwd() ? '' : `, in ${displayPath(home)}`
  return [...lines, `Next${where}: ${terminal.cyan(next)}`].join('\n')
}

/** Flags of `quarry check`. More warnings than `maxWarnings` are a failure. */
type CheckFlags = CommonFlags &
  Readonly<{ format?: ReportFormat; verbose?: boolean; maxWarnings?: number }>

/** Runs `quarry check`. The problems are the result and go to stdout. */
export async function runCheck(flags: CheckFlags): Promise<void> {
  limitOptimizing()
  const settings = await readSettings(flags)
  const progress = createProgress(terminalOf(process.env, process.stderr), say)
  const found = await checkContent(settings, { onProgress: progress.update })
    .catch((error) => (error instanceof BuildError ? error.diagnostics : Promise.reject(error)))
    .finally(progress.end)
  const diagnostics = relativeToCwd(found, settings.content)
  const terminal = terminalOf(process.env, process.stdout)
  const texts: Readonly<Record<ReportFormat, () => string>> = {
    json: () => diagnosticsJson(diagnostics),
    github: () => diagnosticsForGithub(diagnostics),
    text: () => {
      if (found.length === 0)
        return `${terminal.green('No problems')} in ${displayPath(settings.content)}.`
      if (flags.verbose === true) return describeEach(diagnostics, terminal)
      return describeDiagnostics(diagnostics, terminal, shownOfCodeMax)
    },
  }
  const text = texts[flags.format ?? 'text']()
  if (text !== '') process.stdout.write(`${text}\n`)
  const errors = diagnostics.filter(isError).length
  const count = diagnostics.length - errors
  const { maxWarnings = count } = flags
  const allowed = `--max-warnings allows ${formatCount(maxWarnings)}.`
  if (count > maxWarnings) say(`The content has ${plural(count, 'warning')}; ${allowed}\n`)
  process.exitCode = errors > 0 || count > maxWarnings ? exitCodes.content : exitCodes.done
}

/** Makes V8 optimize fewer functions, which saves 30 % of an edit (2026-11). Node reports flags that it lacks. */
function limitOptimizing(): void {
  const major = Number.parseInt(process.versions.node, 10)
  const rarely = major === 20 ? 'interrupt-budget=300000' : 'invocation-count-for-turbofan=12000'
  if (major <= 26) setFlagsFromString(`--max-inlined-bytecode-size-cumulative=100 --${rarely}`)
}
