import { describe, expect, it } from 'vitest'
import {
  bodyBytes,
  bodyRuns,
  bodySize,
  type Chunk,
  etagOf,
  hostEtagOf,
} from '../../src/api/api-response.ts'
import { respond } from '../../src/api/respond.ts'
import type { FragmentRef } from '../../src/api/snapshot.ts'
import { moments, requests, targetOf, workspaces } from '../support/arbitraries.ts'
import { requestOf } from '../support/ask.ts'
import fc from '../support/fast-check.ts'
import { samplePost, snapshotOf, workspaceOf } from '../support/sample-workspace.ts'

const posts = ['a', 'b', 'c'].map((slug) => samplePost(slug, {}, `Text of ${slug} – ü`))
const atOnce = await snapshotOf(workspaceOf(posts))
const later = await snapshotOf(workspaceOf(posts), true)
const head: FragmentRef = { of: 'posts', part: 'head', ordinal: 0 }
const html: FragmentRef = { of: 'posts', part: 'html', ordinal: 1 }
const body: readonly Chunk[] = ['{"ü":', html, ',', head, '}']
// What was read once is at hand.
for (const part of ['head', 'html', 'markdown'] as const)
  for (const ordinal of posts.keys()) await atOnce.read({ of: 'posts', part, ordinal })

describe('bodyBytes', () => {
  it('joins literals and pieces at once where every piece is at hand', () => {
    const bytes = bodyBytes(body, atOnce)
    expect(bytes).toBeInstanceOf(Uint8Array)
    expect(text(bytes as Uint8Array)).toBe(
      '{"ü":"<p>Text of b – ü</p>",{"id":"c-id","slug":"c","title":"c"}',
    )
  })

  it('joins them in order where pieces come later, all of them or some', async () => {
    const mixed = { read: (ref: FragmentRef) => (ref === html ? later : atOnce).read(ref) }
    for (const snapshot of [later, mixed])
      expect(await bodyBytes(body, snapshot)).toEqual(bodyBytes(body, atOnce))
  })

  it('waits in no order: a slow first piece stays first', async () => {
    const slowFirst = {
      read: async (ref: FragmentRef) => {
        if (ref === html) for (let turn = 0; turn < 5; turn++) await Promise.resolve()
        return atOnce.read(ref)
      },
    }
    expect(await bodyBytes(body, slowFirst)).toEqual(bodyBytes(body, atOnce))
  })

  it('fails as a piece fails', async () => {
    const broken = { read: () => Promise.reject(new Error('no such block')) }
    await expect(bodyBytes(body, broken)).rejects.toThrow('no such block')
  })

  it.each([
    [[], ''],
    [[''], ''],
    [['a', '', 'b'], 'ab'],
  ])('of %j is %j', (chunks, expected) => {
    expect(text(bodyBytes(chunks, atOnce) as Uint8Array)).toBe(expected)
  })
})

describe('bodySize', () => {
  it('is the length of the bytes, and reads no piece', () => {
    const unread = { ...atOnce, read: () => expect.unreachable() }
    expect(bodySize(body, unread)).toBe((bodyBytes(body, atOnce) as Uint8Array).length)
    expect(bodySize(['ü', '😀', ''], unread)).toBe(6)
    expect(bodySize([], unread)).toBe(0)
  })
})

describe('bodyPieces', () => {
  it.each([
    ['nothing', []],
    ['nothing but an empty text', ['']],
    ['a short body', body],
    ['a long body of short texts', Array.from({ length: 30_000 }, () => '0123456789')],
    ['one long text', ['x'.repeat(300_000)]],
    ['a body that ends with a full run', ['x'.repeat(65_536)]],
    ['a body that ends just beyond', ['x'.repeat(65_536), 'y']],
  ] as const)('are the body in runs of 64 KiB at least, but for the last: %s', async (_, body) => {
    const runs = await collect(bodyRuns(body, later))
    expect(Buffer.concat(runs).equals((await bodyBytes(body, later)) as Uint8Array)).toBe(true)
    expect(runs.slice(0, -1).every((run) => run.length >= 65_536)).toBe(true)
    expect(runs.every((run) => run.length > 0)).toBe(true)
  })

  it('reads no piece before it is wanted', async () => {
    const read: FragmentRef[] = []
    const remember = (ref: FragmentRef) => {
      read.push(ref)
      return atOnce.read(ref)
    }
    const runs = bodyRuns([html, 'x'.repeat(65_536), head], { read: remember })
    expect(read).toEqual([])
    await runs.next()
    expect(read).toEqual([html])
  })
})

