// Bodies of literals and stored JSON: their bytes, lengths and ETags.
import { expect, it } from 'vitest'
import {
  bodyBytes,
  bodyRuns,
  bodySize,
  etagOf,
  hostEtagOf,
  type Piece,
} from '../../src/api/api-response.ts'
import { ApiError } from '../../src/api/errors.ts'
import { respond } from '../../src/api/respond.ts'
import type { JsonRef } from '../../src/api/snapshot.ts'
import { moments, requests, targetOf, workspaces } from '../support/arbitraries.ts'
import { requestOf } from '../support/ask.ts'
import fc from '../support/fast-check.ts'
import { samplePost, snapshotOf, workspaceOf } from '../support/sample-workspace.ts'

const posts = ['a', 'b', 'c'].map((slug) => samplePost(slug, {}, `Text of ${slug} – ü`))
const atOnce = await snapshotOf(workspaceOf(posts))
const later = await snapshotOf(workspaceOf(posts), true)
const head: JsonRef = { of: 'posts', part: 'head', ordinal: 0 }
const html: JsonRef = { of: 'posts', part: 'html', ordinal: 1 }
const body: readonly Piece[] = ['{"ü":', html, ',', head, '}']
// Fragments that were read stay in memory.
for (const part of ['head', 'html', 'markdown'] as const)
  for (const ordinal of posts.keys()) await atOnce.read({ of: 'posts', part, ordinal })

it('joins literals and stored JSON, synchronously if all are in memory', async () => {
  const bytes = bodyBytes(body, atOnce) as Uint8Array
  expect(text(bytes)).toBe('{"ü":"<p>Text of b – ü</p>",{"id":"c-id","slug":"c","title":"c"}')
  const mixed = { read: (ref: JsonRef) => (ref === html ? later : atOnce).read(ref) }
  for (const snapshot of [later, mixed]) expect(await bodyBytes(body, snapshot)).toEqual(bytes)
  const broken = { read: () => Promise.reject(new Error('no such part')) }
  await expect(bodyBytes(body, broken)).rejects.toThrow('no such part')
})

it('needs no fragment for a length or an ETag', () => {
  const unread = { ...atOnce, read: () => expect.unreachable() }
  expect(bodySize(body, unread)).toBe((bodyBytes(body, atOnce) as Uint8Array).length)
  expect(bodySize(['ü', '😀', ''], unread)).toBe(6)
  expect(etagOf(body, unread)).toMatch(/^"[0-9a-f]{32}"$/)
})

it.each([
  ['nothing', []],
  ['an empty text', ['']],
  ['a short body', body],
  ['short texts', Array.from({ length: 30_000 }, () => '0123456789')],
  ['one long text', ['x'.repeat(300_000)]],
  ['exactly 64 KiB and more', ['x'.repeat(65_536), 'y']],
] as const)('yields %s in runs of at least 64 KiB, except for the last', async (_, body) => {
  const runs: Uint8Array[] = []
  for await (const run of bodyRuns(body, later)) runs.push(run)
  expect(Buffer.concat(runs).equals((await bodyBytes(body, later)) as Uint8Array)).toBe(true)
  expect(runs.slice(0, -1).every((run) => run.length >= 65_536)).toBe(true)
  expect(runs.every((run) => run.length > 0)).toBe(true)
})

it('has the same ETag in every build and on every host', async () => {
  expect(etagOf(['{"posts"', ':[]}'], atOnce)).toBe('"a14592560126042a799e0da2b44a5dc4"')
  for (const length of [10, 100_000]) {
    const long = [...body, 'x'.repeat(length)]
    expect(await hostEtagOf(long, atOnce)).toBe(etagOf(long, atOnce))
  }
})

it('has equal ETags for equal bytes, and others for other bytes', async () => {
  const asked = workspaces.chain((workspace) =>
    fc.record({
      workspace: fc.constant(workspace),
      targets: fc.array(requests(workspace).map((request) => targetOf(request))),
      now: moments,
    }),
  )
  await fc.assert(
    fc.asyncProperty(asked, async ({ workspace, targets, now }) => {
      const snapshot = await snapshotOf(workspace)
      const etags = new Map<string, string>()
      const bodies = new Map<string, string>()
      for (const target of targets) {
        const request = await Promise.resolve(target)
          .then((raw) => requestOf(raw, workspace.indexed))
          .catch((error) => (error instanceof ApiError ? null : Promise.reject(error)))
        if (request === null) continue
        const { status, body } = await respond(request, snapshot, now)
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

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}
