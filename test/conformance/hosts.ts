// Hosts for the suite: the handler in this process, and whatever listens at an address.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from '../../src/build/build.ts'
import { createFileStorage } from '../../src/build/file-storage.ts'
import { resolveSettings } from '../../src/config.ts'
import { loadAgents } from '../../src/hosts/function.ts'
import { createHandler, type Handler } from '../../src/runtime/handler.ts'
import { openBuild } from '../../src/runtime/open-build.ts'
import { type SiteDescription, writeFixture } from './fixture.ts'
import type { HostUnderTest, RequestOptions, ResponseLike } from './host.ts'

/** The fixture, built into a folder of its own. */
export interface BuiltFixture {
  readonly folder: string
  readonly out: string
  readonly site: SiteDescription
  remove(): void
}

/** Writes and builds the fixture. @param change changes the content before the build */
export async function buildFixture(
  change: (content: string, hidden: readonly string[]) => void = () => {},
): Promise<BuiltFixture> {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-conformance-'))
  const content = join(folder, 'content')
  const out = join(folder, 'dist')
  const site = writeFixture(content)
  change(content, site.hidden)
  // With drafts: whatever a suite requests of a host, they are there and must not be seen.
  await build(resolveSettings({ content, out, workers: 1, changes: true }), {
    now: site.now,
    drafts: true,
  })
  return { folder, out, site, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** A handler in this process over the fixture's bundle. */
export async function openInProcess(): Promise<HostUnderTest> {
  const fixture = await buildFixture()
  const folder = join(fixture.out, 'function')
  const open = async () => {
    const storage = createFileStorage(folder)
    const options = { now: () => fixture.site.now, rateLimit: 'off', loadAgents }
    return { handler: createHandler({ site: await openBuild(storage) }, options) }
  }
  let opened = await open()
  return {
    request: requestHandler((request) => opened.handler(request)),
    site: fixture.site,
    out: fixture.out,
    files: {
      folder,
      restart: async () => {
        opened = await open()
      },
    },
    close: () => fixture.remove(),
  }
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
