// The names of hosts that quarry writes deployments for.

/** Hosts for `--for` and `platform`, in display order. */
export const hostNames = [
  'cloudflare',
  'netlify',
  'vercel',
  'aws',
  'aws-lambda',
  'deno',
  'bun',
  'nginx',
  'static',
] as const

export type HostName = (typeof hostNames)[number]

/** Buckets that a function can read from, for `storage`. */
export const storageNames = ['s3', 'r2'] as const

export type StorageName = (typeof storageNames)[number]

/** Deployments whose function reads from a bucket. */
const bucketNames = ['aws-lambda-s3', 'cloudflare-r2'] as const

/** A deployment: a host, or a host whose function reads from a bucket. */
export type DeploymentName = HostName | (typeof bucketNames)[number]

export const deploymentNames: readonly DeploymentName[] = [...hostNames, ...bucketNames]

/** The deployment for a host and a storage; null when the host does not support the storage. */
export function deploymentName(
  host: HostName,
  storage: StorageName | undefined,
): DeploymentName | null {
  if (storage === undefined) return host
  return bucketNames.find((name) => name === `${host}-${storage}`) ?? null
}

/** Sibling folders of the output folder; every deployment is in one of them. */
export const deploymentRoots: readonly string[] = ['deploy', '.vercel']
