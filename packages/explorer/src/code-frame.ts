// A problem of the content with its position: the text of the line, a mark below, and a link to the editor.
import type { Diagnostic } from 'quarry'
import { element, textWithCode } from './element.ts'

/** Returns a view of a problem, with the text of the terminal. @param root the working folder */
export function diagnosticView(diagnostic: Diagnostic, root: string): HTMLElement {
  const { severity, file, line, column, code, message, hint } = diagnostic
  return element(
    'article',
    { class: `diagnostic ${severity}` },
    element(
      'p',
      { class: 'place' },
      editorLink(root, { file, line, column }, harmless(`${file}:${line}:${column}`)),
      element('span', { class: 'code' }, code),
    ),
    element('p', { class: 'message' }, textWithCode(harmless(message))),
    codeFrame(diagnostic),
    hint === undefined ? null : element('p', { class: 'hint' }, textWithCode(harmless(hint))),
  )
}

/** Number of shown characters of a long line: before the column, and in total. */
const charactersBefore = 60
const charactersShown = 160

function codeFrame({ lineText, line, column }: Diagnostic): HTMLElement | null {
  if (lineText === undefined || lineText.trim() === '') return null
  const start = Math.max(0, column - 1 - charactersBefore)
  const before = lineText.slice(start, column - 1)
  const rest = lineText.slice(column - 1, start + charactersShown)
  // The word that begins at the column, or a space at the end of a line, so that the mark is visible.
  const word = /^(?:[\p{L}\p{N}\p{M}_-]+|.)/u.exec(rest)?.[0] ?? ' '
  return element(
    'pre',
    { class: 'frame' },
    element('span', { class: 'gutter' }, `${line} `),
    element(
      'code',
      {},
      start > 0 ? '…' : '',
      harmless(before),
      element('mark', {}, harmless(word)),
      harmless(rest.slice(word.length)),
    ),
  )
}

/** Replaces characters that are invisible or change the reading direction. */
function harmless(text: string): string {
  return text.replaceAll('\t', ' ').replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
}

/** A position in a file below the working folder. */
interface FilePlace {
  readonly file: string
  readonly line?: number
  readonly column?: number
}

/** Returns a link to a position. @param root the working folder; if it is empty, there is no link */
export function editorLink(
  root: string,
  { file, line, column }: FilePlace,
  text: string,
): HTMLElement {
  if (root === '') return element('code', { class: 'file' }, text)
  const place = line === undefined ? '' : `:${line}:${column ?? 1}`
  const path = `${root.startsWith('/') ? '' : '/'}${root}/${file}`
  const address = `vscode://file${path.split('/').map(encodeURIComponent).join('/')}${place}`
  return element(
    'a',
    { class: 'file', href: address, title: 'Open in the editor' },
    element('code', {}, text),
  )
}
