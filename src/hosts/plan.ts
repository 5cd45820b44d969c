// Compares the size of a build with the limits of hosts, and lists possible savings. Pure: needs neither the disk nor
// the terminal.
import { OutputError } from '../emit/output-error.ts'
import { type HostLimit, hostLimits, type Measure } from './limits.ts'
import type { HostMeasures } from './measure.ts'
import type { HostName } from './names.ts'

/** A limit and the measured value. */
export interface MeasuredLimit {
  readonly limit: HostLimit
  readonly value: number
  readonly isBroken: boolean
}

/** All limits of a host, exceeded ones first. */
export function compareLimits(host: HostName, measures: HostMeasures): readonly MeasuredLimit[] {
  return hostLimits
    .filter((limit) => limit.host === host)
    .map((limit) => {
      const value = measures[limit.measure]
      return { limit, value, isBroken: value > limit.max }
    })
    .sort((a, b) => Number(b.isBroken) - Number(a.isBroken))
}

/** The measures whose limits prevent a deployment or its start. Exceeding another limit only degrades it. */
const refused: readonly Measure[] = [
  'files',
  'largestFileBytes',
  'totalBytes',
  'functionBytes',
  'programBytes',
  'coldFetches',
]

/**
 * Rejects a build that exceeds a limit of all plans of a host.
 *
 * @throws OutputError that names the limit, its source and the remedy
 */
export function requireRoom(host: HostName, measures: HostMeasures): void {
  const broken = compareLimits(host, measures).find(
    ({ isBroken, limit }) => isBroken && limit.only === null && refused.includes(limit.measure),
  )
  if (broken === undefined) return
  const { limit, value } = broken
  throw new OutputError(
    `The site is too large for ${host}: ${limit.measure} is ${value}, and at most ${limit.max} is allowed (${limit.source}). ${remedies[limit.measure]} The build itself is there.`,
  )
}

const fewerFiles =
  'Write fewer files with `precompute`, or build workspaces apart, each into a deployment of its own.'
const otherHost =
  'Build workspaces apart, or choose a host without this limit, such as deno or bun.'

/** The remedy for each exceeded limit. */
export const remedies: Readonly<Record<Measure, string>> = {
  files: fewerFiles,
  largestFileBytes: 'Build workspaces apart, each into a deployment of its own.',
  totalBytes: otherHost,
  functionBytes: otherHost,
  zippedBytes: 'Build workspaces apart, or upload the zip to S3 and deploy it from there.',
  programBytes: 'Choose another host.',
  memoryBytes: 'Build workspaces apart, or choose a host with more memory.',
  coldFetches: 'Build workspaces apart, each into a deployment of its own.',
  allFetches: '`limit=all` fails there with so many posts: ask page by page.',
  searchFetches: 'A search that reads everything fails there; most read little.',
}
