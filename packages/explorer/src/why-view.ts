// The explanation of a request by the server of `quarry dev`, in the words of `quarry explain`.
import { element, textWithCode } from './element.ts'
import type { ApiResponse } from './send.ts'
import { type Explanation, explanationRows } from './why-rows.ts'

/**
 * The sentences and figures of an explanation, once it is there.
 *
 * @param source where the server took the shown response from
 */
export function whyView(requested: Promise<ApiResponse>, source: string): HTMLElement {
  const root = element('div', { class: 'why' }, element('p', { class: 'dim' }, 'Reading …'))
  const show = ({ json }: { readonly json?: unknown }) => {
    if (typeof json === 'object' && json !== null) root.replaceChildren(...elements(json, source))
    else root.replaceChildren(element('p', { class: 'bad' }, 'The server does not explain this.'))
  }
  requested.then(show, () => show({}))
  return root
}

function elements(explanation: Explanation, source: string): readonly HTMLElement[] {
  const rows = explanationRows(explanation, source).map(([name, text]) =>
    element('div', {}, element('dt', {}, name), element('dd', {}, text)),
  )
  return [
    ...(explanation.why ?? []).map((sentence) => element('p', {}, textWithCode(sentence))),
    element('dl', { class: 'headers' }, rows),
  ]
}
