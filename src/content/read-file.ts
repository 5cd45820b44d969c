// Reads files below the content folder: only regular files of a bounded size, without following links.

import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs'
import { join } from 'node:path'
import type { Diagnostic } from '../diagnostics.ts'
import type { Read } from './raw.ts'
import { type MountPath, nameWithin } from './relative-path.ts'
import {
  createSource,
  diagnose,
  diagnoseAt,
  FILE_START,
  type Problem,
  plainText,
} from './source.ts'

/**
 * Returns the text of a file, or one diagnostic with the reason; system errors are diagnostics too.
 *
 * @param root the content folder: absolute, with links resolved
 * @param file path below it, with `/`; at most 1 MiB of UTF-8
 * @returns the exact text, with a byte order mark if there is one
 */
export function readTextFile(root: string, file: string): Read<string> {
  const bytes = readFileBytes(root, file)
  return Buffer.isBuffer(bytes) ? decodeText(file, bytes) : unread(file, bytes)
}

/**
 * Returns the bytes of a file, or a problem.
 *
 * Synchronous: for files as small as these, waiting for a thread takes several times as long as the disk.
 */
export function readFileBytes(
  root: string,
  file: string,
  { mounts = [], bytesMax = MAX_FILE_BYTES }: ReadOptions = {},
): Buffer | Problem {
  // A path may come from a build cache, which is not trusted; mounts come from the configuration.
  if (nameWithin(file, mounts) === undefined) return unreadable('its path leads out of the folder')
  const path = join(root, file)
  try {
    const descriptor = openSync(path, FLAGS)
    try {
      return readOpen(descriptor, path, bytesMax)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    return unreadable(explainSystemError(error))
  }
}

/** Restrictions on the files that may be read. */
export interface ReadOptions {
  /** Mounts that may be read too. @default none */
  readonly mounts?: readonly MountPath[] | undefined
  /** Maximum size in bytes; longer files are refused. @default 1 MiB */
  readonly bytesMax?: number | undefined
}

/** Returns the outcome of a read that failed. */
export function unread(file: string, problem: Problem): Read<never> {
  return { diagnostics: [diagnoseAt(file, FILE_START, problem)] }
}

/** Decodes UTF-8, or reports one diagnostic at the first invalid byte. */
export function decodeText(file: string, bytes: Buffer): Read<string> {
  const decoded = decodeUtf8(bytes)
  if (decoded.kind === 'text') {
    const isPointer = isLfsPointer(decoded.text)
    return isPointer ? unread(file, LFS_POINTER) : { value: decoded.text, diagnostics: [] }
  }
  return { diagnostics: [notUtf8(file, decoded.before, decoded.byte)] }
}

/** Returns the problem of an unreadable file or folder, with a system message. */
export function unreadable(reason: string): Problem {
  const message = `This cannot be read: ${reason}.`
  return { code: 'unreadable-file', message, hint: UNREADABLE_HINT }
}

/** Returns the reason of a system error, in words. @throws the error itself if it is not a system error */
export function explainSystemError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  if (code === undefined) throw error
  return REASONS.get(code) ?? `the system says ${code}`
}

const UNREADABLE_HINT = 'Check the type and the permissions of the file, then run again.'

/**
 * Reads the text of a scanned file.
 *
 * @param content SHA-256 of its bytes, hexadecimal
 * @returns stale if the bytes differ or cannot be read any more
 */
export function readScannedText(
  { root, mounts }: { readonly root: string; readonly mounts: readonly MountPath[] },
  { path, content }: { readonly path: string; readonly content: string },
): Read<string> & { readonly isStale: boolean } {
  const bytes = readFileBytes(root, path, { mounts })
  if (!Buffer.isBuffer(bytes)) return { ...unread(path, bytes), isStale: true }
  if (hash('sha256', bytes) !== content) return { ...unread(path, fileChanged), isStale: true }
  return { ...decodeText(path, bytes), isStale: false }
}

/** Reports whether a text is a pointer of Git LFS, in place of the file (git-lfs, "The Pointer"). */
export function isLfsPointer(text: string): boolean {
  return text.startsWith('version https://git-lfs.')
}

/** The fix of such a file. */
export const lfsHint =
  'Run `git lfs pull`. On GitHub Actions, set `lfs: true` for actions/checkout.'

const LFS_POINTER: Problem = {
  code: 'unreadable-file',
  message: 'The file is a pointer of Git LFS, not the text.',
  hint: lfsHint,
}

/** The bytes of a file differ from the scanned ones. */
export const fileChanged: Problem = unreadable('it changed while it was read')

