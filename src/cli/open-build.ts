// Opens the last build for the commands that read it.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { codeOf, createFileStorage } from '../build/disk.ts'
import { decodeManifest, type Manifest } from '../build/manifest.ts'
import { UseError } from '../diagnostics.ts'
import { serveBuilds } from '../hosts/folder.ts'
import {
  type FollowedBuild,
  type FollowOptions,
  followBuild,
  httpStorage,
} from '../hosts/origin.ts'
import { copiedStorage } from '../hosts/site-copy.ts'
import type { ContentOptions } from '../runtime/content-reply.ts'
import type { HttpReply } from '../runtime/http.ts'
import { type Keyring, keyringOf } from '../runtime/keys.ts'
import type { ServedSite } from '../runtime/open-build.ts'
import { createResponder } from '../runtime/responder.ts'
import { functionFolder, rootName } from '../snapshot/format.ts'
import { type CommonFlags, messageOf, readApiKey, readSettings } from './settings.ts'

/** Opens the build in a folder. @throws UseError with the fix if there is no usable build */
export function openBuild(out: string): Promise<ServedSite> {
  const storage = createFileStorage(join(out, functionFolder))
  return usable(out, () => followBuild(storage, { isWhole: true }).latest())
}

/**
 * Follows the builds in a folder for a server: reads the root regularly, and uses only builds that can be opened whole.
 *
 * @param from URL of an origin, whose builds are copied to the folder
 * @throws UseError if there is no usable build
 */
export async function followBuilds(
  out: string,
  from: string | undefined,
  options: FollowOptions,
): Promise<FollowedBuild> {
  const folder = join(out, functionFolder)
  const files = createFileStorage(folder)
  if (from === undefined) return usable(out, () => serveBuilds(files, 500, options))
  if (existsSync(join(out, 'manifest.json')))
    throw new UseError(
      `${out} contains another build. Choose another folder with --out for the copy of ${from}.`,
    )
  const authorization = process.env['QUARRY_SITE_AUTHORIZATION'] || undefined
  const copy = copiedStorage(httpStorage({ url: from, authorization }), folder)
  try {
    return await serveBuilds(copy, 5000, { ...options, last: files })
  } catch (error) {
    throw new UseError(
      `${from} cannot be served, and ${out} has no earlier copy. ${messageOf(error)}`,
    )
  }
}

async function usable<T>(out: string, open: () => Promise<T>): Promise<T> {
  requireBuild(out, join(out, functionFolder, rootName))
  try {
    return await open()
  } catch (error) {
    const fix = codeOf(error) === undefined ? '' : '. Build again, or copy the whole folder.'
    throw new UseError(`The build in ${out} cannot be served. ${messageOf(error)}${fix}`)
  }
}

/** A build, with all keys that it accepts. */
export type AskedBuild = Readonly<{ site: ServedSite; keyring: Keyring }>

/** Opens the last build, for requests with the key of the client. @throws UseError if there is none, or a newer one */
export async function openWithKey(
  flags: CommonFlags & { readonly keyStdin?: boolean },
): Promise<AskedBuild & { readonly manifest: Manifest; readonly key: string | null }> {
  const out = resolve((await readSettings(flags)).out)
  const path = join(out, 'manifest.json')
  requireBuild(out, path)
  const manifest = decodeManifest(readFileSync(path))
  if (manifest === null) throw new UseError(`${path} is not a manifest of this version of quarry.`)
  const key = await readApiKey(flags)
  const site = await openBuild(out)
  return { site, keyring: keyringOf(process.env['QUARRY_KEYS'])(site), key, manifest }
}

/** Milliseconds since 1970, headers of the request, and `onRequest` of `createResponder`. */
type AskOptions = Pick<ContentOptions, 'onRequest'> &
  Readonly<{ now?: number; headers?: Readonly<Record<string, string>> }>

/** Sends a GET request to a build. @returns the reply with its whole body @throws what the build throws */
export async function askBuild(
  { site, keyring }: AskedBuild,
  target: string,
  { now = Date.now(), headers = {}, onRequest }: AskOptions = {},
): Promise<HttpReply & { readonly body: Buffer }> {
  const respond = createResponder(() => site, {
    ...{ now: () => now, keyring: () => keyring, replyCacheBytes: 0, onRequest },
    onError: (error) => {
      throw error
    },
  })
  const header = (name: string) => headers[name] ?? null
  const { body, ...reply } = await respond({ method: 'GET', target, clientAddress: '', header })
  const isWhole = body === null || body instanceof Uint8Array
  return { ...reply, body: isWhole ? Buffer.from(body ?? []) : await buffer(body) }
}

/** @param path path of a file that every build has @throws UseError without it; a system error if it is unreadable */
function requireBuild(out: string, path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) === undefined)
    throw new UseError(`There is no build in ${out}. Run npx quarry build first.`)
}
