// Names that settings and flags take: hosts, and the lists that a build writes as files.
import type { Format, Version } from '../api/request.ts'

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

/** The response files to write. */
export interface Precompute {
  readonly versions: readonly Version[]
  readonly formats: readonly Format[]
  /** Page sizes of lists, 1 to 100. */
  readonly pageSizes: readonly number[]
  /** Post lists: `default`, or some of `asc`, `excludeContent` and `all`, joined with `+`. */
  readonly lists: readonly string[]
  /** Also writes a file per id. */
  readonly ids: boolean
}

/** Parts of a list name. */
export const listParts: readonly string[] = ['asc', 'excludeContent', 'all']

/** Reports whether a name is a list name: `default`, `asc`, `excludeContent+all`. */
export function isListName(name: string): boolean {
  if (name === 'default') return true
  const parts = name.split('+')
  return parts.every((part) => listParts.includes(part)) && new Set(parts).size === parts.length
}
