// QUARRY_CACHE_SECRET and --no-cache on the command line.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { call } from '../support/command-call.ts'
import { packsIn } from '../support/crafted-pack.ts'
import { temporarySite } from '../support/temporary-site.ts'

const secret = 'correct-horse-battery-staple'

describe('QUARRY_CACHE_SECRET', () => {
  it('is in no file and in nothing that is printed', async () => {
    const site = temporarySite().post('one', { mood: 'good' })
    const words = ['build', '--cache', 'kept', '--json', '--report']
    const first = await call(site.folder, ['build', '--cache', 'kept'])
    const second = await call(site.folder, words, { QUARRY_CACHE_SECRET: secret })
    expect([first.exitCode, second.exitCode]).toEqual([0, 0])
    expect(second.stderr).toContain('warning: A file of the cache is not signed with')
    expect(first.stdout + second.stdout + second.stderr).not.toContain(secret)
    const files = readdirSync(site.folder, { recursive: true, withFileTypes: true })
    for (const file of files.filter((entry) => entry.isFile())) {
      const bytes = readFileSync(join(file.parentPath, file.name))
      expect([file.name, bytes.includes(secret)]).toEqual([file.name, false])
    }
  })

  it('is refused where it could be guessed, without being repeated', async () => {
    const site = temporarySite().post('one')
    const { exitCode, stderr } = await call(site.folder, ['build'], {
      QUARRY_CACHE_SECRET: 'guess',
    })
    expect(exitCode).toBe(2)
    expect(stderr).toContain('QUARRY_CACHE_SECRET is shorter than 16 characters')
    expect(stderr).not.toContain('guess')
  })

  it('counts as none where it is empty', async () => {
    const site = temporarySite().post('one')
    const { exitCode, stderr } = await call(site.folder, ['build'], { QUARRY_CACHE_SECRET: '' })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  })
})

describe('--no-cache', () => {
  it('neither reads nor writes, and beats the environment', async () => {
    const site = temporarySite().post('one')
    const environment = { QUARRY_CACHE: 'kept' }
    await call(site.folder, ['build', '--no-cache'], environment)
    expect(existsSync(join(site.folder, 'kept'))).toBe(false)
    await call(site.folder, ['build'], environment)
    const packs = packsIn(join(site.folder, 'kept'))
    rmSync(site.out, { recursive: true })
    const { stdout } = await call(site.folder, ['build', '--no-cache', '--json'], environment)
    expect(JSON.parse(stdout).rendered).toBe(1)
    expect(packsIn(join(site.folder, 'kept'))).toEqual(packs)
  })
})
