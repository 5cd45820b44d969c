// Images in a content folder: extensions, size limit, hash and bytes.
import { hash } from 'node:crypto'
import { posix } from 'node:path'
import { imageTypes } from '../api/media.ts'
import type { Problem } from '../diagnostics.ts'
import type { Read } from './raw.ts'
import { fileChanged, isLfsPointer, lfsHint, readFileBytes, unread } from './read-file.ts'

/** Maximum size of a published image, in bytes. */
export const imageBytesMax: number = 10 * 1024 * 1024

/** Returns the extension of an image in lower case, such as `.png`; null for other files. */
export function imageExtension(path: string): string | null {
  const extension = posix.extname(path).toLowerCase()
  return imageTypes.has(extension) ? extension : null
}

/** Returns the SHA-256 of an image's bytes, hexadecimal, or a problem. */
export function hashImage(root: string, path: string): string | Problem {
  const bytes = readFileBytes(root, path, { bytesMax: imageBytesMax })
  if (Buffer.isBuffer(bytes)) return contentProblem(bytes, path) ?? hash('sha256', bytes)
  return bytes.code === 'file-too-large' ? { ...bytes, hint: 'Make it smaller.' } : bytes
}

/** Returns the problem of bytes that are no image, or another one than the name says. */
function contentProblem(bytes: Buffer, path: string): Problem | undefined {
  const code = 'invalid-image'
  const head = bytes.toString('latin1', 0, 200)
  const found = imageTypeOf(bytes)
  const extension = imageExtension(path) ?? ''
  if (found !== undefined) {
    if (imageTypes.get(found) === imageTypes.get(extension)) return undefined
    const message = `The file is a ${found.slice(1).toUpperCase()} image, but its name ends in "${posix.extname(path)}".`
    return { code, message, hint: `Rename it to end in "${found}".` }
  }
  if (isLfsPointer(head)) {
    return { code, message: 'The file is a pointer of Git LFS, not the image.', hint: lfsHint }
  }
  const isEmpty = bytes.length === 0
  const message = isEmpty ? 'The file of this image is empty.' : 'The file is not an image.'
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

/** Reads an image, if it still has the given hash. @param root absolute, with links resolved */
export function readImage(root: string, path: string, sha256: string): Read<Buffer> {
  const bytes = readFileBytes(root, path, { bytesMax: imageBytesMax })
  if (!Buffer.isBuffer(bytes)) return unread(path, bytes)
  if (hash('sha256', bytes) === sha256) return { value: bytes, diagnostics: [] }
  return unread(path, fileChanged)
}
