// The search thread beside the same work in this one: its files, the terms that it makes, and how it fails.
// Knows nothing of what the files mean.
import { truncateSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Cache } from '../../src/cache/cache.ts'
import { CacheDamageError, type StoredBytes } from '../../src/cache/stored-bytes.ts'
import type { BundleFile } from '../../src/emit/blocks.ts'
import { makeSearch } from '../../src/emit/search-files.ts'
import { type SearchedPost, type SearchInput, termsOf } from '../../src/emit/search-input.ts'
import { SearchThread } from '../../src/emit/search-thread.ts'
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
    const expected = makeSearch(
      input.ids,
      termsOf(input, (post, terms) => here.set(post, terms)),
    )
    const thread = startThread()
    const made = await thread.make(input, (post, terms) => there.set(post, terms))
    expect(made.search).toEqual(expected.search)
    expect(await contents(made.files)).toEqual(await contents(expected.files))
    expect([...there]).toEqual([...here])
    expect([...there.keys()]).toEqual([...texts.keys()].filter((post) => post % 3 === 2))
  })

  it('keeps the files of one workspace while it makes those of another', async () => {
    const thread = startThread()
    const [first, second] = await Promise.all([
      thread.make(
        inputOf((text) => ({ terms: postTerms('first', text) })),
        () => {},
      ),
      thread.make(
        inputOf((text) => ({ terms: postTerms('second', text) })),
        () => {},
      ),
    ])
    const alone = makeSearch(
      ids,
      texts.map((text) => postTerms('first', text)),
    )
    expect(await contents(first.files)).toEqual(await contents(alone.files))
    expect(await contents(second.files)).not.toEqual(await contents(alone.files))
  })

  it('says which file of the cache is damaged, and goes on', async () => {
    const { stored } = openCache()
    const places = texts.map((text) => stored(postTerms('T', text)))
    const [place] = places
    if (place === undefined || place instanceof Uint8Array) return expect.unreachable()
    const thread = startThread()
    const input = inputOf((_, post) => ({ terms: places[post] ?? place }))
    await thread.make(input, () => {})
    truncateSync(place.path, 100)
    const failure = await thread.make(input, () => {}).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(CacheDamageError)
    expect(failure).toMatchObject({ path: place.path })
    await expect(
      thread.make(
        inputOf((text) => ({ title: '', text: Buffer.from(text) })),
        () => {},
      ),
    ).resolves.toBeDefined()
  })

  it('fails what it is asked once it is closed', async () => {
    const thread = new SearchThread()
    const asked = thread.make(
      inputOf((text) => ({ terms: postTerms('T', text) })),
      () => {},
    )
    await thread.close()
    await expect(asked).rejects.toThrow('ended')
    await expect(
      thread.make(
        inputOf(() => ({ terms: new Uint8Array(0) })),
        () => {},
      ),
    ).rejects.toThrow('ended')
  })
})

const ids = texts.map((_, post) => `post-${texts.length - post}`)

function inputOf(postOf: (text: string, post: number) => SearchedPost | undefined): SearchInput {
  return { ids, posts: texts.map((text, post) => postOf(text, post) ?? expect.unreachable()) }
}

function startThread(): SearchThread {
  const thread = new SearchThread()
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
