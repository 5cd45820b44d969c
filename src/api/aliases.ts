// Slugs that posts had before: the post that each leads to.

/** An old slug of a post. */
export interface Alias {
  /** The old slug. */
  readonly from: string
  /** The slug of the post. */
  readonly to: string
  /** Ordinal of the post. */
  readonly post: number
}

/**
 * The alias with a name, of a visible post.
 *
 * @param aliases by `from`, in code unit order
 * @param first ordinal of the latest published post
 *
 * Cost: O(log aliases).
 */
export function findAlias(
  aliases: readonly Alias[],
  name: string,
  first: number,
): Alias | undefined {
  let low = 0
  let high = aliases.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((aliases[middle]?.from ?? '') < name) low = middle + 1
    else high = middle
  }
  const found = aliases[low]
  return found?.from === name && found.post >= first ? found : undefined
}

/** The JSON of all aliases of visible posts: `{"redirects":[{"from":…,"to":…}]}`. */
export function redirectsJson(aliases: readonly Alias[], first: number): string {
  const redirects = aliases
    .filter(({ post }) => post >= first)
    .map(({ from, to }) => ({ from, to }))
  return JSON.stringify({ redirects })
}
