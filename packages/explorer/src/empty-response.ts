// The message in place of a response before a request is sent.
import { element } from './element.ts'
import type { ApiOperation } from './operations.ts'

/** The state of the page that decides what is missing. */
export interface EmptyState {
  readonly hasKey: boolean
  readonly workspace: string
  /** The server is `quarry dev`, and its content is not built yet. */
  readonly hasNoContent: boolean
}

/** Names what a request of an operation still needs. */
export function emptyResponse(
  { needsKey, fields }: ApiOperation,
  { hasKey, workspace, hasNoContent }: EmptyState,
): HTMLElement {
  const missing = fields.filter(({ isRequired, kind }) =>
    kind.type === 'workspace' ? workspace === '' : isRequired,
  )
  const wanted = [
    ...(needsKey && !hasKey ? ['a key'] : []),
    ...missing.map(({ kind }) => (kind.type === 'workspace' ? 'a workspace' : 'a slug or an id')),
  ]
  const action = wanted.length === 0 ? 'Send the request' : `Fill in ${wanted.join(' and ')}`
  const text =
    hasNoContent && !needsKey
      ? 'No content yet. The response appears here when the content is built.'
      : `${action} to see the response here.`
  return element('p', { class: 'empty' }, text)
}
