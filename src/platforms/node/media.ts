// Images of a build, read from the disk: before a responder, which answers all other requests.
import { constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { join } from 'node:path'
import { publicFolder } from '../../api/paths.ts'
import type { Responder } from '../../runtime/responder.ts'
import type { ServedSite } from '../../runtime/site.ts'
import { type ImageFile, imageReply } from '../media-reply.ts'

/** Where an image lies, or its bytes. @param path below the public folder: `media/acme/0f….png` @returns null for none */
export type LocateImage = (path: string) => Uint8Array | string | null

/** Images where a build put them. @param out the output folder */
export function builtImages(out: string): LocateImage {
  return (path) => join(out, publicFolder, path)
}

/**
 * A responder that answers `/media/{workspace}/{hash}.png` too. Images are not counted for rate limits.
 *
 * @param site asked with every image: a workspace that is not served, or closed, has none
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

/** @throws an error of the system when there is no such file */
async function findFile(file: string): Promise<ImageFile<AsyncIterable<Uint8Array>>> {
  const stats = await lstat(file)
  if (!stats.isFile()) throw new Error(`${file} is no file`)
  return { length: stats.size, read: () => partsOf(file) }
}

/** Opened when somebody reads. */
async function* partsOf(file: string): AsyncGenerator<Uint8Array, void, undefined> {
  const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  yield* handle.createReadStream()
}
