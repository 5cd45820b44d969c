// The deployments of a build: writes them, and describes their files, what their hosts lack, and what is left behind.
import { versionRoots } from '../api/paths.ts'
import { type Manifest, workspacesBelow } from '../build/manifest.ts'
import type { HostName } from '../config/host-names.ts'
import { type BuiltFolder, type Deployed, deploy, followDeployments } from '../hosts/deploy.ts'
import { mediaFiles } from '../hosts/deployment.ts'
import { deployments } from '../hosts/deployments.ts'
import { formatBytes, plural, shortest, type Terminal } from './terminal.ts'

/** Deployments that a build wrote: what is said of them, problems, and written files for JSON output. */
export interface Deployments extends Readonly<Record<'lines' | 'problems', readonly string[]>> {
  readonly json: object
}

/**
 * Prepares a build for the requested host, and updates existing deployments of older builds.
 *
 * @throws OutputError if the requested host cannot take the build
 */
export function makeDeployments(
  built: BuiltFolder,
  platform: HostName | undefined,
  terminal: Terminal,
): Deployments {
  // Existing deployments first: an error of the requested host must not leave them outdated.
  const { followed, leftBehind } = followDeployments(built, platform)
  const requested = platform === undefined ? undefined : deploy(platform, built)
  const named = ({ host, folder }: Deployed) => ({ host, folder })
  return {
    lines: [
      ...followed.map(
        ({ host, folder }) =>
          `Updated ${terminal.bold(shortest(folder))} for ${host}, which held an older build.`,
      ),
      ...(requested ? [describeDeployment(requested, built.manifest, terminal)] : []),
    ],
    problems: leftBehind.map(
      ({ host, folder, reason }) =>
        `${shortest(folder)} still holds another build, perhaps with posts that are no longer published. ${reason} Run npx quarry build --for ${host} to write it again, or remove the folder.`,
    ),
    json: {
      ...(requested && { deployment: named(requested) }),
      ...(followed.length === 0 ? {} : { followed: followed.map(named) }),
    },
  }
}

/** Describes a requested deployment and the next step. */
function describeDeployment(
  { host, folder, files, next }: Deployed,
  manifest: Manifest,
  terminal: Terminal,
): string {
  const bytes = [...files.values()].reduce((sum, size) => sum + size, 0)
  const size = `${plural(files.size, 'file')}, ${formatBytes(bytes)}`
  return [
    `Ready for ${host} in ${terminal.bold(shortest(folder))}: ${size}`,
    ...describeImages(host, manifest, terminal),
    ...describeShortcomings(host, manifest, terminal),
    `Next: ${terminal.cyan(next)}`,
  ].join('\n')
}

/** Describes images that are deployed, or must be uploaded elsewhere. */
function describeImages(host: HostName, manifest: Manifest, terminal: Terminal): readonly string[] {
  const { media, program } = deployments[host]
  const images = mediaFiles(manifest)
  if (images.length === 0 || (media === null && program === null)) return []
  const bytes = images.reduce((sum, { entry }) => sum + entry.bytes, 0)
  const counted = `${plural(images.length, 'image')}, ${formatBytes(bytes)}`
  if (media !== null) return [`With ${counted}.`]
  return [
    `${terminal.yellow('Left out:')} ${counted}. Upload public/media to a bucket or a CDN, and set baseUrl to the URL of public there.`,
  ]
}

/** Lists the features that a host without a function does not have. */
function describeShortcomings(
  host: HostName,
  manifest: Manifest,
  terminal: Terminal,
): readonly string[] {
  const { cannot } = deployments[host]
  if (cannot === undefined) return []
  const open = workspacesBelow(manifest, versionRoots.v1)
  const closed = Object.keys(manifest.workspaces).length - open.length
  const [due] = open.flatMap(({ validUntil }) => validUntil ?? []).sort()
  return [
    terminal.yellow('This host has no function. It cannot:'),
    ...cannot.map((what) => `  - ${what}`),
    ...(closed === 0 ? [] : [`Left out: ${plural(closed, 'closed workspace')}.`]),
    due === undefined
      ? 'No post is scheduled or expires: the files stay valid until the content changes.'
      : `The files are valid until ${due}: ${terminal.bold('build and upload again then')}.`,
  ]
}
