// Writes and describes the deployments of a build.
import type { BuiltFolder } from '../hosts/deploy.ts'
import { deploy, followDeployments } from '../hosts/deploy.ts'
import type { HostName } from '../hosts/names.ts'
import {
  describeBroken,
  describeDeployment,
  describeFollowed,
  describeLeftBehind,
} from './deployment-report.ts'
import type { Terminal } from './terminal.ts'

/** Deployments that a build wrote. */
export interface Deployments {
  /** True if one was requested, whose description has the next steps. */
  readonly isRequested: boolean
  /** Returns messages about written files. */
  describe(terminal: Terminal): readonly string[]
  /** Returns messages about problems. */
  problems(terminal: Terminal): readonly string[]
  /** Written files, for JSON output. */
  readonly json: object
}

/**
 * Prepares a build for the requested host, and updates existing deployments of older builds.
 *
 * @throws OutputError if the requested host cannot take the build
 */
export async function makeDeployments(
  built: BuiltFolder,
  platform: HostName | undefined,
): Promise<Deployments> {
  // Existing deployments first: an error of the requested host must not leave them outdated.
  const { followed, leftBehind } = await followDeployments(built, platform)
  const requested = platform === undefined ? null : await deploy(platform, built)
  const all = requested === null ? followed : [...followed, requested]
  const named = all.map(({ host, folder }) => ({ host, folder }))
  return {
    isRequested: requested !== null,
    describe: (terminal) => [
      ...followed.map((deployed) => describeFollowed(deployed, terminal)),
      ...(requested === null ? [] : [describeDeployment(requested, built.manifest, terminal)]),
    ],
    problems: (terminal) => [
      ...leftBehind.map((left) => describeLeftBehind(left, terminal)),
      ...all.flatMap((deployed) => describeBroken(deployed, terminal)),
    ],
    json: {
      ...(requested === null ? {} : { deployment: named.at(-1) }),
      ...(followed.length === 0 ? {} : { followed: named.slice(0, followed.length) }),
    },
  }
}
