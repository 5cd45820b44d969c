// Measures a build on a host: files, bytes, memory, and fetches per request. Pure: needs neither the disk nor the
// limits of a host.
import type { Manifest } from '../emit/manifest.ts'
import { cacheBytesDefault } from '../snapshot/frame.ts'
import { type DataFile, dataFiles, mediaFiles, programParts, responseFiles } from './deployment.ts'
import { deployments } from './deployments.ts'
import type { Measure } from './limits.ts'
import type { HostName } from './names.ts'
import { partCount, partTable } from './parted-storage.ts'
import type { StoredFile } from './stored-responses.ts'

/** The measurements of a host's deployment. */
export type HostMeasures = Readonly<Record<Measure, number>>

/** Sizes that no manifest states, in bytes; 0 when the host does not need them. */
export interface Weights {
  /** The program and the modules next to it. */
  readonly program: number
  /** The program and its modules, gzipped. */
  readonly programZipped: number
  /** The whole deployment as one zip. */
  readonly zipped: number
}

/** Measures a build on a host. @param stored the precomputed responses of its function */
export function measureDeployment(
  host: HostName,
  manifest: Manifest,
  weights: Weights,
  stored: readonly Pick<StoredFile, 'bytes'>[] = [],
): HostMeasures {
  const { data, texts, textsOf, program } = deployments[host]
  const files = dataFiles(data, manifest)
  const given = [
    ...mediaFiles(deployments[host], manifest),
    ...responseFiles(deployments[host], manifest),
  ].map(({ entry }) => entry.bytes)
  const sizes = files.map(({ entry }) => entry.bytes)
  const textBytes = Object.values({ ...texts, ...textsOf?.(manifest) }).map((text) =>
    Buffer.byteLength(text),
  )
  const partsOf = (pattern: RegExp) =>
    data.form === 'parts'
      ? files
          .filter(({ name }) => pattern.test(name))
          .map(({ entry }) => partCount(entry.bytes, data.partBytes))
      : []
  const parts = (pattern: RegExp) => sum(partsOf(pattern))
  const table = data.form === 'parts' ? partTable(data.partBytes, files).length : 0
  // Fetched before the index: the head of the site, a response without a file and the table of parts.
  const before = Math.min(stored.length, 2) + 1
  // A request needs the root and the index of one workspace.
  const indexes = parts(/^root\.json$/) + largestOf(partsOf(/^data\/index-/))
  const isFetched = data.form === 'parts'
  const coldFetches = isFetched ? before + indexes : 0
  const storedSizes = stored.map(({ bytes }) => bytes)
  const largest = largestOf([...textBytes, ...sizes])
  const functionBytes = sum(sizes) + sum(storedSizes) + sum(textBytes) + table + weights.program
  return {
    files:
      textBytes.length +
      given.length +
      stored.length +
      // The program and the modules next to it.
      (program === null ? 0 : 1 + programParts.length) +
      (data.form === 'parts' ? 1 + parts(/./) : files.length),
    largestFileBytes: largestOf([
      ...given,
      ...storedSizes,
      data.form === 'parts' ? Math.max(Math.min(largest, data.partBytes), table) : largest,
    ]),
    totalBytes: functionBytes + sum(given),
    functionBytes,
    zippedBytes: weights.zipped,
    programBytes: weights.programZipped,
    memoryBytes: program === null ? 0 : memoryNeeded(files),
    coldFetches,
    allFetches: isFetched ? coldFetches + parts(/^data\/part-/) : 0,
    searchFetches: isFetched ? coldFetches + parts(/^data\/(?:terms|text)-/) : 0,
  }
}

// regex: a fixed text and a number
/** Memory of a process before it loads a site. */
const runtimeBytes = 24 * 1024 * 1024

/** Sums what stays in memory, the indexes and the dictionaries of search, and the cache, bounded by what it could hold. */
function memoryNeeded(files: readonly DataFile[]): number {
  const bytesOf = (pattern: RegExp) =>
    sum(files.filter(({ name }) => pattern.test(name)).map(({ entry }) => entry.bytes))
  const indexes = bytesOf(/^data\/(?:index|terms)-/)
  const cached = Math.min(bytesOf(/^data\/(?:part|text|terms)-/), cacheBytesDefault)
  return runtimeBytes + 3 * indexes + cached
}

function largestOf(numbers: readonly number[]): number {
  return numbers.reduce((max, number) => Math.max(max, number), 0)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
