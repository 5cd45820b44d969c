// A zip archive, checked as a whole before anything in it is read.
import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { UseError } from '../../config/use-error.ts'
import { foldCase } from '../../model/identifier.ts'

/** A checked archive. */
export interface Archive {
  /** Names of all files, in the order of the archive. */
  readonly names: readonly string[]
  /**
   * The bytes of a file.
   *
   * @throws UseError while it is read, when the bytes are not those that the archive announces
   */
  read(name: string): AsyncGenerator<Uint8Array>
  close(): void
}

/** Limits of an archive; one that goes over any is refused. An export has seven files. */
const entriesMax = 10_000
const totalBytesMax = 4 * 1024 ** 3
/** JSON of posts shrinks to a tenth; a bomb to a thousandth. Small files are not judged. */
const ratioMax = 200
const judgedBytesMin = 1024 * 1024

/**
 * Opens an archive.
 *
 * @throws UseError for a file that is no zip archive, and for an archive over the limits. So do links, encrypted or
 *   overlapping files, two files of one name, and names that lead out of the archive
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

/** Why an entry is refused; null for a plain file or folder. Names were checked by the library. */
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

/** Types of files in the attributes that Unix writes (the upper four bits of the mode). */
const plainFile = 8
const folder = 4
const deflate = 8

/** Files that share bytes are how a small archive holds far more than its size. */
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