describe('etagOf', () => {
  it.each([10, 100_000])('is the same where the host hashes: %i characters', async (length) => {
    const long = [...body, 'x'.repeat(length)]
    expect(await hostEtagOf(long, atOnce)).toBe(etagOf(long, atOnce))
  })

  it('is strong, quoted and 128 bits long', () => {
    expect(etagOf(body, atOnce)).toMatch(/^"[0-9a-f]{32}"$/)
    expect(etagOf([], atOnce)).toMatch(/^"[0-9a-f]{32}"$/)
  })

  it('reads no piece', () => {
    const unread = { ...atOnce, read: () => expect.unreachable() }
    expect(etagOf(body, unread)).toBe(etagOf(body, atOnce))
  })

  it('stays the same from build to build: a SHA-256 of the text, where there are no pieces', () => {
    expect(etagOf(['{"posts"', ':[]}'], atOnce)).toBe('"a14592560126042a799e0da2b44a5dc4"')
  })

  it.each<readonly [string, readonly Chunk[]]>([
    ['another literal', ['{"u":', html, ',', head, '}']],
    ['another piece', ['{"ü":', { ...html, ordinal: 2 }, ',', head, '}']],
    ['another part', ['{"ü":', { of: 'posts', part: 'markdown', ordinal: 1 }, ',', head, '}']],
    ['another order', ['{"ü":', head, ',', html, '}']],
    ['less', ['{"ü":', html, '}']],
    ['more', [...body, ' ']],
  ])('changes with %s', (_, other) => {
    expect(etagOf(other, atOnce)).not.toBe(etagOf(body, atOnce))
  })

  it('is equal where bytes are equal and differs where they differ, for answers of every kind', async () => {
    const asked = workspaces.chain((workspace) =>
      fc.record({
        indexed: fc.constant(workspace.indexed),
        workspace: fc.constant(workspace),
        isPaused: fc.boolean(),
        targets: fc.array(
          requests(workspace).map((request) =>
            targetOf(withGoodValues(request, workspace.indexed !== undefined)),
          ),
        ),
        now: moments,
      }),
    )
    await fc.assert(
      fc.asyncProperty(asked, async ({ indexed, workspace, isPaused, targets, now }) => {
        const snapshot = await snapshotOf(workspace, isPaused)
        const etags = new Map<string, string>()
        const bodies = new Map<string, string>()
        for (const target of targets) {
          const { status, body } = await respond(requestOf(target, indexed), snapshot, now)
          if (status !== 200) continue
          const etag = await etagOf(body, snapshot)
          const bytes = text(await bodyBytes(body, snapshot))
          expect(etags.get(bytes) ?? etag).toBe(etag)
          expect(bodies.get(etag) ?? bytes).toBe(bytes)
          etags.set(bytes, etag)
          bodies.set(etag, bytes)
        }
      }),
      { numRuns: 300 },
    )
  })
})

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

/** The request with only such parameters as are never refused. */
function withGoodValues<
  T extends { readonly pairs: readonly (readonly [string, string | null])[] },
>(request: T, hasFields: boolean): T {
  const good = ['posts', 'markdown', 'html', 'true', 'false', 'asc', 'desc', '7', '10']
  const seen = new Set<string>()
  const pairs = request.pairs.filter(([name, value]) => {
    const isFirst = !seen.has(name)
    seen.add(name)
    const isPage = name === 'page' && value === '7'
    const isRefused =
      name === 'strict' || (name.startsWith('fields.') && !(hasFields && name === 'fields.is-new'))
    return !isRefused && isFirst && !isPage && value !== null && good.includes(value)
  })
  return { ...request, pairs }
}

async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}
