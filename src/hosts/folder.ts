// Folders on Node, Bun and Deno: the files of a function, and images in front of a responder.
import { createReadStream } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { publicFolder } from '../api/paths.ts'
import { createFileStorage } from '../build/file-storage.ts'
import type { Responder } from '../runtime/responder.ts'
import type { ServedSite } from '../runtime/site.ts'
import { createFunctionHandler, type FunctionHandler, type FunctionHost } from './function.ts'
import { type ImageFile, withImages } from './media.ts'

/**
 * Returns the components of a function in a folder.
 *
 * @param folder the folder of the function's files; next to a module: `new URL('./function/', import.meta.url)`
 */
export function functionFolder(folder: URL): FunctionHost {
  return { storage: createFileStorage(fileURLToPath(folder)), environment: process.env }
}

/** Returns the handler of a function in a folder, and of the images in `media` next to it. */
export function folderHandler(folder: URL): FunctionHandler {
  const media = fileURLToPath(new URL('../media/', folder))
  const findImage = ({ path }: { readonly path: string }) => imageFile(join(media, path))
  // Deno permits no other variables.
  const { QUARRY_KEYS, QUARRY_RATE_LIMIT, QUARRY_MCP } = process.env
  const environment = { QUARRY_KEYS, QUARRY_RATE_LIMIT, QUARRY_MCP }
  return createFunctionHandler({ ...functionFolder(folder), environment, findImage })
}

/** Returns the file of an image, or its bytes; null when there is none. @param path `media/acme/0f….png` */
export type LocateImage = (path: string) => Uint8Array | string | null

/** Locates images in a build. @param out the output folder */
export function builtImages(out: string): LocateImage {
  return (path) => join(out, publicFolder, path)
}

/**
 * `withImages` for a site whose images are located.
 *
 * @param site called for every image: an unknown or closed workspace has no images
 */
export function withMedia(
  responder: Responder,
  locate: LocateImage,
  site: () => ServedSite,
): Responder {
  return withImages(responder, async ({ workspace, path }) => {
    const isOpen = site().workspaces.get(workspace)?.isV1Private === false
    const image = isOpen ? locate(`media/${path}`) : null
    if (image instanceof Uint8Array) return { length: image.length, read: () => image }
    return imageFile(image ?? '')
  })
}

/** @throws a system error when the file does not exist */
async function imageFile(file: string): Promise<ImageFile> {
  const stats = await lstat(file)
  if (!stats.isFile()) throw new Error(`${file} is no file`)
  return { length: stats.size, read: () => createReadStream(file) }
}
