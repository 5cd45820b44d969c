// The handler for Deno: reads files through Deno's API and takes the client's address from the server.
import type { Storage } from '../snapshot/storage.ts'
import { createFunctionHandler, type FunctionEnvironment } from './function.ts'
import { type FindImage, imageResponse } from './media-reply.ts'

/** The handler for `deno serve` and `Deno.serve`. */
export interface DenoServer {
  fetch(request: Request, info: DenoInfo): Promise<Response>
}

/** The sender of a request. */
export interface DenoInfo {
  readonly remoteAddr: { readonly hostname?: string }
}

/** The members of `Deno` that the handler uses. */
interface DenoRuntime {
  readFile(path: URL): Promise<Uint8Array>
  open(path: URL): Promise<DenoFile>
  lstat(path: URL): Promise<{ readonly isFile: boolean; readonly size: number }>
  readonly env: { get(name: string): string | undefined }
}

interface DenoFile {
  /** Closes the file at its end. */
  readonly readable: ReadableStream<Uint8Array>
  seek(offset: number, whence: 0): Promise<number>
  read(into: Uint8Array): Promise<number | null>
  close(): void
}

/**
 * Returns a server for the function's files, and for the images in `media` next to their folder.
 *
 * @param folder the folder of the function's files, ending in `/`
 */
export function createDenoServer(folder: URL): DenoServer {
  const { Deno } = globalThis as unknown as { readonly Deno: DenoRuntime }
  const environment: FunctionEnvironment = {
    QUARRY_KEYS: Deno.env.get('QUARRY_KEYS'),
    QUARRY_RATE_LIMIT: Deno.env.get('QUARRY_RATE_LIMIT'),
    QUARRY_MCP: Deno.env.get('QUARRY_MCP'),
  }
  const handler = createFunctionHandler({ storage: denoStorage(folder, Deno), environment })
  const images = denoImages(new URL('../media/', folder), Deno)
  return {
    fetch: (request, { remoteAddr }) =>
      imageResponse(request, images) ?? handler(request, remoteAddr.hostname ?? ''),
  }
}

function denoImages(folder: URL, deno: DenoRuntime): FindImage<ReadableStream<Uint8Array>> {
  return async ({ address }) => {
    const file = new URL(address, folder)
    const { isFile, size } = await deno.lstat(file)
    if (!isFile) throw new Error(`${address} is no file`)
    return { length: size, read: async () => (await deno.open(file)).readable }
  }
}

function denoStorage(folder: URL, deno: DenoRuntime): Storage {
  return {
    read: async (name, from = 0, to) => {
      if (to === undefined) return deno.readFile(new URL(name, folder))
      const file = await deno.open(new URL(name, folder))
      try {
        await file.seek(from, 0)
        return await readExactly(file, name, to - from)
      } finally {
        file.close()
      }
    },
  }
}

async function readExactly(file: DenoFile, name: string, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length)
  let read = 0
  while (read < length) {
    const count = await file.read(bytes.subarray(read))
    if (count === null) throw new RangeError(`${name} ends ${length - read} bytes too early`)
    read += count
  }
  return bytes
}
