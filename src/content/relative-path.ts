// Tells paths from addresses, and paths that stay below a folder from those that do not.
// Knows nothing of what a path leads to.
import { sep } from 'node:path'

/** A relative path: neither from the root, nor a fragment or a query alone, nor with a scheme. */
export function isRelativePath(url: string): boolean {
  return url !== '' && !/^[/\\#?]/.test(url) && !/^[a-z][a-z0-9+.-]*:/iu.test(url)
}

/** A path that stays below the folder to which it is relative: no name in it is empty, `.` or `..`. */
export function staysBelow(path: string): boolean {
  return !outward.test(path)
}

const outward = sep === '/' ? /(?:^|\/)\.{0,2}(?:\/|$)/ : /(?:^|[\\/])\.{0,2}(?:[\\/]|$)/
