// Hosts for the suite: the handler in this process, and whatever listens at an address.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from '../../src/build.ts'
import { resolveSettings } from '../../src/config.ts'
import { createFileStorage } from '../../src/platforms/node/file-storage.ts'
import { openBundle } from '../../src/runtime/bundle.ts'
import { createKeyring } from '../../src/runtime/keys.ts'
import { createResponder, type Responder } from '../../src/runtime/responder.ts'
import { type SiteDescription, writeFixture } from './fixture.ts'
import type { HostUnderTest, RequestOptions, ResponseLike } from './host.ts'

/** The fixture, built into a folder of its own. */
export interface BuiltFixture {
  readonly folder: string
  readonly out: string
  readonly site: SiteDescription
  remove(): void
}

/** Writes and builds the fixture. */
export async function buildFixture(): Promise<BuiltFixture> {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-conformance-'))
  const content = join(folder, 'content')
  const out = join(folder, 'dist')
  const site = writeFixture(content)
  await build(resolveSettings({ content, out, workers: 1 }), { now: site.now })
  return { folder, out, site, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** A handler in this process over the fixture's bundle. */
export async function openInProcess(): Promise<HostUnderTest> {
  const fixture = await buildFixture()
  const storage = createFileStorage(join(fixture.out, 'function'))
  const { site } = await openBundle(storage)
  const keyring = createKeyring(site.keys)
  const handler = createResponder(() => site, {
    now: () => fixture.site.now,
    keyring: () => keyring,
  })
  return {
    request: requestHandler(handler),
    site: fixture.site,
    close: () => {
      storage.close()
      fixture.remove()
    },
  }
}

/** Asks a handler as `fetch` asks a host. */
export function requestHandler(
  handler: Responder,
): (path: string, options?: RequestOptions) => Promise<ResponseLike> {
  return async (path, { method = 'GET', headers: sent = {} } = {}) => {
    const given = new Headers(sent)
    const { pathname, search } = new URL(`http://host.invalid${path}`)
    const reply = await handler({
      method,
      target: `${pathname}${search}`,
      clientAddress: '192.0.2.1',
      header: (name) => given.get(name),
    })
    const headers = new Headers(
      reply.headers.map(([name, value]): [string, string] => [name, value]),
    )
    const parts: Uint8Array[] = []
    if (reply.body instanceof Uint8Array) parts.push(reply.body)
    else if (reply.body !== null) for await (const part of reply.body) parts.push(part)
    return { status: reply.status, headers, text: async () => Buffer.concat(parts).toString() }
  }
}

/** Asks whatever listens at an address. */
export function requestAddress(
  base: string,
): (path: string, options?: RequestOptions) => Promise<ResponseLike> {
  return (path, options = {}) => fetch(`${base}${path}`, { ...options, redirect: 'manual' })
}
