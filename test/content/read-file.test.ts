// One file read safely: regular, bounded, UTF-8, and never outside the content folder.
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { decodeText, readTextFile } from '../../src/content/read-file.ts'
import { makeFolder, places } from './support.ts'

const mib = 1024 * 1024

describe('readTextFile', () => {
  it('refuses a byte more than 1 MiB, and names size and limit', async () => {
    const root = await makeFolder({ 'a.md': 'x'.repeat(mib + 1) })
    const { value, diagnostics } = readTextFile(root, 'a.md')
    expect(value).toBeUndefined()
    expect(places(diagnostics)).toEqual(['a.md:1:1 file-too-large'])
    expect(diagnostics[0]?.message).toMatch(/1048577 bytes.* 1048576 /u)
  })

  it.each([
    ['Latin-1', Buffer.from('a\xe9b', 'latin1'), '1:2', 'E9'],
    ['behind two code units', Buffer.from('\n\xf0\x9f\x99\x82\xff', 'latin1'), '2:3', 'FF'],
    ['cut off at the end', Buffer.from('a\r\nb\n\xe2\x82', 'latin1'), '3:1', 'E2'],
  ])('gives the place of a byte that is not UTF-8: %s', (_name, bytes, place, byte) => {
    const { diagnostics } = decodeText('a.md', bytes)
    expect(places(diagnostics)).toEqual([`a.md:${place} invalid-utf8`])
    expect(diagnostics[0]?.message).toContain(`0x${byte} `)
  })

  it.each(['a.md', `${'a'.repeat(300)}.md`, 'folder'])('has an error for %s', async (path) => {
    const root = await makeFolder({ 'folder/b': 'x' })
    expect(places(readTextFile(root, path).diagnostics)).toEqual([`${path}:1:1 unreadable-file`])
  })

  it('reads no link, nor anything below one, though it was a file when it was listed', async () => {
    const outside = await makeFolder({ 'a.md': 'secret' })
    const root = await makeFolder({ 'posts/b.md': 'x' })
    await symlink(join(outside, 'a.md'), join(root, 'posts/a.md'))
    await symlink(outside, join(root, 'swapped'))
    await symlink(join(root, 'posts'), join(root, 'inside'))
    for (const file of ['posts/a.md', 'swapped/a.md', 'inside/b.md']) {
      expect(readTextFile(root, file)).toMatchObject({ diagnostics: [{ code: 'unreadable-file' }] })
    }
  })
})
