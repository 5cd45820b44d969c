// The components of a function on Node: files in a folder, and environment variables.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createFileStorage } from '../build/file-storage.ts'
import { type ReadResponse, responsesFolder } from '../runtime/response-file.ts'
import type { FunctionHost } from './function.ts'

/**
 * Returns the components of a function in a folder.
 *
 * @param folder the folder of the function's files; next to a module: `new URL('./function/', import.meta.url)`
 */
export function functionFolder(folder: URL): FunctionHost {
  const path = fileURLToPath(folder)
  return {
    storage: createFileStorage(path),
    readResponse: responseReader(join(path, responsesFolder)),
    environment: process.env,
  }
}

function responseReader(folder: string): ReadResponse {
  return async (name) => {
    try {
      return await readFile(join(folder, name))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    }
  }
}
