import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LockError, withLock } from '../../src/build/lock.ts'
import { emptyFolder } from '../support/empty-folder.ts'

/** No process of Linux has a number this high. */
const ended = `4194999,${hostname()},left`

/** A lock as a process leaves it. @param owner undefined for none */
function leaveLock(lock: string, owner: string | undefined, silentSeconds = 0): void {
  mkdirSync(dirname(join(lock, owner ?? 'none')), { recursive: true })
  if (owner !== undefined) writeFileSync(join(lock, owner), '')
  const time = Date.now() / 1000 - silentSeconds
  utimesSync(lock, time, time)
}

describe('a lock', () => {
  it('lets one change follow the other, also behind a lock that was left', async () => {
    const folder = emptyFolder({ counter: '0' })
    const [lock, counter] = [join(folder, 'lock'), join(folder, 'counter')]
    leaveLock(lock, ended)
    const countUp = async () =>
      writeFile(counter, String(Number(await readFile(counter, 'utf8')) + 1))
    await Promise.all(Array.from({ length: 20 }, () => withLock(lock, countUp)))
    expect(readFileSync(counter, 'utf8')).toBe('20')
    expect(readdirSync(folder)).toEqual(['counter'])
  })

  it('of a process that has ended is taken, even if its parent has not noticed', async () => {
    const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 60'])
    const [pid] = await once(parent.stdout, 'data')
    const lock = join(emptyFolder(), 'lock')
    leaveLock(lock, `${Number(pid)},${hostname()},x`)
    expect(await withLock(lock, () => Promise.resolve('ran'))).toBe('ran')
    parent.kill()
  })

  it.each<[string, string | undefined, number, boolean]>([
    ['a process that runs, however silent', `${process.ppid},${hostname()},x`, 3600, false],
    ['a process of another machine or container', '1,elsewhere,x', 50, false],
    ['one elsewhere that is silent for a minute', '1,elsewhere,x', 61, true],
    ['a process that has ended', ended, 0, true],
    ['one whose lock it may not remove', `${ended}/file`, 3600, false],
    ['an earlier process with the number of this one', `${process.pid},${hostname()},x`, 0, true],
    ['nobody, as a process that was killed leaves it', undefined, 61, true],
  ])('of %s: %s, %i seconds ago, is taken: %s', async (_, owner, silentSeconds, isTaken) => {
    const lock = join(emptyFolder(), 'lock')
    leaveLock(lock, owner, silentSeconds)
    const held = withLock(lock, () => Promise.resolve('ran'), 0)
    await (isTaken ? expect(held).resolves.toBe('ran') : expect(held).rejects.toThrow(LockError))
    expect(readdirSync(join(lock, '..'))).toEqual(isTaken ? [] : ['lock'])
  })
})
