// The rows of an explanation: names in words, and values as `quarry explain` writes them.
// Pure: knows neither the page nor the network.

/** The JSON of `quarry explain --json`, as far as the page reads it. */
export interface Explanation {
  readonly why?: readonly string[]
  readonly problem?: { readonly message: string } | null
  readonly operation?: string | null
  readonly workspace?: string | null
  readonly parameters?: {
    readonly understood: Readonly<Record<string, unknown>>
    readonly given: readonly ExplainedParameter[]
  }
  readonly key?: string
  readonly status?: number
  readonly answeredBy?: string
  readonly file?: string | null
  readonly bytes?: number
  readonly etag?: string | null
  readonly cacheControl?: string | null
  readonly location?: string | null
  readonly validUntil?: string | null
  readonly build?: string
}

/** A name, and at least one line. */
export interface ExplanationRow {
  readonly name: string
  readonly lines: readonly string[]
}

interface ExplainedParameter {
  readonly name: string
  readonly values: readonly (string | null)[]
  readonly effect: string
  readonly note: string
}

/**
 * The rows that have a value.
 *
 * @param source where this server took the response from: a CDN may have it from elsewhere
 */
export function explanationRows(
  explanation: Explanation,
  source: string,
): readonly ExplanationRow[] {
  const { operation, workspace, key, bytes, etag, cacheControl, location, build } = explanation
  const rows: readonly (readonly [string, ...(string | null | undefined)[]])[] = [
    ['This server', here[source]],
    ['A CDN', cdnText(explanation)],
    ['Operation', operation],
    ['Workspace', workspace],
    ['Parameters', ...parameterLines(explanation)],
    ['Key', key],
    ['Size', bytes ? `${bytes.toLocaleString('en')} bytes` : null],
    ['ETag', etag],
    ['Caching', cacheControl],
    ['Location', location],
    ['Valid until', untilText(explanation)],
    ['Build', build],
  ]
  return rows
    .map(([name, ...lines]) => ({ name, lines: lines.filter(isText) }))
    .filter(({ lines }) => lines.length > 0)
}

function isText(value: string | null | undefined): value is string {
  return typeof value === 'string' && value !== ''
}

/** The sources of `Server-Timing`. */
const here: Readonly<Record<string, string>> = {
  file: 'sent a file of the build',
  index: 'made the response from the index',
  cache: 'had the response in memory',
}

function cdnText({ answeredBy, file }: Explanation): string | null {
  if (answeredBy === 'file') return `sends the file ${file ?? ''}, with the same bytes`
  return answeredBy === 'index' ? 'has no file of it, and requests it from the function' : null
}

function untilText({ validUntil, status }: Explanation): string | null {
  return validUntil ?? (status === 200 ? 'the next build' : null)
}

function parameterLines({ parameters }: Explanation): readonly string[] {
  if (parameters === undefined) return []
  const { given, understood } = parameters
  const names = given.map(({ name }) => name)
  const defaults = Object.entries(understood)
    .filter(([name, value]) => !names.includes(name) && isSet(value))
    .map(([name, value]) => `${name}=${String(value)}`)
  return [...given.map(givenLine), defaults.length === 0 ? '' : `by default: ${defaults.join(' ')}`]
}

function givenLine({ name, values, effect, note }: ExplainedParameter): string {
  const typed = `${name}=${values.map((value) => value ?? '?').join(', ')}`
  if (effect === 'bad') return `${typed} is bad: it ${note}`
  if (effect === 'ignored') return `${typed} is ignored: ${note}`
  return effect === 'default' ? `${typed}, which is the default` : typed
}

function isSet(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  return value !== null && value !== '' && value !== false
}
