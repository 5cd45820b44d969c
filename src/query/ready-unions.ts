// Unions made ready by a build: of the posts of all light runs that have a part, where it is in so many of them
// that a search should not unite them itself. Knows nothing of how lists are stored.
import { type LightRuns, type ReadyUnion, RunLists, Unions } from './part-unions.ts'
import { partMax } from './words.ts'

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
  const lists = new RunLists(runs)
  // Parts are numbered from 1. Of one letter there are the costly ones, and what a run begins with.
  let parts: readonly string[] = ['', ...letters.list]
  const first = new Unions(parts, lists)
  const places = placesOf(runs, letters, first)
  yield* first.ready()
  for (let length = 2; parts.length > 1 && length <= partMax + 1; length++) {
    const costs = costsOfKeys(runs, places, length, parts.length * letters.list.length)
    const { next, numbers } = costlyParts(parts, letters, costs, costMin)
    const unions = new Unions(next, lists)
    follow(places, numbers, unions)
    yield* unions.ready()
    parts = next
  }
}

/** Parts one letter longer, and the number of each key; 0 for what is not followed up. */
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

/** Places where a costly part begins, its run, its number, and a key; the first `count` of each. */
interface Places {
  readonly at: Uint32Array
  readonly runs: Uint32Array
  readonly numbers: Uint32Array
  /** What begins there, one letter longer: the number times the letters, and the letter; or 0. */
  readonly keys: Uint32Array
  readonly letters: Letters
  count: number
}

/** Letters that can be in a costly part, numbered from 0; the NUL is always one. */
interface Letters {
  readonly list: readonly string[]
  /** By code unit; -1 for the others. */
  readonly numbers: Int32Array
}

/** Those that cost enough. */
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

/** Every place of a costly letter in a run that is not left out, and the NUL before each; unites the runs of each. */
function placesOf({ text, starts, costs }: LightRuns, letters: Letters, unions: Unions): Places {
  const at = new Uint32Array(text.length)
  const runs = new Uint32Array(text.length)
  const numbers = new Uint32Array(text.length)
  let count = 0
  for (let run = 0; run + 1 < starts.length; run++) {
    if (costs[run] === 0) continue
    const end = (starts[run + 1] ?? 1) - 1
    for (let place = (starts[run] ?? 1) - 1; place < end; place++) {
      const letter = letters.numbers[text.charCodeAt(place)] ?? -1
      if (letter === -1) continue
      at[count] = place
      runs[count] = run
      numbers[count] = letter + 1
      count += 1
      unions.add(letter + 1, run)
    }
  }
  return { at, runs, numbers, keys: new Uint32Array(count), letters, count }
}

/** Finds the key of each place, for parts of a length; gives the cost of each of so many keys. */
function costsOfKeys(
  { text, costs: runCosts }: LightRuns,
  { at, runs, numbers, keys, letters, count }: Places,
  length: number,
  keyCount: number,
): Float64Array {
  const costs = new Float64Array(keyCount)
  const letterCount = letters.list.length
  for (let index = 0; index < count; index++) {
    const last = (at[index] ?? 0) + length - 1
    // A NUL that is not where the run begins is where it ends.
    const isEnded = length > 2 && text.charCodeAt(last - 1) === 0
    const letter = isEnded ? -1 : (letters.numbers[text.charCodeAt(last)] ?? -1)
    const key = letter === -1 ? 0 : (numbers[index] ?? 0) * letterCount + letter
    keys[index] = key
    costs[key] = (costs[key] ?? 0) + (runCosts[runs[index] ?? 0] ?? 0)
  }
  return costs
}

/** Keeps the places of parts that have a number, and unites the runs of each. */
function follow(places: Places, numbers: Uint32Array, unions: Unions): void {
  const { at, runs, keys } = places
  let count = 0
  for (let index = 0; index < places.count; index++) {
    const number = numbers[keys[index] ?? 0] ?? 0
    if (number === 0) continue
    const run = runs[index] ?? 0
    at[count] = at[index] ?? 0
    runs[count] = run
    places.numbers[count] = number
    count += 1
    unions.add(number, run)
  }
  places.count = count
}
