// What fast-glob does with links, order, missing folders and case, each shown on the bare library first.
import { type Dirent, readdir, renameSync, symlinkSync, unlinkSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import fastGlob from 'fast-glob'
import { describe, expect, it } from 'vitest'
import type { ListingFileSystem } from '../../src/content/entries.ts'
import type { RawContent } from '../../src/content/raw.ts'
import { ContentFolderError, readContent } from '../../src/content/tree.ts'
import { codes, makeFolder, places } from './support.ts'

const POST = '---\ntitle: a\n---\nbody\n'

describe('fast-glob', () => {
  it('makes content of a file of the host that a link leads to; quarry does not', async () => {
    const host = await makeFolder({ 'passwd.md': 'root:x:0:0' })
    const root = await makeFolder({ 'acme/posts/a.md': POST })
    await symlink(host, join(root, 'acme/posts/host'))
    expect(await fastGlob('**/*.md', { cwd: root })).toContain('acme/posts/host/passwd.md')
    const content = await readContent(root)
    expect(posts(content)).toEqual(['acme/posts/a.md'])
    expect(codes(content.diagnostics)).toEqual(['ignored-link'])
  })

  it('goes round a loop of links until the path is too long; quarry does not', async () => {
    const root = await makeFolder({ 'acme/posts/a.md': POST })
    await symlink('..', join(root, 'acme/posts/loop'))
    expect((await fastGlob('**/*.md', { cwd: root })).length).toBeGreaterThan(10)
    expect(posts(await readContent(root))).toEqual(['acme/posts/a.md'])
  })

  it('gives the order of the file system; quarry gives the same on every run', async () => {
    const root = await makeFolder(
      Object.fromEntries(['b', 'a', 'd', 'c'].map((name) => [`acme/posts/${name}.md`, POST])),
    )
    const bare = await fastGlob('**/*.md', { cwd: root })
    expect(await fastGlob('**/*.md', { cwd: root, fs: reversing })).not.toEqual(bare)
    const content = await readContent(root)
    expect(posts(content)).toEqual(['a', 'b', 'c', 'd'].map((name) => `acme/posts/${name}.md`))
    expect(await readContent(root, { fs: reversing })).toEqual(content)
  })

  it('finds nothing in a folder that is not there; quarry throws', async () => {
    const missing = join(await makeFolder(), 'missing')
    expect(await fastGlob('**/*.md', { cwd: missing })).toEqual([])
    await expect(readContent(missing)).rejects.toThrow(ContentFolderError)
  })

  it('passes over .MD without a word; quarry warns', async () => {
    const root = await makeFolder({ 'acme/posts/a.MD': POST })
    expect(await fastGlob('**/*.md', { cwd: root })).toEqual([])
    expect(places((await readContent(root)).diagnostics)).toEqual([
      'acme/posts/a.MD:1:1 ignored-file',
    ])
  })

  it('throws at a folder that may not be listed; quarry tells of it', async () => {
    const root = await makeFolder({ 'acme/posts/2024/a.md': POST })
    const fs = denying('2024')
    await expect(fastGlob('**/*.md', { cwd: root, fs })).rejects.toThrow('EACCES')
    const { workspaces, diagnostics } = await readContent(root, { fs })
    expect(workspaces).toEqual([])
    expect(places(diagnostics)).toEqual(['acme/posts/2024:1:1 unreadable-file'])
  })
})

describe('a folder that changes while it is read', () => {
  it('costs the file that is gone an error, and no other', async () => {
    const root = await makeFolder({ 'acme/posts/a.md': POST, 'acme/posts/b.md': POST })
    const fs = afterListing('posts', (folder) => unlinkSync(join(folder, 'a.md')))
    const content = await readContent(root, { fs })
    expect(places(content.diagnostics)).toEqual(['acme/posts/a.md:1:1 unreadable-file'])
    expect(posts(content)).toEqual(['acme/posts/b.md'])
  })

  it('is not read beyond, though a folder becomes a link to elsewhere', async () => {
    const outside = await makeFolder({ 'a.md': POST, 'b.md': POST })
    const root = await makeFolder({ 'acme/posts/a.md': POST, 'acme/tags/t.md': POST })
    const fs = afterListing('posts', (folder) => {
      renameSync(folder, `${folder}-moved`)
      symlinkSync(outside, folder)
    })
    const content = await readContent(root, { fs })
    expect(places(content.diagnostics)).toEqual(['acme/posts/a.md:1:1 unreadable-file'])
    expect(posts(content)).toEqual([])
  })
})

function posts({ workspaces }: RawContent): readonly string[] {
  return workspaces.flatMap(
    ({ documents }) => documents.get('posts')?.map(({ file }) => file) ?? [],
  )
}

type Listed = (error: NodeJS.ErrnoException | null, entries: Dirent[]) => void

// A file system that lists folders as `list` does.
function listing(list: (folder: string, done: Listed) => void): ListingFileSystem {
  return {
    readdir: (folder: string, _options: unknown, done?: Listed): void => {
      if (done !== undefined) list(folder, done)
    },
  }
}

const reversing = listing((folder, done) => {
  readdir(folder, { withFileTypes: true }, (error, entries) => done(error, entries?.reverse()))
})

function denying(name: string): ListingFileSystem {
  return listing((folder, done) => {
    if (basename(folder) !== name) return readdir(folder, { withFileTypes: true }, done)
    const denied = Object.assign(new Error(`EACCES: ${folder}`), { code: 'EACCES', path: folder })
    return done(denied, [])
  })
}

function afterListing(name: string, act: (folder: string) => void): ListingFileSystem {
  return listing((folder, done) => {
    readdir(folder, { withFileTypes: true }, (error, entries) => {
      if (basename(folder) === name) act(folder)
      done(error, entries)
    })
  })
}
