// Aliases: former slugs of posts.
import type { Alias } from './snapshot.ts'
import { partitionPoint } from './visibility.ts'

/**
 * Returns the alias with a name if its post is visible.
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
  const found = aliases[partitionPoint(aliases.length, (at) => (aliases[at]?.from ?? '') < name)]
  return found?.from === name && found.post >= first ? found : undefined
}

/** Returns the JSON of all aliases of visible posts: `{"redirects":[{"from":…,"to":…}]}`. */
export function redirectsJson(aliases: readonly Alias[], first: number): string {
  const redirects = aliases
    .filter(({ post }) => post >= first)
    .map(({ from, to }) => ({ from, to }))
  return JSON.stringify({ redirects })
}
