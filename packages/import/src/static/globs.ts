// Matches paths against globs without regular expressions, which a site could make slow.

/**
 * True when a path matches a glob: `*` is any text, without `/` if `isPath`; `**` is any text; `?` is one character.
 *
 * Cost: O(path × glob).
 */
export function matchesGlob(path: string, glob: string, isPath = true): boolean {
  // reached[i]: the glob so far matches the first i characters.
  let reached = Array.from({ length: path.length + 1 }, (_, index) => index === 0)
  for (const [token] of glob.matchAll(/\*\*\/|\*+|[\s\S]/gu)) {
    const isStar = token.startsWith('*')
    const isFolders = token === '**/'
    const crosses = token.startsWith('**') || !isPath
    let isOpen = false
    reached = reached.map((isReached, index) => {
      if (!isStar) {
        const sign = path[index - 1]
        return index > 0 && reached[index - 1] === true && (token === '?' || token === sign)
      }
      if (index > 0 && path[index - 1] === '/' && !crosses) isOpen = false
      const isEnd = !isFolders || path[index - 1] === '/'
      const isMatch = isReached || (isOpen && isEnd)
      isOpen ||= isReached
      return isMatch
    })
  }
  return reached[path.length] === true
}

/** True when a glob names a path or a folder above it. */
export function matchesTree(path: string, glob: string): boolean {
  return matchesGlob(path, glob) || matchesGlob(path, `${glob}/**`)
}

/** As `matchesTree`, for any of the globs. Syntax other than `*`, `?` and `{a,b}` counts as a match. */
export function matchesAny(path: string, globs: readonly string[]): boolean {
  return globs.flatMap(withoutBraces).some((glob) => {
    const plain = glob.replace(/^\.?\/|\/$/g, '')
    const isOther = /[{[\\]|[?*+@!]\(/.test(plain)
    return plain !== '' && (isOther || matchesTree(path, plain))
  })
}

/** `a.md` and `b.md` for `{a,b}.md`; a glob with many braces stays. */
function withoutBraces(glob: string): readonly string[] {
  const [braces, inner = ''] = /\{([^{}]{0,999})\}/.exec(glob) ?? []
  return braces === undefined || glob.split('{').length > 5
    ? [glob]
    : inner.split(',').flatMap((part) => withoutBraces(glob.replace(braces, () => part)))
}
