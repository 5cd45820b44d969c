// Serves images of a build from disk, in front of a responder for all other requests.
import { constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { join } from 'node:path'
import { publicFolder } from '../api/paths.ts'
import type { Responder } from '../runtime/responder.ts'
import type { ServedSite } from '../runtime/site.ts'
import { type ImageFile, imageReply } from './media-reply.ts'

/**
 * The path of an image, or its bytes. @param path relative to the public folder: `media/acme/0f….png` @returns null
 * when there is none
 */
export type LocateImage = (path: string) => Uint8Array | string | null

/** Locates images in a build. @param out the output folder */
export function builtImages(out: string): LocateImage {
  return (path) => join(out, publicFolder, path)
}

/**
 * Wraps a responder: also responds to `/media/{workspace}/{hash}.png`. Images do not count towards rate limits.
 *
 * @param site called for every image: an unknown or closed workspace has no images
 */
export function withMedia(
  responder: Responder,
  locate: LocateImage,
  site: () => ServedSite,
): Responder {
  return (request) =>
    imageReply<Uint8Array | AsyncIterable<Uint8Array>>(request, async ({ workspace, path }) => {
      if (site().workspaces.get(workspace)?.isV1Private !== false) {
        throw new Error(`${workspace} shows nothing to everybody`)
      }
      const image = locate(`media/${path}`)
      if (image === null) throw new Error(`${path} is no image of the build`)
      if (typeof image === 'string') return findFile(image)
      return { length: image.length, read: () => image }
    }) ?? responder(request)
}

/** @throws a system error when the file does not exist */
async function findFile(file: string): Promise<ImageFile<AsyncIterable<Uint8Array>>> {
  const stats = await lstat(file)
  if (!stats.isFile()) throw new Error(`${file} is no file`)
  return { length: stats.size, read: () => partsOf(file) }
}

/** Opens the file on the first read. */
async function* partsOf(file: string): AsyncGenerator<Uint8Array, void, undefined> {
  const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  yield* handle.createReadStream()
}
