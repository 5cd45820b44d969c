import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { LockError, withLock } from '../../src/emit/file-lock.ts'

// No process of Linux has a number this high.
const deadPid = 4_194_999

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

describe('a lock', () => {
  it('lets one change follow the other, also behind a lock that was left', async () => {
    const folder = temporaryFolder()
    const lock = join(folder, 'lock')
    const counter = join(folder, 'counter')
    writeFileSync(counter, '0')
    writeFileSync(lock, `${deadPid} ${hostname()} x\n`)
    const countUp = async () => {
      const count = Number(await readFile(counter, 'utf8'))
      await writeFile(counter, String(count + 1))
    }
    await Promise.all(Array.from({ length: 20 }, () => withLock(lock, countUp)))
    expect(readFileSync(counter, 'utf8')).toBe('20')
    expect([lock, `${lock}.guard`].filter((path) => existsSync(path))).toEqual([])
  })

  it.each([
    ['a process that runs', `${process.pid} ${hostname()} x\n`],
    ['a process of another machine', `${deadPid} elsewhere.example x\n`],
    ['nobody yet', ''],
  ])('is not taken from %s', async (_, owner) => {
    const lock = join(temporaryFolder(), 'lock')
    writeFileSync(lock, owner)
    const work = () => Promise.reject(new Error('was not to run'))
    await expect(withLock(lock, work, 0)).rejects.toThrow(LockError)
    expect(readFileSync(lock, 'utf8')).toBe(owner)
  })

  it('is gone after work that failed', async () => {
    const lock = join(temporaryFolder(), 'lock')
    const work = () => Promise.reject(new Error('failed'))
    await expect(withLock(lock, work)).rejects.toThrow('failed')
    expect(existsSync(lock)).toBe(false)
  })
})
