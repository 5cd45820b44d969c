// What is in a content folder, whatever links, order, case and changes there are in it.
import { type Dirent, readdirSync, renameSync, symlinkSync, unlinkSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ListFolder } from '../../src/content/entries.ts'
import type { RawContent } from '../../src/content/raw.ts'
import { ContentFolderError } from '../../src/content/tree.ts'
import { codes, makeFolder, places, readContent } from './support.ts'

const POST = '---\ntitle: a\n---\nbody\n'

describe('a listing', () => {
  it('makes no content of a file of the host that a link leads to', async () => {
    const host = await makeFolder({ 'passwd.md': 'root:x:0:0' })
    const root = await makeFolder({ 'acme/posts/a.md': POST })
    await symlink(host, join(root, 'acme/posts/host'))
    const content = await readContent(root)
    expect(posts(content)).toEqual(['acme/posts/a.md'])
    expect(codes(content.diagnostics)).toEqual(['ignored-link'])
  })

  it('does not go round a loop of links', async () => {
    const root = await makeFolder({ 'acme/posts/a.md': POST })
    await symlink('..', join(root, 'acme/posts/loop'))
    expect(posts(await readContent(root))).toEqual(['acme/posts/a.md'])
  })

  it('is the same in whatever order the file system lists', async () => {
    const root = await makeFolder(
      Object.fromEntries(['b', 'a', 'd', 'c'].map((name) => [`acme/posts/${name}.md`, POST])),
    )
    const content = await readContent(root)
    expect(posts(content)).toEqual(['a', 'b', 'c', 'd'].map((name) => `acme/posts/${name}.md`))
    const reversing = (folder: string) => list(folder).reverse()
    expect(await readContent(root, { listFolder: reversing })).toEqual(content)
  })

  it('of a folder that is not there is an error', async () => {
    const missing = join(await makeFolder(), 'missing')
    await expect(readContent(missing)).rejects.toThrow(ContentFolderError)
  })

  it('warns of .MD', async () => {
    const root = await makeFolder({ 'acme/posts/a.MD': POST })
    expect(places((await readContent(root)).diagnostics)).toEqual([
      'acme/posts/a.MD:1:1 ignored-file',
    ])
  })

  it('tells of a folder that may not be listed', async () => {
    const root = await makeFolder({ 'acme/posts/2024/a.md': POST })
    const denied = (folder: string) => {
      if (basename(folder) !== '2024') return list(folder)
      throw Object.assign(new Error(`EACCES: ${folder}`), { code: 'EACCES', path: folder })
    }
    const { workspaces, diagnostics } = await readContent(root, { listFolder: denied })
    expect(workspaces).toEqual([])
    expect(places(diagnostics)).toEqual(['acme/posts/2024:1:1 unreadable-file'])
  })
})

describe('a folder that changes while it is read', () => {
  it('costs the file that is gone an error, and no other', async () => {
    const root = await makeFolder({ 'acme/posts/a.md': POST, 'acme/posts/b.md': POST })
    const listFolder = afterListing('posts', (folder) => unlinkSync(join(folder, 'a.md')))
    const content = await readContent(root, { listFolder })
    expect(places(content.diagnostics)).toEqual(['acme/posts/a.md:1:1 unreadable-file'])
    expect(posts(content)).toEqual(['acme/posts/b.md'])
  })

  it('is not read beyond, though a folder becomes a link to elsewhere', async () => {
    const outside = await makeFolder({ 'a.md': POST, 'b.md': POST })
    const root = await makeFolder({ 'acme/posts/a.md': POST, 'acme/tags/t.md': POST })
    const listFolder = afterListing('posts', (folder) => {
      renameSync(folder, `${folder}-moved`)
      symlinkSync(outside, folder)
    })
    const content = await readContent(root, { listFolder })
    expect(places(content.diagnostics)).toEqual(['acme/posts/a.md:1:1 unreadable-file'])
    expect(posts(content)).toEqual([])
  })
})

function posts({ workspaces }: RawContent): readonly string[] {
  return workspaces.flatMap(
    ({ documents }) => documents.get('posts')?.map(({ file }) => file) ?? [],
  )
}

function list(folder: string): Dirent[] {
  return readdirSync(folder, { withFileTypes: true })
}

function afterListing(name: string, act: (folder: string) => void): ListFolder {
  return (folder) => {
    const entries = list(folder)
    if (basename(folder) === name) act(folder)
    return entries
  }
}
