// Writes the deployments of a build, and describes them.
import type { BuiltFolder } from '../platforms/deploy.ts'
import { deploy, followDeployments } from '../platforms/deploy.ts'
import type { DeploymentName } from '../platforms/hosts.ts'
import {
  describeBroken,
  describeDeployment,
  describeFollowed,
  describeLeftBehind,
} from './deployment-report.ts'
import type { Terminal } from './terminal.ts'

/** Deployments that a build wrote. */
export interface Deployments {
  /** One was asked for, and says what comes next. */
  readonly isRequested: boolean
  /** The files that were written, for a person. */
  describe(terminal: Terminal): readonly string[]
  /** The problems, for a person. */
  problems(terminal: Terminal): readonly string[]
  /** The files that were written, for a program. */
  readonly json: object
}

/**
 * Makes a build ready for the host that is asked for, and again for those for which an older one was.
 *
 * @throws OutputError when the host that is asked for cannot take it
 */
export async function makeDeployments(
  built: BuiltFolder,
  platform: DeploymentName | undefined,
): Promise<Deployments> {
  // First those that are there: what one host refuses must not leave an older build on another.
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
