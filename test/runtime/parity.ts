// The handler, compared with the files of a build and with a plain reading of the interface.
import { expect, onTestFinished } from 'vitest'
import { requestOfFile } from '../../src/api/paths.ts'
import type { Responder } from '../../src/runtime/responder.ts'
import { writeFixture } from '../conformance/fixture.ts'
import { requests, targetOf } from '../support/arbitraries.ts'
import fc from '../support/fast-check.ts'
import { expectedResponse, withoutMessages } from '../support/oracle.ts'
import {
  askHandler,
  type ReadReply,
  type ServedFolder,
  serveFolder,
  targetOfRequest,
} from '../support/served-site.ts'
import { sampleOf } from '../support/site-sample.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const now = Date.UTC(2026, 10, 1)

/** Builds a site and compares every file of a response with what the handler makes of its request without it. */
export async function expectParity(site: TemporarySite): Promise<void> {
  await site.build({ now })
  const served = await open(site)
  const { bare, filed } = handlersAt(served, now)
  const wrong: string[] = []
  let count = 0
  for (const file of site.files()) {
    if (!/^(public\/v1|private\/v2)\//.test(file)) continue
    const request = requestOfFile(file)
    if (request === null) throw new Error(`${file} is no canonical request's file`)
    count += 1
    const target = targetOfRequest(request)
    const key = keyed(served.keyOf(request.workspace))
    const made = await askHandler(bare, target, key)
    const read = await askHandler(filed, target, key)
    const isSame =
      made.source === 'index' &&
      read.source === 'file' &&
      made.status === 200 &&
      Buffer.compare(made.bytes, served.readFile(file) ?? new Uint8Array()) === 0 &&
      JSON.stringify(essence(made)) === JSON.stringify(essence(read))
    if (!isSame) wrong.push(`${file} ${target}`)
  }
  expect(wrong).toEqual([])
  expect(count).toBeGreaterThan(20)
}

/** Compares responses to random requests to the fixture, with written files and without, with the expected ones. */
export async function expectRandomParity(numRuns: number): Promise<void> {
  const site = temporarySite()
  writeFixture(site.content)
  await site.build({ now })
  const built = await site.load()
  const acme = built.workspaces.find(({ workspace }) => workspace.id === 'acme')
  if (acme === undefined) throw new Error('the fixture has no acme')
  const workspace = await sampleOf(acme)
  const served = await open(site)
  // Before, at and after the two scheduled posts.
  const moments = [now, Date.UTC(2999, 0, 1) - 1, Date.UTC(2999, 0, 1), Date.UTC(2999, 5, 1)]
  const asked = fc.record({
    request: requests(workspace),
    style: fc.nat({ max: 2 }),
    moment: fc.constantFrom(...moments),
  })
  await fc.assert(
    fc.asyncProperty(asked, async ({ request, style, moment }) => {
      const handlers = handlersAt(served, moment)
      const target = targetOf(request, style)
      const key = served.keyOf('acme')
      const bare = await askHandler(handlers.bare, target, keyed(key))
      const filed = await askHandler(handlers.filed, target, keyed(key))
      const expected = expectedResponse(request, workspace, moment)
      const text = bare.status === 200 ? bare.text : withoutMessages(bare.text)
      expect({ target, status: bare.status, text }).toEqual({ target, ...expected })
      expect({ target, ...essence(filed) }).toEqual({ target, ...essence(bare) })
    }),
    { numRuns, seed: 1 },
  )
}

async function open(site: TemporarySite): Promise<ServedFolder> {
  const served = await serveFolder(site.out)
  onTestFinished(() => served.close())
  return served
}

/** One that has the written files, and one that has not. */
function handlersAt(served: ServedFolder, moment: number): { bare: Responder; filed: Responder } {
  const clock = { now: () => moment }
  return {
    bare: served.handler(clock),
    filed: served.handler({ ...clock, readFile: served.readFile }),
  }
}

function essence(reply: ReadReply): object {
  const headers = ['etag', 'cache-control', 'content-type', 'content-length', 'vary']
  return { status: reply.status, text: reply.text, headers: headers.map(reply.header) }
}

function keyed(key: string): { readonly headers: Readonly<Record<string, string>> } {
  return { headers: { authorization: `Bearer ${key}` } }
}
