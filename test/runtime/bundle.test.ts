import { rmSync } from 'node:fs'
import { Session } from 'node:inspector'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { writeCorpus } from '../../bench/corpus.ts'
import { type BundleContents, indexName, type WorkspaceContents } from '../../src/api/bundle.ts'
import { createFileStorage } from '../../src/hosts/file-storage.ts'
import { splitHeaded } from '../../src/query/headed-sections.ts'
import { decodeIndexFile, IndexFileError, indexSchema } from '../../src/query/index-file.ts'
import type { SectionTable } from '../../src/query/sections.ts'
import { openBundle } from '../../src/runtime/bundle.ts'
import { createResponder } from '../../src/runtime/responder.ts'
import type { Storage } from '../../src/runtime/storage.ts'
import { writeFixture } from '../conformance/fixture.ts'
import fc from '../support/fast-check.ts'
import { askHandler, serveFolder } from '../support/served-site.ts'
import { TemporarySite, temporarySite } from '../support/temporary-site.ts'

const site = new TemporarySite()
let storage: ReturnType<typeof createFileStorage>
let index: Uint8Array

beforeAll(async () => {
  writeFixture(site.content)
  await site.build()
  storage = createFileStorage(join(site.out, 'function'))
  index = await storage.read('index.bin')
})

afterAll(() => {
  storage.close()
  rmSync(site.folder, { recursive: true })
})

/** The same function's files with another index. */
function withIndex(bytes: Uint8Array): Storage {
  return {
    read: (name) => (name === 'index.bin' ? bytes : storage.read(name)),
    readRange: (name, offset, length) => storage.readRange(name, offset, length),
  }
}

