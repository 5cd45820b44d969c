import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { LockError, takeLock, withLock } from '../../src/build/lock.ts'

// No process of Linux has a number this high.
const deadPid = 4_194_999

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A lock as a process of this machine leaves it, but for what is given. @returns the name of its owner */
function leaveLock(
  lock: string,
  { pid = deadPid, host = hostname() }: { pid?: number; host?: string },
  silentSeconds = 0,
): string {
  const owner = `${pid},${host},left`
  mkdirSync(lock)
  writeFileSync(join(lock, owner), '')
  age(lock, silentSeconds)
  return owner
}

function age(lock: string, seconds: number): void {
  const time = Date.now() / 1000 - seconds
  utimesSync(lock, time, time)
}

describe('a lock', () => {
  it('lets one change follow the other, also behind a lock that was left', async () => {
    const folder = temporaryFolder()
    const lock = join(folder, 'lock')
    const counter = join(folder, 'counter')
    writeFileSync(counter, '0')
    leaveLock(lock, {})
    const countUp = async () => {
      const count = Number(await readFile(counter, 'utf8'))
      await writeFile(counter, String(count + 1))
    }
    await Promise.all(Array.from({ length: 20 }, () => withLock(lock, countUp)))
    expect(readFileSync(counter, 'utf8')).toBe('20')
    expect(readdirSync(folder)).toEqual(['counter'])
  })

  it.each<[string, { pid?: number; host?: string }, number]>([
    ['a process that runs, however silent', { pid: process.ppid }, 3600],
    ['a process of another machine or container', { host: 'elsewhere' }, 50],
  ])('is not taken from %s', async (_, owner, silentSeconds) => {
    const lock = join(temporaryFolder(), 'lock')
    const name = leaveLock(lock, owner, silentSeconds)
    const work = () => Promise.reject(new Error('was not to run'))
    await expect(withLock(lock, work, 0)).rejects.toThrow(LockError)
    expect(readdirSync(lock)).toEqual([name])
  })

  it.each<[string, { pid?: number; host?: string }, number]>([
    ['a process that has ended', {}, 0],
    ['an earlier process that had the number of this one', { pid: process.pid }, 0],
    ['one elsewhere that is silent for a minute', { host: 'elsewhere' }, 61],
  ])('is taken from %s', async (_, owner, silentSeconds) => {
    const lock = join(temporaryFolder(), 'lock')
    leaveLock(lock, owner, silentSeconds)
    expect(await withLock(lock, () => Promise.resolve('ran'), 0)).toBe('ran')
    expect(readdirSync(join(lock, '..'))).toEqual([])
  })

  it.each([[[]], [['owner.json']]])(
    'is not in the way when nobody knows its owner: %j',
    async (names) => {
      const lock = join(temporaryFolder(), 'lock')
      mkdirSync(lock)
      for (const name of names) writeFileSync(join(lock, name), '')
      age(lock, 61)
      expect(await withLock(lock, () => Promise.resolve('ran'), 0)).toBe('ran')
      expect(readdirSync(join(lock, '..'))).toEqual([])
    },
  )

  it('says who holds it', async () => {
    const lock = join(temporaryFolder(), 'lock')
    const held = await takeLock(lock, 0)
    onTestFinished(held)
    await expect(takeLock(lock, 0)).rejects.toThrow(
      /at work here: process \d+ on \S+ since \d{4}-\d\d-\d\dT/,
    )
  })
})
