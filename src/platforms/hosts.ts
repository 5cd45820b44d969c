// The hosts that a build can be made ready for, by name.

/** Hosts for `--for` and `platform`, in the order in which they are listed. */
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

/** Buckets that a function can read its files from, for `storage`. */
export const storageNames = ['s3', 'r2'] as const

export type StorageName = (typeof storageNames)[number]

/** Deployments whose function reads from a bucket. */
const bucketNames = ['aws-lambda-s3', 'cloudflare-r2'] as const

/** A deployment: that of a host, or the one to it whose function reads from a bucket. */
export type DeploymentName = HostName | (typeof bucketNames)[number]

export const deploymentNames: readonly DeploymentName[] = [...hostNames, ...bucketNames]

/** The deployment to a host with a storage; null where the host has none with that storage. */
export function deploymentName(
  host: HostName,
  storage: StorageName | undefined,
): DeploymentName | null {
  if (storage === undefined) return host
  return bucketNames.find((name) => name === `${host}-${storage}`) ?? null
}

/** Folders next to the output folder, one of which every deployment lies in. */
export const deploymentRoots: readonly string[] = ['deploy', '.vercel']
