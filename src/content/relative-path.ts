// Tells paths from addresses, and paths that stay below folders from those that do not.
import { sep } from 'node:path'

/** A relative path: neither from the root, nor a fragment or a query alone, nor with a scheme. */
export function isRelativePath(url: string): boolean {
  return url !== '' && !/^[/\\#?]/.test(url) && !/^[a-z][a-z0-9+.-]*:/iu.test(url)
}

/** A path from the root of a site, `/img/a.png`, or from that of a project, `@site/static/img/a.png`. */
export function isRootPath(url: string): boolean {
  return /^(?:\/(?![/\\])|@site\/)/.test(url)
}

/** A path that stays below the folder to which it is relative: no name in it is empty, `.` or `..`. */
function staysBelow(path: string): boolean {
  return !outward.test(path)
}

/**
 * The part of a path that is below one of the mounts, or below the folder itself where it is in none.
 *
 * @returns empty for a mount itself; undefined where the path leads out of the folder and of every mount
 */
export function nameWithin(path: string, mounts: readonly MountPath[]): string | undefined {
  if (staysBelow(path)) return path
  if (mounts.some((mount) => mount.path === path)) return ''
  const mount = mounts.find((each) => path.startsWith(`${each.path}/`))
  const name = mount && path.slice(mount.path.length + 1)
  return name !== undefined && staysBelow(name) ? name : undefined
}

/** A place next to the folder, which the configuration names. */
export interface MountPath {
  /** From the folder, with `/`; it begins with `..`. */
  readonly path: string
}

const outward = sep === '/' ? /(?:^|\/)\.{0,2}(?:\/|$)/ : /(?:^|[\\/])\.{0,2}(?:[\\/]|$)/
