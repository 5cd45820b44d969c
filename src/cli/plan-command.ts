// `quarry plan`: what the build would take on each host, what the host allows, and what could be saved.
// Knows nothing of how anything is measured.
import { resolve } from 'node:path'
import { hostNames } from '../platforms/hosts.ts'
import type { Measure } from '../platforms/limits.ts'
import {
  compareLimits,
  type HostMeasures,
  type MeasuredLimit,
  measureDeployment,
  savings,
} from '../platforms/plan.ts'
import { programBytes } from '../platforms/write-deployment.ts'
import { readManifest } from './built-manifest.ts'
import { type CommonFlags, readSettings } from './options.ts'
import { formatBytes, plural } from './report.ts'
import { type Terminal, terminalOf } from './terminal.ts'

/** The flags of `quarry plan`. */
export interface PlanFlags extends CommonFlags {
  readonly json?: boolean
}

/** Prints the plan of the last build. */
export async function runPlan(flags: PlanFlags): Promise<void> {
  const settings = await readSettings(flags)
  const manifest = readManifest(resolve(settings.out))
  const hosts = hostNames.map((host) => {
    const measures = measureDeployment(host, manifest, programBytes(host))
    return { host, measures, limits: compareLimits(host, measures) }
  })
  const saved = savings(manifest)
  if (flags.json === true) {
    process.stdout.write(`${JSON.stringify({ build: manifest.build, hosts, savings: saved })}\n`)
    return
  }
  const terminal = terminalOf(process.env, process.stdout)
  const lines = [
    ...hosts.flatMap(({ host, measures, limits }) => [
      `${terminal.bold(host)}: ${describeMeasures(measures)}`,
      ...limits.map((limit) => describeLimit(limit, terminal)),
    ]),
    ...saved.map(
      ({ setting, files, bytes }) =>
        `${terminal.cyan(setting)} would save ${plural(files, 'written file')}, ${formatBytes(bytes)}`,
    ),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

function describeMeasures({ files, totalBytes, memoryBytes, programBytes }: HostMeasures): string {
  const memory = memoryBytes === 0 ? '' : `, about ${formatBytes(memoryBytes)} of memory`
  const program = programBytes === 0 ? '' : `, program ${formatBytes(programBytes)} compressed`
  return `${plural(files, 'file')}, ${formatBytes(totalBytes)}${memory}${program}`
}

/** One line about a limit: what it is on, how much of it is taken, and who sets it. */
function describeLimit({ limit, value, isBroken }: MeasuredLimit, terminal: Terminal): string {
  const { measure, max, only, source, readOn } = limit
  const amount = (number: number) =>
    measure.endsWith('Bytes') ? formatBytes(number) : number.toLocaleString('en-US')
  const mark = isBroken ? terminal.red('over') : terminal.green('ok')
  const plan = only === null ? '' : ` on ${only}`
  const origin = terminal.dim(`${source}, ${readOn}`)
  return `  ${mark} ${measureNames[measure]}: ${amount(value)} of ${amount(max)}${plan} (${origin})`
}

const measureNames: Readonly<Record<Measure, string>> = {
  files: 'files',
  largestFileBytes: 'largest file',
  totalBytes: 'all together',
  programBytes: 'program, compressed',
  memoryBytes: 'memory',
  coldFetches: 'files fetched by a first request',
}
