// Publications that are killed at each of their requests, publishers that race, and readers all the while.
// Takes minutes: QUARRY_S3=ceph or QUARRY_S3=r2 runs it. QUARRY_S3_KILLS, QUARRY_S3_RACES and QUARRY_S3_MINUTES are bounds.
import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decodeManifest } from '../../src/emit/manifest.ts'
import { collectGarbage } from '../../src/publish/collect.ts'
import { S3Client } from '../../src/publish/s3-client.ts'
import { readCredentials, readLocation } from '../../src/publish/s3-location.ts'
import { BuildStore, type StoredCommit } from '../../src/publish/store.ts'
import { provideCeph, type S3Server, s3At, startCeph } from '../support/ceph.ts'
import { type Run, type Running, run, start } from '../support/command-line.ts'
import { startProxy } from '../support/faulty-proxy.ts'
import { startR2 } from '../support/r2-store.ts'
import { TemporarySite } from '../support/temporary-site.ts'

/** Starts the store that QUARRY_S3 names; undefined for none. */
const startStore = startOf(process.env['QUARRY_S3'])
const killsWanted = Number(process.env['QUARRY_S3_KILLS'] ?? 500)
const racesWanted = Number(process.env['QUARRY_S3_RACES'] ?? 100)
const endsAt = performance.now() + Number(process.env['QUARRY_S3_MINUTES'] ?? 60) * 60_000
const hasTime = () => performance.now() < endsAt
const url = 's3://site/chaos'
/** A publication of an edit sends no more; after a collection of garbage it looks for its end, too. */
const requestsOfPublication = 24

let bucketServer: S3Server

describe.skipIf(startStore === undefined)('readers of a bucket', { timeout: 3_600_000 }, () => {
  beforeAll(async () => {
    if (startStore !== undefined) bucketServer = await startStore()
  }, 300_000)
  afterAll(() => bucketServer?.stop())

  it('see whole builds in their order, whenever publications are killed', async () => {
    await using story = await Story.begin('kills')
    let left = 0
    let isAfter = false
    let victim: Running | undefined
    const proxy = await startProxy(bucketServer.endpoint, () => {
      if (victim === undefined || --left > 0) return null
      victim.stop('SIGKILL')
      victim = undefined
      // Before the store sees the request, or when it has done what it was asked for.
      return isAfter ? 'lost' : 'reset'
    })
    const counts = { kills: 0, builds: 0, commits: 0, collections: 0, followersKilled: 0 }
    const random = randomNumbers()
    for (let round = 1; counts.kills < killsWanted && hasTime(); round++) {
      left = 1 + random(requestsOfPublication)
      isAfter = random(2) === 1
      victim = start(story.site.folder, story.words(), s3At(proxy.endpoint).environment)
      const { exitCode, stdout, stderr } = await victim.ended
      victim = undefined
      if (exitCode === null) counts.kills++
      else {
        // It sent fewer requests, as objects of those before were there; or one of them had created its commit.
        expect([exitCode, stderr]).toEqual([0, ''])
        expect(stdout).toMatch(/^Published build|already$/m)
        counts.builds++
        await story.edit()
      }
      if (round % 40 === 0) counts.collections += await story.collect()
      if (round % 20 === 0) counts.followersKilled += await story.restartFollower()
    }
    await proxy.stop()
    counts.commits = await story.finish()
    story.report(counts)
  })

  it('see whole builds in their order when four publishers race', async () => {
    await using story = await Story.begin('races')
    const counts = { races: 0, published: 0, refused: 0, collections: 0 }
    for (; counts.races < racesWanted && hasTime(); counts.races++) {
      const lines: (readonly string[])[] = []
      for (const name of ['a', 'b', 'c', 'd']) {
        await story.edit()
        const copy = join(story.site.folder, `dist-${name}`)
        cpSync(story.site.out, copy, { recursive: true })
        lines.push([...story.words(), '--out', copy])
      }
      const runs = await Promise.all(
        lines.map((words) => run(story.site.folder, words, bucketServer.environment)),
      )
      for (const one of runs) expect(isRefused(one) || one.exitCode === 0, one.stderr).toBe(true)
      // No publisher has newer content.
      expect(runs.at(-1)?.exitCode, runs.at(-1)?.stderr).toBe(0)
      counts.refused += runs.filter(isRefused).length
      counts.published += runs.filter(({ exitCode }) => exitCode === 0).length
      if (counts.races % 5 === 4) counts.collections += await story.collect()
    }
    await story.finish()
    story.report(counts)
  })
})

