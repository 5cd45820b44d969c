// Reads one file below the content folder as text: a regular one, of a bounded size, never through a link.
// Knows nothing of what the text means.
import { constants, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Diagnostic } from '../diagnostics.ts'
import type { Read } from './raw.ts'
import type { Problem } from './source.ts'
import { createSource, diagnose, diagnoseAt, FILE_START, stripByteOrderMark } from './source.ts'
import { standsAt } from './true-place.ts'
import { decodeUtf8 } from './utf8.ts'

/**
 * The text of a file, or one diagnostic that says why there is none; system errors are diagnostics too.
 *
 * @param root the content folder: absolute, free of links
 * @param file path below it, with `/`; at most 1 MiB of UTF-8
 * @returns as it is in the file: a byte order mark is kept
 */
export async function readTextFile(root: string, file: string): Promise<Read<string>> {
  const bytes = await readBytes(join(root, file)).catch(explainError)
  return Buffer.isBuffer(bytes)
    ? decode(file, bytes)
    : { diagnostics: [diagnoseAt(file, FILE_START, bytes)] }
}

/** A problem that keeps a file or a folder from being read, told by what the system said. */
export function unreadable(reason: string): Problem {
  const message = `This cannot be read: ${reason}.`
  return { code: 'unreadable-file', message, hint: UNREADABLE_HINT }
}

/** What the system said, in words. @throws the error itself when it is none of the system's */
export function explainSystemError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  if (code === undefined) throw error
  return REASONS.get(code) ?? `the system says ${code}`
}

const UNREADABLE_HINT = 'Check what stands there and who may read it, then run again.'

const MAX_FILE_BYTES = 1024 * 1024

// Links are refused and FIFOs do not block where the system can do that; on Windows neither flag exists.
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

async function readBytes(path: string): Promise<Buffer | Problem> {
  const handle = await open(path, FLAGS)
  try {
    const stats = await handle.stat()
    return (
      checkStats(stats) ?? (await checkPlace(handle, path)) ?? (await readAll(handle, stats.size))
    )
  } finally {
    await handle.close()
  }
}

function checkStats(stats: Stats): Problem | undefined {
  if (!stats.isFile()) return unreadable('it is not a regular file')
  if (stats.size <= MAX_FILE_BYTES) return undefined
  return {
    code: 'file-too-large',
    message: `The file is ${stats.size} bytes long; at most ${MAX_FILE_BYTES} are read.`,
    hint: 'Split it.',
  }
}

async function checkPlace(handle: FileHandle, path: string): Promise<Problem | undefined> {
  const stands = await standsAt(handle, path)
  return stands ? undefined : unreadable('a folder on its path is a symbolic link, or it was moved')
}

// One byte more than there should be, so that a file that grows meanwhile is noticed.
async function readAll(handle: FileHandle, size: number): Promise<Buffer | Problem> {
  const bytes = Buffer.allocUnsafe(size + 1)
  let length = 0
  while (length < bytes.length) {
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length)
    length += bytesRead
    if (bytesRead === 0 || length === size) return bytes.subarray(0, length)
  }
  return unreadable('it changed while it was read')
}

function explainError(error: unknown): Problem {
  return unreadable(explainSystemError(error))
}

function decode(file: string, bytes: Buffer): Read<string> {
  const decoded = decodeUtf8(bytes)
  if (decoded.kind === 'text') return { value: decoded.text, diagnostics: [] }
  return { diagnostics: [notUtf8(file, decoded.before, decoded.byte)] }
}

function notUtf8(file: string, before: string, byte: number): Diagnostic {
  const text = stripByteOrderMark(before)
  return diagnose(createSource(file, text), {
    code: 'invalid-utf8',
    message: `The byte 0x${byte.toString(16).toUpperCase().padStart(2, '0')} is not UTF-8 here.`,
    hint: 'Save the file as UTF-8.',
    offset: text.length,
  })
}
