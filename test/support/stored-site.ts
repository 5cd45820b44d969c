// The conformance fixture as functions have it that come before the files, and cold functions over it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isServedFile, requestOfFile } from '../../src/api/paths.ts'
import { build } from '../../src/build/build.ts'
import type { Manifest } from '../../src/build/manifest.ts'
import { resolveSettings } from '../../src/config.ts'
import { deploy } from '../../src/hosts/deploy.ts'
import { functionFolder } from '../../src/hosts/folder.ts'
import { createFunctionHandler } from '../../src/hosts/function.ts'
import { type SiteDescription, writeFixture } from '../conformance/fixture.ts'
import { targetOfRequest } from './served-site.ts'

/** The fixture, built and deployed. */
export interface StoredSite {
  readonly out: string
  readonly site: SiteDescription
  readonly manifest: Manifest
  /** Folder of the function's files on Lambda. */
  readonly lambda: string
  /** Folder of the assets on Cloudflare. */
  readonly assets: string
  remove(): void
}

/** Builds the fixture with more lists than the default, and deploys it twice. */
export async function openStoredSite(
  change: (content: string) => void = () => {},
): Promise<StoredSite> {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-stored-'))
  const lists = ['default', 'excludeContent', 'excludeContent+all']
  const content = join(folder, 'content')
  const out = join(folder, 'dist')
  const site = writeFixture(content)
  change(content)
  const settings = resolveSettings({
    content,
    out,
    workers: 1,
    cache: false,
    precompute: { lists },
  })
  const { manifest } = await build(settings, { now: site.now })
  const folderOf = (host: 'aws-lambda' | 'cloudflare') => deploy(host, { out, manifest }).folder
  return {
    out,
    site,
    manifest,
    lambda: join(folderOf('aws-lambda'), 'function'),
    assets: join(folderOf('cloudflare'), 'assets'),
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** A response but for the headers that differ with every request. */
export interface Reply {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}

/** A function that was just started. */
export interface ColdFunction {
  /** Names and sizes of what was read, in order. */
  readonly reads: [name: string, bytes: number][]
  readonly faults: unknown[]
  send(target: string, init?: { method?: string; headers?: Record<string, string> }): Promise<Reply>
}

/**
 * A function that was just started.
 *
 * @param lambda folder of its files
 * @param change damages what is read; null removes it
 */
export function coldFunction(
  lambda: string,
  change: (name: string, bytes: Uint8Array) => Uint8Array | null = (_, b) => b,
): ColdFunction {
  const { storage } = functionFolder(new URL(`file://${lambda}/`))
  const reads: [string, number][] = []
  const faults: unknown[] = []
  const handler = createFunctionHandler({
    storage: {
      read: async (name, from, to) => {
        const bytes = change(name, await storage.read(name, from, to))
        if (bytes === null) throw new Error(`no ${name}`)
        reads.push([name, bytes.length])
        return bytes
      },
    },
    environment: { QUARRY_RATE_LIMIT: '1000000/10' },
    onError: (error) => faults.push(error),
  })
  const send: ColdFunction['send'] = async (target, init = {}) =>
    plain(await handler(new Request(`https://host.invalid${target}`, init), '192.0.2.1'))
  return { reads, faults, send }
}

/** A response without the headers that differ with every request. */
export async function plain(response: Response): Promise<Reply> {
  const own = ['x-request-id', 'ratelimit-remaining', 'ratelimit-reset']
  const headers = [...response.headers].filter(([name]) => !own.includes(name))
  return { status: response.status, headers, body: await response.text() }
}

/** A function that has nothing but its index. */
export const indexOnly = (lambda: string): ColdFunction =>
  coldFunction(lambda, (name, bytes) => (name.startsWith('responses/') ? null : bytes))

/** Canonical requests whose files stay true until the next build, with what a client sends along. */
export function canonicalRequests({
  site,
  manifest,
}: StoredSite): readonly { readonly target: string; readonly headers: Record<string, string> }[] {
  const keys: Record<string, string> = {
    acme: site.keys.full,
    beta: site.keys.other,
    secret: site.keys.secret,
  }
  return [...manifest.files.keys()].flatMap((path) => {
    const request = requestOfFile(path)
    // The Markdown of a post is no canonical request.
    if (request === null || path.endsWith('.md')) return []
    const workspace = manifest.workspaces[request.workspace]
    if (workspace === undefined || !isServedFile(request, workspace)) return []
    const authorization = `Bearer ${keys[request.workspace]}`
    const headers: Record<string, string> = request.version === 'v2' ? { authorization } : {}
    return [{ target: targetOfRequest(request), headers }]
  })
}

/** The reads of the index, its parts and its search. */
export const indexReads = (reads: ColdFunction['reads']): ColdFunction['reads'] =>
  reads.filter(([name]) => !name.startsWith('responses/') && name !== 'root.json')
