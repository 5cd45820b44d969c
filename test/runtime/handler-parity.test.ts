// The handler, compared with the files of a build.
import { expect, it } from 'vitest'
import { requestOfFile } from '../../src/api/paths.ts'
import { sampleNow, writeSample } from '../support/sample-site.ts'
import { askHandler, serveFolder, targetOfRequest } from '../support/served-site.ts'
import { temporarySite } from '../support/temporary-site.ts'

it('every file is what the handler responds, also by ids and for slugs that are file names of other things', async () => {
  const lists = ['default', 'asc', 'excludeContent+all']
  const precompute = { ids: true, pageSizes: [10, 3], lists }
  const site = temporarySite({ precompute })
  writeSample(site.folder)
  await site.build()
  const served = await serveFolder(site.out)
  const handler = served.handler({ now: () => sampleNow })
  const files = site.files().filter((file) => /^(public\/v1|private\/v2)\//.test(file))
  expect(files.length).toBeGreaterThan(500)
  for (const file of files) {
    const request = requestOfFile(file) ?? expect.unreachable(file)
    const headers = { authorization: `Bearer ${served.keyOf(request.workspace)}` }
    const { status, text } = await askHandler(handler, targetOfRequest(request), { headers })
    expect(status, file).toBe(200)
    expect(text === site.text(file), file).toBe(true)
  }
})
