// The search thread beside the same work in this one: its files, the terms that it makes, and how it fails.
// Knows nothing of what the files mean.
import { spawnSync } from 'node:child_process'
import { truncateSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Cache } from '../../src/cache/cache.ts'
import { CacheDamageError, type StoredBytes } from '../../src/cache/stored-bytes.ts'
import type { BundleFile } from '../../src/emit/blocks.ts'
import { makeSearch } from '../../src/emit/search-adder.ts'
import type { SearchedPost, SearchInput } from '../../src/emit/search-input.ts'
import { type OnExpected, SearchThread } from '../../src/emit/search-thread.ts'
import { postTerms } from '../../src/query/post-terms.ts'
import { emptyFolder } from '../support/empty-folder.ts'

const texts = Array.from(
  { length: 60 },
  (_, post) => `Text ${post}, of words and 日本語 ${post * 7}.`,
)

describe('the search thread', () => {
  it('makes the files that are made here, and the same terms', async () => {
    const { stored } = openCache()
    const input = inputOf(
      (text, post) =>
        // Some as they were kept, some in memory, some still to be made.
        [
          { terms: stored(postTerms('T', text)) },
          { terms: postTerms('T', text) },
          { title: 'T', text: stored(Buffer.from(text)) },
        ][post % 3],
    )
    const [here, there] = [new Map<number, Uint8Array>(), new Map<number, Uint8Array>()]
    const expected = makeSearch(input, (post, terms) => here.set(post, terms))
    const thread = startThread()
    const made = await thread.make('acme', input, (post, terms) => there.set(post, terms))
    expect(made.search).toEqual(expected.search)
    expect(await contents(made.files)).toEqual(await contents(expected.files))
    expect([...there]).toEqual([...here])
    expect([...there.keys()]).toEqual([...texts.keys()].filter((post) => post % 3 === 2))
  })

  it('makes the same of terms that it was given before, in another order and among others', async () => {
    const { stored } = openCache()
    const kept = texts.map((text) => stored(postTerms('T', text)))
    const others = ['of no post', 'nor this'].map((text) => stored(postTerms('T', text)))
    const input = inputOf((_, post) => ({ terms: kept[post] ?? expect.unreachable() }))
    const thread = startThread()
    const terms = [...others, ...kept.slice(7).reverse()]
    thread.prepare('acme', { of: 'others', terms })
    const posts = input.posts.map((post, place) =>
      place < 7 ? post : { prepared: terms.length + 6 - place },
    )
    const made = await thread.make('acme', { ...input, posts }, noneMade)
    const expected = makeSearch(input, noneMade)
    expect(made.search).toEqual(expected.search)
    expect(await contents(made.files)).toEqual(await contents(expected.files))
  })

  it('makes the same of what was known of posts before, of which some went and some came', async () => {
    const { stored } = openCache()
    const kept = texts.map((text) => stored(postTerms('T', text)))
    const before = startThread()
    const all = inputOf((_, post) => ({ terms: kept[post] ?? expect.unreachable() }))
    const { known } = await before.make('acme', all, noneMade)
    const posts = stored(await known('all', 'posts'))
    const prepared = { of: 'all', known: { posts }, terms: kept }
    const edited = inputOf((text, post) =>
      post % 11 === 3
        ? { terms: stored(postTerms('New', `${text} 한국어`)) }
        : // One is gone, and another there twice.
          { terms: kept[post === 20 ? 21 : post] ?? expect.unreachable() },
    )
    for (const input of [all, edited]) {
      const posts = input.posts.map((post) => {
        const prepared = 'terms' in post ? kept.indexOf(post.terms) : -1
        return prepared === -1 ? post : { prepared }
      })
      // Of the second one nothing is told that holds for these posts.
      for (const of of ['all', 'others']) {
        const thread = startThread()
        thread.prepare('acme', { ...prepared, of })
        const made = await thread.make('acme', { ...input, posts }, noneMade)
        const expected = makeSearch(input, noneMade)
        expect(made.search).toEqual(expected.search)
        expect(await contents(made.files)).toEqual(await contents(expected.files))
        expect((await made.known('all', 'posts')).length > 0).toBe(of === 'others')
      }
    }
  })

  it('makes the same of the index of before, in which a few posts are others', async () => {
    const { stored } = openCache()
    const kept = texts.map((text) => stored(postTerms('T', text)))
    const all = inputOf((_, post) => ({ terms: kept[post] ?? expect.unreachable() }))
    const before = await startThread().make('acme', all, noneMade)
    const known = {
      posts: stored(await before.known('all', 'posts')),
      index: stored(await before.known('all', 'index')),
    }
    const prepared: Prepared = texts.map((_, prepared) => ({ prepared }))
    const added = { terms: stored(postTerms('New', 'words that are new, 한국어')) }
    const expected = { title: 'Expected', text: 'words of nobody else' }
    const here: SearchedPost = { title: expected.title, text: stored(Buffer.from(expected.text)) }
    const cases: readonly (readonly [isKnown: boolean, posts: Prepared])[] = [
      [true, prepared],
      [true, prepared.with(20, added).with(59, added).with(0, here)],
      [true, [added, here, ...prepared]],
      [true, prepared.slice(2)],
      [true, prepared.with(3, { prepared: 4 }).with(4, { prepared: 3 })],
      [true, [added, ...prepared.slice(3)]],
      [true, prepared.toSpliced(30, 1)],
      [false, prepared.toSpliced(50, 1)],
      [false, prepared.map((post, at) => (at < 33 ? added : post))],
      [false, prepared.toReversed()],
    ]
    for (const [isKnown, posts] of cases) {
      const alone = posts.map((post) =>
        'prepared' in post ? { terms: kept[post.prepared] ?? expect.unreachable() } : post,
      )
      const some = { ids: idsOf(posts.length), posts: alone }
      const files = makeSearch(some, () => {})
      for (const isExpected of [false, true]) {
        const thread = startThread()
        thread.prepare('acme', { of: 'all', known, terms: kept })
        const text = new Uint8Array(Buffer.from(expected.text))
        if (isExpected) thread.expect('acme', { place: 60, title: expected.title, text })
        const wanted = posts.map((post) => (isExpected && post === here ? { prepared: 60 } : post))
        const made = await thread.make('acme', { ...some, posts: wanted }, () => {})
        expect(made.isKnown).toBe(isKnown)
        expect(made.search).toEqual(files.search)
        expect(await contents(made.files)).toEqual(await contents(files.files))
        const sizes = [await made.known('x', 'posts'), await made.known('x', 'index')]
        expect(sizes.map(({ length }) => length > 0)).toEqual([!isKnown, !isKnown])
      }
    }
  })

  it('makes the same where more are expected than an index is made of the one before with', async () => {
    const { stored } = openCache()
    const kept = texts.map((text) => stored(postTerms('T', text)))
    const all = inputOf((_, post) => ({ terms: kept[post] ?? expect.unreachable() }))
    const before = await startThread().make('acme', all, noneMade)
    const index = stored(await before.known('all', 'index'))
    const alone = makeSearch(titled('Other'), noneMade)
    for (const expected of [32, 33, 60]) {
      const thread = startThread()
      thread.prepare('acme', { of: 'all', known: { index }, terms: kept })
      for (const [post, text] of texts.slice(0, expected).entries()) {
        const bytes = new Uint8Array(Buffer.from(text))
        thread.expect('acme', { place: 60 + post, title: 'Other', text: bytes })
      }
      const posts = texts.map((text, post) =>
        post < expected ? { prepared: 60 + post } : { terms: postTerms('Other', text) },
      )
      const made = await thread.make('acme', { ids, posts }, noneMade)
      expect(made.isKnown).toBe(false)
      expect(await contents(made.files)).toEqual(await contents(alone.files))
    }
  })

  it('keeps nothing new of many posts, until more than 32 are others', async () => {
    const { stored } = openCache()
    const kept = Array.from({ length: 1100 }, (_, at) => stored(postTerms('T', `of the ${at}`)))
    const ids = idsOf(kept.length)
    const before = await startThread().make(
      'acme',
      { ids, posts: kept.map((terms) => ({ terms })) },
      noneMade,
    )
    expect(before.isKnown).toBe(false)
    expect(await before.known('all', 'index')).toHaveLength(0)
    const posts = stored(await before.known('all', 'posts'))
    for (const others of [0, 32, 33]) {
      const changed = kept.map((terms, at) =>
        at < others ? stored(postTerms('T', `the other of ${at}`)) : terms,
      )
      const thread = startThread()
      thread.prepare('acme', { of: 'all', known: { posts }, terms: kept })
      const wanted = changed.map((terms, prepared) =>
        prepared < others ? { terms } : { prepared },
      )
      const made = await thread.make('acme', { ids, posts: wanted }, noneMade)
      const alone = makeSearch({ ids, posts: changed.map((terms) => ({ terms })) }, noneMade)
      expect(made.isKnown).toBe(others < 33)
      expect((await made.known('x', 'posts')).length > 0).toBe(others === 33)
      expect(await contents(made.files)).toEqual(await contents(alone.files))
    }
  })

  it('makes the same of posts that were expected, among others that never came', async () => {
    const { stored } = openCache()
    const kept = texts.map((text) => stored(postTerms('T', text)))
    const told = new Map<number, Uint8Array>()
    const thread = startThread((_, place, terms) => told.set(place, terms))
    thread.prepare('acme', { of: 'some', terms: kept.slice(0, 5) })
    const expected = ['of no post', ...texts.slice(5).reverse()]
    for (const [at, text] of expected.entries()) {
      const post = { place: 5 + at, title: 'T', text: new Uint8Array(Buffer.from(text)) }
      thread.expect('acme', post)
    }
    const posts = texts.map((_, place) => ({
      prepared: place < 5 ? place : 5 + texts.length - place,
    }))
    const made = await thread.make('acme', { ids, posts }, noneMade)
    const alone = makeSearch(titled('T'), noneMade)
    expect(made.search).toEqual(alone.search)
    expect(await contents(made.files)).toEqual(await contents(alone.files))
    expect([...told.keys()]).toEqual(expected.map((_, at) => 5 + at))
    for (const [place, terms] of told) {
      expect(terms).toEqual(postTerms('T', expected[place - 5] ?? ''))
    }
  })

  it('makes the same where what was known is damaged', async () => {
    const [{ stored }, other] = [openCache(), openCache()]
    const kept = texts.map((text) => stored(postTerms('T', text)))
    const input = inputOf((_, post) => ({ terms: kept[post] ?? expect.unreachable() }))
    const damaged = other.stored(new Uint8Array(1000))
    if (damaged instanceof Uint8Array) return expect.unreachable()
    truncateSync(damaged.named.path, 100)
    const known = { posts: damaged, index: damaged }
    const thread = startThread()
    thread.prepare('acme', { of: 'all', known, terms: kept })
    const made = await thread.make(
      'acme',
      inputOf((_, prepared) => ({ prepared })),
      noneMade,
    )
    expect(await contents(made.files)).toEqual(await contents(makeSearch(input, noneMade).files))
  })

  it('keeps the files of one workspace while it makes those of another', async () => {
    const thread = startThread()
    const [first, second] = [titled('first'), titled('second')]
    const made = await Promise.all([
      thread.make('one', first, noneMade),
      thread.make('two', second, noneMade),
    ])
    for (const [at, input] of [first, second].entries()) {
      const alone = makeSearch(input, noneMade)
      expect(await contents(made[at]?.files ?? [])).toEqual(await contents(alone.files))
    }
  })

  it('says which file of the cache is damaged, and goes on', async () => {
    const { stored } = openCache()
    const places = texts.map((text) => stored(postTerms('T', text)))
    const [place] = places
    if (place === undefined || place instanceof Uint8Array) return expect.unreachable()
    const thread = startThread()
    const input = inputOf((_, post) => ({ terms: places[post] ?? place }))
    await thread.make('acme', input, noneMade)
    truncateSync(place.named.path, 100)
    const prepared = inputOf((_, post) => ({ prepared: post }))
    for (const wanted of [input, prepared]) {
      thread.prepare('acme', { of: 'all', terms: places })
      const failure = await thread.make('acme', wanted, noneMade).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(CacheDamageError)
      expect(failure).toMatchObject({ path: place.named.path })
    }
    await expect(thread.make('acme', titled('T'), noneMade)).resolves.toBeDefined()
  })

  it('fails what it is asked once it is closed', async () => {
    const thread = new SearchThread()
    const asked = thread.make('acme', titled('T'), noneMade)
    await thread.close()
    await expect(asked).rejects.toThrow('ended')
    await expect(thread.make('acme', titled('T'), noneMade)).rejects.toThrow('ended')
  })

  it('is closed also where it has answered and nobody has heard of it yet', () => {
    const module = new URL('../../.lib/emit/search-thread.js', import.meta.url)
    const script = `
      import { SearchThread } from ${JSON.stringify(module.href)}
      const thread = new SearchThread()
      const input = { ids: ['a'], posts: [{ title: 'T', text: Buffer.from('x') }] }
      thread.make('acme', input, () => {}).catch(() => {})
      await new Promise((resolve) => setImmediate(resolve))
      for (const until = Date.now() + 800; Date.now() < until; );
      await thread.close()`
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: 30_000,
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })
})

