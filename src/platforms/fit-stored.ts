// Whether a host has room for precomputed responses beside the function: all of them, or none.
import type { Manifest } from '../emit/manifest.ts'
import { deployments } from './deployments.ts'
import type { HostName } from './hosts.ts'
import type { HostMeasures } from './measure.ts'
import { compareLimits, type MeasuredLimit } from './plan.ts'
import { type StoredFile, storedFiles } from './stored-responses.ts'
import { type WeighOptions, weighDeployment } from './weigh.ts'

/** A deployment with the precomputed responses that it has room for. */
export interface FittedDeployment {
  readonly stored: readonly StoredFile[]
  readonly measures: HostMeasures
  /** The limit that leaves no room for them; null where they are there, or the host takes none. */
  readonly leftOut: MeasuredLimit | null
}

/**
 * Weighs a deployment with its precomputed responses, and without them where a limit of any plan would be broken by
 * them alone: a site that could be deployed without them still can.
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
  const all = await storedFiles(out, manifest, true)
  const head = await storedFiles(out, manifest, false)
  const [measures, bare] = [await weigh(all), await weigh(head)]
  const brokenBare = compareLimits(host, bare).filter(({ isBroken }) => isBroken)
  const leftOut = compareLimits(host, measures).find(
    ({ isBroken, limit }) => isBroken && !brokenBare.some((broken) => broken.limit === limit),
  )
  return leftOut === undefined
    ? { stored: all, measures, leftOut: null }
    : { stored: head, measures: bare, leftOut }
}
