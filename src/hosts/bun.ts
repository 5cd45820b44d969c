// The handler for Bun: reads files through Bun's API and takes the client's address from the server.
import type { Storage } from '../snapshot/storage.ts'
import { createFunctionHandler, type FunctionEnvironment } from './function.ts'
import { type FindImage, imageResponse } from './media-reply.ts'

/** Options for `Bun.serve`, also as the default export of a module for `bun run`. */
export interface BunServer {
  readonly port: number
  readonly hostname: string
  fetch(request: Request, server: BunAddresses): Promise<Response>
}

/** The method of Bun's server that the handler uses. */
export interface BunAddresses {
  requestIP(request: Request): { readonly address: string } | null
}

/** The members of `Bun` that the handler uses. */
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
 * Returns a server for the function's files, and for the images in `media` next to their folder. Listens on `PORT`
 * (3000) and `HOST` (all addresses).
 *
 * @param folder the folder of the function's files, ending in `/`
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
    read: (name, from = 0, to) => {
      const whole = file(name)
      return to === undefined ? whole.bytes() : whole.slice(from, to).bytes()
    },
  }
}
