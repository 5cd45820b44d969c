// Compares the size of a build with the limits of hosts, and lists possible savings. Pure: needs neither the disk nor
// the terminal.
import { requestOfFile } from '../api/paths.ts'
import type { Manifest } from '../emit/manifest.ts'
import { OutputError } from '../emit/output-error.ts'
import { type DataFile, dataFiles, responseFiles } from './deployment.ts'
import { deployments } from './deployments.ts'
import type { DeploymentName } from './hosts.ts'
import { type HostLimit, hostLimits, type Measure } from './limits.ts'
import type { HostMeasures } from './measure.ts'

/** A limit and the measured value. */
export interface MeasuredLimit {
  readonly limit: HostLimit
  readonly value: number
  readonly isBroken: boolean
}

/** The number of files that a setting saves. */
export interface Saving {
  readonly setting: string
  readonly files: number
  readonly bytes: number
}

/** All limits of a host, exceeded ones first. */
export function compareLimits(
  host: DeploymentName,
  measures: HostMeasures,
): readonly MeasuredLimit[] {
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
export function requireRoom(host: DeploymentName, measures: HostMeasures): void {
  const broken = compareLimits(host, measures).find(
    ({ isBroken, limit }) => isBroken && limit.only === null && refused.includes(limit.measure),
  )
  if (broken === undefined) return
  const { limit, value } = broken
  throw new OutputError(
    `The site is too large for ${host}: ${limit.measure} is ${value}, and at most ${limit.max} is allowed (${limit.source}). ${remedies[limit.measure]} The build itself is there; npx quarry plan compares hosts.`,
  )
}

const fewerFiles =
  'Write fewer files with `precompute` (`npx quarry plan` lists what each setting saves), or build workspaces apart, each into a deployment of its own.'
const otherHost =
  'Build workspaces apart, or choose a host without this limit, such as deno, bun or nginx.'

/** The remedy for each exceeded limit. */
export const remedies: Readonly<Record<Measure, string>> = {
  files: fewerFiles,
  largestFileBytes: 'Build workspaces apart, each into a deployment of its own.',
  totalBytes: otherHost,
  functionBytes: otherHost,
  zippedBytes:
    'Build workspaces apart; on AWS, upload the zip to a bucket of S3 and deploy it from there.',
  programBytes: 'Choose another host.',
  memoryBytes: 'Build workspaces apart, or choose a host with more memory.',
  coldFetches: 'Build workspaces apart, each into a deployment of its own.',
  allFetches: '`limit=all` fails there with so many posts: ask page by page.',
  phraseFetches:
    'Phrases of common words take seconds there. Serve them from a disk with `quarry follow`.',
  searchFetches: 'A search that reads everything fails there; most read little.',
}

/**
 * The optional files of a build by setting, largest number first. They matter on hosts that serve files, not on
 * function hosts.
 */
export function savings(manifest: Manifest, host?: DeploymentName): readonly Saving[] {
  const files = host === undefined ? filesOf(manifest) : filesOn(host, manifest)
  const ids = namesOfIds(manifest)
  const kinds: readonly [string, (path: string) => boolean][] = [
    ["precompute.lists: ['default']", (path) => listVariant.test(path)],
    ["precompute.formats: ['html']", (path) => /\/_markdown\//.test(path)],
    ["precompute.versions: ['v1']", (path) => path.startsWith('private/')],
    ["precompute.versions: ['v2']", (path) => path.startsWith('public/v1/')],
    ['precompute.pageSizes: [10]', (path) => /\/_limit\//.test(path)],
    ['precompute.ids: false', (path) => ids.has(path)],
  ]
  return kinds
    .filter(([setting]) => host !== 'static' || !setting.includes('versions'))
    .map(([setting, isSaved]) => {
      const saved = files.filter(({ path }) => isSaved(path))
      const bytes = saved.reduce((sum, { entry }) => sum + entry.bytes, 0)
      return { setting, files: saved.length, bytes }
    })
    .filter((saving) => saving.files > 0)
    .sort((a, b) => b.files - a.files)
}

function filesOn(host: DeploymentName, manifest: Manifest): readonly DataFile[] {
  const { data, responses } = deployments[host]
  return [...dataFiles(data, manifest), ...responseFiles({ responses }, manifest)]
}

/** The size of the function's files by purpose in bytes, largest first. */
export function functionShares(
  manifest: Manifest,
): readonly { readonly what: string; readonly bytes: number }[] {
  const kinds: readonly [string, RegExp][] = [
    ['records of posts', /^function\/blocks\//],
    ['texts that are searched', /^function\/texts\//],
    ['the search index', /^function\/search\//],
    ['the index', /^function\/[^/]+$/],
  ]
  return kinds
    .map(([what, pattern]) => {
      const files = filesOf(manifest).filter(({ path }) => pattern.test(path))
      return { what, bytes: files.reduce((sum, { entry }) => sum + entry.bytes, 0) }
    })
    .sort((a, b) => b.bytes - a.bytes)
}

/** Lists of posts beyond those of `default`. */
const listVariant = /\/posts\/(?:_markdown\/)?(?:_asc\/|_excludeContent\/|_all\.json)/

function filesOf({ files }: Manifest): readonly Pick<DataFile, 'path' | 'entry'>[] {
  return Array.from(files, ([path, entry]) => ({ path, entry }))
}

/** File names that are ids: one of two files with the same response, in one folder or in adjacent folders. */
function namesOfIds({ files }: Manifest): ReadonlySet<string> {
  const seen = new Set<string>()
  const found = new Set<string>()
  for (const [path, { etag }] of files) {
    const request = etag === undefined ? null : requestOfFile(path)
    if (request === null || request.identifier === null) continue
    const { version, workspace, resource, parameters } = request
    const response = [version, workspace, resource, JSON.stringify(parameters), etag].join(' ')
    if (seen.has(response)) found.add(path)
    seen.add(response)
  }
  return found
}
