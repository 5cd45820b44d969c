import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createFileStorage } from '../../src/hosts/file-storage.ts'
import { temporarySite } from '../support/temporary-site.ts'

const storageModule = new URL('../../.lib/hosts/file-storage.js', import.meta.url).href

/** The function's folder of a small build, and the name of its one block. */
async function builtFolder() {
  const site = temporarySite().posts(3)
  await site.build()
  const block = site.files().find((file) => file.startsWith('function/blocks/')) ?? ''
  return { folder: join(site.out, 'function'), name: block.replace('function/', '') }
}

describe('a file that is named by its content', () => {
  it('is read where it lies', async () => {
    const { folder, name } = await builtFolder()
    const bytes = readFileSync(join(folder, name))
    const storage = createFileStorage(folder)
    expect(Buffer.from(await storage.read(name))).toEqual(bytes)
    expect(Buffer.from(await storage.readRange(name, 5, 7))).toEqual(bytes.subarray(5, 12))
  })

  it('stays there for its reader when a build removes it', async () => {
    const { folder, name } = await builtFolder()
    const storage = createFileStorage(folder)
    storage.hold([name])
    rmSync(join(folder, name))
    expect((await storage.readRange(name, 0, 10)).length).toBe(10)
    storage.close()
    expect(() => storage.readRange(name, 0, 10)).toThrow('ENOENT')
  })

  it('is opened once, however often it is read', async () => {
    const { folder, name } = await builtFolder()
    const storage = createFileStorage(folder)
    storage.readRange(name, 0, 10)
    rmSync(join(folder, name))
    expect((await storage.readRange(name, 0, 10)).length).toBe(10)
    storage.close()
    expect(() => storage.readRange(name, 0, 10)).toThrow('ENOENT')
  })

  it('is read all the same where the process may open few files', async () => {
    const { folder, name } = await builtFolder()
    const names = Array.from({ length: 400 }, (_, copy) => `blocks/${copy}.bin`)
    for (const copy of names) copyFileSync(join(folder, name), join(folder, copy))
    const script = `
      import { openSync } from 'node:fs'
      import { createFileStorage } from ${JSON.stringify(storageModule)}
      const storage = createFileStorage(process.argv[1])
      const names = process.argv.slice(2)
      storage.hold(names)
      const read = names.map((name) => storage.readRange(name, 0, 10).length)
      // What is held leaves room for connections.
      const opened = Array.from({ length: 200 }, () => openSync(process.argv[1]))
      process.stdout.write(String(read.length) + ' ' + String(opened.length))`
    const command = 'ulimit -n 350; exec "$@"'
    const node = [process.execPath, '--input-type=module', '-e', script, folder, ...names]
    expect(execFileSync('sh', ['-c', command, 'sh', ...node], { encoding: 'utf8' })).toBe('400 200')
  })

  it('is not read beyond its end', async () => {
    const { folder, name } = await builtFolder()
    const { length } = readFileSync(join(folder, name))
    const storage = createFileStorage(folder)
    expect(() => storage.readRange(name, length - 1, 2)).toThrow(RangeError)
  })
})
