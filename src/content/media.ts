// Images in a content folder: extensions, size limit, hash and bytes.
import { hash } from 'node:crypto'
import { posix } from 'node:path'
import { imageTypes } from '../api/media.ts'
import type { Read } from './raw.ts'
import { readFileBytes, unread, unreadable } from './read-file.ts'
import type { MountPath } from './relative-path.ts'
import type { Problem } from './source.ts'

/** Maximum size of a published image, in bytes. */
export const imageBytesMax: number = 10 * 1024 * 1024

/** Returns the extension of an image in lower case, such as `.png`; null for other files. */
export function imageExtension(path: string): string | null {
  const extension = posix.extname(path).toLowerCase()
  return imageTypes.has(extension) ? extension : null
}

/** Returns the SHA-256 of an image's bytes, hexadecimal, or a problem. */
export function hashImage(
  root: string,
  path: string,
  mounts: readonly MountPath[],
): string | Problem {
  const bytes = readFileBytes(root, path, { mounts, bytesMax: imageBytesMax })
  if (Buffer.isBuffer(bytes)) return hash('sha256', bytes)
  return bytes.code === 'file-too-large' ? { ...bytes, hint: 'Make it smaller.' } : bytes
}

/** Reads an image, if it still has the given hash. */
export function readImage(
  { root, mounts }: ImagePlace,
  path: string,
  sha256: string,
): Read<Buffer> {
  const bytes = readFileBytes(root, path, { mounts, bytesMax: imageBytesMax })
  if (!Buffer.isBuffer(bytes)) return unread(path, bytes)
  if (hash('sha256', bytes) === sha256) return { value: bytes, diagnostics: [] }
  return unread(path, unreadable('it changed while it was read'))
}

/** Location of images. */
interface ImagePlace {
  /** The content folder: absolute, with links resolved. */
  readonly root: string
  /** Mounts outside it. */
  readonly mounts: readonly MountPath[]
}
