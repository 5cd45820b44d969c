// What a build would take on each host, from its manifest alone, against what the host allows.
// Pure: knows neither the disk nor the terminal.
import { bundleFolder, indexName } from '../api/bundle.ts'
import type { Manifest } from '../emit/manifest.ts'
import { OutputError } from '../emit/output-error.ts'
import { recordCacheBytesDefault } from '../runtime/record-cache.ts'
import { deployments } from './deployments.ts'
import type { HostName } from './hosts.ts'
import { type HostLimit, hostLimits, type Measure } from './limits.ts'
import { partCount } from './parted-storage.ts'

/** A host's deployment, measured. */
export type HostMeasures = Readonly<Record<Measure, number>>

/** A limit, and what stands against it. */
export interface MeasuredLimit {
  readonly limit: HostLimit
  readonly value: number
  readonly isBroken: boolean
}

/** What a setting would save of the written files. */
export interface Saving {
  readonly setting: string
  readonly files: number
  readonly bytes: number
}

/**
 * What a build takes on a host.
 *
 * @param programBytes of the host's program, compressed
 */
export function measureDeployment(
  host: HostName,
  manifest: Manifest,
  programBytes: number,
): HostMeasures {
  const { data, texts, program } = deployments[host]
  const prefix = `${bundleFolder}/`
  const files = [...manifest.files].filter(([path]) => path.startsWith(prefix))
  const sizes = files.map(([, { bytes }]) => bytes)
  const indexBytes = manifest.files.get(`${prefix}${indexName}`)?.bytes ?? 0
  const beside = Object.keys(texts).length + (program === null ? 0 : 1)
  const isCut = data.form === 'parts'
  const count = isCut
    ? sizes.reduce((sum, size) => sum + partCount(size, data.partBytes), 1)
    : sizes.length
  const total = sizes.reduce((sum, size) => sum + size, 0)
  return {
    files: data.form === 'none' ? beside : beside + count,
    largestFileBytes: isCut ? data.partBytes : Math.max(0, ...sizes),
    totalBytes: data.form === 'none' ? 0 : total + programBytes,
    programBytes,
    memoryBytes: program === null ? 0 : memoryNeeded(files, indexBytes),
    coldFetches: isCut ? 1 + partCount(indexBytes, data.partBytes) : 0,
  }
}

/** Every limit of a host, those that are broken first. */
export function compareLimits(host: HostName, measures: HostMeasures): readonly MeasuredLimit[] {
  return hostLimits
    .filter((limit) => limit.host === host)
    .map((limit) => {
      const value = measures[limit.measure]
      return { limit, value, isBroken: value > limit.max }
    })
    .sort((a, b) => Number(b.isBroken) - Number(a.isBroken))
}

/**
 * Refuses what no plan of a host takes. Memory is an estimate, and refuses nothing.
 *
 * @throws OutputError that names the limit and where it is written
 */
export function requireRoom(host: HostName, measures: HostMeasures): void {
  const broken = compareLimits(host, measures).find(
    ({ isBroken, limit }) => isBroken && limit.only === null && limit.measure !== 'memoryBytes',
  )
  if (broken === undefined) return
  const { limit, value } = broken
  throw new OutputError(
    `The site is too large for ${host}: ${limit.measure} is ${value}, and at most ${limit.max} is allowed (${limit.source}). The build itself is there; quarry plan compares hosts.`,
  )
}

/** What could be left out of the written files, largest first. They weigh on a CDN, and on no function. */
export function savings(manifest: Manifest): readonly Saving[] {
  const kinds: readonly [string, RegExp][] = [
    ["precompute.formats: ['html']", /\/_markdown\//],
    ["precompute.versions: ['v1']", /^private\//],
    ["precompute.versions: ['v2']", /^public\/v1\//],
    ['precompute.pageSizes: [10]', /\/_limit\//],
  ]
  return kinds
    .map(([setting, pattern]) => {
      const saved = [...manifest.files].filter(([path]) => pattern.test(path))
      const bytes = saved.reduce((sum, [, file]) => sum + file.bytes, 0)
      return { setting, files: saved.length, bytes }
    })
    .filter(({ files }) => files > 0)
    .sort((a, b) => b.files - a.files)
}

/** What a process takes before it holds anything of a site. */
const runtimeBytes = 24 * 1024 * 1024

/** The index, what a search reads at most, and the caches, no larger than what they could hold. */
function memoryNeeded(
  files: readonly (readonly [string, { readonly bytes: number }])[],
  indexBytes: number,
): number {
  const sum = (pattern: RegExp) =>
    files.reduce((total, [path, { bytes }]) => total + (pattern.test(path) ? bytes : 0), 0)
  const records = sum(/\/blocks\//)
  const search = sum(/./) - records - indexBytes
  const caches = 2 * Math.min(records, recordCacheBytesDefault)
  return runtimeBytes + indexBytes + search + caches
}
