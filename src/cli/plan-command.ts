// `quarry plan`: what the build would take on each host, what the host allows, and what could be saved.
import { resolve } from 'node:path'
import pMap from 'p-map'
import { fitStored } from '../platforms/fit-stored.ts'
import { hostNames } from '../platforms/hosts.ts'
import type { HostMeasures } from '../platforms/measure.ts'
import { compareLimits, functionShares, type Saving, savings } from '../platforms/plan.ts'
import { readManifest } from './built-manifest.ts'
import { describeLeftOut, describeLimit } from './limit-report.ts'
import { type CommonFlags, readSettings } from './options.ts'
import { formatBytes, plural, shortest } from './report.ts'
import { type Terminal, terminalOf } from './terminal.ts'

/** The flags of `quarry plan`. */
export interface PlanFlags extends CommonFlags {
  readonly json?: boolean
}

/** Prints the plan of the last build. */
export async function runPlan(flags: PlanFlags): Promise<void> {
  const settings = await readSettings(flags)
  const out = resolve(settings.out)
  const manifest = readManifest(out)
  const deflated = new Map<string, number>()
  const hosts = await pMap(
    hostNames,
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
  const lines = [
    ...hosts.flatMap(({ host, measures, leftOut, limits, savings: less }) => [
      `${terminal.bold(host)}: ${describeMeasures(measures)}`,
      ...limits.map((limit) => `  ${describeLimit(limit, terminal)}`),
      ...(leftOut === null ? [] : [`  ${describeLeftOut(leftOut, terminal)}`]),
      ...less.map((saving) => `  ${describeSaving(saving, terminal)}`),
    ]),
    `${terminal.bold('the function')}: ${functionShares(manifest)
      .map(({ what, bytes }) => `${what} ${formatBytes(bytes)}`)
      .join(', ')}; \`precompute\` changes none of it, fewer or shorter posts do`,
    `${terminal.bold(shortest(out))}: ${plural(manifest.fileCount, 'file')}, ${formatBytes(manifest.byteCount)}`,
    ...saved.map((saving) => `  ${describeSaving(saving, terminal)}`),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
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
