import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { FolderWatchers } from '../../src/hosts/folder-watchers.ts'
import { emptyFolder } from '../support/empty-folder.ts'

function watched(folder: string): FolderWatchers {
  const watchers = new FolderWatchers(folder, () => {})
  onTestFinished(() => watchers.close())
  watchers.follow(true)
  return watchers
}

it('watches each folder once, but for hidden ones, packages and what links lead to', () => {
  const folder = emptyFolder({ 'acme/posts/deep/a.md': '', '.git/objects/b': '', 'c.md': '' })
  mkdirSync(join(folder, 'acme/node_modules/d'), { recursive: true })
  symlinkSync(emptyFolder({ 'e/f.md': '' }), join(folder, 'linked'))
  const watchers = watched(folder)
  expect(watchers.size).toBe(4)
  watchers.follow(true)
  expect(watchers.size).toBe(4)
})

it('follows folders that come, go, and come back as others', () => {
  const folder = emptyFolder({ 'acme/posts/a.md': '' })
  const watchers = watched(folder)
  renameSync(join(folder, 'acme'), join(folder, 'other'))
  mkdirSync(join(folder, 'acme/tags'), { recursive: true })
  watchers.follow(true)
  expect(watchers.size).toBe(5)
  rmSync(folder, { recursive: true })
  watchers.follow(true)
  expect(watchers.size).toBe(0)
})
