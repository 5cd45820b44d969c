// Opens a build for the commands that serve it.
import { UseError } from '../config.ts'
import {
  type LiveSite,
  type LiveSiteOptions,
  NoBuildError,
  openLiveSite,
} from '../hosts/live-site.ts'

/**
 * Opens the build in a folder.
 *
 * @throws UseError with the fix if there is none, or it cannot be used
 */
export async function openBuild(out: string, options: LiveSiteOptions): Promise<LiveSite> {
  try {
    return await openLiveSite(out, options)
  } catch (error) {
    if (error instanceof NoBuildError)
      throw new UseError(`${error.message} Run npx quarry build first.`)
    throw new UseError(`The build in ${out} cannot be served. ${reasonOf(error)}`)
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
