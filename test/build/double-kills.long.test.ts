// Two builds that are killed one after the other, at every pair of places where they change the disk: the next build
// equals a clean one, and a post that was withdrawn is gone.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { killedAt } from '../support/disk-calls.ts'
import { Place, type Texts } from '../support/output-place.ts'

const old: Texts = {
  'public/v1/acme/posts/index.json': 'none',
  'function/root.json': 'index',
}

/** A build with a post that the next one withdraws, and a folder that the next one has not. */
const withSecret: Texts = {
  'public/v1/acme/posts/index.json': 'secret',
  'public/v1/acme/tags/secret.json': 'secret',
  'function/root.json': 'secret index',
}

const other: Texts = { ...old, 'public/v1/acme/posts/c.json': 'c', 'function/root.json': 'c' }

interface Story {
  readonly name: string
  /** Builds that came to their end. */
  readonly before: readonly Texts[]
  /** Builds that are killed. */
  readonly killed: readonly [Texts, Texts]
  readonly last: Texts
}

const stories: readonly Story[] = [
  { name: 'a post is added and withdrawn', before: [old], killed: [withSecret, old], last: old },
  { name: 'both builds are the first', before: [], killed: [withSecret, old], last: old },
]

// A minute instead of seconds.
const longStories: readonly Story[] = [
  { name: 'another post is added', before: [withSecret], killed: [old, other], last: other },
  { name: 'only the second adds a post', before: [old], killed: [other, withSecret], last: old },
  { name: 'the last is as the first', before: [old, withSecret], killed: [other, old], last: old },
]

const slow = { timeout: 600_000 }
const isThorough = process.env['QUARRY_FAULTS'] === 'all'

describe('two kills in a row', () => {
  it.each(isThorough ? [...stories, ...longStories] : stories)(
    'leave nothing behind where $name',
    slow,
    async ({ before, killed, last }) => {
      const wanted = contentsOf(await published(last))
      const wrong: string[] = []
      let pairs = 0
      const hits = new Set<string>()
      for await (const { place, kills } of everyPair(before, ...killed)) {
        for (const call of kills) hits.add(call.replace(/^\w+ /, ''))
        await rebuild(place, last)
        pairs++
        const found = contentsOf(place)
        if (!isDeepStrictEqual(found, wanted))
          wrong.push(`${kills.join(', ')}: ${[...found.keys()]}`)
      }
      expect(wrong).toEqual([])
      // biome-ignore lint/suspicious/noConsole: how much was tried, for whoever asks for all of it
      if (isThorough) console.info(`${pairs} pairs of kills`)
      for (const hit of ['.unfinished', 'manifest.json']) expect([...hits]).toContain(hit)
    },
  )
})

/** An output folder for each pair of calls at which two builds are killed. */
async function* everyPair(
  before: readonly Texts[],
  first: Texts,
  second: Texts,
): AsyncGenerator<{ readonly place: Place; readonly kills: readonly string[] }> {
  for (let one = 1; ; one++) {
    for (let other = 1; ; other++) {
      const place = await published(...before)
      const kills = [await kill(place, first, one), await kill(place, second, other)]
      if (kills[0] === undefined) return
      yield { place, kills: kills.map(String) }
      rmSync(place.folder, { recursive: true })
      if (kills[1] === undefined) break
    }
  }
}

async function published(...builds: readonly Texts[]): Promise<Place> {
  const place = new Place()
  for (const texts of builds) await place.publish(texts)
  return place
}

/** Kills a build. @returns the call at which it was; undefined when it came to its end before */
function kill(place: Place, texts: Texts, number: number): Promise<string | undefined> {
  return killedAt(number, place.out, () => rebuild(place, texts))
}

/** Publishes as a build does: where all files are there, none is looked at again. */
async function rebuild(place: Place, texts: Texts): Promise<void> {
  const clean = manifests.get(texts) ?? (await published(texts)).text('manifest.json')
  manifests.set(texts, clean)
  const isThere = existsSync(join(place.out, 'manifest.json'))
  if (isThere && place.text('manifest.json') === clean && (await place.isLastWhole())) return
  await place.publish(texts)
}

const manifests = new Map<Texts, string>()

/** Every name below a place, with the text of a file; null for a folder. */
function contentsOf({ folder }: Place): ReadonlyMap<string, string | null> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const named = entries.map((entry): [string, string | null] => {
    const path = join(entry.parentPath, entry.name)
    const isRead = entry.isFile()
    return [path.slice(folder.length), isRead ? readFileSync(path, 'utf8') : null]
  })
  return new Map(named.sort())
}
