// The limits of hosts that a site can reach, each with its source, read on 2026-11-21.
import { OutputError } from '../build/disk.ts'
import type { HostName } from '../config/host-names.ts'

/** Sizes of a deployment. */
export interface Sizes {
  readonly files: number
  readonly largestFileBytes: number
  readonly totalBytes: number
  /** Without images and the responses that the host serves itself. */
  readonly functionBytes: number
}

interface HostLimit {
  readonly host: HostName
  readonly size: keyof Sizes
  readonly max: number
  /** The plan or way to deploy that has this limit; null when none allows more. */
  readonly only: string | null
  readonly source: string
}

const MB = 1_000_000
const MiB = 1024 * 1024
const workers = 'https://developers.cloudflare.com/workers/platform/limits/'
const lambda = 'https://repost.aws/questions/QUt1Cc15fbTkWsVXPNmj6MNQ'
const vercel = 'https://vercel.com/docs/functions/limitations'
const pages =
  'https://docs.github.com/en/pages/getting-started-with-github-pages/github-pages-limits'

/** Netlify's functions run on Lambda. */
const limits: readonly HostLimit[] = [
  { host: 'cloudflare', size: 'files', max: 20_000, only: 'the free plan', source: workers },
  { host: 'cloudflare', size: 'files', max: 100_000, only: null, source: workers },
  { host: 'cloudflare', size: 'largestFileBytes', max: 25 * MiB, only: null, source: workers },
  { host: 'aws-lambda', size: 'totalBytes', max: 250 * MiB, only: null, source: lambda },
  { host: 'netlify', size: 'functionBytes', max: 250 * MiB, only: null, source: lambda },
  {
    host: 'vercel',
    size: 'functionBytes',
    max: 250 * MB,
    only: 'functions that are not "large"',
    source: vercel,
  },
  { host: 'vercel', size: 'functionBytes', max: 5000 * MB, only: null, source: vercel },
  { host: 'static', size: 'totalBytes', max: 1000 * MB, only: 'GitHub Pages', source: pages },
]

const names: Readonly<Record<keyof Sizes, string>> = {
  files: 'the number of files',
  largestFileBytes: 'the largest file',
  totalBytes: 'the size of all files',
  functionBytes: 'the size of the function',
}

const otherHost =
  'Build the workspaces separately, or choose a host without this limit, such as deno or bun.'
const remedies: Readonly<Record<keyof Sizes, string>> = {
  files: 'Write fewer files with `precompute`, or build workspaces apart.',
  largestFileBytes: 'Build workspaces apart.',
  totalBytes: otherHost,
  functionBytes: otherHost,
}

/**
 * Compares a deployment with the limits of its host.
 *
 * @returns a sentence for each limit of some plans that it exceeds
 * @throws OutputError when it exceeds a limit of all plans
 */
export function checkLimits(host: HostName, sizes: Sizes): readonly string[] {
  const broken = limits.filter((limit) => limit.host === host && sizes[limit.size] > limit.max)
  for (const limit of broken) {
    if (limit.only !== null) continue
    throw new OutputError(
      `The site is too large for ${host}: ${describe(limit, sizes)} The build itself is complete.`,
    )
  }
  return broken.map((limit) => describe(limit, sizes))
}

function describe({ size, max, only, source }: HostLimit, sizes: Sizes): string {
  const amount = (value: number) =>
    size === 'files' ? value.toLocaleString('en') : `${(value / MB).toFixed(1)} MB`
  const plan = only === null ? '' : ` on ${only}`
  return `${names[size]} is ${amount(sizes[size])}, and at most ${amount(max)} is allowed${plan} (${source}). ${remedies[size]}`
}
