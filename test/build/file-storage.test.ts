import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createFileStorage } from '../../src/build/file-storage.ts'
import { temporarySite } from '../support/temporary-site.ts'

/** The function's folder of a small build, and the name of its one part. */
async function builtFolder() {
  const site = temporarySite().posts(3)
  await site.build()
  const part = site.files().find((file) => file.startsWith('function/data/part-')) ?? ''
  return { folder: join(site.out, 'function'), name: part.replace('function/', '') }
}

describe('a file that is named by its content', () => {
  it('is read where it lies', async () => {
    const { folder, name } = await builtFolder()
    const bytes = readFileSync(join(folder, name))
    const storage = createFileStorage(folder)
    expect(Buffer.from(await storage.read(name))).toEqual(bytes)
    expect(Buffer.from(await storage.read(name, 5, 12))).toEqual(bytes.subarray(5, 12))
  })

  it('is shorter than what is read beyond its end', async () => {
    const { folder, name } = await builtFolder()
    const { length } = readFileSync(join(folder, name))
    expect((await createFileStorage(folder).read(name, length - 1, length + 1)).length).toBe(1)
  })
})
