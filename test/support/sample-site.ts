// The site of the black box with fewer posts, for suites that ask it in this process or on hosts of their own.
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

/** A moment at which the sample's scheduled post is none yet, also for hosts whose clock is the real one. */
export const sampleNow: number = Date.parse(now)

/** The targets of the black box that everyone may request of v1, but for changes, which name builds. */
export const openTargets: readonly string[] = readRequests('sample')
  .filter(({ method, headers }) => method === 'GET' && Object.keys(headers).length === 0)
  .map(({ target }) => target)
  .filter((target) => target.startsWith('/v1/') && !target.includes('/changes'))

/** The sample, built into a folder of its own. */
export interface BuiltSample {
  readonly folder: string
  readonly out: string
  readonly manifest: Manifest
}

/** Writes the sample into a folder: 60 posts of `journal`, the scheduled one of 2999. */
export function writeSample(folder: string): void {
  writeSite(folder, 60, '2999-01-01T00:00:00.000Z')
}

/** Builds the sample with its drafts: whatever a suite requests, they are there and must not be seen. */
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

/** The function over a build, without a limit of requests unless there is one, at the moment of the sample. */
export function handlerOf(out: string, environment: FunctionEnvironment = {}): FunctionHandler {
  return createFunctionHandler({
    storage: createFileStorage(join(out, 'function')),
    environment: { QUARRY_RATE_LIMIT: 'off', ...environment },
    now: () => sampleNow,
  })
}

/** The same, by target. */
export function functionOver(out: string): (target: string) => Promise<Response> {
  const handler = handlerOf(out)
  return (target) => handler(new Request(`http://host.invalid${target}`), '')
}

/** What is compared of a response. */
export async function essenceOf(response: Response) {
  const text = (await response.text()).replace(/Request [\w-]{36}/, '')
  return { status: response.status, etag: response.headers.get('etag'), text }
}
