// The explanation of a request by the server of `quarry dev`, in the words of `quarry explain`.
import { element, textWithCode } from './element.ts'
import type { ApiResponse } from './send.ts'

/**
 * Returns the sentences and properties of an explanation when it arrives.
 *
 * @param source the source of the shown response on the server
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

/** The parts of the JSON of `quarry explain --json` that the page reads. */
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
 * Returns the rows that have a value.
 *
 * @param source the source of the response on this server; a CDN may have another source
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

/** Descriptions of the sources in `Server-Timing`. */
const here: Readonly<Record<string, string>> = {
  file: 'sent a file of the build',
  index: 'made the response from the index',
  cache: 'had the response in memory',
}
