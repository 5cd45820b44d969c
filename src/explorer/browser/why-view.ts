// The explanation of a request by the server of `quarry dev`: the same as of `quarry explain`.
import { element, textWithCode } from './element.ts'
import type { ApiResponse } from './send.ts'

/** The sentences and figures of an explanation, once it is there. */
export function whyView(requested: Promise<ApiResponse>): HTMLElement {
  const root = element('div', { class: 'why' }, element('p', { class: 'dim' }, 'Reading …'))
  const show = ({ json }: { readonly json?: unknown }) => {
    if (typeof json === 'object' && json !== null) root.replaceChildren(...explanation({ ...json }))
    else root.replaceChildren(element('p', { class: 'bad' }, 'The server does not explain this.'))
  }
  requested.then(show, () => show({}))
  return root
}

type Json = Readonly<Record<string, unknown>>

function explanation({ why, problem, parameters, ...figures }: Json): readonly HTMLElement[] {
  const sentences = [...(Array.isArray(why) ? why : []), messageOf(problem)].filter(
    (sentence) => typeof sentence === 'string',
  )
  const { understood } = { understood: null, ...(parameters as object | null) }
  const rows = [...Object.entries(figures), ...Object.entries(understood ?? {})].filter(
    ([name, value]) => name !== 'target' && isFigure(value),
  )
  return [
    ...sentences.map((sentence) => element('p', {}, textWithCode(sentence))),
    element(
      'dl',
      { class: 'headers' },
      rows.map(([name, value]) =>
        element('div', {}, element('dt', {}, name), element('dd', {}, String(value))),
      ),
    ),
  ]
}

function isFigure(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  return ['string', 'number', 'boolean'].includes(typeof value) && value !== ''
}

function messageOf(problem: unknown): unknown {
  return typeof problem === 'object' ? Reflect.get(problem ?? {}, 'message') : null
}
