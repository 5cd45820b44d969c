// Rewrites the errors of the YAML library as readable messages.
import type { Document, ErrorCode, ParsedNode, YAMLParseError } from 'yaml'
import type { Finding } from './source.ts'
import type { YamlScan } from './yaml-scan.ts'

/** Returns the errors of the parsed documents, and an error for more than one document; unordered. */
export function findSyntaxErrors(
  documents: readonly Document.Parsed<ParsedNode>[],
  scan: YamlScan,
): readonly Finding[] {
  const errors = documents.flatMap((document) =>
    document.errors.filter(isNews).map((error) => describeBracket(error, scan) ?? describe(error)),
  )
  const second = documents[1]
  return second === undefined ? errors : [...errors, describeSecond(second.range[0])]
}

// Library messages with a clearer replacement.
const SENTENCES: ReadonlyMap<string, string> = new Map([
  [
    'Implicit map keys need to be followed by map values',
    'A colon and a value are missing after this key.',
  ],
  ['Implicit keys need to be on a single line', 'A key and its colon must be on one line.'],
  ['Nested mappings are not allowed in compact mappings', 'A value with ": " must be quoted.'],
  ['Tabs are not allowed as indentation', 'Tabs cannot be used for indentation.'],
  ['Missing , between flow map items', 'A comma is missing before this entry.'],
  ['Missing , between flow sequence items', 'A comma is missing before this item.'],
  ['Unexpected scalar at node end', 'This text follows the end of a value.'],
  ['Unexpected block-seq-ind on same line with key', 'A list cannot begin on the line of its key.'],
])

const HINTS: { readonly [code in ErrorCode]?: string } = {
  BAD_DQ_ESCAPE: 'Double the backslash, or use single quotes.',
  BAD_INDENT: 'Check the indentation.',
  BAD_SCALAR_START: 'Put the value in quotes.',
  BLOCK_AS_IMPLICIT_KEY: 'Put the value in quotes.',
  MULTILINE_IMPLICIT_KEY: 'Write "key: value", or indent the line if it continues the value above.',
  TAB_AS_INDENT: 'Indent with spaces.',
  UNEXPECTED_TOKEN: 'Put a value with such characters in quotes, and check the indentation.',
}

const MAX_MESSAGE = 160

// The scan reports an open quote where it opens; the library would report it at the end of the text.
function isNews({ message }: YAMLParseError): boolean {
  return !message.startsWith('Missing closing ')
}

// Reported where it opens; the library reports it at the end of the text. An open quote inside already explains it.
function describeBracket({ message, pos }: YAMLParseError, scan: YamlScan): Finding | undefined {
  const [, kind = '', bracket = ''] = /^Flow (\w+) .*end with a ([\]}])$/u.exec(message) ?? []
  const offset = scan.unclosed[countUpTo(scan.unclosed.length, (n) => scan.unclosed[n], pos[0]) - 1]
  if (bracket === '' || offset === undefined) return undefined
  const { findings } = scan
  const inner = findings[countUpTo(findings.length, (n) => findings[n]?.offset, offset)]
  if (inner?.code === 'yaml-syntax') return inner
  return {
    offset,
    code: 'yaml-syntax',
    message: `The closing ${bracket} of this ${kind === 'map' ? 'map' : 'list'} is missing.`,
    hint: 'Close it; indent the lines that continue it.',
  }
}

// Counts ascending numbers up to a limit, by bisection, as a text may consist of brackets.
function countUpTo(length: number, at: (n: number) => number | undefined, limit: number): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((at(middle) ?? 0) <= limit) low = middle + 1
    else high = middle
  }
  return low
}

/** Replaces an error by its cause: an invisible character that looks like the space that YAML needs there. */
export function namingBlanks(finding: Finding, text: string): Finding {
  // The library reports a key without a space behind its colon on the line of the next key.
  const start = text.lastIndexOf('\n', text.lastIndexOf('\n', finding.offset - 1) - 1) + 1
  const end = text.indexOf('\n', finding.offset)
  const [found] = [...text.slice(start, end === -1 ? text.length : end).matchAll(NO_SPACE)]
  if (finding.code !== 'yaml-syntax' || found === undefined) return finding
  const offset = start + found.index + found[0].length - 1
  const code = text.charCodeAt(offset).toString(16).toUpperCase().padStart(4, '0')
  return {
    offset,
    code: 'yaml-syntax',
    message: `The invisible character U+${code} is not a space in YAML.`,
    hint: 'Replace it with a plain space.',
  }
}

/** Blanks and characters without width where YAML needs a plain space: in the indentation, or behind a sign. */
const NO_SPACE =
  /(?:^[ \t]*|[:\-?,[{])[\u00a0\u00ad\u1680\u2000-\u200f\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]/gmu

function describe({ code, message, pos }: YAMLParseError): Finding {
  const sentence = SENTENCES.get(message) ?? toSentence(message)
  const hint = HINTS[code]
  const finding: Finding = { offset: pos[0], code: 'yaml-syntax', message: sentence }
  return hint === undefined ? finding : { ...finding, hint }
}

function describeSecond(offset: number): Finding {
  const message = 'A second YAML document begins here; only one is read.'
  return { offset, code: 'yaml-syntax', message, hint: 'Remove this line or indent it.' }
}

function toSentence(message: string): string {
  const line = message.slice(0, MAX_MESSAGE).replace(/\s+/gu, ' ').trim()
  const plain = line.replace(/^Unexpected \S+ token in YAML \w+: /u, 'Unexpected ')
  return plain.endsWith('.') ? plain : `${plain}.`
}
