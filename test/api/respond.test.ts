// Responses to random requests against the oracle, which reads the contract plainly.
import { expect, it } from 'vitest'
import { moments, requests, targetOf, workspaces } from '../support/arbitraries.ts'
import { ask } from '../support/ask.ts'
import fc from '../support/fast-check.ts'
import { expectedResponse } from '../support/oracle.ts'
import { snapshotOf } from '../support/sample-workspace.ts'

/** Random workspaces; QUARRY_ORACLE_RUNS=200000 sends some 500,000 requests. */
const runs = Number(process.env['QUARRY_ORACLE_RUNS'] ?? 5000)

it('responds to every request as the oracle does', async () => {
  const asked = workspaces.chain((workspace) =>
    fc.record({
      workspace: fc.constant(workspace),
      isPaused: fc.boolean(),
      now: moments,
      written: fc.array(fc.tuple(requests(workspace), fc.nat({ max: 2 })), {
        ...{ minLength: 1, maxLength: 4 },
      }),
    }),
  )
  await fc.assert(
    fc.asyncProperty(asked, async ({ workspace, isPaused, now, written }) => {
      const snapshot = await snapshotOf(workspace, isPaused)
      for (const [request, style] of written) {
        const target = targetOf(request, style)
        const { status, text } = await ask(target, snapshot, now, workspace.indexed)
        const found = { status, text: status === 200 ? text : withoutMessages(text) }
        expect({ target, ...found }).toEqual({
          target,
          ...expectedResponse(request, workspace, now),
        })
      }
    }),
    { numRuns: runs },
  )
})

/** An error's body with `…` for every message. */
function withoutMessages(text: string): string {
  const body = JSON.parse(text, (key, value) => (key === 'message' ? '…' : value))
  return JSON.stringify(body)
}
