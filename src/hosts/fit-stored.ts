// Selects the precomputed responses that fit next to the function: all, those in HTML, or none.
import { formats } from '../api/request.ts'
import type { Manifest } from '../emit/manifest.ts'
import { deployments } from './deployments.ts'
import type { HostMeasures } from './measure.ts'
import type { HostName } from './names.ts'
import { compareLimits, type MeasuredLimit } from './plan.ts'
import { type StoredFile, storedFiles } from './stored-responses.ts'
import { type WeighOptions, weighDeployment } from './weigh.ts'

/** Precomputed responses that do not fit on a host, and the limit. */
export interface LeftOut extends MeasuredLimit {
  /** The responses that come from the index instead. */
  readonly responses: 'all' | 'markdown'
}

/** A deployment with the precomputed responses that fit. */
export interface FittedDeployment {
  readonly stored: readonly StoredFile[]
  readonly measures: HostMeasures
  /** The responses that do not fit, and the limit; null when all fit, or the host takes none. */
  readonly leftOut: LeftOut | null
}

/**
 * Measures a deployment with as many precomputed responses as fit. They alone never exceed a limit of any plan, so
 * they never prevent a deployment.
 */
export async function fitStored(
  host: HostName,
  out: string,
  manifest: Manifest,
  { deflated = new Map() }: Pick<WeighOptions, 'deflated'> = {},
): Promise<FittedDeployment> {
  const weigh = (stored: readonly StoredFile[]) =>
    weighDeployment(host, out, manifest, { deflated, stored })
  if (deployments[host].stored === undefined) {
    return { stored: [], measures: await weigh([]), leftOut: null }
  }
  const least = await storedFiles(out, manifest, [])
  const bare = await weigh(least)
  const brokenBare = compareLimits(host, bare).filter(({ isBroken }) => isBroken)
  let leftOut: LeftOut | null = null
  for (const kept of [formats, ['html']] as const) {
    const stored = await storedFiles(out, manifest, kept)
    const measures = await weigh(stored)
    const broken = compareLimits(host, measures).find(
      ({ isBroken, limit }) => isBroken && !brokenBare.some((known) => known.limit === limit),
    )
    if (broken === undefined) return { stored, measures, leftOut }
    leftOut = { ...broken, responses: kept === formats ? 'markdown' : 'all' }
  }
  return { stored: least, measures: bare, leftOut }
}
