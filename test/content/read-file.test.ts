// One file read safely: regular, bounded, UTF-8, and never outside the content folder.
import { closeSync, openSync, renameSync } from 'node:fs'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isAtPath, isSameFile, readTextFile } from '../../src/content/read-file.ts'
import { makeFifo, makeFolder, places } from './support.ts'

const MIB = 1024 * 1024

describe('readTextFile', () => {
  it.each(['', 'a', '\uFEFFa', 'é\r\n\0', 'x'.repeat(MIB)])(
    'reads a file as it is',
    async (text) => {
      const root = await makeFolder({ 'w/a.md': text })
      expect(readTextFile(root, 'w/a.md')).toEqual({ value: text, diagnostics: [] })
    },
  )

  it('refuses a byte more than 1 MiB, and names size and limit', async () => {
    const root = await makeFolder({ 'a.md': 'x'.repeat(MIB + 1) })
    const { value, diagnostics } = readTextFile(root, 'a.md')
    expect(value).toBeUndefined()
    expect(places(diagnostics)).toEqual(['a.md:1:1 file-too-large'])
    expect(diagnostics[0]?.message).toMatch(/1048577 bytes.* 1048576 /u)
  })

  it.each([
    ['in the first line', Buffer.from('a\xe9b', 'latin1'), '1:2'],
    ['behind a byte order mark', Buffer.from('\xef\xbb\xbfa\xe9', 'latin1'), '1:2'],
    ['behind characters of two code units', Buffer.from('\n\xf0\x9f\x99\x82\xff', 'latin1'), '2:3'],
    ['at the end, cut off', Buffer.from('a\nb\n\xe2\x82', 'latin1'), '3:1'],
  ])('gives the place of a byte that is not UTF-8: %s', async (_name, bytes, place) => {
    const root = await makeFolder({ 'a.md': bytes })
    expect(places(readTextFile(root, 'a.md').diagnostics)).toEqual([`a.md:${place} invalid-utf8`])
  })

  it.each(['../b.md', 'w/../../b.md', 'w/../a.md', './a.md', 'w//a.md', '', '.', '..', 'w/'])(
    'refuses the path %j, whatever is there',
    async (path) => {
      const root = await makeFolder({ 'root/w/a.md': 'x', 'root/a.md': 'x', 'b.md': 'x' })
      expect(readTextFile(join(root, 'root'), path).diagnostics).toMatchObject([
        { code: 'unreadable-file', message: expect.stringContaining('leads out of the folder') },
      ])
    },
  )

  it('tells of a file that is gone', async () => {
    const root = await makeFolder()
    expect(readTextFile(root, 'a.md').diagnostics).toMatchObject([
      { code: 'unreadable-file', severity: 'error', message: expect.stringContaining('ENOENT') },
    ])
  })

  it('tells of a name that the system cannot open', async () => {
    const root = await makeFolder()
    const diagnostics = readTextFile(root, `${'a'.repeat(300)}.md`).diagnostics
    expect(diagnostics).toMatchObject([{ message: expect.stringContaining('ENAMETOOLONG') }])
  })

  it.skipIf(process.getuid?.() === 0)('tells of a file that may not be read', async () => {
    const root = await makeFolder()
    await writeFile(join(root, 'a.md'), 'x', { mode: 0 })
    const diagnostics = readTextFile(root, 'a.md').diagnostics
    expect(diagnostics).toMatchObject([{ message: expect.stringContaining('EACCES') }])
  })

  it('refuses a folder', async () => {
    const root = await makeFolder({ 'a.md/b': 'x' })
    expect(places(readTextFile(root, 'a.md').diagnostics)).toEqual(['a.md:1:1 unreadable-file'])
  })

  it.skipIf(process.platform === 'win32')('refuses a FIFO without waiting for it', async () => {
    const root = await makeFolder()
    makeFifo(join(root, 'a.md'))
    expect(readTextFile(root, 'a.md').diagnostics).toMatchObject([
      { code: 'unreadable-file', message: expect.stringContaining('not a regular file') },
    ])
  })

  it('reads no link, nor anything below one, though it was a file when it was listed', async () => {
    const outside = await makeFolder({ 'a.md': 'secret' })
    const root = await makeFolder({ 'posts/b.md': 'x' })
    await symlink(join(outside, 'a.md'), join(root, 'posts/a.md'))
    await symlink(outside, join(root, 'swapped'))
    await symlink(join(root, 'posts'), join(root, 'inside'))
    for (const file of ['posts/a.md', 'swapped/a.md', 'inside/b.md']) {
      const { value, diagnostics } = readTextFile(root, file)
      expect(value).toBeUndefined()
      expect(places(diagnostics)).toEqual([`${file}:1:1 unreadable-file`])
    }
  })
})

describe.each([
  ['as this system tells it', isAtPath],
  ['as every system can tell it', isSameFile],
])('the place of an open file, %s', (_name, stands) => {
  it('is where it was opened', async () => {
    const root = await makeFolder({ 'w/a.md': 'x' })
    expect(withOpen(join(root, 'w/a.md'), stands)).toBe(true)
  })

  it('is not where a link to its folder stands', async () => {
    const outside = await makeFolder({ 'a.md': 'x' })
    const root = await makeFolder()
    await symlink(outside, join(root, 'w'))
    expect(withOpen(join(root, 'w/a.md'), stands)).toBe(false)
  })

  it('is not where another file has taken its place', async () => {
    const root = await makeFolder({ 'a.md': 'x', 'b.md': 'y' })
    const stillStands = withOpen(join(root, 'a.md'), (file, path) => {
      renameSync(join(root, 'b.md'), path)
      return stands(file, path)
    })
    expect(stillStands).toBe(false)
  })
})

function withOpen(path: string, check: typeof isAtPath): boolean {
  const file = openSync(path, 'r')
  try {
    return check(file, path)
  } finally {
    closeSync(file)
  }
}
