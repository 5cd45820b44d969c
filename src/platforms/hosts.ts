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

/** Folders next to the output folder, one of which every deployment lies in. */
export const deploymentRoots: readonly string[] = ['deploy', '.vercel']
