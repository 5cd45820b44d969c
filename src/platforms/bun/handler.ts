// The handler for Bun: files are Bun's own, and the server knows whom a request comes from.
import type { Storage } from '../../runtime/storage.ts'
import { createFunctionHandler, type FunctionEnvironment } from '../function-host.ts'
import { type FindImage, imageResponse } from '../media-reply.ts'

/** The options of `Bun.serve`: also a module's default export, which `bun run` serves. */
export interface BunServer {
  readonly port: number
  readonly hostname: string
  fetch(request: Request, server: BunAddresses): Promise<Response>
}

/** The part of Bun's server that is read. */
export interface BunAddresses {
  requestIP(request: Request): { readonly address: string } | null
}

/** The part of Bun that is used. */
interface BunRuntime {
  file(path: URL): BunFile
  readonly env: FunctionEnvironment & {
    readonly PORT?: string | undefined
    readonly HOST?: string | undefined
  }
}

interface BunFile extends Blob {
  exists(): Promise<boolean>
  slice(start: number, end: number): BunFile
  bytes(): Promise<Uint8Array<ArrayBuffer>>
}

/**
 * A server over the function's files, and the images in `media` next to their folder, on `PORT` (3000) and `HOST` (every address).
 *
 * @param folder of the function's files, with `/` at its end
 */
export function createBunServer(folder: URL): BunServer {
  const { Bun } = globalThis as unknown as { readonly Bun: BunRuntime }
  const { env } = Bun
  const handler = createFunctionHandler({ storage: bunStorage(folder, Bun), environment: env })
  const images = bunImages(new URL('../media/', folder), Bun)
  return {
    port: Number(env.PORT ?? 3000),
    hostname: env.HOST ?? '0.0.0.0',
    fetch: (request, server) =>
      imageResponse(request, images) ?? handler(request, server.requestIP(request)?.address ?? ''),
  }
}

function bunImages(folder: URL, bun: BunRuntime): FindImage<BunFile> {
  return async ({ address }) => {
    const file = bun.file(new URL(address, folder))
    if (!(await file.exists())) throw new Error(`There is no file ${address}.`)
    return { length: file.size, read: () => file }
  }
}

function bunStorage(folder: URL, bun: BunRuntime): Storage {
  const file = (name: string) => bun.file(new URL(name, folder))
  return {
    read: (name) => file(name).bytes(),
    readRange: async (name, offset, length) => {
      const bytes = await file(name)
        .slice(offset, offset + length)
        .bytes()
      if (bytes.length === length) return bytes
      throw new RangeError(`${name} ends before byte ${offset + length}`)
    },
  }
}
