// Files that were touched at the very moment of the build stamp: nothing says whether before or after it.
import { lstatSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporarySite } from '../support/temporary-site.ts'

const now = Date.UTC(2026, 5, 1)
const file = 'public/v1/acme/posts/one.json'

/** A site of which one file got other bytes of the same length, in the tick of the build stamp. */
async function touchedSite() {
  const site = temporarySite({ cache: 'cache' }).post('one').post('two')
  await site.build({ now })
  const path = join(site.out, file)
  const built = readFileSync(path, 'utf8')
  writeFileSync(path, built.replace('{', '['))
  const stamp = join(site.out, '.seal')
  const [inode, , ...rest] = readFileSync(stamp, 'utf8').split('\n')
  // The file stays the same one: a copy of a stamp says nothing.
  writeFileSync(stamp, [inode, lstatSync(path).ctimeMs, ...rest].join('\n'))
  return { site, built }
}

describe('a file that was touched in the tick of the build stamp', () => {
  it('is read by a build that has nothing else to do', async () => {
    const { site, built } = await touchedSite()
    await site.build({ now })
    expect(site.text(file)).toBe(built)
  })

  it('is read by a build of another edit', async () => {
    const { site, built } = await touchedSite()
    site.post('three')
    await site.build({ now })
    expect(site.text(file)).toBe(built)
  })
})
