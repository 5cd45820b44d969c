// Unions made ready by a build: of the posts of all light runs that have a part, where it is in so many of them
// that a search should not unite them itself. Knows nothing of how lists are stored.
import { addOrdinal, type Bitmap, emptyBitmap, ordinalsIn } from './bitmaps.ts'
import { partMax } from './words.ts'

/** Runs, and what uniting them costs. */
export interface LightRuns {
  readonly postCount: number
  /** `NUL run NUL run … NUL`. */
  readonly text: string
  /** Where each run begins in the text, and one more: where another would. */
  readonly starts: Uint32Array
  /** Cost of each run, 0 for such as are left out. */
  readonly costs: Uint32Array
  /** The posts of each run, ascending; run after run. */
  readonly posts: Uint32Array
  /** Where the posts of each run begin, and one more. */
  readonly postStarts: Uint32Array
}

/** A part, and the posts of the runs that have it. */
export interface ReadyUnion {
  /** Without or with a NUL at its ends, where a run begins or ends. */
  readonly part: string
  /** Ascending. */
  readonly posts: Uint32Array
}

/**
 * Every part whose runs cost as much as `costMin` or more, as long as a part can be that is looked up.
 *
 * A part can be that costly only if what it begins with is: parts grow by one letter at a time from those that
 * are (as in the Apriori algorithm, Agrawal & Srikant, 1994).
 *
 * Cost: O(letters), then O(places of costly parts and posts of their runs) for each length that has any.
 */
export function* readyUnions(runs: LightRuns, costMin: number): Generator<ReadyUnion> {
  const letters = costlyLetters(runs, costMin)
  // The NUL alone: small sites have none.
  if (letters.list.length === 1) return
  const places = everyPlace(runs)
  // Of the empty part; a part is numbered from 1, as letters are.
  let parts: readonly string[] = ['', '']
  for (let length = 1; parts.length > 1 && length <= partMax + 1; length++) {
    const keys = partKeys(runs.text, places, letters, length)
    const { next, numbers } = costlyParts(parts, letters, costsOf(runs, places, keys), costMin)
    const unions = next.map((part) => (part === '\0' ? null : emptyBitmap(runs.postCount)))
    follow(runs, places, keys, numbers, unions)
    for (const [number, posts] of unions.entries()) {
      if (number > 0 && posts !== null) yield { part: next[number] ?? '', posts: ordinalsIn(posts) }
    }
    parts = next
  }
}

/** Cost of each key, up to the largest. */
function costsOf(runs: LightRuns, places: Places, keys: Uint32Array): Float64Array {
  const costs = new Float64Array(keys.reduce((most, key) => Math.max(most, key), 0) + 1)
  for (let at = 0; at < places.count; at++) {
    const key = keys[at] ?? 0
    costs[key] = (costs[key] ?? 0) + (runs.costs[places.runs[at] ?? 0] ?? 0)
  }
  return costs
}

/** Parts one letter longer, numbered from 1, and the number of each key; 0 for what is not followed up. */
function costlyParts(
  parts: readonly string[],
  { list }: Letters,
  costs: Float64Array,
  costMin: number,
): { readonly next: readonly string[]; readonly numbers: Uint32Array } {
  const next = ['']
  const numbers = new Uint32Array(costs.length)
  costs.forEach((cost, key) => {
    const part = `${parts[Math.floor(key / list.length)]}${list[key % list.length]}`
    // What a run begins with is followed up at any cost: it is no part of its own.
    if (key === 0 || cost === 0 || (cost < costMin && part !== '\0')) return
    numbers[key] = next.length
    next.push(part)
  })
  return { next, numbers }
}

/** Places where a costly part begins, its run, and its number; the first `count` of each. */
interface Places {
  readonly at: Uint32Array
  readonly runs: Uint32Array
  readonly numbers: Uint32Array
  count: number
}

/** Letters that can be in a costly part, numbered from 0; the NUL is always one. */
interface Letters {
  readonly list: readonly string[]
  /** By code unit; -1 for the others. */
  readonly numbers: Int32Array
}

/** Every place of every run that is not left out, the NUL before it too. */
function everyPlace({ text, starts, costs }: LightRuns): Places {
  const at = new Uint32Array(text.length)
  const runs = new Uint32Array(text.length)
  let count = 0
  for (let run = 0; run + 1 < starts.length; run++) {
    if (costs[run] === 0) continue
    const end = (starts[run + 1] ?? 1) - 1
    for (let place = (starts[run] ?? 1) - 1; place < end; place++) {
      at[count] = place
      runs[count] = run
      count += 1
    }
  }
  return { at, runs, numbers: new Uint32Array(count).fill(1), count }
}

function costlyLetters({ text, starts, costs }: LightRuns, costMin: number): Letters {
  const sums = new Float64Array(0x10000)
  for (let run = 0; run + 1 < starts.length; run++) {
    const cost = costs[run] ?? 0
    const end = (starts[run + 1] ?? 1) - 1
    for (let place = starts[run] ?? 0; place < end; place++) {
      const code = text.charCodeAt(place)
      sums[code] = (sums[code] ?? 0) + cost
    }
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

/** What begins at each place, one letter longer than before: its number times the letters, and the letter; or 0. */
function partKeys(text: string, places: Places, letters: Letters, length: number): Uint32Array {
  const keys = new Uint32Array(places.count)
  for (let index = 0; index < places.count; index++) {
    const place = places.at[index] ?? 0
    // A NUL that is not where the run begins is where it ends.
    const isEnded = length > 2 && text.charCodeAt(place + length - 2) === 0
    const letter = isEnded ? -1 : (letters.numbers[text.charCodeAt(place + length - 1)] ?? -1)
    if (letter !== -1) keys[index] = (places.numbers[index] ?? 0) * letters.list.length + letter
  }
  return keys
}

/** Keeps the places of parts that have a number, and adds the posts of their runs to the unions. */
function follow(
  { posts, postStarts }: LightRuns,
  places: Places,
  keys: Uint32Array,
  numbers: Uint32Array,
  unions: readonly (Bitmap | null)[],
): void {
  let count = 0
  for (let index = 0; index < places.count; index++) {
    const number = numbers[keys[index] ?? 0] ?? 0
    if (number === 0) continue
    const run = places.runs[index] ?? 0
    places.at[count] = places.at[index] ?? 0
    places.runs[count] = run
    places.numbers[count] = number
    count += 1
    const union = unions[number] ?? null
    if (union === null) continue
    const end = postStarts[run + 1] ?? 0
    for (let at = postStarts[run] ?? 0; at < end; at++) addOrdinal(union, posts[at] ?? 0)
  }
  places.count = count
}
