// `quarry plan`: the resources that the build needs on each host, the host's limits, and possible savings.
import { resolve } from 'node:path'
import pMap from 'p-map'
import type { Manifest } from '../emit/manifest.ts'
import { fitStored, type LeftOut } from '../platforms/fit-stored.ts'
import { type DeploymentName, deploymentName, hostNames } from '../platforms/hosts.ts'
import type { HostMeasures } from '../platforms/measure.ts'
import {
  compareLimits,
  functionShares,
  type MeasuredLimit,
  type Saving,
  savings,
} from '../platforms/plan.ts'
import { readManifest } from './built-manifest.ts'
import { describeLeftOut, describeLimit } from './limit-report.ts'
import { type CommonFlags, readSettings } from './options.ts'
import { formatBytes, plural, shortest } from './report.ts'
import { type Terminal, terminalOf } from './terminal.ts'

/** The flags of `quarry plan`. */
export interface PlanFlags extends CommonFlags {
  readonly json?: boolean
  readonly verbose?: boolean
}

/** A host, the resources that the build needs there, and its limits. */
interface HostPlan {
  readonly host: DeploymentName
  readonly measures: HostMeasures
  readonly leftOut: LeftOut | null
  readonly limits: readonly MeasuredLimit[]
  readonly savings: readonly Saving[]
}

/** Prints the plan of the last build. */
export async function runPlan(flags: PlanFlags): Promise<void> {
  const settings = await readSettings(flags)
  const out = resolve(settings.out)
  const manifest = readManifest(out)
  const deflated = new Map<string, number>()
  const hosts = await pMap(
    hostNames.map((host) => deploymentName(host, settings.storage) ?? host),
    async (host) => {
      const { measures, leftOut } = await fitStored(host, out, manifest, { deflated })
      return {
        host,
        measures,
        leftOut,
        limits: compareLimits(host, measures),
        savings: savings(manifest, host),
      }
    },
    { concurrency: 1 },
  )
  const saved = savings(manifest)
  if (flags.json === true) {
    process.stdout.write(`${JSON.stringify({ build: manifest.build, hosts, savings: saved })}\n`)
    return
  }
  const terminal = terminalOf(process.env, process.stdout)
  const width = Math.max(...hosts.map(({ host }) => host.length))
  const lines =
    flags.verbose === true
      ? [...hosts.flatMap((plan) => everyLimit(plan, terminal)), ...wholeBuild(manifest, terminal)]
      : hosts.flatMap((plan) => inShort(plan, width, terminal))
  const end = `${terminal.bold(shortest(out))}: ${plural(manifest.fileCount, 'file')}, ${formatBytes(manifest.byteCount)}`
  const more = terminal.dim(
    'Every limit, its source and possible savings: npx quarry plan --verbose',
  )
  const rest =
    flags.verbose === true ? saved.map((saving) => `  ${describeSaving(saving, terminal)}`) : [more]
  process.stdout.write(`${[...lines, end, ...rest].join('\n')}\n`)
}

/** Returns one line for a host, and one for each exceeded limit. */
function inShort(
  { host, measures, leftOut, limits }: HostPlan,
  width: number,
  terminal: Terminal,
): readonly string[] {
  const broken = limits.filter(({ isBroken }) => isBroken)
  const mark =
    broken.length > 0
      ? terminal.red('over')
      : leftOut === null
        ? terminal.green('ok  ')
        : terminal.yellow('part')
  return [
    `${mark} ${terminal.bold(host.padEnd(width))} ${describeMeasures(measures)}`,
    ...broken.map((limit) => `     ${describeLimit(limit, terminal)}`),
    ...(leftOut === null ? [] : [`     ${describeLeftOut(leftOut, terminal)}`]),
  ]
}

function everyLimit(
  { host, measures, leftOut, limits, savings: less }: HostPlan,
  terminal: Terminal,
): readonly string[] {
  return [
    `${terminal.bold(host)}: ${describeMeasures(measures)}`,
    ...limits.map((limit) => `  ${describeLimit(limit, terminal)}`),
    ...(leftOut === null ? [] : [`  ${describeLeftOut(leftOut, terminal)}`]),
    ...less.map((saving) => `  ${describeSaving(saving, terminal)}`),
  ]
}

function wholeBuild(manifest: Manifest, terminal: Terminal): readonly string[] {
  const shares = functionShares(manifest).map(({ what, bytes }) => `${what} ${formatBytes(bytes)}`)
  return [
    `${terminal.bold('the function')}: ${shares.join(', ')}; \`precompute\` changes none of it, fewer or shorter posts do`,
  ]
}

function describeSaving({ setting, files, bytes }: Saving, terminal: Terminal): string {
  return `${terminal.cyan(setting)} would save ${plural(files, 'written file')}, ${formatBytes(bytes)}`
}

function describeMeasures({
  files,
  totalBytes,
  zippedBytes,
  memoryBytes,
  programBytes,
}: HostMeasures): string {
  const memory = memoryBytes === 0 ? '' : `, about ${formatBytes(memoryBytes)} of memory`
  const program = programBytes === 0 ? '' : `, program ${formatBytes(programBytes)} compressed`
  const zipped = zippedBytes === 0 ? '' : ` (zipped ${formatBytes(zippedBytes)})`
  return `${plural(files, 'file')}, ${formatBytes(totalBytes)}${zipped}${memory}${program}`
}
