// What `quarry build --for HOST` says of images.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { pictureBytes, pictureHash } from '../conformance/picture.ts'
import { call } from '../support/command-call.ts'
import { temporarySite } from '../support/temporary-site.ts'

const pictured = () =>
  temporarySite().post('one', {}, '![](a.png)\n').write('content/acme/posts/a.png', pictureBytes)

it.each([
  ['netlify', /^With 1 image, 70 B\.$/m],
  ['aws-lambda', /^Left out: 1 image, 70 B\. Put public\/media into a bucket/m],
])('a deployment to %s says what becomes of images', async (host, said) => {
  const { folder } = pictured()
  const { stdout, exitCode } = await call(folder, ['build', '--for', host])
  expect([stdout, exitCode]).toEqual([expect.stringMatching(said), 0])
})

it('says nothing of images where there are none', async () => {
  const without = await call(temporarySite().post('one').folder, ['build', '--for', 'aws-lambda'])
  expect(without.stdout).not.toMatch(/\bimages?\b/)
})

it('a deployment that follows loses images that no post shows any more', async () => {
  const site = pictured()
  const image = join(site.folder, `deploy/deno/media/acme/${pictureHash}.png`)
  await call(site.folder, ['build', '--for', 'deno'])
  expect(existsSync(image)).toBe(true)
  const { stdout } = await call(site.post('one').folder, ['build'])
  expect(stdout).toContain('Ready for deno again')
  expect(existsSync(image)).toBe(false)
})
