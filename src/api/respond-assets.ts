// Responses for images and custom fields.
import type { ApiResponse } from './api-response.ts'
import type { Assets, MediaItem } from './assets.ts'
import { ApiError } from './errors.ts'
import { pageOf } from './pagination.ts'
import type { ApiRequest, Parameters } from './request.ts'

/**
 * Responds to `/v1/media` and `/v1/fields`, and to one item of either.
 *
 * @param now milliseconds since 1970; images that only later posts show do not exist yet
 * @throws ApiError 404 for an unknown identifier; 400 beyond the last page
 *
 * Cost: O(images): only these two lists would need an index.
 */
export function respondAssets(
  { resource, identifier, parameters }: Pick<ApiRequest, 'resource' | 'identifier' | 'parameters'>,
  { media, fields }: Assets,
  now: number,
): ApiResponse {
  if (resource === 'fields') {
    if (identifier === null) return json({ fields })
    const field = fields.find(({ id, key }) => id === identifier || key === identifier)
    return json({ field: found(field, 'Field not found.') })
  }
  const visible = media.filter(({ createdAt }) => Date.parse(createdAt) <= now)
  if (identifier === null) return json(mediaPage(visible, parameters))
  const item = visible.find(({ id }) => id === identifier)
  return json({ media: found(item, 'Media asset not found.') })
}

function mediaPage(visible: readonly MediaItem[], parameters: Parameters): object {
  const text = parameters.query.toLowerCase()
  const matches = visible.filter(
    ({ name, url, mimeType, type }) =>
      (parameters.type === null || type === parameters.type) &&
      [name, url, mimeType].some((part) => part.toLowerCase().includes(text)),
  )
  const ordered = parameters.order === 'asc' ? matches.toReversed() : matches
  const page = pageOf(ordered.length, parameters.limit, parameters.page)
  return { media: ordered.slice(page.start, page.end), pagination: page.pagination }
}

function found<Item>(item: Item | undefined, message: string): Item {
  if (item === undefined) throw new ApiError(404, message)
  return item
}

function json(body: object): ApiResponse {
  return { status: 200, body: [JSON.stringify(body)] }
}
