// The site of the black box with fewer posts, for suites that send requests in this process or to separate hosts.
import { join } from 'node:path'
import { build } from '../../src/build/build.ts'
import { createFileStorage } from '../../src/build/disk.ts'
import type { Manifest } from '../../src/build/manifest.ts'
import { type QuarryConfig, resolveSettings } from '../../src/config.ts'
import {
  createFunctionHandler,
  type FunctionEnvironment,
  type FunctionHandler,
} from '../../src/runtime.ts'
import { readRequests } from '../blackbox/requests.ts'
import { now, writeSite } from '../blackbox/site.ts'
import { emptyFolder } from './empty-folder.ts'

/** A time at which the sample's scheduled post is not visible, also for hosts that use the real clock. */
export const sampleNow: number = Date.parse(now)

/** The public v1 targets of the black box, except changes, which name builds. */
export const openTargets: readonly string[] = readRequests('sample')
  .filter(({ method, headers }) => method === 'GET' && Object.keys(headers).length === 0)
  .map(({ target }) => target)
  .filter((target) => target.startsWith('/v1/') && !target.includes('/changes'))

/** The sample, built into a separate folder. */
export interface BuiltSample {
  readonly folder: string
  readonly out: string
  readonly manifest: Manifest
}

/** Writes the sample into a folder: 60 posts of `journal`, of which one is scheduled for 2999. */
export function writeSample(folder: string): void {
  writeSite(folder, 60, '2999-01-01T00:00:00.000Z')
}

/** Builds the sample with its drafts, which no request of a suite may reveal. */
export async function buildSample(
  change: (content: string) => void = () => {},
  config: QuarryConfig = {},
): Promise<BuiltSample> {
  const folder = emptyFolder()
  writeSample(folder)
  const [content, out] = [join(folder, 'content'), join(folder, 'dist')]
  change(content)
  const settings = resolveSettings({ content, out, workers: 1, changes: true, ...config })
  const { manifest } = await build(settings, { now: sampleNow, drafts: true })
  return { folder, out, manifest }
}

/** Returns the function of a build, without a rate limit unless one is set. */
export function handlerOf(
  out: string,
  environment: FunctionEnvironment = {},
  now = sampleNow,
): FunctionHandler {
  return createFunctionHandler({
    storage: createFileStorage(join(out, 'function')),
    environment: { QUARRY_RATE_LIMIT: 'off', ...environment },
    now: () => now,
  })
}

/** Returns the function of a build, for targets. */
export function functionOver(out: string): (target: string) => Promise<Response> {
  const handler = handlerOf(out)
  return (target) => handler(new Request(`http://host.invalid${target}`), '')
}

/** Returns the parts of a response to compare. */
export async function essenceOf(response: Response) {
  const text = (await response.text()).replace(/Request [\w-]{36}/, '')
  return { status: response.status, etag: response.headers.get('etag'), text }
}
