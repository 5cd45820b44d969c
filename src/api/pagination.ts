// Pagination of a list: the items of a page, and the pagination object.
import { ApiError } from './errors.ts'

/** The pagination object, with keys in the order of the specification. */
export interface Pagination {
  readonly limit: number
  readonly currentPage: number
  readonly nextPage: number | null
  readonly previousPage: number | null
  readonly totalPages: number
  readonly totalItems: number
}

/** A page: items from `start` to `end`, exclusive. */
export interface Page {
  readonly start: number
  readonly end: number
  readonly pagination: Pagination
}

/**
 * Returns one page of `totalItems` items.
 *
 * @param limit items per page, or `all` for one page
 * @param page from 1; ignored if `limit` is `all`
 * @throws ApiError 400 beyond the last page; page 1 of an empty list is an empty page
 */
export function pageOf(totalItems: number, limit: number | 'all', page: number): Page {
  if (limit === 'all') return wholePage(totalItems)
  const totalPages = Math.ceil(totalItems / limit)
  if (page > Math.max(totalPages, 1)) throw beyondLastPage(page, totalPages)
  return {
    start: (page - 1) * limit,
    end: Math.min(page * limit, totalItems),
    pagination: {
      limit,
      currentPage: page,
      nextPage: page < totalPages ? page + 1 : null,
      previousPage: page > 1 ? page - 1 : null,
      totalPages,
      totalItems,
    },
  }
}

function wholePage(totalItems: number): Page {
  const totalPages = totalItems === 0 ? 0 : 1
  const pagination = {
    limit: totalItems,
    currentPage: 1,
    nextPage: null,
    previousPage: null,
    totalPages,
    totalItems,
  }
  return { start: 0, end: totalItems, pagination }
}

function beyondLastPage(requestedPage: number, totalPages: number): ApiError {
  const message = `Page ${requestedPage} does not exist: there ${totalPages === 1 ? 'is 1 page' : `are ${totalPages} pages`}.`
  return new ApiError(400, message, { details: { message, totalPages, requestedPage } })
}
