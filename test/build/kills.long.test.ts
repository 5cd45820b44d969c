// Builds that are killed, or that the system refuses something, at every call that changes the output folder.
import fs, { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expect, it } from 'vitest'
import { Place, type Texts } from '../support/output-place.ts'

const list = 'public/v1/acme/posts/index.json'
const postOf = (name: string) =>
  `public/v1/acme/posts/${name}.json,private/v2/acme/posts/${name}.json`

/** Lists have the names of their posts. */
const old: Texts = {
  [postOf('a')]: 'a',
  [postOf('b')]: 'b',
  [list]: 'a, b',
  'function/root.json': 'a, b',
}

/** A post and the only list of a folder are new, one post is edited, and one is gone. */
const withSecret: Texts = {
  [postOf('a')]: 'a, edited',
  [postOf('secret')]: 'secret',
  'public/v1/acme/tags/secret.json': 'secret',
  [list]: 'a, secret',
  'function/root.json': 'a, secret',
}

/** Posts come before the lists that name them. */
const other: Texts = { [postOf('c')]: 'c', ...old, [list]: 'a, b, c', 'function/root.json': 'c' }

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
  { name: 'another post is added', before: [withSecret], killed: [old, other], last: other },
  { name: 'both builds are the first', before: [], killed: [withSecret, old], last: old },
]

it.each(stories)(
  'a build that is killed at any call, and the next one too leaves its folder whole or marked, and nothing behind in the end, where $name',
  async (story) => {
    const wrong: string[] = []
    const hits = new Set<string | undefined>()
    for (let first = 1, isKilled = true; isKilled; first++) {
      for (let second = 1, isKilledAgain = true; isKilled && isKilledAgain; second++) {
        const { kills, found } = await killTwice(story, first, second)
        for (const call of kills) hits.add(call?.replace(/^\w+ /, ''))
        wrong.push(...found.map((text) => `${kills.join(', ')}: ${text}`))
        isKilled = kills[0] !== undefined
        isKilledAgain = kills[1] !== undefined
      }
    }
    expect(wrong).toEqual([])
    for (const hit of ['.unfinished', 'manifest.json', list]) expect([...hits]).toContain(hit)
  },
  600_000,
)

/** @param first number of the call at which the first build is killed @param second that of the second one */
async function killTwice({ before, killed, last }: Story, first: number, second: number) {
  const place = await published(...before)
  const kills: (string | undefined)[] = []
  const found: string[] = []
  for (const [at, number] of [first, second].entries()) {
    const texts = killed[at] ?? {}
    kills.push(await faultAt(number, 'kill', place.out, () => rebuild(place, texts)))
    found.push(...(await wrongState(place, [...before.slice(-1), ...killed.slice(0, at + 1)])))
  }
  await rebuild(place, last)
  if (!isDeepStrictEqual(contentsOf(place), await clean(last))) found.push('is no clean build then')
  rmSync(place.folder, { recursive: true })
  return { kills, found }
}

it.each<[string, readonly Texts[]]>([
  ['the first', []],
  ['a later one', [old]],
])(
  'a build that the system refuses something says what, and leaves the last build or says that it could not: %s',
  async (_, before) => {
    const wrong: string[] = []
    let number = 0
    for (let isRefused = true; isRefused; ) {
      number++
      for (const code of codes) {
        const { call, found } = await refuse(before, number, code)
        wrong.push(...found.map((text) => `${call}: ${text}`))
        isRefused = call !== undefined
      }
    }
    expect(wrong).toEqual([])
    expect(number).toBeGreaterThan(20)
  },
)

const codes = ['ENOSPC', 'EIO', 'EACCES'] as const

async function refuse(before: readonly Texts[], number: number, code: (typeof codes)[number]) {
  const place = await published(...before)
  const found: string[] = []
  const work = () => place.publish(withSecret)
  const call = await faultAt(number, code, place.out, work).catch((error: Error) => {
    const message = `${error.name}: ${error.message}`
    if (!/^OutputError: \/\S+ cannot be written: E\w+\b.+\. /.test(message)) found.push(message)
    return message
  })
  found.push(...(await wrongState(place, [...before, withSecret])))
  const left = contentsOf(place)
  const isPublished = left.get('/dist/function/root.json') === withSecret['function/root.json']
  if (isPublished && left.has('/dist/public/v1/acme/posts/b.json'))
    found.push('the root is new, and a removed post is still there')
  await place.publish(old)
  if (!isDeepStrictEqual(contentsOf(place), await clean(old))) found.push('is no clean build then')
  return { call, found }
}

async function published(...builds: readonly Texts[]): Promise<Place> {
  const place = new Place()
  for (const texts of builds) await place.publish(texts)
  return place
}

