import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { requestOfFile } from '../../../src/api/paths.ts'
import { explain } from '../../../src/cli/explain/explanation.ts'
import { hashKey } from '../../../src/runtime/key-format.ts'
import { createKeyring } from '../../../src/runtime/keys.ts'
import { serveFolder, targetOfRequest } from '../../support/served-site.ts'
import { someNoon, temporarySite } from '../../support/temporary-site.ts'

it('names the file of every request that a build wrote, and its size', async () => {
  const site = temporarySite({ precompute: { pageSizes: [5, 10] } }).posts(12)
  const { manifest } = await site.build()
  const served = await serveFolder(site.out)
  const key = served.keyOf('acme')
  const around = {
    site: served.site,
    keyring: createKeyring([], `acme:${hashKey(key)}`),
    key,
    now: someNoon,
    isWritten: (path: string) => manifest.files.has(path),
    readFile: (path: string) => readFileSync(join(site.out, path)),
  }
  const files = [...manifest.files].flatMap(([path, { bytes }]) => {
    const request = requestOfFile(path)
    return request === null ? [] : [{ path, bytes, target: targetOfRequest(request) }]
  })
  expect(files.length).toBeGreaterThan(50)
  for (const { path, bytes, target } of files) {
    const { file, reply, isFileWritten } = await explain(target, around)
    const length = reply.headers.find(([name]) => name === 'content-length')?.[1]
    expect({ file, isFileWritten, source: reply.source, length }, target).toEqual({
      file: path,
      isFileWritten: true,
      source: 'file',
      length: String(bytes),
    })
  }
  served.close()
})
