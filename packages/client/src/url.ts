// Queries as URLs: one spelling for each request, so that caches and precomputed files find it.

/** A query of any kind. */
export type Query = Readonly<Record<string, unknown>>

/** The defaults of the API: left out, as precomputed files are those of the shortest query. */
const defaults: Query = {
  limit: 10,
  page: 1,
  order: 'desc',
  orderBy: 'publishedAt',
  format: 'html',
  excludeContent: false,
  status: 'published',
}

/** A query in its one spelling: without defaults, names and items of lists in order. */
export function searchOf(query: Query): string {
  const pairs = parametersOf(query)
    .filter(([name, value]) => !isUsual(name, value))
    .map(([name, value]): [string, unknown] => [name, textOf(value)])
    .sort(([a], [b]) => (a < b ? -1 : 1)) as [string, string][]
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

/** The parameters of a query; `{ fields: { rating: { gte: 4 } } }` is `fields.rating[gte]=4`. */
function parametersOf({ fields, ...others }: Query): [string, unknown][] {
  const filters = Object.entries(fields ?? {}).flatMap(([field, value]): [string, unknown][] => {
    const name = `fields.${field}`
    if (typeof value !== 'object' || value === null) return [[name, value]]
    return Object.entries(value).map(([operator, one]) => [`${name}[${operator}]`, one])
  })
  return [...Object.entries(others), ...filters]
}

/** True for a query with a parameter that no path of a file expresses; of posts, `include` is one. */
function needsFunction(kind: string, filters: Query, include: unknown): boolean {
  const isMore = kind === 'posts' && textOf(include) !== ''
  return isMore || parametersOf(filters).some(([name, value]) => !isUsual(name, value))
}

/** True for what a query says without naming it. */
function isUsual(name: string, value: unknown): boolean {
  const text = textOf(value)
  return text === '' || (name in defaults && text === String(defaults[name]))
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? [...new Set(value)].sort().join() : String(value ?? '')
}

/**
 * The precomputed file of a request below the path of its kind, such as `/_markdown/_page/2`.
 *
 * @returns null for a query that no file can be for
 */
export function fileOf(kind: string, identifier: string | undefined, query: Query): string | null {
  const { limit = 10, page = 1, order, format, excludeContent, include, ...filters } = query
  if (needsFunction(kind, filters, include)) return null
  const name = identifier === undefined ? '' : `/${encodeURIComponent(stem(identifier))}`
  const variant = kind === 'posts' ? variantOf(query, name !== '') : ''
  const hasPosts = textOf(include) !== ''
  // Both are parts of a path; a query that was read from a URL may hold any text.
  if (!Number.isInteger(page) || !(Number.isInteger(limit) || limit === 'all')) return null
  if (name !== '' && !hasPosts) return `${variant}${name}.json`
  if (limit === 'all') return page === 1 ? `${variant}/_all.json` : null
  const size = limit === 10 ? '' : `/_limit/${limit}`
  const last = hasPosts ? `_posts/${page}` : page === 1 ? 'index' : `_page/${page}`
  return `${variant}${name}${size}/${last}.json`
}

/** Folders for the form of posts, in the order in which they contain each other. */
function variantOf({ order, format, excludeContent }: Query, isSingle: boolean): string {
  if (isSingle) return format === 'markdown' ? '/_markdown' : ''
  const content = format === 'markdown' && !excludeContent ? '/_markdown' : ''
  return `${content}${order === 'asc' ? '/_asc' : ''}${excludeContent ? '/_excludeContent' : ''}`
}

/** Two names would meet another file (see `fileStem` of quarry). */
function stem(identifier: string): string {
  return /^index$|\.json$/i.test(identifier) ? `${identifier}_` : identifier
}
