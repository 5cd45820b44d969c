// The fixture, built; and how a suite asks a handler in this process, and whatever listens at an address.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from '../../src/build/build.ts'
import { type QuarryConfig, resolveSettings } from '../../src/config.ts'
import type { Handler } from '../../src/runtime/handler.ts'
import { type SiteDescription, writeFixture } from './fixture.ts'
import type { RequestOptions, ResponseLike } from './host.ts'

/** The requests of the suite that everyone may send. `changes` names builds. */
export const openTargets: readonly string[] = readFileSync(
  join(import.meta.dirname, 'requests.txt'),
  'utf8',
)
  .split('\n')
  .flatMap((line) => /^GET (\/v1\/\S+)$/.exec(line)?.[1] ?? [])
  .filter((target) => !/\/changes|\{/.test(target))

/** The fixture, built into a folder of its own. */
export interface BuiltFixture {
  readonly folder: string
  readonly out: string
  readonly site: SiteDescription
  remove(): void
}

/**
 * Writes and builds the fixture.
 *
 * @param change changes the content before the build
 * @param config beyond that of every fixture
 */
export async function buildFixture(
  change: (content: string, hidden: readonly string[]) => void = () => {},
  config: QuarryConfig = {},
): Promise<BuiltFixture> {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-conformance-'))
  const content = join(folder, 'content')
  const out = join(folder, 'dist')
  const site = writeFixture(content)
  change(content, site.hidden)
  // With drafts: whatever a suite requests of a host, they are there and must not be seen.
  await build(resolveSettings({ content, out, workers: 1, changes: true, ...config }), {
    now: site.now,
    drafts: true,
  })
  return { folder, out, site, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Asks a handler as a host would. */
export function requestHandler(
  handler: Handler,
): (path: string, options?: RequestOptions) => Promise<ResponseLike> {
  return (path, options = {}) => handler(new Request(`http://host.invalid${path}`, options))
}

/** Asks whatever listens at an address. */
export function requestAddress(
  base: string,
): (path: string, options?: RequestOptions) => Promise<ResponseLike> {
  return (path, options = {}) => fetch(`${base}${path}`, { ...options, redirect: 'manual' })
}