const cleanBuilds = new Map<Texts, ReadonlyMap<string, string | null>>()

/** What a build into an empty folder leaves. */
async function clean(texts: Texts): Promise<ReadonlyMap<string, string | null>> {
  const known = cleanBuilds.get(texts) ?? contentsOf(await published(texts))
  cleanBuilds.set(texts, known)
  return known
}

/** Publishes as a build does: where all files are there, none is looked at again. */
async function rebuild(place: Place, texts: Texts): Promise<void> {
  const manifest = (await clean(texts)).get('/dist/manifest.json')
  const isThere = existsSync(join(place.out, 'manifest.json'))
  if (isThere && place.text('manifest.json') === manifest && (await place.isLastWhole())) return
  await place.publish(texts)
}

/** What no reader may find: a list that names a missing post, or a mixture of builds without a mark. */
async function wrongState(place: Place, builds: readonly Texts[]): Promise<string[]> {
  const found = contentsOf(place)
  const named = found.get(`/dist/${list}`)?.split(', ') ?? []
  const missing = named.filter((name) => !found.has(`/dist/public/v1/acme/posts/${name}.json`))
  const wrong = missing.map((name) => `the list names ${name}`)
  const responses = filesOf(found)
  if (found.has('/dist/.unfinished') || responses.length === 0) return wrong
  for (const texts of builds) {
    if (isDeepStrictEqual(responses, filesOf(await clean(texts)))) return wrong
  }
  return [...wrong, 'is neither old nor new, and nothing says so']
}

/** Without folders, locks and new files. */
function filesOf(contents: ReadonlyMap<string, string | null>) {
  return [...contents].filter(([path, text]) => text !== null && !path.startsWith('/dist/.'))
}

/** Every name below a place, with the text of a file; null for a folder. */
function contentsOf({ folder }: Place): ReadonlyMap<string, string | null> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const named = entries.map((entry): [string, string | null] => {
    const path = join(entry.parentPath, entry.name)
    return [path.slice(folder.length), entry.isFile() ? readFileSync(path, 'utf8') : null]
  })
  return new Map(named.sort())
}

const changing = [
  ...(['linkSync', 'mkdirSync', 'openSync', 'renameSync', 'rmdirSync', 'rmSync'] as const),
  'writeSync',
] as const

/**
 * Runs some work with a fault at one of its calls that change a folder. From a kill on, no call changes anything there,
 * but for the lock, which would be that of a process that lives; a write that is killed or refused wrote some of its bytes.
 *
 * @param number of the call, from 1
 * @returns the call; undefined when the work made fewer
 * @throws what the work throws, unless it is killed
 */
async function faultAt(
  number: number,
  fault: 'kill' | 'ENOSPC' | 'EIO' | 'EACCES',
  folder: string,
  work: () => Promise<unknown>,
): Promise<string | undefined> {
  const opened = new Map<number, string>()
  let calls = 0
  let hit: string | undefined
  /** The path that a call changes. */
  const pathOf = (name: string, args: readonly unknown[]): string | undefined => {
    if (name === 'writeSync') return opened.get(Number(args[0]))
    if (name === 'openSync' && (args[1] ?? 'r') === 'r') return undefined
    return args.map(String).findLast((text) => text.startsWith(`${folder}/`))
  }
  const isHit = (path: string): boolean => {
    if (fault === 'kill' && path.startsWith(`${folder}/.lock`)) return false
    return hit === undefined ? ++calls === number : fault === 'kill'
  }
  const fail = (name: string, path: string): never => {
    hit ??= `${name} ${path.slice(folder.length + 1)}`
    const system = fault === 'kill' ? {} : { code: fault, syscall: name, path }
    throw Object.assign(new Error(`${fault} at ${hit}`), system)
  }
  const observed = changing.map((name) => {
    const call = fs[name] as (...args: unknown[]) => unknown
    const replaced = (...args: unknown[]) => {
      const path = pathOf(name, args)
      const isFirst = hit === undefined
      if (path !== undefined && isHit(path)) {
        if (isFirst && name === 'writeSync') call(args[0], (args[1] as Buffer).subarray(1))
        fail(name, path)
      }
      const result = call(...args)
      if (path !== undefined && name === 'openSync') opened.set(Number(result), path)
      return result
    }
    return { name, call, replaced }
  })
  for (const { name, replaced } of observed) Object.assign(fs, { [name]: replaced })
  syncBuiltinESMExports()
  try {
    await work()
  } catch (error) {
    if (hit === undefined || fault !== 'kill') throw error
  } finally {
    for (const { name, call } of observed) Object.assign(fs, { [name]: call })
    syncBuiltinESMExports()
  }
  return hit
}
