// Folders in Node, Bun and Deno: the files of a function, images, and the builds that a server follows.
import { createReadStream } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createFileStorage } from '../build/disk.ts'
import { DataFiles } from '../snapshot/frame.ts'
import type { Storage } from '../snapshot/storage.ts'
import {
  createFunctionHandler,
  type FindImage,
  type FunctionHandler,
  type FunctionHost,
} from './function.ts'
import { type FollowedBuild, type FollowOptions, followBuild } from './origin.ts'

/** Returns the components of a function in a folder, such as `new URL('./function/', import.meta.url)`. */
export function functionHost(folder: URL): FunctionHost {
  return { storage: createFileStorage(fileURLToPath(folder)), environment: process.env }
}

/** Returns the handler of a function in a folder, and of the images in `media` next to it. */
export function folderHandler(folder: URL): FunctionHandler {
  const findImage = imagesIn(fileURLToPath(new URL('../media/', folder)))
  // Deno permits no other variables.
  const { QUARRY_KEYS, QUARRY_RATE_LIMIT, QUARRY_MCP } = process.env
  const environment = { QUARRY_KEYS, QUARRY_RATE_LIMIT, QUARRY_MCP }
  return createFunctionHandler({ ...functionHost(folder), environment, findImage })
}

/** Returns a function that finds images in a folder. Closed workspaces have no images: a build rejects them. */
export function imagesIn(folder: string): FindImage {
  return async ({ path }) => {
    const file = join(folder, path)
    const stats = await lstat(file)
    if (!stats.isFile()) throw new Error(`${file} is not a file`)
    return { length: stats.size, read: () => createReadStream(file) }
  }
}

/** Size of a server's cache in bytes, enough for the texts of 80,000 posts of 2.4 kB. */
const cacheBytes = 512 * 1024 * 1024

/**
 * Follows the builds in a storage for a server. Reads the root regularly. Uses only builds that can be opened whole.
 *
 * @throws if there is no usable build; any error of `check`
 */
export async function serveBuilds(
  storage: Storage,
  milliseconds: number,
  options: FollowOptions,
): Promise<FollowedBuild> {
  const data = new DataFiles(storage, cacheBytes)
  const followed = followBuild(storage, { ...options, data, isWhole: true })
  await followed.look()
  setInterval(() => void followed.look(), milliseconds).unref()
  return followed
}
