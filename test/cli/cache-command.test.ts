import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { call } from '../support/command-call.ts'
import { run } from '../support/command-line.ts'
import { temporarySite } from '../support/temporary-site.ts'

describe('quarry cache', () => {
  it('says how large each kind is, knows every kind, and clears all', async () => {
    const site = temporarySite().post('a', {}, 'Text of [b](./b.md).').post('b')
    expect((await run(site.folder, ['cache'])).stdout).toMatch(/ holds no cache\.\n$/)
    await call(site.folder, ['build'])
    const { folder, bytes, packs, kinds } = JSON.parse(
      (await call(site.folder, ['cache', '--json'])).stdout,
    )
    const names = kinds.map(({ kind }: { kind: string }) => kind)
    expect(names).toContain('rendered bodies')
    expect(names).not.toContain('other')
    expect(packs).toMatchObject([{ bytes, records: expect.any(Number) }])
    const { stdout } = await call(site.folder, ['cache'])
    expect(stdout).toMatch(/^\S+: [\d.]+ kB, \d+ records in 1 file\n/)
    expect(stdout).toMatch(/\n +[\d.]+ k?B +2 {2}rendered bodies\n/)
    writeFileSync(join(folder, '00000009-abcdef.pack'), 'no pack')
    expect((await call(site.folder, ['cache'])).stdout).toContain('abcdef.pack, not readable')
    expect((await call(site.folder, ['cache', '--clear'])).stdout).toMatch(
      /^Removed [\d.]+ kB from /,
    )
    expect(readdirSync(folder)).toEqual(['CACHEDIR.TAG'])
  })

  it('is an error of use without a cache', async () => {
    const { exitCode, stderr } = await call(temporarySite().folder, ['cache', '--no-cache'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('The cache is off')
  })
})
