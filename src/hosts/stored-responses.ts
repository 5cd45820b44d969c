// Files for responding to canonical requests without the index: the head of the site and precomputed responses. Used
// on hosts where every request reaches the function.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { requestOfFile } from '../api/paths.ts'
import { type Format, versions } from '../api/request.ts'
import { requestsOf } from '../api/work.ts'
import { OutputError } from '../build/disk.ts'
import { createFileStorage } from '../build/file-storage.ts'
import type { Manifest } from '../build/manifest.ts'
import {
  encodeHead,
  type StoredWorkspace,
  scheduledMax,
  siteHeadName,
} from '../runtime/closed-site.ts'
import { openBuild } from '../runtime/open-build.ts'
import { encodeResponse, responseKey, responseName } from '../runtime/response-file.ts'
import type { ServedWorkspace } from '../runtime/site.ts'
import { functionFolder } from '../snapshot/format.ts'
import { type DataFile, servedFiles } from './deployment.ts'

/** A file for the function, next to its own files. */
export interface StoredFile {
  /** Path relative to the folder of responses. */
  readonly name: string
  readonly bytes: number
  /** Identifies the content. */
  readonly id: string
  /** @throws OutputError when another build has replaced the file */
  readonly encode: () => Uint8Array
}

/** Larger responses come from the index, in fragments: the function holds a whole file in memory. */
const responseBytesMax = 4 * 1024 * 1024

/**
 * The head of a build and its responses that stay valid until the next build.
 *
 * @param out the output folder, which holds the manifest's build
 * @param formats of the responses; none when empty
 * @returns the head first
 */
export async function storedFiles(
  out: string,
  manifest: Manifest,
  formats: readonly Format[],
): Promise<readonly StoredFile[]> {
  const responses = storedResponses(out, manifest, formats)
  return [await headFile(out, manifest, responses.length), ...responses]
}

function storedResponses(
  out: string,
  manifest: Manifest,
  formats: readonly Format[],
): readonly StoredFile[] {
  const files = new Map<string, StoredFile>()
  for (const file of versions.flatMap((version) => servedFiles(version, manifest))) {
    const request = requestOfFile(file.path)
    const key = request === null ? null : responseKey(request)
    const { etag, bytes, sha256 } = file.entry
    if (request === null || key === null || etag === undefined || bytes > responseBytesMax) continue
    // Both versions have equal bodies, so one file is enough.
    if (files.has(key) || !formats.includes(request.parameters.format)) continue
    const isAll = request.parameters.limit === 'all'
    const posts = isAll ? (manifest.workspaces[request.workspace]?.posts ?? 0) : 0
    const head = { etag, cost: requestsOf({ posts, body: bytes }) }
    files.set(key, {
      name: responseName(key),
      bytes: encodeResponse(key, head, new Uint8Array(0)).length + bytes,
      id: `${key} ${sha256}`,
      encode: () => encodeResponse(key, head, readBuilt(out, file)),
    })
  }
  return [...files.values()]
}

async function headFile(out: string, { build }: Manifest, responses: number): Promise<StoredFile> {
  const storage = createFileStorage(join(out, functionFolder))
  const { limitAll, keys, workspaces } = await openBuild(storage, { build })
  const stored: StoredWorkspace[] = []
  for (const [id, workspace] of workspaces) stored.push(await storedWorkspace(id, workspace))
  const bytes = Buffer.from(encodeHead({ build, limitAll, keys, responses, workspaces: stored }))
  return { name: siteHeadName, bytes: bytes.length, id: `head ${build}`, encode: () => bytes }
}

async function storedWorkspace(
  id: string,
  { isV1Private, scheduled, fields = [], open }: ServedWorkspace,
): Promise<StoredWorkspace> {
  const snapshot = await open()
  const instants = Array.from({ length: scheduled }, (_, post) => snapshot.publishedAt(post))
  const next = [...new Set(instants.reverse())].slice(0, scheduledMax)
  const publishedAt = scheduled < snapshot.postCount ? snapshot.publishedAt(scheduled) : null
  const own = fields.length === 0 ? {} : { fields }
  return { id, isV1Private, ...own, publishedAt, scheduled: next }
}

/** @throws OutputError when the file belongs to another build */
export function readBuilt(out: string, { path, entry }: DataFile): Uint8Array {
  const from = join(out, path)
  const bytes = readFileSync(from)
  if (hash('sha256', bytes) === entry.sha256) return bytes
  throw new OutputError(`${from} is of another build by now. Build again.`)
}
