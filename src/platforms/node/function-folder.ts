// What a function on Node is made of: its files in a folder, and the variables of its process.
// Knows nothing of which host runs it.
import { fileURLToPath } from 'node:url'
import type { FunctionHost } from '../function-host.ts'
import { createFileStorage } from './file-storage.ts'

/**
 * A function over a folder.
 *
 * @param folder of the function's files; one beside a module is `new URL('./function/', import.meta.url)`
 */
export function functionFolder(folder: URL): FunctionHost {
  return { storage: createFileStorage(fileURLToPath(folder)), environment: process.env }
}
