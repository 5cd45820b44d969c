// Reads the data in a post's front matter and file name: title, date, slug, draft, terms.
import { splitFileName } from 'quarry/authoring'
import { lastSegment } from '../slugs.ts'
import { type SourceDocument, textAt, type Values } from './front.ts'
import type { PostFile, PostHead } from './generator.ts'
import { momentInPath, readMoment } from './moments.ts'

/** Front-matter keys by field; the first non-empty one wins. */
export const knownKeys = {
  title: ['title', 'Title'],
  description: [
    'description',
    'excerpt',
    'summary',
    'abstract',
    'lead',
    'spoiler',
    'snippet',
    'teaser',
  ],
  date: [
    'date',
    'publishedAt',
    'pubDate',
    'publishDate',
    'published_at',
    'datePublished',
    'published_time',
    'pubDatetime',
    'published',
    'publishedDate',
    'publishedOn',
    'created',
    'createdAt',
    'created_at',
    'postDate',
    'params.date',
  ],
  updated: [
    'updatedAt',
    'updated',
    'lastmod',
    'updatedDate',
    'last_modified_at',
    'lastUpdated',
    'lastUpdate',
    'last_update',
    'last_updated',
    'last_update.date',
    'modified',
    'modDatetime',
    'dateModified',
    'updated_at',
    'updateDate',
  ],
  cover: [
    'coverImage',
    'cover',
    'cover.image',
    'cover.src',
    'cover.url',
    'heroImage',
    'heroImage.src',
    'hero',
    'hero.image',
    'featured_image',
    'featuredImage',
    'feature_image',
    'featureImage',
    'image',
    'image.path',
    'image.src',
    'image.url',
    'image.feature',
    'thumbnail',
    'banner',
    'header.image',
    'header.overlay_image',
    'header.teaser',
    'teaser',
    'ogImage',
    'og_image',
    'images',
  ],
  authors: [
    'authors',
    'author',
    'params.authors',
    'params.author',
    'byline',
    'by',
    'writer',
    'post_author',
    'author_name',
    'author_id',
    'author_slug',
    'author_staff_member',
  ],
  tags: ['tags', 'tag', 'params.tags', 'keywords'],
  categories: ['category', 'categories', 'params.categories', 'section'],
  aliases: ['aliases', 'alias', 'redirect_from', 'redirects', 'redirectFrom'],
  featured: ['featured', 'pinned', 'sticky'],
  draft: ['draft', 'isDraft', 'published', 'unlisted', 'status'],
  slug: ['slug', 'permalink', 'url', 'path', 'id'],
} as const

/** Returns the head, or the reason why the file is no post. */
export function readHead(file: PostFile, source: SourceDocument): PostHead | 'no date' {
  const values = { ...file.defaults, ...source.values }
  const date = dateOf(file.path, values) ?? (isDraft(file, values) ? undatedDraft : undefined)
  if (date === undefined) return 'no date'
  const title =
    textAt(values, ...knownKeys.title) ?? firstHeading(source.body) ?? titleOfFile(file.path)
  return { file, values, slug: slugOf(file.path, values), title, date }
}

/** The date of drafts without one. */
export const undatedDraft = '1970-01-01T00:00:00.000Z'

/** True for a post that its site does not publish or list. */
export function isDraft({ isDraft = false }: PostFile, values: Values): boolean {
  const says = (key: string, value: string) => textAt(values, key)?.toLowerCase() === value
  return (
    isDraft ||
    says('draft', 'true') ||
    says('isDraft', 'true') ||
    says('published', 'false') ||
    says('unlisted', 'true') ||
    ['build.list', '_build.list'].some((key) => says(key, 'never') || says(key, 'false')) ||
    says('status', 'draft')
  )
}

/** The date of a post, without a time if none is stated. */
function dateOf(path: string, values: Values): string | undefined {
  for (const key of knownKeys.date) {
    const text = textAt(values, key)
    const date = text === undefined ? undefined : readMoment(text)
    if (date !== undefined) return date
  }
  return momentInPath(path) ?? momentInPath(textAt(values, 'path') ?? '')
}

/** The base name of a file without extensions; the folder's name for `index.md`. */
export function baseName(path: string): string {
  const parts = path.split('/')
  const name = (parts.at(-1) ?? '')
    .replace(/\.(md|markdown|mdx|html?)$/i, '')
    .replace(/\.page$/, '')
  // A language suffix as in Hugo: `post.de.md`.
  const plain = name.replace(/^(.+)\.[a-z]{2}(-[a-zA-Z]{2,4})?$/, '$1')
  return /^(index|page|readme)$/i.test(plain) && parts.length > 1 ? (parts.at(-2) ?? '') : plain
}

function slugOf(path: string, values: Values): string {
  const stated = textAt(values, 'slug', 'permalink', 'url', 'path')
  const hasPlaces = stated !== undefined && /[:{}$]/.test(stated)
  const segment = stated === undefined || hasPlaces ? '' : lastSegment(stated)
  return segment === '' ? splitFileName(baseName(path)).slug : segment
}

function firstHeading(body: string): string | undefined {
  const [, atx, setext] = /^# +(.+?)#*$|^(\S.*)\n=+$/m.exec(body.slice(0, 5000)) ?? []
  const text = (atx ?? setext)
    ?.replace(/\{#.*\}$/, '')
    .replace(/[*_`]|\[([^\]]*)\]\([^)]*\)/g, '$1')
  return text?.trim() || undefined
}

function titleOfFile(path: string): string {
  const words = splitFileName(baseName(path)).slug.replace(/[-_]+/g, ' ').trim()
  return words === '' ? path : words.charAt(0).toUpperCase() + words.slice(1)
}
