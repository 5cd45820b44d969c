// Splits a Markdown file after its front matter, without parsing, so that no parser is loaded.
import type { Diagnostic } from '../diagnostics.ts'
import { bodyHashOf } from './body-hash.ts'
import { findConflicts } from './conflicts.ts'
import { findFences } from './fences.ts'
import type { Read } from './raw.ts'
import { createSource, diagnose, type Finding, type Problem, plainText } from './source.ts'

/** A Markdown file in two parts. */
export interface SplitDocument {
  /** Everything before the body, with fences; empty without front matter. */
  readonly head: string
  /** Everything after the closing fence's line break, byte for byte. */
  readonly body: string
  /** See `bodyHashOf`. */
  readonly bodyHash: string
  /** Line of the file on which `body` begins, from 1. */
  readonly bodyLine: number
}

/**
 * Splits a Markdown file into front matter and body.
 *
 * There is no value if the fences are invalid, the text between them is too long, or a merge left a conflict. A NUL character in the body is a
 * warning.
 *
 * @param file path below the content folder, with `/`
 * @param text may begin with a byte order mark; CRLF and CR are read as LF
 */
export function splitDocument(file: string, text: string): Read<SplitDocument> {
  const plain = plainText(text)
  if (plain.trim() === '') return broken(file, plain, EMPTY)
  const fences = findFences(plain)
  const conflicts = findConflicts(plain, fences.kind === 'found' ? fences.body : 0)
  if (conflicts.length > 0) return broken(file, plain, ...conflicts)
  if (fences.kind === 'broken') return broken(file, plain, fences.finding)
  if (fences.kind === 'none') return splitAt(0, file, plain)
  const fault = checkBlock(plain.slice(fences.start, fences.end), fences.start)
  return fault === undefined ? splitAt(fences.body, file, plain) : broken(file, plain, fault)
}

/** Returns the source of front matter problems: the front matter, or the first line of a file without any. */
export function sourceOf({ head, body }: Pick<SplitDocument, 'head' | 'body'>): string {
  if (head !== '') return head
  const [firstLine = ''] = body.split('\n', 1)
  return firstLine
}

const EMPTY: Finding = {
  code: 'empty-content',
  message: 'The file is empty.',
  hint: 'Write front matter and text, or remove it.',
  offset: 0,
}

const MAX_BLOCK_BYTES = 64 * 1024

// gray-matter looks for comments with /^\s*#[^\n]+/gm, which is quadratic in each run of white space.
const MAX_BLANK_RUN = 1000

function broken(file: string, text: string, ...findings: readonly Finding[]): Read<never> {
  const source = createSource(file, text)
  return { diagnostics: findings.map((finding) => diagnose(source, finding)) }
}

function splitAt(end: number, file: string, text: string): Read<SplitDocument> {
  const head = text.slice(0, end)
  const body = text.slice(end)
  const lines = head.split('\n').length
  // Without a line break after the closing fence, the body is empty and begins on the line that would follow.
  const bodyLine = head === '' || head.endsWith('\n') ? lines : lines + 1
  const document = { head, body, bodyHash: bodyHashOf(file, body), bodyLine }
  return { value: document, diagnostics: checkBody(file, document) }
}

function checkBlock(block: string, start: number): Finding | undefined {
  const bytes = Buffer.byteLength(block)
  if (bytes > MAX_BLOCK_BYTES) return { ...tooLarge(bytes), offset: 0 }
  const run = findBlankRun(block)
  return run === undefined ? undefined : { ...BLANK_RUN, offset: start + run }
}

function tooLarge(bytes: number): Problem {
  return {
    code: 'front-matter-too-large',
    message: `The front matter is ${bytes} bytes long; at most ${MAX_BLOCK_BYTES} are read.`,
    hint: 'Move text into the body.',
  }
}

const BLANK_RUN: Problem = {
  code: 'front-matter-blank-run',
  message: `More than ${MAX_BLANK_RUN} spaces and line breaks follow one another here.`,
  hint: 'Remove them.',
}

function findBlankRun(block: string): number | undefined {
  if (block.length <= MAX_BLANK_RUN) return undefined
  for (const run of block.matchAll(/\s+/gu)) {
    if (run[0].length > MAX_BLANK_RUN) return run.index
  }
  return undefined
}

// HTML shows U+FFFD where Markdown keeps the NUL: the two formats would differ.
function checkBody(
  file: string,
  { body, bodyLine }: Pick<SplitDocument, 'body' | 'bodyLine'>,
): readonly Diagnostic[] {
  const offset = body.indexOf('\0')
  if (offset === -1) return []
  return [diagnose(createSource(file, body, bodyLine), { ...NUL_CHARACTER, offset })]
}

const NUL_CHARACTER: Problem = {
  code: 'nul-character',
  severity: 'warning',
  message: 'The text contains a NUL character (U+0000); the HTML has U+FFFD instead.',
  hint: 'Remove it.',
}
