// The code of a request, with highlighted syntax and a button that copies it.
import { copyButton, element } from './element.ts'
import type { Snippet } from './snippets.ts'
import { type TabChoice, tabs } from './tabs.ts'

/** Returns snippets as tabs. */
export function codeView(snippets: readonly Snippet[], choice: TabChoice): HTMLElement {
  const all = snippets.map(({ label, code }) => ({
    label,
    content: () =>
      element(
        'div',
        { class: 'body' },
        copyButton(`Copy ${label}`, () => code, { class: 'quiet copy' }),
        element('pre', { class: 'listing' }, element('code', {}, coloured(code))),
      ),
  }))
  const view = tabs('Code', all, choice)
  view.classList.add('snippets')
  return view
}

const words =
  /(\/\/.*|'(?:[^'\\]|\\.?)*'?|"[^"]*"?|`[^`]*`?)|\b(import|from|const|await|new|if|else|curl|true|false|\d+)\b/g

function coloured(code: string): readonly (string | HTMLElement)[] {
  const parts: (string | HTMLElement)[] = []
  let end = 0
  for (const { 0: word, 1: text, index } of code.matchAll(words)) {
    const name = text?.startsWith('//') ? 'dim' : text === undefined ? 'key' : 'string'
    parts.push(code.slice(end, index), element('span', { class: name }, word))
    end = index + word.length
  }
  return [...parts, code.slice(end)]
}
