// Opens zip archives, and checks each as a whole before reading its files.
import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { foldCase, UseError } from 'quarry/authoring'
import { type Entry, openPromise, type ZipFile } from 'yauzl'

/** A checked archive. */
export interface Archive {
  /** Names of all files, in archive order. */
  readonly names: readonly string[]
  /**
   * Reads a file.
   *
   * @throws UseError while reading, when the bytes do not match the archive's entry
   */
  read(name: string): AsyncGenerator<Uint8Array>
  close(): void
}

/** Limits of an archive; an archive beyond any of them is refused. An export has seven files. */
const entriesMax = 10_000
const totalBytesMax = 4 * 1024 ** 3
/** JSON of posts compresses to a tenth; a zip bomb to a thousandth. Small files are not checked. */
const ratioMax = 200
const judgedBytesMin = 1024 * 1024

/**
 * Opens an archive.
 *
 * @throws UseError for a file that is no zip archive, and for an archive beyond the limits. Also for links, encrypted
 *   or overlapping files, duplicate names, and names that lead out of the archive
 */
export async function openArchive(file: string): Promise<Archive> {
  const refuse = (error: unknown): never => {
    if (error instanceof UseError) throw error
    throw new UseError(`${file} is no archive that can be read: ${reasonOf(error)}`)
  }
  const zip = await openPromise(file, {
    lazyEntries: true,
    autoClose: false,
    strictFileNames: true,
  }).catch(refuse)
  try {
    const entries = await checkedEntries(zip, file)
    return {
      names: [...entries.keys()],
      read: (name) => readEntry(zip, entries.get(name), `${file}:${name}`),
      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    return refuse(error)
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

async function checkedEntries(zip: ZipFile, file: string): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  const names = new Set<string>()
  let total = 0
  for await (const entry of zip.eachEntry()) {
    const refuse = (reason: string) => new UseError(`${file}: "${entry.fileName}" ${reason}.`)
    const problem = entryProblem(entry)
    if (problem !== null) throw refuse(problem)
    const key = foldCase(entry.fileName.normalize('NFC'))
    if (names.has(key)) throw refuse('is there twice')
    names.add(key)
    total += entry.uncompressedSize
    if (names.size > entriesMax) throw refuse(`is after ${entriesMax} files`)
    if (total > totalBytesMax) throw refuse(`brings the files to more than ${totalBytesMax} bytes`)
    if (!entry.fileName.endsWith('/')) entries.set(entry.fileName, entry)
  }
  checkOverlaps([...entries.values()], file)
  return entries
}

/** The reason to refuse an entry; null for a plain file or folder. The library has checked names. */
function entryProblem(entry: Entry): string | null {
  const { compressedSize, compressionMethod, externalFileAttributes, uncompressedSize } = entry
  const type = (externalFileAttributes >>> 28) & 0xf
  if (type !== 0 && type !== plainFile && type !== folder) return 'is a link or a device'
  if (entry.isEncrypted()) return 'is encrypted'
  if (compressionMethod !== 0 && compressionMethod !== deflate)
    return `has the compression method ${compressionMethod}`
  if (uncompressedSize > judgedBytesMin && uncompressedSize > ratioMax * compressedSize)
    return `has more than ${ratioMax} times its compressed size`
  return null
}

/** File types in Unix attributes (the upper four bits of the mode). */
const plainFile = 8
const folder = 4
const deflate = 8

/** Overlapping files would let a small archive expand far beyond its size. */
function checkOverlaps(entries: readonly Entry[], file: string): void {
  const sorted = entries.toSorted(
    (a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader,
  )
  let end = 0
  for (const { fileName, relativeOffsetOfLocalHeader, compressedSize } of sorted) {
    if (relativeOffsetOfLocalHeader < end)
      throw new UseError(`${file}: "${fileName}" shares bytes with another file.`)
    end = relativeOffsetOfLocalHeader + localHeaderBytesMin + compressedSize
  }
}

/** The size of a local header without its name (APPNOTE §4.3.7). */
const localHeaderBytesMin = 30

async function* readEntry(
  zip: ZipFile,
  entry: Entry | undefined,
  place: string,
): AsyncGenerator<Uint8Array> {
  if (entry === undefined) throw new UseError(`${place} is not in the archive.`)
  try {
    const stream: Readable = await zip.openReadStreamPromise(entry)
    let checksum = 0
    for await (const chunk of stream) {
      checksum = crc32(chunk as Uint8Array, checksum)
      yield chunk as Uint8Array
    }
    if (checksum !== entry.crc32) throw new Error('its checksum is another')
  } catch (error) {
    if (error instanceof UseError) throw error
    throw new UseError(`${place} is damaged: ${reasonOf(error)}`)
  }
}
