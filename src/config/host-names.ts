// The names of hosts that quarry writes deployments for.

/** Hosts for `--for` and `platform`, in display order. */
export const hostNames = [
  'cloudflare',
  'netlify',
  'vercel',
  'aws-lambda',
  'deno',
  'bun',
  'static',
] as const

/** The name of a host. */
export type HostName = (typeof hostNames)[number]

/** Sibling folders of the output folder; every deployment is in one of them. */
export const deploymentRoots: readonly string[] = ['deploy', '.vercel']
