// What it costs a search to unite the posts of tokens, and from where on that is done beforehand.

/** What it costs to find a token and its list, in bytes that could be read of a list in that time. */
const tokenCost = 16

/** Cost in bytes of lists from which on a union is materialized. */
export const unionCostMin: number = 240 * 1024

/** What it costs to unite the posts of a token with others. @param bytes of its list, 0 for one post */
export function costOfToken(bytes: number): number {
  return bytes + tokenCost
}
