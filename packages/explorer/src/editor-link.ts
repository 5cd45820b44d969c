// Links that open a file of the content in the editor, under `quarry dev` only.
import { element } from './element.ts'

/** A place in a file below the working folder. */
export interface FilePlace {
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