function startOf(name: string | undefined): (() => Promise<S3Server>) | undefined {
  if (name === 'r2') return startR2
  return name === 'ceph' && provideCeph() === null ? startCeph : undefined
}

function isRefused({ exitCode, stderr }: Run): boolean {
  return exitCode === 2 && stderr.includes('which is no known ancestor of')
}

/** Numbers below a bound, the same ones each time. */
function randomNumbers(): (bound: number) => number {
  let state = 1
  return (bound) => {
    state = (state * 48_271) % 2_147_483_647
    return state % bound
  }
}

/** A site that is edited and published again and again, and everybody who reads it. */
class Story {
  readonly site = new TemporarySite({ cache: 'cache' })
  readonly #problems: string[] = []
  readonly #seen = { responses: 0, switches: 0, bucketReads: 0, overtaken: 0 }
  readonly #readers: Promise<void>[] = []
  readonly #url: string
  #number = 0
  /** Numbers of builds, by the commit of git that they are from. */
  readonly #numbers = new Map<string, number>()
  #source = ''
  #isOver = false
  #follower: Running | undefined
  #server: Running | undefined

  private constructor(name: string) {
    this.#url = `${url}-${name}`
  }

  static async begin(name: string): Promise<Story> {
    const story = new Story(name)
    await bucketServer.createBucket('site').catch(() => {})
    story.site.write('content/acme/categories/news.md', '---\nname: News\n---\n')
    story.#git('init', '-q')
    await story.edit()
    await run(story.site.folder, story.words(), bucketServer.environment)
    const once = [...story.#followWords(), '--once']
    expect((await run(story.site.folder, once, bucketServer.environment)).stderr).toBe('')
    story.#startFollower()
    const server = start(story.site.folder, ['serve', '--out', 'copy', '--port', '0'], {
      QUARRY_RATE_LIMIT: 'off',
    })
    story.#server = server
    const [, address = ''] = await server.waitFor(/ at (http:\S+)/)
    for (const reader of [story.#readServer(address), story.#readServer(address)])
      story.#readers.push(reader)
    story.#readers.push(story.#readBucket())
    return story
  }

  /** Makes the next build: each of its posts has its number. */
  async edit(): Promise<void> {
    this.#number++
    for (const name of ['a', 'b', 'c']) this.site.post(name, {}, `Build ${this.#number}.\n`)
    this.#git('add', 'content')
    this.#git('commit', '-q', '-m', String(this.#number))
    this.#source = this.#git('rev-parse', 'HEAD')
    this.#numbers.set(this.#source, this.#number)
    await this.site.build()
  }

  words(): readonly string[] {
    return ['publish', this.#url, '--source', this.#source]
  }

  async collect(): Promise<number> {
    return (await collectGarbage(this.#store(), 0)).removed > 0 ? 1 : 0
  }

  async restartFollower(): Promise<number> {
    this.#follower?.stop('SIGKILL')
    await this.#follower?.ended
    this.#startFollower()
    return 1
  }

  /** Publishes once more, waits until it is served, and checks all commits. @returns how many there are */
  async finish(): Promise<number> {
    await this.edit()
    const last = await run(this.site.folder, this.words(), bucketServer.environment)
    expect([last.exitCode, last.stderr]).toEqual([0, ''])
    const giveUpAt = Date.now() + 120_000
    while (this.#served < this.#number && Date.now() < giveUpAt) await pause(100)
    this.#isOver = true
    await Promise.all(this.#readers)
    expect(this.#problems).toEqual([])
    expect(this.#served).toBe(this.#number)
    return this.#checkCommits()
  }

  report(counts: Readonly<Record<string, number>>): void {
    // biome-ignore lint/suspicious/noConsole: how much was tried, for those who run all of it
    console.info(JSON.stringify({ ...counts, ...this.#seen }))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true
    this.#follower?.stop('SIGKILL')
    this.#server?.stop('SIGKILL')
    await Promise.allSettled(this.#readers)
    rmSync(this.site.folder, { recursive: true, force: true })
  }

  #served = 0

  /** Every response is of one build, and of none that is older than the one before. */
  async #readServer(address: string): Promise<void> {
    let latest = 0
    for (let turn = 0; !this.#isOver; turn++) {
      const path = turn % 2 === 0 ? '/v1/acme/posts' : '/v1/acme/posts?query=build'
      // The server ends connections that were idle, which a busy machine may do to any.
      const response = await fetch(`${address}${path}`, { headers: { connection: 'close' } })
      const text = await response.text()
      const numbers = new Set(
        [...text.matchAll(/Build (\d+)/g)].map(([, digits]) => Number(digits)),
      )
      const [number = 0] = numbers
      if (response.status !== 200 || numbers.size !== 1)
        this.#problems.push(`${response.status} ${text}`)
      if (number < latest) this.#problems.push(`${number} after ${latest}`)
      if (number > latest && latest > 0) this.#seen.switches++
      latest = number
      this.#served = Math.max(this.#served, number)
      this.#seen.responses++
      await pause(20)
    }
  }

  /** Everything that one of the last two builds names is there. */
  async #readBucket(): Promise<void> {
    const store = this.#store()
    let known = 0
    while (!this.#isOver) {
      const commit = await store.latestAfter(known)
      if (commit !== null) {
        known = commit.record.sequence
        const missing = await this.#missingOf(store, commit)
        if (missing !== null) await this.#explain(store, commit, missing)
        this.#seen.bucketReads++
      }
      await pause(50)
    }
  }

  async #missingOf(store: BuildStore, { record }: StoredCommit): Promise<string | null> {
    const file = await store.readObject(record.manifest, record.manifestBytes)
    const manifest = file === null ? null : decodeManifest(file)
    if (manifest === null) return 'the manifest'
    for (const [path, { sha256, bytes }] of manifest.files) {
      if ((await store.readObject(sha256, bytes)) === null) return path
    }
    return null
  }

  /** Something may be missing only of a build that two others have replaced. */
  async #explain(store: BuildStore, { record }: StoredCommit, missing: string): Promise<void> {
    const later = new Set<string>()
    for (let number = record.sequence + 1; ; number++) {
      const next = await store.readCommit(number)
      if (next === null) break
      later.add(next.record.manifest)
    }
    later.delete(record.manifest)
    if (later.size < 2) this.#problems.push(`${missing} of commit ${record.sequence} is missing`)
    this.#seen.overtaken++
  }

  /** Later commits are from later content. */
  async #checkCommits(): Promise<number> {
    const store = this.#store()
    let before = 0
    for (let sequence = 1; ; sequence++) {
      const commit = await store.readCommit(sequence)
      if (commit === null) return sequence - 1
      const number = this.#numbers.get(commit.record.source ?? '') ?? -1
      expect(number).toBeGreaterThanOrEqual(before)
      before = number
    }
  }

  #startFollower(): void {
    this.#follower = start(this.site.folder, this.#followWords(), bucketServer.environment)
  }

  #followWords(): readonly string[] {
    return ['follow', this.#url, '--out', 'copy', '--interval', '0.2']
  }

  #store(): BuildStore {
    const location = readLocation(this.#url, {}, bucketServer.environment)
    return new BuildStore(new S3Client(location, readCredentials(bucketServer.environment)))
  }

  #git(...words: readonly string[]): string {
    const user = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'gc.auto=0']
    const all = ['-C', this.site.folder, ...user, ...words]
    return execFileSync('git', all, { encoding: 'utf8' }).trim()
  }
}
