// A problem of the content with its place: the line's text, a mark where it stands, and a link to the editor.
import type { Diagnostic } from 'quarry'
import { element, textWithCode } from './element.ts'

/** A problem, as the terminal tells it. @param root the working folder */
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

/** Characters before the column, and in all, that are shown of a long line. */
const charactersBefore = 60
const charactersShown = 160

function codeFrame({ lineText, line, column }: Diagnostic): HTMLElement | null {
  if (lineText === undefined || lineText.trim() === '') return null
  const start = Math.max(0, column - 1 - charactersBefore)
  const before = lineText.slice(start, column - 1)
  const rest = lineText.slice(column - 1, start + charactersShown)
  // The word that begins at the column; at the end of a line a blank, so that there is something to see.
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

/** Text without what could turn the reading direction or hide itself. */
function harmless(text: string): string {
  return text.replaceAll('\t', ' ').replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
}

/** A place in a file below the working folder. */
interface FilePlace {
  readonly file: string
  readonly line?: number
  readonly column?: number
}

/** A link with the text of the place. @param root the working folder; empty if the page does not know it: no link */
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