const ids = idsOf(texts.length)

type Prepared = readonly SearchedPost[]

/** Latest first. */
function idsOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, post) => `post-${count - post}`)
}

function inputOf(postOf: (text: string, post: number) => SearchedPost | undefined): SearchInput {
  return { ids, posts: texts.map((text, post) => postOf(text, post) ?? expect.unreachable()) }
}

function titled(title: string): SearchInput {
  return inputOf((text) => ({ terms: postTerms(title, text) }))
}

function noneMade(): void {
  expect.unreachable('no terms have to be made')
}

function startThread(onExpected?: OnExpected): SearchThread {
  const thread = new SearchThread(onExpected)
  onTestFinished(() => thread.close())
  return thread
}

/** A cache in a folder, and what keeps bytes in it. */
function openCache() {
  const cache = Cache.open(emptyFolder())
  onTestFinished(() => cache.close())
  let count = 0
  const stored = (bytes: Uint8Array): StoredBytes =>
    cache.add((count++).toString(16).padStart(64, '0'), { bytes }).stored('bytes')
  return { stored }
}

async function contents(files: readonly BundleFile[]): Promise<readonly unknown[]> {
  return Promise.all(
    files.map(async ({ path, etag, bytes }) => [
      path,
      etag,
      Buffer.from(await bytes()).toString('hex'),
    ]),
  )
}
