// Descriptions of parameters, documents and post keys, for the OpenAPI document, MCP tools and editors. Separate from
// the parser's tables because the function does not need them.
import type { DocumentKind } from './documents.ts'
import type { ParameterName } from './parameter-table.ts'
import type { IncludeName } from './request.ts'

/** Description of each parameter. */
export const parameterDescriptions: Readonly<Record<ParameterName, string>> = {
  limit: 'Items per page. Post lists also accept `all`, which returns everything on one page.',
  page: 'Page number, from 1.',
  order: 'Newest first (`desc`) or oldest first (`asc`).',
  orderBy:
    'Order of posts: by publication, by update, by title, or by a custom field with `fields.NAME`.',
  categories: 'Only posts in any of these categories: slugs.',
  excludeCategories: 'No posts in any of these categories: slugs.',
  tags: 'Only posts with at least one of these tags: slugs.',
  excludeTags: 'No posts with any of these tags: slugs.',
  tagsMatch: '`all`: only posts with every one of `tags`.',
  authors: 'Only posts by at least one of these authors: slugs.',
  excludeAuthors: 'No posts by any of these authors: slugs.',
  authorsMatch: '`all`: only posts by every one of `authors`.',
  publishedAfter: 'Only posts published at or after this time.',
  publishedBefore: 'Only posts published before this time.',
  updatedAfter: 'Only posts updated at or after this time.',
  updatedBefore: 'Only posts updated before this time.',
  slugs: 'Only the posts with these slugs.',
  ids: 'Only the posts with these ids.',
  query: 'Only posts with this text in their title or visible text, ignoring case and accents.',
  match: '`words`: `query` is up to 16 words, each of which is somewhere in the title or the text.',
  format: 'Format of `content`.',
  excludeContent: '`true` omits `content` from each post.',
  select: 'Returns only these keys of each post, and `id`. The schema shows the whole post.',
  featured: 'Only posts that are, or are not, featured.',
  include: 'Adds to the response:',
  strict: '`true` makes an unknown parameter a 400.',
  since:
    'Id of an earlier build, whose later changes are returned. Without it, all recorded changes.',
  status:
    'Published posts, drafts or both. Drafts need a key with the scope `drafts:read`, and a build with `--drafts`.',
  type: 'Only media files of this type.',
}

/** Description of each value of `include`. */
export const includeDescriptions: Readonly<Record<IncludeName, string>> = {
  posts: 'the posts of a category, a tag or an author; nothing on posts',
  facets: 'the number of posts with each category, tag and author',
  matches: 'with `query`, the passages of each post that contain the text; not with `limit=all`',
  neighbours: 'the previous and the next post by publication',
  related: 'the five posts that share the most tags and the category',
  parent: 'the item whose path is the one above',
  children: 'the items whose paths are one level below',
}

/** Summary of each document, a verb and a noun phrase, and the name of its body's schema; null for text. */
export const documentDescriptions: Readonly<
  Record<DocumentKind, { readonly summary: string; readonly schema: string | null }>
> = {
  redirects: { summary: 'List redirects from old slugs', schema: 'RedirectList' },
  changes: { summary: 'List changes since a build', schema: 'ChangeList' },
  'feed.xml': { summary: 'Get the RSS 2.0 feed', schema: null },
  'atom.xml': { summary: 'Get the Atom feed', schema: null },
  'feed.json': { summary: 'Get the JSON Feed', schema: 'JsonFeed' },
  'sitemap.xml': { summary: 'Get the sitemap', schema: null },
  'llms.txt': { summary: 'Get the list for language models', schema: null },
  'llms-full.txt': { summary: 'Get the texts for language models', schema: null },
}

/** Front matter keys of a post, for editors. */
export const postKeyDescriptions: Readonly<Record<string, string>> = {
  title: 'The title of the post.',
  slug: 'The name in its URL. Default: the file name.',
  id: 'Default: derived from workspace and slug.',
  description: 'A short summary.',
  category: 'Slug or id of a category.',
  aliases: 'Slugs that the post had before.',
  url: 'URL of the post on the site, if it is not the one of `links.post`.',
  tags: 'Slugs or ids, in the order in which they are shown.',
  authors: 'Slugs or ids, in the order in which they are shown.',
  publishedAt: "When it is published, ISO 8601. Default: the date in the file's name.",
  updatedAt: 'Default: publishedAt.',
  expiresAt: 'From this time on, no reader sees the post.',
  coverImage: 'URL of a picture.',
  attribution: 'Free text about the original publication.',
}
