// The hosts that a build can be made ready for, by name.
// Knows nothing of what each needs.

/** Hosts for `--for` and `platform`, in the order in which they are listed. */
export const hostNames = [
  'cloudflare',
  'netlify',
  'vercel',
  'aws-lambda',
  'deno',
  'bun',
  'nginx',
] as const

export type HostName = (typeof hostNames)[number]
