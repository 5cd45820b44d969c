// Images in a content folder: which files are some, how large one may be, and its bytes.
import { hash } from 'node:crypto'
import { posix } from 'node:path'
import { imageTypes } from '../api/media.ts'
import type { Read } from './raw.ts'
import { readFileBytes, unread, unreadable } from './read-file.ts'
import type { MountPath } from './relative-path.ts'
import type { Problem } from './source.ts'

/** Longer files are not published, in bytes. */
export const imageBytesMax: number = 10 * 1024 * 1024

/** The end of an image's name in lower case, `.png`; null for any other file. */
export function imageExtension(path: string): string | null {
  const extension = posix.extname(path).toLowerCase()
  return imageTypes.has(extension) ? extension : null
}

/** The SHA-256 of an image's bytes, hexadecimal; or why it cannot be had. */
export function hashImage(
  root: string,
  path: string,
  mounts: readonly MountPath[],
): string | Problem {
  const bytes = readFileBytes(root, path, { mounts, bytesMax: imageBytesMax })
  if (Buffer.isBuffer(bytes)) return hash('sha256', bytes)
  return bytes.code === 'file-too-large' ? { ...bytes, hint: 'Make it smaller.' } : bytes
}

/** The image whose hash was found, and no other. */
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

/** Where images are. */
interface ImagePlace {
  /** The content folder: absolute, free of links. */
  readonly root: string
  /** Places next to it. */
  readonly mounts: readonly MountPath[]
}
