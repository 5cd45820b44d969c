// Folders on Node, Bun and Deno: the files of a function, images, and the build in an output
// folder, which is followed.
import { createReadStream, statSync } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createFileStorage, OutputError } from '../build/disk.ts'
import { allRows, openBuild, type ServedSite } from '../runtime/open-build.ts'
import { functionFolder } from '../snapshot/format.ts'
import { DataFiles } from '../snapshot/frame.ts'
import {
  createFunctionHandler,
  type FindImage,
  type FunctionHandler,
  type FunctionHost,
} from './function.ts'

/**
 * Returns the components of a function in a folder.
 *
 * @param folder the folder of the function's files; next to a module: `new URL('./function/', import.meta.url)`
 */
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

/** Finds the images in a folder. Closed workspaces have none: a local image in one is an error of the build. */
export function imagesIn(folder: string): FindImage {
  return async ({ path }) => {
    const file = join(folder, path)
    const stats = await lstat(file)
    if (!stats.isFile()) throw new Error(`${file} is no file`)
    return { length: stats.size, read: () => createReadStream(file) }
  }
}

/** A site that follows its output folder. `current` returns the build that is served. */
export interface LiveSite {
  current(): ServedSite
  close(): void
}

/** Options of `openLiveSite`. */
export interface LiveSiteOptions {
  /** Polling interval in milliseconds. @default 500 */
  readonly pollMilliseconds?: number
  /** Called when another build is served. */
  readonly onChange?: (build: string) => void
  /** Called with the reason when a new build is rejected; the previous build stays. */
  readonly onError?: (error: unknown) => void
  /** The file that changes last with a build, relative to the folder. @default 'manifest.json' */
  readonly lastFile?: string
  /** Throws for a build that must not be served. */
  readonly check?: (site: ServedSite) => void
}

/** The folder has no manifest. */
export class NoBuildError extends Error {
  override readonly name = 'NoBuildError'
}

/** Responses in progress may still read the files of the build before. */
const lastResponsesMilliseconds = 60_000

/** Size of the cache of a server: the texts of 80,000 posts of 2.4 kB fit. */
const cacheBytes = 512 * 1024 * 1024

/**
 * Opens the build in a folder and follows the folder.
 *
 * @throws NoBuildError when there is no build, RootError or OutputError when it is unusable, and any error of
 *   `check`
 */
export async function openLiveSite(out: string, options: LiveSiteOptions = {}): Promise<LiveSite> {
  const { pollMilliseconds = 500, onChange, onError, lastFile = 'manifest.json' } = options
  const open = () => openFolder(out, lastFile, options.check)
  let seen = markOf(out, lastFile)
  let served = await open()
  let isLoading = false
  const look = async () => {
    const mark = markOf(out, lastFile)
    if (isLoading || mark === null || mark === seen) return
    isLoading = true
    // After an error, tried again when the manifest changes again.
    seen = mark
    try {
      const before = served
      served = await open()
      setTimeout(before.close, lastResponsesMilliseconds).unref()
      if (served.site.build !== before.site.build) onChange?.(served.site.build)
    } catch (error) {
      onError?.(error)
    }
    isLoading = false
  }
  const timer = setInterval(() => void look(), pollMilliseconds)
  return {
    current: () => served.site,
    close: () => {
      clearInterval(timer)
      served.close()
    },
  }
}

/** Retries: while builds are moved in, the files of the root that was read may be removed. */
async function openFolder(out: string, lastFile: string, check: LiveSiteOptions['check']) {
  for (let attempt = 1; ; attempt++) {
    if (markOf(out, lastFile) === null) throw new NoBuildError(`There is no build in ${out}.`)
    const storage = createFileStorage(join(out, functionFolder))
    try {
      // All files that the root names are in place, also during the move and after a build was killed in it.
      const site = await openBuild(storage, new DataFiles(storage, cacheBytes))
      check?.(site)
      // Opens all indexes, so that an unreadable build is never served.
      for (const rows of [...site.workspaces.values()].flatMap(allRows))
        storage.hold((await rows.open()).dataFiles ?? [])
      return { site, close: () => storage.close() }
    } catch (error) {
      storage.close()
      if (attempt === 5 || markOf(out, lastFile) === null) throw explained(error, out)
      await pause(attempt * 50)
    }
  }
}

/** Names the fix where a file of the build is missing. */
function explained(error: unknown, out: string): unknown {
  if (!(error instanceof Error && 'path' in error)) return error
  return new OutputError(`${error.path} cannot be read. Build again, or copy ${out} as a whole.`, {
    cause: error,
  })
}

/** Changes when another file is moved in; null without a file. */
function markOf(out: string, file: string): string | null {
  const stats = statSync(join(out, file), { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? null : `${stats.ino} ${stats.mtimeNs} ${stats.size}`
}
