// Writes the changes of earlier builds: a file for the function, and the response without `since` per workspace.
import { bodyBytes, etagOf } from '../api/api-response.ts'
import type { BuildStep } from '../api/history.ts'
import { filePath } from '../api/paths.ts'
import { defaultParameters, type Version } from '../api/request.ts'
import { respond } from '../api/respond.ts'
import type { Snapshot } from '../api/snapshot.ts'
import type { Publication } from '../emit/publication.ts'
import { sha256 } from '../emit/site-snapshot.ts'
import { functionFolder } from '../snapshot/format.ts'
import { jsonFile } from '../snapshot/write.ts'
import { openPast, stepsUpTo } from './history.ts'

/** A workspace of the new build. */
export interface BuiltWorkspace {
  readonly id: string
  readonly isV1Private: boolean
  readonly snapshot: Snapshot
  /** The number of scheduled posts at the moment of the build. */
  readonly scheduled: number
}

/** Options of `writeChanges`. */
export interface ChangesOptions {
  readonly versions: readonly Version[]
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * Adds the files of changes to a build.
 *
 * @param build the build's id. The files added here are not part of it, because each names it or an earlier one
 * @returns the name of the function's file; none without an earlier build
 */
export async function writeChanges(
  build: string,
  built: readonly BuiltWorkspace[],
  publication: Publication,
  options: ChangesOptions,
): Promise<{ readonly steps?: string }> {
  const past = await openPast(publication.out)
  const steps = await stepsUpTo(build, past, built, options.now)
  for (const workspace of built) {
    await writeResponse({ ...workspace, build, steps }, publication, options)
  }
  if (steps.length === 0) return {}
  const { name, make } = jsonFile('steps', steps, sha256)
  await publication.add({ bytes: make, paths: [`${functionFolder}/${name}`], stage: 'data' })
  return { steps: name }
}

async function writeResponse(
  {
    id,
    isV1Private,
    snapshot,
    scheduled,
    build,
    steps,
  }: BuiltWorkspace & { readonly build: string; readonly steps: readonly BuildStep[] },
  publication: Publication,
  { versions, now }: ChangesOptions,
): Promise<void> {
  const history = () => ({ workspace: id, build, scheduled, steps })
  const request = { resource: 'changes', identifier: null, parameters: defaultParameters } as const
  const paths = versions
    .filter((version) => version === 'v2' || !isV1Private)
    .flatMap((version) => filePath({ ...request, version, workspace: id }) ?? [])
  if (paths.length === 0) return
  const { body } = await respond(
    { ...request, version: 'v2', workspace: id },
    { ...snapshot, history },
    now,
  )
  const bytes = () => bodyBytes(body, snapshot)
  await publication.add({ bytes, etag: await etagOf(body, snapshot), paths, stage: 'list' })
}
