// The cost of uniting the posts of tokens in a search, and the threshold for materialized unions.

/** The cost of finding a token and its list, in bytes of a list that could be read in that time. */
const tokenCost = 16

/** The cost, in bytes of lists, from which on a union is materialized. */
export const unionCostMin: number = 240 * 1024

/** The cost of uniting the posts of a token with others. @param bytes size of its list, 0 for a single post */
export function costOfToken(bytes: number): number {
  return bytes + tokenCost
}
