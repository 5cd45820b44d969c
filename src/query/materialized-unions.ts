// Unions materialized at build time: the posts of all rarer tokens with a common part, where uniting them in a search
// would take too long.
import { PartPosts, type TokenPostings } from './part-posts.ts'
import { partMax } from './words.ts'

/** Tokens, their posts, and the cost of uniting the posts of each. */
export interface TokenCosts extends TokenPostings {
  /** `NUL token NUL token … NUL`. */
  readonly text: string
  /** The cost of each token; 0 for excluded tokens. */
  readonly costs: Uint32Array
}

/** A part, and the posts of the tokens that contain it. */
export interface MaterializedUnion {
  /** A NUL at an end of it matches the beginning or end of a token. */
  readonly part: string
  /** Ascending. */
  readonly posts: Uint32Array
}

/**
 * The union of every part with a cost of at least `costMin`, for parts that are looked up.
 *
 * A part is that costly only if its prefix is. Costly parts are therefore extended by one letter at a time (as in the
 * Apriori algorithm, Agrawal & Srikant, 1994).
 *
 * Cost: O(letters), then O(occurrences of costly parts and postings of their tokens) per length.
 */
export function* materializedUnions(
  tokens: TokenCosts,
  costMin: number,
): Generator<MaterializedUnion> {
  const letters = costlyLetters(tokens, costMin)
  // Only the NUL: small sites have no unions.
  if (letters.list.length === 1) return
  // Parts are numbered from 1. The parts of one letter are the costly letters, and the beginning of a token.
  let parts: readonly string[] = ['', ...letters.list]
  const first = new PartPosts(parts.length, tokens)
  const places = placesOf(tokens, letters, first)
  yield* unionsOf(parts, first)
  for (let length = 2; parts.length > 1 && length <= partMax + 1; length++) {
    const costs = costsOfKeys(tokens, places, length, parts.length * letters.list.length)
    const { next, numbers } = costlyParts(parts, letters, costs, costMin)
    const posts = new PartPosts(next.length, tokens)
    follow(places, numbers, posts)
    yield* unionsOf(next, posts)
    parts = next
  }
}

/** Skips the beginning of a token, which is no part by itself. */
function* unionsOf(parts: readonly string[], posts: PartPosts): Generator<MaterializedUnion> {
  for (const [number, part] of parts.entries()) {
    if (part !== '' && part !== '\0') yield { part, posts: posts.union(number) }
  }
}
/** Returns the parts that are one letter longer, and the number of each key; 0 for parts that are not extended. */
function costlyParts(
  parts: readonly string[],
  { list }: Letters,
  costs: Float64Array,
  costMin: number,
): { readonly next: readonly string[]; readonly numbers: Uint32Array } {
  const next = ['']
  const numbers = new Uint32Array(costs.length)
  for (let key = 1; key < costs.length; key++) {
    const cost = costs[key] ?? 0
    if (cost === 0 || cost < costMin) continue
    numbers[key] = next.length
    next.push(`${parts[Math.floor(key / list.length)]}${list[key % list.length]}`)
  }
  return { next, numbers }
}

/** Occurrences of costly parts: position, token, part number and key; only the first `count` are valid. */
interface Places {
  readonly at: Uint32Array
  readonly tokens: Uint32Array
  readonly numbers: Uint32Array
  /** The key of the occurrence extended by one letter: part number × letters + letter; 0 for none. */
  readonly keys: Uint32Array
  readonly letters: Letters
  count: number
}

/** Letters of costly parts, numbered from 0; the NUL is always included. */
interface Letters {
  readonly list: readonly string[]
  /** By code unit; -1 for other letters. */
  readonly numbers: Int32Array
}

/** Selects letters that are costly enough. */
function costlyLetters({ text, costs }: TokenCosts, costMin: number): Letters {
  const sums = new Float64Array(0x10000)
  let cost = costs[0] ?? 0
  for (let at = 1, token = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    sums[code] = (sums[code] ?? 0) + cost
    if (code === 0) cost = costs[++token] ?? 0
  }
  const list = ['\0']
  const numbers = new Int32Array(0x10000).fill(-1)
  numbers[0] = 0
  for (let code = 1; code < sums.length; code++) {
    if ((sums[code] ?? 0) < costMin) continue
    numbers[code] = list.length
    list.push(String.fromCharCode(code))
  }
  return { list, numbers }
}

/**
 * Returns every occurrence of a costly letter in an included token, and the NUL before each token; adds the posts of
 * each.
 */
function placesOf({ text, costs }: TokenCosts, letters: Letters, posts: PartPosts): Places {
  const at = new Uint32Array(text.length)
  const tokens = new Uint32Array(text.length)
  const numbers = new Uint32Array(text.length)
  let count = 0
  let token = -1
  for (let place = 0; place < text.length - 1; place++) {
    const code = text.charCodeAt(place)
    if (code === 0) token += 1
    const letter = letters.numbers[code] ?? -1
    if (letter === -1 || costs[token] === 0) continue
    at[count] = place
    tokens[count] = token
    numbers[count] = letter + 1
    count += 1
    posts.add(letter + 1, token)
  }
  return { at, tokens, numbers, keys: new Uint32Array(count), letters, count }
}

/** Computes the key of each occurrence for parts of one length; returns the cost per key. */
function costsOfKeys(
  { text, costs: tokenCosts }: TokenCosts,
  { at, tokens, numbers, keys, letters, count }: Places,
  length: number,
  keyCount: number,
): Float64Array {
  const costs = new Float64Array(keyCount)
  const letterCount = letters.list.length
  for (let index = 0; index < count; index++) {
    const last = (at[index] ?? 0) + length - 1
    // Any NUL but the first one ends the token.
    const isEnded = length > 2 && text.charCodeAt(last - 1) === 0
    const letter = isEnded ? -1 : (letters.numbers[text.charCodeAt(last)] ?? -1)
    const key = letter === -1 ? 0 : (numbers[index] ?? 0) * letterCount + letter
    keys[index] = key
    costs[key] = (costs[key] ?? 0) + (tokenCosts[tokens[index] ?? 0] ?? 0)
  }
  return costs
}

/** Keeps the occurrences of numbered parts, and adds the posts of each. */
function follow(places: Places, numbers: Uint32Array, posts: PartPosts): void {
  const { at, tokens, keys } = places
  let count = 0
  for (let index = 0; index < places.count; index++) {
    const number = numbers[keys[index] ?? 0] ?? 0
    if (number === 0) continue
    const token = tokens[index] ?? 0
    at[count] = at[index] ?? 0
    tokens[count] = token
    places.numbers[count] = number
    count += 1
    posts.add(number, token)
  }
  places.count = count
}
