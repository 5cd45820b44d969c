// Builds URLs from queries. Equal queries have equal URLs, so that they share cache entries and precomputed files.

/** A query of any kind. */
export type Query = Readonly<Record<string, unknown>>

/** The API's defaults. They are omitted: precomputed files exist for the shortest query. */
const defaults: Query = {
  limit: 10,
  page: 1,
  order: 'desc',
  orderBy: 'publishedAt',
  tagsMatch: 'any',
  authorsMatch: 'any',
  match: 'phrase',
  format: 'html',
  excludeContent: false,
  status: 'published',
}

/** Encodes a query canonically: no defaults; names and list items sorted. */
export function searchOf(query: Query, kind = 'posts'): string {
  const given = parametersOf(query)
  const isEmpty = given.some(isEmptyFilter)
  const pairs = (isEmpty ? [...given.filter(([name]) => name !== 'slugs'), nothing] : given)
    .filter(([name, value]) => !isUsual(name, value, kind))
    .map(([name, value]): [string, unknown] => [name, textOf(value)])
    .sort(([a], [b]) => (a < b ? -1 : 1)) as [string, string][]
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

type Pair = [name: string, value: unknown]

/** No post has this slug. */
const nothing: Pair = ['slugs', '-']

/** True for a list of which posts must have an item, and which has none. */
function isEmptyFilter([name, value]: Pair): boolean {
  const isFilter = /^(?:categories|tags|authors|slugs|ids)$|\[in\]$/.test(name)
  return isFilter && Array.isArray(value) && value.length === 0
}

/** Flattens a query into parameters: `{ fields: { rating: { gte: 4 } } }` becomes `fields.rating[gte]=4`. */
function parametersOf({ fields, ...others }: Query): Pair[] {
  const filters = Object.entries(fields ?? {}).flatMap(([field, value]): Pair[] => {
    const name = `fields.${field}`
    if (typeof value !== 'object' || value === null) return [[name, value]]
    return Object.entries(value).map(([operator, one]) => [`${name}[${operator}]`, one])
  })
  return [...Object.entries(others), ...filters]
}

/** True for a query with a parameter that no file path expresses; for posts, `include` is such a parameter. */
function needsFunction(kind: string, filters: Query, include: unknown): boolean {
  const isMore = hasRows(kind) && textOf(include) !== ''
  const isFilter = (pair: Pair) => !isUsual(...pair, kind) || isEmptyFilter(pair)
  return isMore || parametersOf(filters).some(isFilter)
}

/** True for posts, the items of a collection, and singletons. */
function hasRows(kind: string): boolean {
  return kind === 'posts' || kind.includes('/') || kind === 'singletons'
}

/** True for a default or empty value. */
function isUsual(name: string, value: unknown, kind: string): boolean {
  const text = textOf(value)
  // Each collection has an order of its own.
  if (kind.includes('/') && name.startsWith('order')) return text === ''
  return text === '' || (name in defaults && text === String(defaults[name]))
}

function textOf(value: unknown): string {
  if (!Array.isArray(value)) return String(value ?? '')
  const items = [...new Set(value)].map((item) => String(item).replace(/[\\,]/g, '\\$&'))
  return items.sort().join()
}

/**
 * The precomputed file of a request, relative to the path of its kind: `/_markdown/_page/2`.
 *
 * @returns null for a query without a precomputed file
 */
export function fileOf(kind: string, identifier: string | undefined, query: Query): string | null {
  const { limit = 10, page = 1, order, format, excludeContent, include, ...filters } = query
  if (needsFunction(kind, { ...filters, ...ownOrderOf(kind, order) }, include)) return null
  const name = identifier === undefined ? '' : `/${pathOf(identifier, kind, stem)}`
  const variant = hasRows(kind) ? variantOf(query, name !== '') : ''
  const hasPosts = textOf(include) !== ''
  if (!isPage(page, limit)) return null
  if (name !== '' && !hasPosts) return `${variant}${name}.json`
  if (limit === 'all') return page === 1 ? `${variant}/_all.json` : null
  const size = limit === 10 ? '' : `/_limit/${limit}`
  const last = hasPosts ? `_posts/${page}` : page === 1 ? 'index' : `_page/${page}`
  return `${variant}${name}${size}/${last}.json`
}

/** Items have files in the order of their collection alone. */
function ownOrderOf(kind: string, order: unknown): Query {
  return kind.includes('/') ? { order } : {}
}

/** Both become path segments; a query that was read from a URL may hold any text. */
function isPage(page: unknown, limit: unknown): boolean {
  return Number.isInteger(page) && (Number.isInteger(limit) || limit === 'all')
}

/** Encodes an identifier. That of an item may be a path. */
export function pathOf(
  identifier: string,
  kind: string,
  stemOf: (segment: string) => string = (segment) => segment,
): string {
  const segments = kind.includes('/') ? identifier.split('/') : [identifier]
  return segments.map((segment) => encodeURIComponent(stemOf(segment))).join('/')
}

/** The folders for the form of posts, in nesting order. */
function variantOf({ order, format, excludeContent }: Query, isSingle: boolean): string {
  if (isSingle) return format === 'markdown' ? '/_markdown' : ''
  const content = format === 'markdown' && !excludeContent ? '/_markdown' : ''
  return `${content}${order === 'asc' ? '/_asc' : ''}${excludeContent ? '/_excludeContent' : ''}`
}

/** Avoids two names that collide with other files (see `fileStem` in quarry). */
function stem(identifier: string): string {
  return /^index$|\.json$/i.test(identifier) ? `${identifier}_` : identifier
}
