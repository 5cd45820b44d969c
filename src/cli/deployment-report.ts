// Messages about deployments: prepared files, missing features of a host, and exceeded limits.
import { mediaFolder, versionRoots } from '../api/paths.ts'
import { type Manifest, workspacesBelow } from '../emit/manifest.ts'
import type { Deployed, LeftBehind } from '../hosts/deploy.ts'
import { mediaFiles } from '../hosts/deployment.ts'
import { deployments } from '../hosts/deployments.ts'
import { describeLeftOut, describeLimit } from './limit-report.ts'
import { formatBytes, plural, shortest } from './report.ts'
import type { Terminal } from './terminal.ts'

/** Describes a requested deployment and the next step. */
export function describeDeployment(
  { host, folder, files, next }: Deployed,
  manifest: Manifest,
  terminal: Terminal,
): string {
  const bytes = [...files.values()].reduce((sum, file) => sum + file.bytes, 0)
  const size = `${plural(files.size, 'file')}, ${formatBytes(bytes)}`
  return [
    `Ready for ${host} in ${terminal.bold(shortest(folder))}: ${size}`,
    ...describeImages(host, manifest, terminal),
    ...describeShortcomings(host, manifest, terminal),
    `Next: ${terminal.cyan(next)}`,
  ].join('\n')
}

/** Describes a deployment of an older build that was updated. */
export function describeFollowed({ host, folder }: Deployed, terminal: Terminal): string {
  return `Ready for ${host} again in ${terminal.bold(shortest(folder))}: it held an older build.`
}

/** Describes a deployment that still contains an older build, and the fix. */
export function describeLeftBehind(
  { host, folder, reason }: LeftBehind,
  terminal: Terminal,
): string {
  const todo = `npx quarry build --for ${host}`
  return `${terminal.yellow('warning:')} ${shortest(folder)} still holds another build, maybe with posts that were taken back since. ${reason} ${terminal.cyan(todo)} writes it again; or remove it.`
}

/** Describes exceeded limits of some plans, responses without room, and the fix. */
export function describeBroken(
  { host, broken, leftOut }: Deployed,
  terminal: Terminal,
): readonly string[] {
  const lines = broken.map((limit) => describeLimit(limit, terminal))
  if (leftOut !== null) lines.push(describeLeftOut(leftOut, terminal))
  return lines.map((line) => `${terminal.yellow('warning:')} ${host}: ${line}`)
}

/**
 * Describes images that are deployed, or must be uploaded elsewhere. A host without a function needs `quarry serve`.
 */
function describeImages(
  host: Deployed['host'],
  manifest: Manifest,
  terminal: Terminal,
): readonly string[] {
  const { media, program } = deployments[host]
  const images = mediaFiles({ media: mediaFolder }, manifest)
  if (images.length === 0 || (media === null && program === null)) return []
  const bytes = images.reduce((sum, { entry }) => sum + entry.bytes, 0)
  const counted = `${plural(images.length, 'image')}, ${formatBytes(bytes)}`
  if (media !== null) return [`With ${counted}.`]
  return [
    `${terminal.yellow('Left out:')} ${counted}. Put public/media into a bucket or on a CDN, and set baseUrl to where public would be there.`,
  ]
}

/** Lists the features that a host without a function does not have. */
function describeShortcomings(
  host: Deployed['host'],
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
      ? 'No post is scheduled: the files stay valid until the content changes.'
      : `The files are valid until ${due}: ${terminal.bold('build and upload again then')}.`,
  ]
}
