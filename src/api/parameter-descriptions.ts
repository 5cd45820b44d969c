// How the query parameters are described in the OpenAPI document. A function answers without it: the document was
// made by the build.
import {
  formats,
  limitMax,
  listItemsMax,
  mediaTypes,
  orders,
  type ParameterName,
  queryCharactersMax,
  statuses,
} from './parameters.ts'

/** A parameter in words, and its JSON Schema. */
export interface ParameterDescription {
  readonly description: string
  readonly schema: object
}

const pageSize = { type: 'integer', minimum: 1, maximum: limitMax }

/** Every parameter; `limit` as post lists have it. */
export const parameterDescriptions: Readonly<Record<ParameterName, ParameterDescription>> = {
  limit: {
    description: 'Items per page. On post lists also `all`, which gives everything on one page.',
    schema: { anyOf: [pageSize, { type: 'string', const: 'all' }], default: 10 },
  },
  page: {
    description: 'Number of the page, from 1.',
    schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1 },
  },
  order: {
    description: 'Newest first (`desc`) or oldest first (`asc`).',
    schema: { type: 'string', enum: orders, default: 'desc' },
  },
  categories: slugList('Only posts in any of these categories.'),
  excludeCategories: slugList('No posts in any of these categories.'),
  tags: slugList('Only posts with at least one of these tags.'),
  excludeTags: slugList('No posts with any of these tags.'),
  query: {
    description:
      'Only posts with this text in the title or the visible text, without regard to case and accents.',
    schema: { type: 'string', maxLength: queryCharactersMax },
  },
  format: {
    description: 'Format of `content`.',
    schema: { type: 'string', enum: formats, default: 'html' },
  },
  excludeContent: flag('`true` leaves `content` out of each post.'),
  featured: flag('Only posts that are, or are not, featured.'),
  include: {
    description: 'Related resources to include: `posts`.',
    schema: { type: 'array', items: { type: 'string', enum: ['posts'] } },
  },
  status: {
    description: 'Only published posts are served.',
    schema: { type: 'string', enum: statuses, default: 'published' },
  },
  type: {
    description: 'Only media files of this type.',
    schema: { type: 'string', enum: mediaTypes },
  },
  strict: flag('`true` makes an unknown parameter a 400.'),
}

/** What `limit` accepts next to a post list, where `all` would be a page without end. */
export const numberedLimit: ParameterDescription = {
  description: 'Items per page.',
  schema: { ...pageSize, default: 10 },
}

function slugList(description: string): ParameterDescription {
  return {
    description: `${description} Slugs, at most ${listItemsMax}.`,
    schema: { type: 'array', items: { type: 'string' }, maxItems: listItemsMax },
  }
}

function flag(description: string): ParameterDescription {
  return { description, schema: { type: 'boolean' } }
}
