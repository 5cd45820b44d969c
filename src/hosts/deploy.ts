// Writes the requested deployment, and updates earlier deployments of the same output folder.
import { basename, dirname, join } from 'node:path'
import { versionRoots } from '../api/paths.ts'
import { type Manifest, workspacesBelow } from '../emit/manifest.ts'
import { OutputError } from '../emit/output-error.ts'
import type { Precompute } from '../emit/plan.ts'
import { type DeploymentHead, readDeploymentHead, rootOf } from './deployment-list.ts'
import { deployments } from './deployments.ts'
import { fitStored, type LeftOut } from './fit-stored.ts'
import { type HostName, hostNames } from './names.ts'
import { compareLimits, type MeasuredLimit, requireRoom } from './plan.ts'
import { type Deployment, writeDeployment } from './write-deployment.ts'

/**
 * A deployment and the limits that it exceeds. All of them belong to some plans only: otherwise there would be no
 * deployment.
 */
export interface Deployed extends Deployment {
  readonly broken: readonly MeasuredLimit[]
  /** Precomputed responses that do not fit next to the function; null when all fit. */
  readonly leftOut: LeftOut | null
}

/** A deployment that still holds an older build. */
export interface LeftBehind {
  readonly host: HostName
  /** Absolute path. */
  readonly folder: string
  /** The reason why it was not updated, as a sentence. */
  readonly reason: string
}

/** A build in its output folder. */
export interface BuiltFolder {
  /** Absolute path. */
  readonly out: string
  readonly manifest: Manifest
  readonly precompute: Precompute
}

/**
 * Prepares a build for a host.
 *
 * @throws OutputError when it exceeds the limits of all plans, must not be served by this host, or cannot be written
 */
export async function deploy(
  host: HostName,
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
 * Rewrites the deployments of older builds of the same output folder, so that none keeps a withdrawn post.
 *
 * @param but the host whose deployment is written anyway
 */
export async function followDeployments(
  built: BuiltFolder,
  but: HostName | undefined,
): Promise<{ readonly followed: readonly Deployed[]; readonly leftBehind: readonly LeftBehind[] }> {
  const followed: Deployed[] = []
  const leftBehind: LeftBehind[] = []
  for (const host of hostNames) {
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

/** Deployments of another output folder in the same directory are left alone. */
function isOlder(head: DeploymentHead, { out, manifest }: BuiltFolder): boolean {
  const isSame = head.build === manifest.build && [undefined, rootOf(manifest)].includes(head.root)
  return !isSame && (head.out === null || head.out === basename(out))
}

function reasonToStay(
  host: HostName,
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
