import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emptyFolder } from '../../../test/support/empty-folder.ts'
import { type ZipEntry, zipOf } from '../../../test/support/zip-writer.ts'
import { openArchive } from '../src/marble/archive.ts'

function fileOf(bytes: Uint8Array): string {
  const file = join(emptyFolder(), 'export.zip')
  writeFileSync(file, bytes)
  return file
}

const archiveOf = (...entries: readonly ZipEntry[]) => openArchive(fileOf(zipOf(entries)))

async function textOf(archive: Awaited<ReturnType<typeof openArchive>>, name: string) {
  const parts: Uint8Array[] = []
  for await (const part of archive.read(name)) parts.push(part)
  return Buffer.concat(parts).toString()
}

const plain: ZipEntry = { name: 'a.json', data: '[]' }

describe('an archive', () => {
  it('gives its files, stored and deflated', async () => {
    const archive = await archiveOf(
      plain,
      { name: 'folder/', data: '' },
      { name: 'b.json', data: '[1]', method: 0 },
    )
    expect(archive.names).toEqual(['a.json', 'b.json'])
    expect([await textOf(archive, 'a.json'), await textOf(archive, 'b.json')]).toEqual([
      '[]',
      '[1]',
    ])
    archive.close()
  })

  it.each<[string, readonly ZipEntry[], RegExp]>([
    ['a path upwards', [{ name: '../evil.json', data: '' }], /invalid relative path/],
    ['a path upwards inside', [{ name: 'a/../../evil.json', data: '' }], /invalid relative path/],
    ['an absolute path', [{ name: '/etc/passwd', data: '' }], /absolute path/],
    ['a path of Windows', [{ name: 'C:/evil.json', data: '' }], /absolute path/],
    ['a backslash', [{ name: '..\\evil.json', data: '' }], /invalid characters/],
    ['a symbolic link', [{ name: 'link', data: '/etc/passwd', mode: 0o120777 }], /is a link/],
    ['a device', [{ name: 'dev', data: '', mode: 0o020666 }], /is a link or a device/],
    ['an encrypted file', [{ ...plain, flags: 0x801 }], /is encrypted/],
    ['an unknown compression', [{ ...plain, method: 12 }], /compression method 12/],
    ['two files of one name', [plain, { ...plain, name: 'A.JSON' }], /is there twice/],
    ['a bomb by ratio', [{ name: 'posts.json', data: Buffer.alloc(4_000_000) }], /200 times/],
    ['a size that is a lie', [{ ...plain, method: 0, size: 3 }], /size mismatch/],
    ['files that share bytes', [plain, { ...plain, name: 'b.json', offset: 0 }], /shares bytes/],
    [
      'sizes of zip64 beyond all limits',
      [{ ...plain, size: 0xffffffff, extra: zip64(2n ** 50n) }],
      /more than 200 times|more than \d+ bytes/,
    ],
  ])('with %s is refused', async (_, entries, reason) => {
    await expect(archiveOf(...entries)).rejects.toThrow(reason)
  })

  it('with more files than an export has is refused', async () => {
    const entries = Array.from({ length: 10_001 }, (_, index) => ({
      name: `${index}`,
      data: '',
      method: 0,
    }))
    await expect(archiveOf(...entries)).rejects.toThrow(/after 10000 files/)
  })

  it('with files of too many bytes together is refused before one is read', async () => {
    const entries = Array.from({ length: 4097 }, (_, index) => ({
      name: `${index}`,
      data: '',
      size: 2 ** 20,
    }))
    await expect(archiveOf(...entries)).rejects.toThrow(/more than 4294967296 bytes/)
  })

  it.each<[string, ZipEntry, RegExp]>([
    ['a checksum that is another', { ...plain, crc: 1 }, /damaged: its checksum/],
    ['more bytes than announced', { ...plain, size: 1 }, /damaged: too many bytes/],
    ['fewer bytes than announced', { ...plain, size: 9 }, /damaged: not enough bytes/],
  ])('with %s is refused while it is read', async (_, entry, reason) => {
    const archive = await archiveOf(entry)
    await expect(textOf(archive, 'a.json')).rejects.toThrow(reason)
    archive.close()
  })

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['noise', Buffer.alloc(1000, 7)],
    ['half an archive', zipOf([plain]).subarray(0, 40)],
  ])('of %s is refused', async (_, bytes) => {
    await expect(openArchive(fileOf(bytes))).rejects.toThrow(/no archive that can be read/)
  })
})

/** The extra field in which zip64 writes a size that 32 bits cannot hold. */
function zip64(size: bigint): Uint8Array {
  const bytes = Buffer.alloc(12)
  bytes.writeUInt16LE(1, 0)
  bytes.writeUInt16LE(8, 2)
  bytes.writeBigUInt64LE(size, 4)
  return bytes
}
