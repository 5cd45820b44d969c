// Builds URLs from queries. Equal queries have equal URLs, so that they share cache entries and precomputed files.

/** A query of any kind. */
export type Query = Readonly<Record<string, unknown>>

/** The defaults of the API, which are omitted, because precomputed files exist for the shortest query. */
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

/** Encodes a query canonically: without defaults, with sorted names and list items. */
export function searchOf(query: Query, kind = 'posts'): string {
  const pairs = parametersOf(query, kind)
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

/** Flattens a query into parameters: `{ fields: { rating: { gte: 4 } } }` becomes `fields.rating[gte]=4`. */
function parametersOf({ fields, ...others }: Query, kind: string): [name: string, text: string][] {
  const filters = Object.entries(fields ?? {}).flatMap(([field, value]): [string, unknown][] => {
    const name = `fields.${field}`
    if (typeof value !== 'object' || value === null) return [[name, value]]
    return Object.entries(value).map(([operator, one]) => [`${name}[${operator}]`, one])
  })
  const given = new Map([...Object.entries(others), ...filters])
  // An empty list matches no post, like this slug.
  if ([...given].some(isEmptyFilter)) given.set('slugs', '-')
  return Array.from(given, ([name, value]): [string, string] => [name, textOf(value)])
    .filter(([name, text]) => !isUsual(name, text, kind))
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

/** Reports whether a parameter is an empty list from which posts must have an item. */
function isEmptyFilter([name, value]: [name: string, value: unknown]): boolean {
  const isFilter = /^(?:categories|tags|authors|slugs|ids)$|\[in\]$/.test(name)
  return isFilter && Array.isArray(value) && value.length === 0
}

/** Reports whether a value is empty or the default. */
function isUsual(name: string, text: string, kind: string): boolean {
  // Each collection has its own order.
  const isOwn = kind.includes('/') && name.startsWith('order')
  return text === '' || (!isOwn && name in defaults && text === String(defaults[name]))
}

function textOf(value: unknown): string {
  if (!Array.isArray(value)) return String(value ?? '')
  const items = [...new Set(value)].map((item) => String(item).replace(/[\\,]/g, '\\$&'))
  return items.sort().join()
}

/**
 * Returns the precomputed file of a request, relative to the path of its kind: `/_markdown/_page/2`.
 *
 * @returns null for a query without a precomputed file
 */
export function fileOf(kind: string, identifier: string | undefined, query: Query): string | null {
  const given = Object.fromEntries(parametersOf(query, kind))
  const { limit = '10', page = '1', include } = given
  // Both become path segments. A query from a URL may contain any text.
  if (!/^\d+$/.test(page) || !/^(?:\d+|all)$/.test(limit)) return null
  const variant = variantOf(kind, identifier !== undefined, given)
  const name = identifier === undefined ? '' : `/${pathOf(identifier, kind, stem)}`
  if (variant === null) return null
  if (name !== '' && !include) return `${variant}${name}.json`
  if (limit === 'all') return page === '1' ? `${variant}/_all.json` : null
  const size = limit === '10' ? '' : `/_limit/${limit}`
  const last = include ? `_posts/${page}` : page === '1' ? 'index' : `_page/${page}`
  return `${variant}${name}${size}/${last}.json`
}

/** Returns the folders for the form of posts, outermost first; null if a parameter of the query is not in paths. */
function variantOf(kind: string, isSingle: boolean, given: Record<string, string>): string | null {
  const { limit, page, order, format, excludeContent, include, ...filters } = given
  const isItem = kind.includes('/')
  const hasRows = isItem || kind === 'posts' || kind === 'singletons'
  // Items have files only in the order of their collection.
  if (Object.keys(filters).length > 0 || (isItem && order) || (hasRows && include)) return null
  if (!hasRows) return ''
  if (isSingle) return format === 'markdown' ? '/_markdown' : ''
  const content = format === 'markdown' && !excludeContent ? '/_markdown' : ''
  return `${content}${order === 'asc' ? '/_asc' : ''}${excludeContent ? '/_excludeContent' : ''}`
}

/** Encodes an identifier. The identifier of an item may be a path. */
export function pathOf(
  identifier: string,
  kind: string,
  stemOf: (segment: string) => string = (segment) => segment,
): string {
  const segments = kind.includes('/') ? identifier.split('/') : [identifier]
  return segments.map((segment) => encodeURIComponent(stemOf(segment))).join('/')
}

/** Returns a file name that does not collide with other files (see `fileStem` in quarry). */
function stem(identifier: string): string {
  return /^index$|\.json$/i.test(identifier) ? `${identifier}_` : identifier
}
