// The parts of a function on Node: its files in a folder, and the variables of its process.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ReadResponse, responsesFolder } from '../../runtime/response-file.ts'
import type { FunctionHost } from '../function-host.ts'
import { createFileStorage } from './file-storage.ts'

/**
 * A function over a folder.
 *
 * @param folder of the function's files; one next to a module is `new URL('./function/', import.meta.url)`
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