/** A file that does not exist any more: editors replace files when they save. */
export const fileGone: Problem = unreadable('it does not exist (ENOENT)')

const MAX_FILE_BYTES = 1024 * 1024

// Refuses links and does not block on FIFOs, where the system supports that; Windows has neither flag.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission is denied (EACCES)'],
  ['EPERM', 'permission is denied (EPERM)'],
  ['ENOENT', 'it does not exist (ENOENT)'],
  ['ENOTDIR', 'it does not exist (ENOTDIR)'],
  ['ELOOP', 'a symbolic link stands in its place (ELOOP)'],
  ['ENXIO', 'it is not a regular file (ENXIO)'],
  ['EMFILE', 'too many files are open (EMFILE)'],
])

function readOpen(descriptor: number, path: string, bytesMax: number): Buffer | Problem {
  const stats = fstatSync(descriptor)
  return (
    checkStats(stats, bytesMax) ?? checkPlace(descriptor, path) ?? readAll(descriptor, stats.size)
  )
}

function checkStats(stats: Stats, bytesMax: number): Problem | undefined {
  if (!stats.isFile()) return unreadable('it is not a regular file')
  if (stats.size <= bytesMax) return undefined
  return {
    code: 'file-too-large',
    message: `The file is ${stats.size} bytes long; at most ${bytesMax} are read.`,
    hint: 'Split it.',
  }
}

function checkPlace(descriptor: number, path: string): Problem | undefined {
  if (isAtPath(descriptor, path)) return undefined
  return unreadable('a folder on its path is a symbolic link, or it was moved')
}

// Requests one byte more than expected, to detect a file that grows during the read.
function readAll(descriptor: number, size: number): Buffer | Problem {
  const bytes = Buffer.allocUnsafeSlow(size + 1)
  let length = 0
  while (length < bytes.length) {
    const count = readSync(descriptor, bytes, length, bytes.length - length, null)
    length += count
    if (count === 0 || length === size) return bytes.subarray(0, length)
  }
  return unreadable('it changed while it was read')
}

function notUtf8(file: string, before: string, byte: number): Diagnostic {
  const text = plainText(before)
  return diagnose(createSource(file, text), {
    code: 'invalid-utf8',
    message: `The byte 0x${byte.toString(16).toUpperCase().padStart(2, '0')} is not UTF-8 here.`,
    hint: 'Save the file as UTF-8.',
    offset: text.length,
  })
}

/**
 * Reports whether an open file is at `path`.
 *
 * Folders on the path may have been replaced by links between listing and opening, which no flag of `open` detects.
 * Linux knows the path of a descriptor regardless; elsewhere, path and file are compared.
 *
 * @param file a descriptor @param path absolute, its root with links resolved
 */
export function isAtPath(file: number, path: string): boolean {
  const actual = pathOfDescriptor(file)
  return actual === undefined ? isSameFile(file, path) : actual === path
}

/** Reports whether `path` leads to the open file without a link. */
export function isSameFile(file: number, path: string): boolean {
  if (realpathSync(path) !== path) return false
  const open = fstatSync(file, { bigint: true })
  const there = lstatSync(path, { bigint: true })
  return open.ino === there.ino && open.dev === there.dev
}

function pathOfDescriptor(file: number): string | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    return readlinkSync(`/proc/self/fd/${file}`)
  } catch {
    return undefined
  }
}

/** Text, or the position of the first invalid byte. */
export type Decoded =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'invalid'
      /** Text before the first invalid byte, with a byte order mark if there is one. */
      readonly before: string
      readonly byte: number
    }

/** Decodes strictly (RFC 3629), keeping a byte order mark. Cost: O(bytes), O(bytes × log bytes) for invalid input. */
export function decodeUtf8(bytes: Buffer): Decoded {
  if (isUtf8(bytes)) return { kind: 'text', text: bytes.toString('utf8') }
  const before = decodePrefix(bytes.subarray(0, findLongestPrefix(bytes))) ?? ''
  return { kind: 'invalid', before, byte: bytes[Buffer.byteLength(before)] ?? 0 }
}

// Bisects for the longest prefix without an invalid byte; it may end inside a character.
function findLongestPrefix(bytes: Buffer): number {
  let valid = 0
  let invalid = bytes.length + 1
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1
    if (decodePrefix(bytes.subarray(0, middle)) === undefined) invalid = middle
    else valid = middle
  }
  return valid
}

// Returns the whole characters of a prefix; undefined if it contains an invalid byte.
function decodePrefix(prefix: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(prefix, {
      stream: true,
    })
  } catch {
    return undefined
  }
}
