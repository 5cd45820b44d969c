// The handler, compared with the files of a build and with a plain reading of the interface.
import { expect, it } from 'vitest'
import { requestOfFile } from '../../src/api/paths.ts'
import { writeFixture } from '../conformance/fixture.ts'
import { requests, targetOf } from '../support/arbitraries.ts'
import fc from '../support/fast-check.ts'
import { expectedResponse, withoutMessages } from '../support/oracle.ts'
import { sampleOf } from '../support/sample-workspace.ts'
import { askHandler, serveFolder, targetOfRequest } from '../support/served-site.ts'
import { temporarySite } from '../support/temporary-site.ts'

const now = Date.UTC(2026, 10, 1)

const keyed = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })

it('every file is what the handler responds, also by ids and for slugs that are file names of other things', async () => {
  const lists = ['default', 'asc', 'excludeContent+all']
  const precompute = { ids: true, neighbours: true, pageSizes: [10, 3], lists }
  const site = temporarySite({ precompute })
  writeFixture(site.content)
  await site.build({ now })
  const served = await serveFolder(site.out)
  const handler = served.handler({ now: () => now })
  const files = site.files().filter((file) => /^(public\/v1|private\/v2)\//.test(file))
  expect(files.length).toBeGreaterThan(500)
  for (const file of files) {
    const request = requestOfFile(file) ?? expect.unreachable(file)
    const key = keyed(served.keyOf(request.workspace))
    const { status, bytes } = await askHandler(handler, targetOfRequest(request), key)
    expect(status, file).toBe(200)
    expect(Buffer.compare(bytes, served.readFile(file) ?? new Uint8Array()), file).toBe(0)
  }
})

it('random requests are answered as by a plain reading of the interface', async () => {
  const site = temporarySite()
  writeFixture(site.content)
  await site.build({ now })
  const built = await site.load()
  const acme = built.workspaces.find(({ workspace }) => workspace.id === 'acme')
  if (acme === undefined) throw new Error('the fixture has no acme')
  const workspace = await sampleOf(acme)
  const served = await serveFolder(site.out)
  const key = keyed(served.keyOf('acme'))
  // Before, at and after the two scheduled posts.
  const moments = [now, Date.UTC(2999, 0, 1) - 1, Date.UTC(2999, 0, 1), Date.UTC(2999, 5, 1)]
  const asked = fc.record({
    request: requests(workspace),
    style: fc.nat({ max: 2 }),
    moment: fc.constantFrom(...moments),
  })
  await fc.assert(
    fc.asyncProperty(asked, async ({ request, style, moment }) => {
      const target = targetOf(request, style)
      const reply = await askHandler(served.handler({ now: () => moment }), target, key)
      const text = reply.status === 200 ? reply.text : withoutMessages(reply.text)
      const expected = expectedResponse(request, workspace, moment)
      expect({ target, status: reply.status, text }).toEqual({ target, ...expected })
    }),
    { numRuns: 10_000, seed: 1 },
  )
})
