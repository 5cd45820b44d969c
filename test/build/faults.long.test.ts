// A build is killed, or the system refuses it something, at every single place where it changes the disk.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
} from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pMap from 'p-map'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { build } from '../../src/build/build.ts'
import { makeManifest } from '../../src/build/manifest.ts'
import { resolveSettings } from '../../src/config.ts'
import { openLiveSite } from '../../src/hosts/live-site.ts'
import { type PublishedBuild, publishBuild } from '../support/publish-build.ts'
import { publishProgram } from '../support/publish-program.ts'
import { namedPosts, readBuild, wrongResponses } from '../support/site-states.ts'
import {
  type CallPoint,
  callPoints,
  provideStrace,
  runTraced,
  type TracedRun,
} from '../support/strace.ts'
import { someNoon, TemporarySite } from '../support/temporary-site.ts'

const folder = mkdtempSync(join(tmpdir(), 'quarry-faults-'))
const content = join(folder, 'content')
const [before, after] = [join(folder, 'before'), join(folder, 'after')]
const reason = provideStrace()
const slow = { timeout: 600_000 }
// Minutes instead of one: every refusal at every place.
const isThorough = process.env['QUARRY_FAULTS'] === 'all'
let program: Awaited<ReturnType<typeof publishProgram>>

beforeAll(async () => {
  mkdirSync(content)
  program = await publishProgram(join(folder, 'publish.cjs'))
  const site = new TemporarySite()
  await buildInto(writeFirst(site), before)
  await buildInto(edit(site), after)
  rmSync(site.folder, { recursive: true })
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Two workspaces; one of them is closed. */
function writeFirst(site: TemporarySite): TemporarySite {
  site
    .write('content/acme/workspace.yml', 'name: Acme\n')
    .write('content/acme/categories.yml', '- { slug: news, name: News }\n')
    .write('content/closed/workspace.yml', 'name: Closed\nv1: private\nreferences: create\n')
    .write(
      'content/closed/posts/one.md',
      '---\ntitle: One\ncategory: c\ndate: 2026-01-01\n---\nOne.\n',
    )
  return site.posts(3)
}

/** Adds a post, changes one, removes one, and takes one back. */
function edit(site: TemporarySite): TemporarySite {
  return site
    .post('added', { publishedAt: '2026-02-01' })
    .post('post-1', { publishedAt: '2026-01-01', title: 'Another title' })
    .remove('content/acme/posts/post-2.md')
    .post('post-3', { publishedAt: '2026-01-03', status: 'draft' })
}

/** Posts and what the function needs are enough: every further file is written in the same way. */
async function buildInto(site: TemporarySite, out: string): Promise<void> {
  const precompute = { formats: ['html' as const], pageSizes: [2] }
  const settings = { content: site.content, out: site.out, workers: 1, precompute }
  const { manifest } = await build(resolveSettings(settings), { now: someNoon })
  const files = new Map([...manifest.files].filter(([path]) => /^function\/|\/posts\//.test(path)))
  await publishBuild({
    built: site.out,
    out,
    content,
    manifest: makeManifest({ ...manifest, files }),
  })
}

/** An output folder that holds the first build, or nothing. */
async function prepare(name: string, isFirst: boolean): Promise<PublishedBuild> {
  const place = join(folder, name)
  rmSync(place, { recursive: true, force: true })
  mkdirSync(place)
  const out = join(place, 'dist')
  if (!isFirst) {
    await publishBuild({ built: before, out, content })
    // Every file is older than the manifest by more than the clock's step, so that each run makes the same calls.
    await pause(20)
    utimesSync(join(out, 'manifest.json'), new Date(), new Date())
  }
  return { built: after, out, content }
}

interface Fault extends CallPoint {
  readonly what: string
}

async function everyFault(
  isFirst: boolean,
  faults: (point: CallPoint, place: number) => readonly string[],
) {
  const trial = await prepare('trial', isFirst)
  const { log, exitCode } = await runTraced(program(trial))
  expect(exitCode).toBe(0)
  const points = callPoints(log, join(folder, 'trial'))
  expect(points.length).toBeGreaterThan(20)
  const all = points.flatMap((point, place) =>
    faults(point, place).map((what): Fault => ({ ...point, what })),
  )
  const wrong = await pMap(
    all.map((fault, number) => ({ fault, number })),
    ({ fault, number }) => injectFault(fault, number, isFirst),
    { concurrency: 2 * availableParallelism() },
  )
  return { wrong: wrong.flat(), faults: all.length }
}

/** Everything that is wrong after one fault. */
async function injectFault(
  fault: Fault,
  number: number,
  isFirst: boolean,
): Promise<readonly string[]> {
  const name = `fault-${String(number).padStart(4, '0')}`
  const { publication, run } = await runWithFault(fault, name, isFirst)
  const wrong = [
    ...wrongEnd(run, fault),
    ...wrongState(publication.out, isFirst),
    ...(await wrongAfterwards(publication, number % 2 === 0)),
  ]
  rmSync(join(folder, name), { recursive: true })
  return wrong.map((text) => `${fault.what} at ${fault.text.slice(0, 200)}: ${text}`)
}

/** Node makes now and then a call or two more or less before the first of ours: then its neighbours are tried. */
async function runWithFault(fault: Fault, name: string, isFirst: boolean) {
  for (let attempt = 1; ; attempt++) {
    const publication = await prepare(name, isFirst)
    const when = Math.max(1, fault.number + (shifts[attempt % shifts.length] ?? 0))
    const run = await runTraced(program(publication), [`${fault.call}:${fault.what}:when=${when}`])
    const isHit = fault.what !== kill || run.isKilled
    if (isHit && placeOf(hitCall(run, fault)) === placeOf(fault.text)) return { publication, run }
    if (attempt === 20) throw new Error(`${fault.what} was never at ${fault.text}`)
  }
}

const shifts = [4, 0, -1, 1, -2, 2, -3, 3, -4]

/** The call that the fault was at, as strace shows it. */
function hitCall({ log }: TracedRun, { what, call }: Fault): string {
  const calls = log.split('\n').filter((line) => /^\d+ +\w+\(/.test(line))
  const hit = (line: string) =>
    what === kill ? line.includes(` ${call}(`) : line.includes('(INJECTED)')
  return calls.findLast(hit) ?? ''
}

/** Which file of ours a call is about, whatever the run. */
function placeOf(call: string): string {
  const [, place = ''] = /quarry-faults-\w+\/(?:trial|fault-\d+)([^">]*)/.exec(call) ?? []
  return place.replace(/\/\d+,\S+,[0-9a-f-]{36}/, '/owner')
}

function wrongEnd({ isKilled, exitCode, stderr }: TracedRun, { what }: Fault): readonly string[] {
  if (what === kill) return isKilled ? [] : [`was to be killed, but ended with ${exitCode}`]
  if (exitCode === 0) return []
  const isExplained = /^OutputError: \/\S+ cannot be written: .+ \(E\w+\)\. /.test(stderr)
  return exitCode === 2 && isExplained ? [] : [`ended with ${exitCode}: ${stderr}`]
}

/** The old build, the new one, or what `.unfinished` says is neither: and then no list names a missing post. */
function wrongState(out: string, isFirst: boolean): readonly string[] {
  if (!existsSync(out)) return isFirst ? [] : ['the output folder is gone']
  const isMarked = existsSync(join(out, '.unfinished'))
  const builds = isFirst ? [after] : [before, after]
  const found = readBuild(out)
  const isWhole =
    builds.some((built) => isSame(readBuild(built), found)) || (isFirst && found.size === 0)
  return [
    ...wrongResponses(out),
    ...(isWhole || isMarked ? [] : ['is neither old nor new, and nothing says so']),
  ]
}

async function wrongAfterwards(
  publication: PublishedBuild,
  isTakenBack: boolean,
): Promise<readonly string[]> {
  const { out } = publication
  if (existsSync(join(out, 'manifest.json'))) {
    // Whatever happened, a server starts.
    const live = await openLiveSite(out)
    live.close()
  }
  const order = isTakenBack ? [before, after] : [after, before]
  const wrong: string[] = []
  for (const built of order) {
    await publishBuild({ ...publication, built })
    const [expected, found] = [readBuild(built), readBuild(out)]
    if (!isSame(expected, found)) wrong.push(`the next build gave ${[...found.keys()]}`)
  }
  const beside = readdirSync(join(out, '..')).filter((name) => name !== 'dist')
  const inside = readdirSync(out).filter((name) => name.startsWith('.'))
  return [...wrong, ...[...beside, ...inside].map((name) => `${name} was left`)]
}

function isSame(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([path, bytes]) => other.get(path) === bytes)
}

const kill = 'signal=SIGKILL'
/** One of three refusals at each place, or all of them. */
function refusals(_: CallPoint, place: number): readonly string[] {
  const errors = ['ENOSPC', 'EIO', 'EACCES'].map((code) => `error=${code}`)
  return isThorough ? errors : [errors[place % errors.length] ?? '']
}

describe.skipIf(reason !== null)('a build', () => {
  it('may be killed at any instant', slow, async () => {
    const { wrong } = await everyFault(false, () => [kill])
    expect(wrong.join('\n')).toBe('')
  })

  it('may be killed at any instant when it is the first', slow, async () => {
    const { wrong } = await everyFault(true, () => [kill])
    expect(wrong.join('\n')).toBe('')
  })

  it(
    'says what the system refused, and leaves the last build or says that it could not',
    slow,
    async () => {
      const { wrong } = await everyFault(false, refusals)
      expect(wrong.join('\n')).toBe('')
    },
  )

  it('lets a reader read what a list names, while it is at work', slow, async () => {
    const { out, ...rest } = await prepare('read', false)
    const delays = ['rename', 'unlink'].map((call) => `${call}:delay_enter=20000`)
    let isDone = false
    const run = runTraced(program({ out, ...rest }), delays).finally(() => {
      isDone = true
    })
    const missing: string[] = []
    const seen = new Set<string>()
    while (!isDone) {
      missing.push(...readOnce(out, seen))
      await pause(1)
    }
    expect((await run).exitCode).toBe(0)
    expect(missing).toEqual([])
    // It saw the old list and the new one.
    expect(seen.size).toBe(2)
  })
})

/** Reads the list of posts, then each post that it names; one may only be missing when the list has changed since. */
function readOnce(out: string, seen: Set<string>): readonly string[] {
  const path = 'public/v1/acme/posts/_limit/2/index.json'
  const list = readFileSync(join(out, path), 'utf8')
  seen.add(list)
  const missing = (namedPosts(path, list) ?? [`${path} does not parse`]).filter((post) => {
    try {
      JSON.parse(readFileSync(join(out, post), 'utf8'))
      return false
    } catch {
      return true
    }
  })
  return missing.length > 0 && readFileSync(join(out, path), 'utf8') === list ? missing : []
}
