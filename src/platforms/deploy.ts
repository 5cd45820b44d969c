// Deployments of a build: the one that is asked for, and those that were made of its output folder before.
import { basename, dirname, join } from 'node:path'
import { versionRoots } from '../api/paths.ts'
import { type Manifest, workspacesBelow } from '../emit/manifest.ts'
import { OutputError } from '../emit/output-error.ts'
import type { Precompute } from '../emit/plan.ts'
import { type DeploymentHead, readDeploymentHead, rootOf } from './deployment-list.ts'
import { deployments } from './deployments.ts'
import { fitStored, type LeftOut } from './fit-stored.ts'
import { type DeploymentName, deploymentNames } from './hosts.ts'
import { compareLimits, type MeasuredLimit, requireRoom } from './plan.ts'
import { type Deployment, writeDeployment } from './write-deployment.ts'

/** A deployment, and the limits that it breaks: those of some plans alone, else there would be none. */
export interface Deployed extends Deployment {
  readonly broken: readonly MeasuredLimit[]
  /** Precomputed responses without room next to the function; null where all are there. */
  readonly leftOut: LeftOut | null
}

/** A deployment that still holds an older build. */
export interface LeftBehind {
  readonly host: DeploymentName
  /** Absolute. */
  readonly folder: string
  /** Why it could not follow, as a sentence. */
  readonly reason: string
}

/** A build in its output folder. */
export interface BuiltFolder {
  /** Absolute. */
  readonly out: string
  readonly manifest: Manifest
  readonly precompute: Precompute
}

/**
 * Makes a build ready for a host.
 *
 * @throws OutputError when no plan of the host takes it, nothing of it may be served there, or it cannot be written
 */
export async function deploy(
  host: DeploymentName,
  { out, manifest }: Pick<BuiltFolder, 'out' | 'manifest'>,
): Promise<Deployed> {
  if (
    deployments[host].data.form === 'responses' &&
    workspacesBelow(manifest, versionRoots.v1).length === 0
  ) {
    throw new OutputError(
      `Nothing of this site may be served by ${host}: every workspace is closed (v1: private).`,
    )
  }
  const { stored, measures, leftOut } = await fitStored(host, out, manifest)
  requireRoom(host, measures)
  const broken = compareLimits(host, measures).filter(({ isBroken }) => isBroken)
  return { ...writeDeployment(host, out, manifest, stored), broken, leftOut }
}

/**
 * Writes the deployments of older builds in the same output folder again: none of them keeps a
 * post that was taken back.
 *
 * @param but the host that is made ready anyway
 */
export async function followDeployments(
  built: BuiltFolder,
  but: DeploymentName | undefined,
): Promise<{ readonly followed: readonly Deployed[]; readonly leftBehind: readonly LeftBehind[] }> {
  const followed: Deployed[] = []
  const leftBehind: LeftBehind[] = []
  for (const host of deploymentNames) {
    const folder = join(dirname(built.out), deployments[host].folder)
    const head = readDeploymentHead(folder)
    if (host === but || head?.host !== host || !isOlder(head, built)) continue
    const reason = reasonToStay(host, head, built)
    const outcome = reason ?? (await deploy(host, built).catch(reasonOf))
    if (typeof outcome === 'string') leftBehind.push({ host, folder, reason: outcome })
    else followed.push(outcome)
  }
  return { followed, leftBehind }
}

/** Another output folder next to this one may have its own deployments: those are left alone. */
function isOlder(head: DeploymentHead, { out, manifest }: BuiltFolder): boolean {
  const isSame = head.build === manifest.build && [undefined, rootOf(manifest)].includes(head.root)
  return !isSame && (head.out === null || head.out === basename(out))
}

function reasonToStay(
  host: DeploymentName,
  { out }: DeploymentHead,
  { precompute }: BuiltFolder,
): string | null {
  if (out === null) return 'It does not say of which output folder it was made.'
  const isNarrower = !precompute.ids || !precompute.versions.includes('v1')
  if (deployments[host].data.form !== 'responses' || !isNarrower) return null
  return 'This build wrote no files for ids, or none of v1.'
}

function reasonOf(error: unknown): string {
  if (error instanceof OutputError) return error.message
  throw error
}
