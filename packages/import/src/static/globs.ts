// Matches paths against the globs of a configuration.
import picomatch from 'picomatch'

/** True when a path matches a glob. @param isPath false if `*` may be a text with `/` */
export function matchesGlob(path: string, glob: string, isPath = true): boolean {
  return glob !== '' && picomatch.isMatch(path, glob, { dot: true, bash: !isPath })
}

/** True when a glob names a path or a folder above it. */
export function matchesTree(path: string, glob: string): boolean {
  return matchesGlob(path, glob) || matchesGlob(path, `${glob}/**`)
}

/** As `matchesTree`, for any of the globs. */
export function matchesAny(path: string, globs: readonly string[]): boolean {
  return globs.some((glob) => matchesTree(path, glob.replace(/^\.?\/|\/$/g, '')))
}
