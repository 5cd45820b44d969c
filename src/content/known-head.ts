// The body of a file below front matter that is known already: nothing of that is parsed to come by it.
// Knows nothing of what front matter means.
import { hash } from 'node:crypto'
import { bodyHashOf } from './body-hash.ts'
import { readFileBytes } from './read-file.ts'
import type { MountPath } from './relative-path.ts'
import type { ScannedFile } from './scan.ts'
import { plainText } from './source.ts'
import { decodeUtf8 } from './utf8.ts'

/** A body that has been read. */
export interface ReadBody {
  readonly text: string
  /** See `bodyHashOf`. */
  readonly bodyHash: string
}

/**
 * Reads a file that is expected to begin with a head that another one had.
 *
 * @param place the content folder, absolute and free of links, and the places beside it
 * @param head all before the body of a sound document: `soundHead`
 * @returns undefined where it begins otherwise, or anything is to be said of the file
 */
export function readBodyBelow(
  { root, mounts }: { readonly root: string; readonly mounts: readonly MountPath[] },
  { path, content }: Pick<ScannedFile, 'path' | 'content'>,
  head: string,
): ReadBody | undefined {
  const bytes = readFileBytes(root, path, { mounts })
  if (!Buffer.isBuffer(bytes) || hash('sha256', bytes) !== content) return undefined
  const decoded = decodeUtf8(bytes)
  if (decoded.kind !== 'text') return undefined
  const plain = plainText(decoded.text)
  if (!plain.startsWith(head)) return undefined
  const text = plain.slice(head.length)
  return text.includes('\0') ? undefined : { text, bodyHash: bodyHashOf(path, text) }
}
