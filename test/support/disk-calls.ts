// Counts what a part of this process does to the disk below a folder, and ends it there as a kill would.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const changing = [
  'chmodSync',
  'linkSync',
  'mkdirSync',
  'renameSync',
  'rmSync',
  'rmdirSync',
  'unlinkSync',
] as const

/** A call: its name and the path below the folder. `openSync` and `writeSync` are heard of where they write. */
type OnCall = (name: string, path: string) => void

/**
 * Runs some work, and kills it before one of its calls that change a folder: from then on no call changes anything
 * there. Locks are none of its calls: they would be those of a process that lives.
 *
 * @param end the number of the call, from 1, or the call: `renameSync manifest.json`
 * @returns the call at which it was killed; undefined when it made no such call
 */
export async function killedAt(
  end: number | string,
  folder: string,
  work: () => Promise<unknown>,
): Promise<string | undefined> {
  let calls = 0
  let hit: string | undefined
  const onCall: OnCall = (name, path) => {
    const call = `${name} ${path}`
    if (path.startsWith('.lock') || (hit === undefined && ++calls !== end && call !== end)) return
    hit ??= call
    throw new Error(`killed at ${hit}`)
  }
  try {
    await observing(changing, folder, onCall, work)
  } catch (error) {
    if (hit === undefined) throw error
  }
  return hit
}

/** Runs some work. @returns the files below a folder that it read whole, in this order; but for locks */
export async function filesRead(
  folder: string,
  work: () => Promise<unknown>,
): Promise<readonly string[]> {
  const paths: string[] = []
  await observing(['readFileSync'], folder, (_, path) => paths.push(path), work)
  return paths.filter((path) => !path.startsWith('.lock'))
}

/** Runs some work; `onCall` hears of each call that changes something below the folder before it is made. */
async function observing(
  names: readonly (keyof typeof fs)[],
  folder: string,
  onCall: OnCall,
  work: () => Promise<unknown>,
): Promise<void> {
  const { openSync, writeSync } = fs
  const written = new Map<number, string>()
  const replaced = Object.fromEntries(
    names.map((name) => {
      const call = fs[name] as (...args: unknown[]) => unknown
      const observed = (...args: unknown[]) => {
        const path = args.map(String).findLast((text) => text.startsWith(`${folder}/`))
        if (path !== undefined) onCall(name, path.slice(folder.length + 1))
        return call(...args)
      }
      return [name, { call, observed }]
    }),
  )
  for (const [name, { observed }] of Object.entries(replaced))
    Object.assign(fs, { [name]: observed })
  fs.openSync = (path, flags = 'r', mode = null) => {
    const isWritten = String(path).startsWith(`${folder}/`) && flags !== 'r'
    if (isWritten) onCall('openSync', String(path).slice(folder.length + 1))
    const descriptor = openSync(path, flags, mode)
    if (isWritten) written.set(descriptor, String(path))
    return descriptor
  }
  Object.assign(fs, {
    writeSync: (descriptor: number, ...args: [string]) => {
      const path = written.get(descriptor)
      if (path !== undefined) onCall('writeSync', path.slice(folder.length + 1))
      return writeSync(descriptor, ...args)
    },
  })
  syncBuiltinESMExports()
  try {
    await work()
  } finally {
    for (const [name, { call }] of Object.entries(replaced)) Object.assign(fs, { [name]: call })
    Object.assign(fs, { openSync, writeSync })
    syncBuiltinESMExports()
  }
}
