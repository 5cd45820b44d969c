import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { LockError, takeLock, withLock } from '../../src/emit/file-lock.ts'
import { type LockOwner, thisOwner } from '../../src/emit/lock-owner.ts'

// No process of Linux has a number this high.
const deadPid = 4_194_999
const somebody = '00000000-0000-4000-8000-000000000000'

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A claim as a process of ours leaves it, but for what is given. */
function leaveClaim(lock: string, owner: Partial<LockOwner>, silentSeconds = 0): string {
  const claim = `${lock}.${somebody}`
  writeFileSync(claim, `${JSON.stringify({ ...thisOwner(), ...owner })}\n`)
  const time = Date.now() / 1000 - silentSeconds
  utimesSync(claim, time, time)
  return claim
}

describe('a lock', () => {
  it('lets one change follow the other, also behind a lock that was left', async () => {
    const folder = temporaryFolder()
    const lock = join(folder, 'lock')
    const counter = join(folder, 'counter')
    writeFileSync(counter, '0')
    leaveClaim(lock, { pid: deadPid })
    const countUp = async () => {
      const count = Number(await readFile(counter, 'utf8'))
      await writeFile(counter, String(count + 1))
    }
    await Promise.all(Array.from({ length: 20 }, () => withLock(lock, countUp)))
    expect(readFileSync(counter, 'utf8')).toBe('20')
    expect(readdirSync(folder)).toEqual(['counter'])
  })

  it.each<[string, Partial<LockOwner>, number]>([
    ['a process that runs, however silent', {}, 3600],
    ['a process of another machine or container', { pid: deadPid, place: 'elsewhere' }, 50],
    ['a process of a place that is not known', { pid: deadPid, place: null }, 50],
  ])('is not taken from %s', async (_, owner, silentSeconds) => {
    const lock = join(temporaryFolder(), 'lock')
    const claim = leaveClaim(lock, owner, silentSeconds)
    const work = () => Promise.reject(new Error('was not to run'))
    await expect(withLock(lock, work, 0)).rejects.toThrow(LockError)
    expect(readdirSync(join(lock, '..'))).toEqual([`lock.${somebody}`])
    expect(JSON.parse(readFileSync(claim, 'utf8'))).toMatchObject(owner)
  })

  it.each<[string, Partial<LockOwner>, number]>([
    ['a process that has ended', { pid: deadPid }, 0],
    ['a process whose number another one has now', { started: '1' }, 0],
    ['one elsewhere that is silent for a minute', { pid: deadPid, place: 'elsewhere' }, 61],
    ['one before the machine was started again', { place: 'an earlier start' }, 61],
  ])('is taken from %s', async (_, owner, silentSeconds) => {
    const lock = join(temporaryFolder(), 'lock')
    leaveClaim(lock, owner, silentSeconds)
    expect(await withLock(lock, () => Promise.resolve('ran'), 0)).toBe('ran')
  })

  it('is taken from a process that was killed and that its parent has not buried', async () => {
    const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 60'])
    onTestFinished(() => void parent.kill('SIGKILL'))
    const [line] = await once(parent.stdout, 'data')
    const pid = Number(String(line))
    const lock = join(temporaryFolder(), 'lock')
    const started = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')
    await expect.poll(() => started()[2]).toBe('Z')
    leaveClaim(lock, { pid, started: started()[21] ?? null })
    expect(await withLock(lock, () => Promise.resolve('ran'), 0)).toBe('ran')
  })

  it.each(['', '\0'.repeat(200)])(
    'is not in the way when a power cut emptied it: %j',
    async (text) => {
      const lock = join(temporaryFolder(), 'lock')
      writeFileSync(`${lock}.${somebody}`, text)
      expect(await withLock(lock, () => Promise.resolve('ran'), 0)).toBe('ran')
      expect(readdirSync(join(lock, '..'))).toEqual([])
    },
  )

  it('is not in the way when it was left before it was whole', async () => {
    const lock = join(temporaryFolder(), 'lock')
    writeFileSync(`${lock}.${somebody}.new`, '')
    expect(await withLock(lock, () => Promise.resolve('ran'), 0)).toBe('ran')
    expect(readdirSync(join(lock, '..'))).toEqual([])
  })

  it('says who holds it', async () => {
    const lock = join(temporaryFolder(), 'lock')
    const held = await takeLock(lock, 0)
    onTestFinished(held.release)
    await expect(takeLock(lock, 0)).rejects.toThrow(
      /at work here: process \d+ on \S+ since \d{4}-\d\d-\d\dT/,
    )
  })

  it('tells its holder when it was taken away', async () => {
    const folder = temporaryFolder()
    const held = await takeLock(join(folder, 'lock'), 0)
    held.assertHeld()
    for (const name of readdirSync(folder)) rmSync(join(folder, name))
    expect(held.assertHeld).toThrow(LockError)
    held.release()
  })

  it('shows that its holder lives', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const folder = temporaryFolder()
    const held = await takeLock(join(folder, 'lock'), 0)
    const [name = ''] = readdirSync(folder)
    utimesSync(join(folder, name), 0, 0)
    vi.advanceTimersByTime(5000)
    expect(statSync(join(folder, name)).mtimeMs).toBeGreaterThan(0)
    held.release()
    expect(readdirSync(folder)).toEqual([])
  })

  it('is gone after work that failed', async () => {
    const lock = join(temporaryFolder(), 'lock')
    const work = () => Promise.reject(new Error('failed'))
    await expect(withLock(lock, work)).rejects.toThrow('failed')
    expect(readdirSync(join(lock, '..'))).toEqual([])
  })
})
