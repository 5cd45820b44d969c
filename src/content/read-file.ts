// Reads files below the content folder: only regular files of a bounded size, without following links.
import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs'
import { join, posix } from 'node:path'
import { imageTypes } from '../api/media.ts'
import { diagnosticAt, fileStart, type Problem } from '../diagnostics.ts'
import type { ReadResult } from './raw.ts'
import { diagnose, normalizeText } from './source.ts'

/** Returns the exact text of a file, or one diagnostic. @param sha256 the hash from the scan */
export function readTextFile(root: string, file: string, sha256?: string): ReadResult<string> {
  const { value, diagnostics } = readScanned(root, file, sha256)
  return value === undefined ? { diagnostics } : decodeText(file, value)
}

// Refuses links and does not block on FIFOs, where the system supports that; Windows has neither flag.
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Reads synchronously: for small files, waiting for a thread takes several times as long as the disk. */
export function readFileBytes(
  root: string,
  file: string,
  bytesMax: number = 1024 * 1024,
): Buffer | Problem {
  const path = join(root, file)
  try {
    const descriptor = openSync(path, flags)
    try {
      const stats = fstatSync(descriptor)
      if (!stats.isFile()) return unreadable('it is not a regular file')
      if (stats.size > bytesMax) {
        const message = `The file is ${stats.size} bytes long; at most ${bytesMax} are read.`
        return { code: 'file-too-large', message, hint: 'Split the file.' }
      }
      if (realpathSync.native(path) === path) return readFileSync(descriptor)
      return unreadable('a folder on its path is a symbolic link, or it was moved')
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    return unreadable(explainSystemError(error))
  }
}

/** Maximum size of the file of a collection, in bytes. */
export const dataBytesMax: number = 32 * 1024 * 1024

/** Reads a file if it still has the given hash. Its size was checked with the hash. @param root without links */
export function readScanned(root: string, file: string, sha256?: string): ReadResult<Buffer> {
  const bytes = readFileBytes(root, file, sha256 === undefined ? undefined : dataBytesMax)
  if (!Buffer.isBuffer(bytes)) return readError(file, bytes)
  if (sha256 === undefined || hash('sha256', bytes) === sha256)
    return { value: bytes, diagnostics: [] }
  return readError(file, unreadable('it changed while it was read'))
}

/** Returns the outcome of a read that failed. */
export function readError(file: string, problem: Problem): ReadResult<never> {
  return { diagnostics: [diagnosticAt(file, fileStart, problem)] }
}

/** Decodes UTF-8 (RFC 3629), keeping a byte order mark, or reports the first byte that is not UTF-8. */
export function decodeText(file: string, bytes: Buffer): ReadResult<string> {
  const text = bytes.toString('utf8')
  if (isUtf8(bytes))
    return isLfsPointer(text) ? readError(file, lfsPointer) : { value: text, diagnostics: [] }
  const before = normalizeText(text.slice(0, text.indexOf('\uFFFD')))
  return { diagnostics: diagnose(file, before, [{ ...invalidUtf8, offset: before.length }]) }
}

const invalidUtf8: Problem = {
  code: 'invalid-utf8',
  message: 'The bytes here are not UTF-8.',
  hint: 'Save the file as UTF-8.',
}

/** Returns the problem of an unreadable file or folder, with a system message. */
export function unreadable(reason: string): Problem {
  const message = `This cannot be read: ${reason}.`
  const hint = 'Check the type and the permissions of the file, then run again.'
  return { code: 'unreadable-file', message, hint }
}

/** Returns the reason of a system error, in words. @throws the error itself if it is not a system error */
export function explainSystemError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  if (code === undefined) throw error
  return reasons.get(code) ?? `the system says ${code}`
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission is denied (EACCES)'],
  ['EPERM', 'permission is denied (EPERM)'],
  ['ENOENT', 'it does not exist (ENOENT)'],
  ['ENOTDIR', 'it does not exist (ENOTDIR)'],
  ['ELOOP', 'it is a symbolic link (ELOOP)'],
  ['ENXIO', 'it is not a regular file (ENXIO)'],
  ['EMFILE', 'too many files are open (EMFILE)'],
])

/** Reports whether a text is a Git LFS pointer in place of the file (git-lfs, "The Pointer"). */
function isLfsPointer(text: string): boolean {
  return text.startsWith('version https://git-lfs.')
}

const lfsHint = 'Run `git lfs pull`. On GitHub Actions, set `lfs: true` for actions/checkout.'

const lfsPointer: Problem = {
  code: 'unreadable-file',
  message: 'The file is a Git LFS pointer, not the text.',
  hint: lfsHint,
}

/** Maximum size of a published image, in bytes. */
export const imageBytesMax: number = 10 * 1024 * 1024

/** Returns the extension of an image in lower case, such as `.png`; null for other files. */
export function imageExtension(path: string): string | null {
  const extension = posix.extname(path).toLowerCase()
  return imageTypes.has(extension) ? extension : null
}

/** Returns the SHA-256 of the bytes of an image or a download, hexadecimal, or a problem. */
export function hashImage(root: string, path: string): string | Problem {
  const bytes = readFileBytes(root, path, imageBytesMax)
  if (Buffer.isBuffer(bytes)) return imageProblem(bytes, path) ?? hash('sha256', bytes)
  return bytes.code === 'file-too-large' ? { ...bytes, hint: 'Make the image smaller.' } : bytes
}

/** Returns the problem of bytes that are not an image of the named type. Downloads may contain any bytes. */
function imageProblem(bytes: Buffer, path: string): Problem | undefined {
  const code = 'invalid-image'
  const head = bytes.toString('latin1', 0, 200)
  const found = imageTypeOf(bytes)
  const extension = imageExtension(path)
  if (isLfsPointer(head))
    return { code, message: 'The file is a Git LFS pointer, not the image.', hint: lfsHint }
  if (extension === null || (found && imageTypes.get(found) === imageTypes.get(extension)))
    return undefined
  if (found !== undefined) {
    const message = `The file is a ${found.slice(1).toUpperCase()} image, but its name ends in "${posix.extname(path)}".`
    return { code, message, hint: `Rename it to end in "${found}".` }
  }
  const message =
    bytes.length > 0 ? 'The file is not an image.' : 'The file of this image is empty.'
  return { code, message, hint: 'Replace it with the image.' }
}

/** Returns the usual extension of an image with these bytes, such as `.png`; undefined for other files. */
export function imageTypeOf(bytes: Buffer): string | undefined {
  const head = bytes.toString('latin1', 0, 200)
  return signatures.find(([, signature]) => signature.test(head))?.[0]
}

/** First bytes of each type, by its usual extension. */
const signatures: readonly (readonly [extension: string, signature: RegExp])[] = [
  ['.png', /^\x89PNG\r\n/],
  ['.jpg', /^\xff\xd8\xff/],
  ['.gif', /^GIF8[79]a/],
  ['.webp', /^RIFF.{4}WEBP/s],
  ['.avif', /^.{4}ftyp.*avi[fs]/s],
]
