// Classifies URLs as paths, and checks that paths stay inside folders.
import { sep } from 'node:path'

/** Reports whether a URL is a relative path: not from the root, not only a fragment or query, and without a scheme. */
export function isRelativePath(url: string): boolean {
  return url !== '' && !/^[/\\#?]/.test(url) && !/^[a-z][a-z0-9+.-]*:/iu.test(url)
}

/** Reports whether a URL is a path from the root of a site, `/img/a.png`, or of a project, `@site/static/img/a.png`. */
export function isRootPath(url: string): boolean {
  return /^(?:\/(?![/\\])|@site\/)/.test(url)
}

/** Reports whether a path stays inside its base folder: no segment is empty, `.` or `..`. */
function staysBelow(path: string): boolean {
  return !outward.test(path)
}

/**
 * Returns the part of a path below its mount, or the path itself if it is not in a mount.
 *
 * @returns empty for a mount itself; undefined if the path leads out of the folder and every mount
 */
export function nameWithin(path: string, mounts: readonly MountPath[]): string | undefined {
  if (staysBelow(path)) return path
  if (mounts.some((mount) => mount.path === path)) return ''
  const mount = mounts.find((each) => path.startsWith(`${each.path}/`))
  const name = mount && path.slice(mount.path.length + 1)
  return name !== undefined && staysBelow(name) ? name : undefined
}

/** A configured place outside the folder. */
export interface MountPath {
  /** Relative to the folder, with `/`; begins with `..`. */
  readonly path: string
}

const outward = sep === '/' ? /(?:^|\/)\.{0,2}(?:\/|$)/ : /(?:^|[\\/])\.{0,2}(?:[\\/]|$)/
