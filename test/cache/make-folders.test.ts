// Folders that are made, or cannot be.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeFolders } from '../../src/cache/make-folders.ts'

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-folders-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

describe('makeFolders', () => {
  it('makes what is missing, and names the first of it', () => {
    const folder = temporaryFolder()
    expect(makeFolders(join(folder, 'a/b/c'))).toBe(join(folder, 'a'))
    expect(makeFolders(join(folder, 'a/b/d'))).toBe(join(folder, 'a/b/d'))
    expect(makeFolders(join(folder, 'a/b'))).toBeUndefined()
    expect(existsSync(join(folder, 'a/b/c'))).toBe(true)
  })

  it('fails in the place of a file, and below one', () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    expect(() => makeFolders(file)).toThrow(/EEXIST/)
    expect(() => makeFolders(join(file, 'a/b'))).toThrow(/ENOTDIR|EEXIST/)
  })

  it.runIf(process.platform === 'linux')('fails below /proc instead of trying for ever', () => {
    expect(() => makeFolders('/proc/none/a')).toThrow(/ENOENT/)
  })
})