describe('an index', () => {
  it('opens as it was built, wherever its bytes lie in memory', async () => {
    const { site: whole } = await openBundle(withIndex(index))
    expect([...whole.workspaces.keys()]).toEqual(['acme', 'beta', 'secret'])
    for (let shift = 1; shift < 8; shift++) {
      const room = new Uint8Array(index.length + shift)
      room.set(index, shift)
      const { site: moved } = await openBundle(withIndex(room.subarray(shift)))
      expect(moved.build).toBe(whole.build)
      const [one, other] = [moved, whole].map(({ workspaces }) => workspaces.get('acme'))
      expect((await one?.open())?.findPost('index')).toBe((await other?.open())?.findPost('index'))
    }
  })

  it('is refused with any one byte changed anywhere', async () => {
    const place = fc.oneof(fc.nat({ max: 63 }), fc.nat({ max: index.length - 1 }))
    await fc.assert(
      fc.asyncProperty(place, fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const damaged = index.slice()
        damaged[at] = (damaged[at] ?? 0) ^ change
        await expect(openBundle(withIndex(damaged))).rejects.toThrow(IndexFileError)
      }),
      { numRuns: 1500, seed: 1 },
    )
  })

  it('is refused with any byte of its header changed in any way', async () => {
    for (let at = 0; at < 48; at++) {
      for (let bit = 0; bit < 8; bit++) {
        const damaged = index.slice()
        damaged[at] = (damaged[at] ?? 0) ^ (1 << bit)
        await expect(openBundle(withIndex(damaged))).rejects.toThrow(IndexFileError)
      }
    }
  })

  it('is refused when it was cut at any length, or has bytes behind it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: index.length - 1 }), async (length) => {
        await expect(openBundle(withIndex(index.slice(0, length)))).rejects.toThrow(IndexFileError)
      }),
      { numRuns: 500, seed: 1, examples: [[0], [1], [8], [47], [48], [49]] },
    )
    const longer = new Uint8Array(index.length + 8)
    longer.set(index)
    await expect(openBundle(withIndex(longer))).rejects.toThrow(IndexFileError)
  })

  it.each([
    [
      'another schema',
      8,
      `schema ${indexSchema + 1}, but this version reads schema ${indexSchema}. Build again.`,
    ],
    ['another magic', 0, 'no index file of quarry'],
    ['a changed length', 12, 'Build again.'],
    ['a changed checksum', 16, 'Build again.'],
    ['changed contents', 60, 'Build again.'],
  ])('with %s says so', async (_, at, message) => {
    const damaged = index.slice()
    damaged[at] = (damaged[at] ?? 0) + 1
    await expect(openBundle(withIndex(damaged))).rejects.toThrow(message)
  })

  it.each([
    ['nothing', new Uint8Array(0)],
    ['HTML', new TextEncoder().encode('<!doctype html><title>Not found</title>'.repeat(10))],
    ['JSON', new TextEncoder().encode(`{"build":"x"${' '.repeat(100)}}`)],
    ['zeros', new Uint8Array(4096)],
  ])('that is %s is refused', async (_, bytes) => {
    await expect(openBundle(withIndex(bytes))).rejects.toThrow('no index file of quarry')
  })

  it('of another build than the files around it is refused, and both are named', async () => {
    const { site: opened } = await openBundle(storage)
    await expect(openBundle(storage, { build: 'other' })).rejects.toThrow(IndexFileError)
    await expect(openBundle(storage, { build: 'other' })).rejects.toThrow(
      new RegExp(`${opened.build}.*other`),
    )
    await expect(openBundle(storage, { build: opened.build })).resolves.toBeDefined()
  })

  it('that is not there is the storage’s own error', async () => {
    const empty = createFileStorage(join(site.folder, 'nothing'))
    await expect(openBundle(empty)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

describe('the index of a workspace', () => {
  it('is read by the first request for its content, once, and that of no other workspace', async () => {
    const read: string[] = []
    const { site: opened } = await openBundle({
      ...storage,
      read: (name) => {
        read.push(name)
        return storage.read(name)
      },
    })
    expect(read).toEqual(['index.bin'])
    const handler = createResponder(() => opened)
    for (const target of ['/v1/acme/tags', '/v1/acme/posts', '/v1/acme/posts?page=99']) {
      await askHandler(handler, target)
    }
    for (const target of ['/status', '/v1/none/posts', '/v1/beta/posts?limit=none']) {
      await askHandler(handler, target)
    }
    expect(read).toEqual(['index.bin', expect.stringMatching(/^workspaces\/[0-9a-f]{32}\.bin$/)])
  })

  it('that is changed is a fault of ours until it can be read; other workspaces are served', async () => {
    const root = await decodeIndexFile<BundleContents<SectionTable>>(index)
    const { index: broken } = root.head.workspaces.find(({ id }) => id === 'acme') ?? { index: '' }
    let isBroken = true
    const { site: opened } = await openBundle({
      ...storage,
      read: async (name) => {
        const bytes = (await storage.read(name)).slice()
        if (isBroken && name === broken) bytes[bytes.length - 1] = ~(bytes.at(-1) ?? 0)
        return bytes
      },
    })
    const handler = createResponder(() => opened)
    const statusOf = async (target: string) => (await askHandler(handler, target)).status
    expect(await statusOf('/v1/acme/tags')).toBe(500)
    expect(await statusOf('/v1/beta/tags')).toBe(200)
    isBroken = false
    expect(await statusOf('/v1/acme/tags')).toBe(200)
  })
})

describe('files beside the index', () => {
  it('that are gone or cut are a fault of ours, told without a path, and never a wrong answer', async () => {
    const { site: served } = await openBundle({
      read: storage.read,
      readRange: (name, offset) => {
        throw new RangeError(`/secret/place/${name} ends before byte ${offset}`)
      },
    })
    const folder = await serveFolder(site.out)
    onTestFinished(() => folder.close())
    const broken = { ...folder, site: served }
    const errors: unknown[] = []
    const handler = createResponder(() => broken.site, { onError: (error) => errors.push(error) })
    for (const target of ['/v1/acme/posts', '/v1/acme/posts/index', '/v1/acme/posts?limit=all']) {
      const { status, text, header } = await askHandler(handler, target)
      expect(status).toBe(500)
      expect(JSON.parse(text)).toEqual({
        error: 'Internal Server Error',
        details: null,
        message: expect.stringContaining(header('x-request-id') ?? '?'),
      })
      expect(text).not.toContain('secret')
      expect(header('cache-control')).toBe('no-store')
    }
    expect(errors).toHaveLength(3)
    // What the index itself holds is still answered.
    expect((await askHandler(handler, '/v1/acme/tags')).status).toBe(200)
  })
})

describe('an open bundle', () => {
  it('is counted with what its functions close over', async () => {
    const closing = (count: number) => {
      const hidden = Array.from({ length: count }, () => ({}))
      const map = new Map([['key', { of: {} }]])
      return { hidden: () => hidden, map: () => map }
    }
    const fifty = await countReachable(closing(50))
    expect(fifty).toBeGreaterThan(50)
    expect(await countReachable(closing(60))).toBe(fifty + 10)
  })

  it('holds no object for a post, and few for a segment', async () => {
    const counts: number[] = []
    const segments: number[] = []
    for (const posts of [200, 1400]) {
      const grown = temporarySite({ precompute: { versions: [] }, workers: 2 })
      writeCorpus(grown.content, { posts, meanBytes: 200 })
      // The terms are the same in both: they may have objects of their own.
      await grown.build({ now: Date.UTC(2027, 0, 1) })
      const folder = createFileStorage(join(grown.out, 'function'))
      onTestFinished(() => folder.close())
      const { site: opened } = await openBundle(folder)
      expect((await opened.workspaces.get('bench')?.open())?.postCount).toBe(posts)
      counts.push(await countReachable(opened))
      const root = await decodeIndexFile<BundleContents<SectionTable>>(await folder.read(indexName))
      const { index } = root.head.workspaces.find(({ id }) => id === 'bench') ?? { index: '' }
      const bench = splitHeaded<WorkspaceContents<SectionTable>>(await folder.read(index))
      segments.push(bench.head.search.segments.length)
    }
    const [few = 0, many = 0] = counts
    const [one = 0, more = 0] = segments
    expect(few).toBeGreaterThan(20)
    expect(one).toBe(1)
    expect(more).toBeLessThan(12)
    expect(many - few).toBe(28 * (more - one))
  })
})

/**
 * Objects that can be reached from one, through properties, private fields, entries of maps and the variables
 * that functions close over; a typed array is one object, however long.
 */
async function countReachable(root: object): Promise<number> {
  const seen = new Set<unknown>()
  const scope = globalThis as { __visit?: (value: unknown) => boolean; __root?: unknown }
  scope.__root = root
  scope.__visit = (value) => !seen.has(value) && seen.add(value) !== undefined
  const session = new Session()
  session.connect()
  try {
    const start = evaluate(session, 'globalThis.__root')
    const waiting = [start]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      waiting.push(...unseen(session, next))
    }
  } finally {
    session.disconnect()
    delete scope.__root
    delete scope.__visit
  }
  return seen.size
}

interface Remote {
  readonly type: string
  readonly subtype?: string
  readonly description?: string
  readonly objectId?: string
}

/** What an object refers to, but for what was seen before. */
function unseen(session: Session, { objectId = '', type, subtype }: Remote): readonly Remote[] {
  if (subtype === 'typedarray' || subtype === 'arraybuffer') return []
  const found = properties(session, objectId)
  const direct = [...found.result, ...(found.privateProperties ?? [])].flatMap(
    ({ value }) => value ?? [],
  )
  const inner = (found.internalProperties ?? []).flatMap(({ name, value }) => {
    if (value?.objectId === undefined) return []
    if (name === '[[Scopes]]' && type === 'function') return variables(session, value.objectId)
    if (name === '[[Entries]]') return entries(session, value.objectId)
    return []
  })
  return [...direct, ...inner].filter(
    (value) =>
      value.objectId !== undefined &&
      (value.type === 'object' || value.type === 'function') &&
      isNew(session, value.objectId),
  )
}

/** Variables of the functions around a function; those of modules and of the world are left out. */
function variables(session: Session, scopesId: string): readonly Remote[] {
  return properties(session, scopesId).result.flatMap(({ value }) => {
    const isInner = /^(Closure|Block)\b/.test(value?.description ?? '')
    if (!isInner || value?.objectId === undefined) return []
    return properties(session, value.objectId).result.flatMap((variable) => variable.value ?? [])
  })
}

function entries(session: Session, entriesId: string): readonly Remote[] {
  return properties(session, entriesId).result.flatMap(({ value }) =>
    value?.objectId === undefined
      ? []
      : properties(session, value.objectId).result.flatMap((part) => part.value ?? []),
  )
}

interface Properties {
  readonly result: readonly { readonly name: string; readonly value?: Remote }[]
  readonly internalProperties?: readonly { readonly name: string; readonly value?: Remote }[]
  readonly privateProperties?: readonly { readonly name: string; readonly value?: Remote }[]
}

function properties(session: Session, objectId: string): Properties {
  return call<Properties>(session, 'Runtime.getProperties', { objectId, ownProperties: true })
}

function isNew(session: Session, objectId: string): boolean {
  const { result } = call<{ result: { value: boolean } }>(session, 'Runtime.callFunctionOn', {
    objectId,
    functionDeclaration: 'function () { return globalThis.__visit(this) }',
    returnByValue: true,
  })
  return result.value
}

function evaluate(session: Session, expression: string): Remote {
  return call<{ result: Remote }>(session, 'Runtime.evaluate', { expression }).result
}

/** A session on its own thread answers before `post` returns. */
function call<Result>(session: Session, method: string, parameters: object): Result {
  const responses: { error: Error | null; result: unknown }[] = []
  session.post(method, parameters, (error, result) => responses.push({ error, result }))
  const [response] = responses
  if (response === undefined || response.error !== null)
    throw response?.error ?? new Error('no answer')
  return response.result as Result
}
