// The explanation of a request by the server of `quarry dev`, in the words of `quarry explain`.
import { element, textWithCode } from './element.ts'
import type { ApiResponse } from './send.ts'

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

/** The JSON of `quarry explain --json`, as far as the page reads it. */
interface Explanation {
  readonly why?: readonly string[]
  readonly status?: number
  readonly workspace?: string | null
  readonly key?: string | null
  readonly source?: string
  readonly file?: string | null
  readonly bytes?: number
  readonly etag?: string | null
  readonly cacheControl?: string | null
  readonly location?: string | null
  readonly validUntil?: string | null
  readonly build?: string
}

/**
 * The rows that have a value.
 *
 * @param source where this server took the response from: a CDN may have it from elsewhere
 */
function explanationRows(
  { source: origin, file, ...properties }: Explanation,
  source: string,
): readonly (readonly [name: string, text: string])[] {
  const cdn =
    origin === 'file'
      ? `sends the file ${file}, with the same bytes`
      : origin === 'index' && 'has no valid file of it, and requests it from the function'
  const { workspace, key, bytes, etag, cacheControl, location, validUntil, status, build } =
    properties
  const rows: readonly (readonly [string, unknown])[] = [
    ['This server', here[source]],
    ['A CDN', cdn],
    ['Workspace', workspace],
    ['Key', key],
    ['Size', bytes && `${bytes.toLocaleString('en')} bytes`],
    ['ETag', etag],
    ['Caching', cacheControl],
    ['Location', location],
    ['Valid until', validUntil ?? (status === 200 && 'the next build')],
    ['Build', build],
  ]
  return rows.flatMap(([name, text]) => (typeof text === 'string' ? [[name, text] as const] : []))
}

/** The sources of `Server-Timing`. */
const here: Readonly<Record<string, string>> = {
  file: 'sent a file of the build',
  index: 'made the response from the index',
  cache: 'had the response in memory',
}
