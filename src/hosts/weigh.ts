// Weighs a deployment: its program, and the whole as a zip.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { deflateRaw, gzipSync } from 'node:zlib'
import pMap from 'p-map'
import type { Manifest } from '../emit/manifest.ts'
import { dataFiles, programParts } from './deployment.ts'
import { deployments } from './deployments.ts'
import { hostLimits } from './limits.ts'
import { type HostMeasures, measureDeployment } from './measure.ts'
import type { HostName } from './names.ts'
import type { StoredFile } from './stored-responses.ts'

/** Options of `weighDeployment`. */
export interface WeighOptions {
  /** Sizes of already compressed files, by SHA-256; new sizes are added. @default none */
  readonly deflated?: Map<string, number>
  /** Precomputed responses of the function. @default none */
  readonly stored?: readonly StoredFile[]
}

/** Measures the size of a build on a host from the actual files. */
export async function weighDeployment(
  host: HostName,
  out: string,
  manifest: Manifest,
  { deflated = new Map(), stored = [] }: WeighOptions = {},
): Promise<HostMeasures> {
  const isZipped = hostLimits.some(
    (limit) => limit.host === host && limit.measure === 'zippedBytes',
  )
  const programs = readPrograms(host)
  const weights = {
    program: sum(programs.map(({ length }) => length)),
    programZipped: sum(programs.map((part) => gzipSync(part).length)),
    zipped: isZipped ? await zippedBytes(host, out, manifest, { deflated, stored }) : 0,
  }
  return measureDeployment(host, manifest, weights, stored)
}

/** Reads the host's program, bundled when the package was built; null for hosts without a function. */
export function readProgram(host: HostName): Uint8Array | null {
  if (deployments[host].program === null) return null
  return readFileSync(createRequire(import.meta.url).resolve(`#functions/${host}-entry.js`))
}

/** Reads a module next to the program; it is the same on every host. */
export function readProgramPart(name: (typeof programParts)[number]): Uint8Array {
  return readFileSync(createRequire(import.meta.url).resolve(`#functions/${name}`))
}

/** Reads the program and the modules next to it; empty for hosts without a function. */
function readPrograms(host: HostName): readonly Uint8Array[] {
  const program = readProgram(host)
  return program === null ? [] : [program, ...programParts.map(readProgramPart)]
}

/** Computes the size that `zip` produces: each file deflated, a header per file and a central directory entry. */
async function zippedBytes(
  host: HostName,
  out: string,
  manifest: Manifest,
  { deflated, stored }: Required<WeighOptions>,
): Promise<number> {
  const { data, texts } = deployments[host]
  const files = [
    ...dataFiles(data, manifest).map(({ path, entry }) => ({
      id: entry.sha256,
      encode: () => readFileSync(join(out, path)),
    })),
    ...stored,
  ]
  const sizes = await pMap(
    files,
    async ({ id, encode }) => {
      const size = deflated.get(id) ?? (await deflate(encode())).length
      deflated.set(id, size)
      return size
    },
    { concurrency: 4 },
  )
  for (const text of Object.values(texts)) sizes.push((await deflate(text)).length)
  for (const part of readPrograms(host)) sizes.push((await deflate(part)).length)
  return sizes.reduce((sum, size) => sum + size + zipEntryBytes, 0)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

const deflate = promisify(deflateRaw)

/** Both headers of a file with a name of about 50 bytes, including its times. */
const zipEntryBytes = 230
