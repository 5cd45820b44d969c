// The limits of hosts, each with its source and the date of reading. Pure data.
import type { HostName } from './names.ts'

/** The quantity that a limit applies to. */
export type Measure =
  | 'files'
  | 'largestFileBytes'
  /** Total size, uncompressed. */
  | 'totalBytes'
  /** Total size without images and the responses that the host serves itself. */
  | 'functionBytes'
  /** Size as one zip. */
  | 'zippedBytes'
  /** Size of the program alone, gzipped. */
  | 'programBytes'
  | 'memoryBytes'
  /** Files that a first request fetches. */
  | 'coldFetches'
  /** Files that `limit=all` of everything fetches, at most. */
  | 'allFetches'
  /** Files that a search fetches, at most. */
  | 'searchFetches'

/** A limit of a host. */
export interface HostLimit {
  readonly host: HostName
  readonly measure: Measure
  readonly max: number
  /** The plan or way to deploy that has this limit; null when no plan allows more. */
  readonly only: string | null
  readonly source: string
  /** The date of reading. */
  readonly readOn: string
}

const MB = 1_000_000
const MiB = 1024 * 1024
const readOn = '2026-11-21'

const cloudflare = {
  host: 'cloudflare',
  source: 'https://developers.cloudflare.com/workers/platform/limits/',
  readOn,
} as const

const lambda = {
  host: 'aws-lambda',
  source: 'https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html',
  readOn,
} as const

/** Quotes AWS's documentation, with the error that names the number of bytes. */
const unzipped = {
  max: 250 * MiB,
  source: 'https://repost.aws/questions/QUt1Cc15fbTkWsVXPNmj6MNQ',
} as const

/** A larger zip has to come from a bucket. */
const zipped = { max: 50 * MiB, only: 'a direct upload' } as const

/** Netlify Functions run on Lambda. */
const netlify = { ...lambda, host: 'netlify' } as const

const pages = {
  host: 'static',
  only: 'GitHub Pages',
  source: 'https://docs.github.com/en/pages/getting-started-with-github-pages/github-pages-limits',
  readOn,
} as const

const vercel = {
  host: 'vercel',
  source: 'https://vercel.com/docs/functions/limitations',
  readOn,
} as const

/** All known limits. Hosts without an entry have no limit that a site could reach. */
export const hostLimits: readonly HostLimit[] = [
  { ...cloudflare, measure: 'files', max: 20_000, only: 'the free plan' },
  { ...cloudflare, measure: 'files', max: 100_000, only: null },
  { ...cloudflare, measure: 'largestFileBytes', max: 25 * MiB, only: null },
  { ...cloudflare, measure: 'programBytes', max: 3 * MB, only: 'the free plan' },
  { ...cloudflare, measure: 'memoryBytes', max: 128 * MB, only: null },
  { ...cloudflare, measure: 'coldFetches', max: 50, only: 'the free plan' },
  { ...cloudflare, measure: 'coldFetches', max: 10_000, only: null },
  { ...cloudflare, measure: 'allFetches', max: 50, only: 'the free plan' },
  { ...cloudflare, measure: 'allFetches', max: 10_000, only: null },
  { ...cloudflare, measure: 'searchFetches', max: 50, only: 'the free plan' },
  { ...cloudflare, measure: 'searchFetches', max: 10_000, only: null },
  { ...lambda, measure: 'totalBytes', ...unzipped, only: null },
  { ...lambda, measure: 'zippedBytes', ...zipped },
  { ...lambda, measure: 'memoryBytes', max: 10_240 * MiB, only: null },
  { ...netlify, measure: 'functionBytes', ...unzipped, only: null },
  { ...netlify, measure: 'zippedBytes', ...zipped },
  {
    ...netlify,
    measure: 'memoryBytes',
    max: 1024 * MiB,
    only: 'functions with the usual memory',
    source: 'https://docs.netlify.com/build/functions/configuration',
  },
  {
    ...vercel,
    measure: 'files',
    max: 15_000,
    only: 'an upload without --archive=tgz',
    source: 'https://vercel.com/docs/cli/deploy',
  },
  { ...vercel, measure: 'functionBytes', max: 250 * MB, only: 'functions that are not "large"' },
  { ...vercel, measure: 'functionBytes', max: 5000 * MB, only: null },
  { ...vercel, measure: 'memoryBytes', max: 2048 * MiB, only: 'the hobby plan' },
  { ...vercel, measure: 'memoryBytes', max: 4096 * MiB, only: null },
  { ...pages, measure: 'totalBytes', max: 1000 * MB },
]
