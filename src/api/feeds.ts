// Feeds of the latest posts: RSS 2.0, Atom (RFC 4287) and JSON Feed 1.1. Their text does not depend on the clock or on
// invisible posts.
import type { DocumentKind, FeedKind } from './documents.ts'
import { absoluteUrl, type FeedEntry, feedEntries, iriOf, siteUrl } from './feed-posts.ts'
import { llmsText, type PostRange, sitemapXml } from './sitemap.ts'
import type { Channel, Snapshot } from './snapshot.ts'
import { element, plainText, textElement, xmlDocument } from './xml.ts'

/** Maximum number of posts in a feed. */
export const feedMax = 20

/** A feed before serialization. */
interface Feed {
  readonly channel: Channel
  /** URL of the feed itself; null if the URL of the API is unknown. */
  readonly self: string | null
  readonly site: string
  /** Latest first. */
  readonly entries: readonly FeedEntry[]
}

/**
 * Returns the body of a feed, a sitemap or a list for language models. Throws no `ApiError`: this module is a separate
 * bundle in a function, with its own copy of that class.
 *
 * @param posts range of the visible posts, or of those on a page of the sitemap
 */
export async function feedText(
  kind: FeedKind,
  channel: Channel,
  snapshot: Snapshot,
  posts: PostRange,
): Promise<string> {
  if (kind === 'sitemap.xml') return sitemapXml(channel, snapshot, posts)
  if (kind === 'llms.txt') return llmsText(channel, snapshot, posts)
  const end = Math.min(posts.first + feedMax, posts.end)
  const entries = await feedEntries(channel, snapshot, posts.first, end)
  const feed = { channel, self: selfOf(channel, kind), site: siteUrl(channel), entries }
  if (kind === 'feed.json') return jsonFeed(feed)
  return kind === 'feed.xml' ? rssFeed(feed) : atomFeed(feed)
}

function selfOf({ baseUrl, workspace }: Channel, kind: DocumentKind): string | null {
  return baseUrl === '' ? null : `${baseUrl}/v1/${encodeURIComponent(workspace)}/${kind}`
}

function rssFeed({ channel: { name }, self, site, entries }: Feed): string {
  const link = { href: self ?? '', rel: 'self', type: 'application/rss+xml' }
  const children = [
    textElement('title', name),
    textElement('link', site),
    textElement('description', `The latest posts of ${name}`),
    ...(self === null ? [] : [element('atom:link', [], link)]),
    ...entries.slice(0, 1).map(() => textElement('lastBuildDate', rfc822(lastUpdate(entries)))),
    ...entries.map(rssItem),
  ]
  return xmlDocument(
    element('rss', [element('channel', children)], {
      version: '2.0',
      'xmlns:atom': 'http://www.w3.org/2005/Atom',
      'xmlns:content': 'http://purl.org/rss/1.0/modules/content/',
      'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
    }),
  )
}

function rssItem({ iri, url, html, post }: FeedEntry): string {
  return element('item', [
    textElement('title', post.title),
    textElement('link', url),
    textElement('guid', iri, { isPermaLink: 'false' }),
    textElement('pubDate', rfc822(post.publishedAt)),
    ...post.authors.map(({ name }) => textElement('dc:creator', name)),
    ...[post.category, ...post.tags].map(({ name }) => textElement('category', name)),
    ...summaryOf(post.description, 'description'),
    textElement('content:encoded', html),
  ])
}

function atomFeed({ channel, self, site, entries }: Feed): string {
  const children = [
    textElement('id', iriOf(channel)),
    textElement('title', channel.name),
    textElement('updated', lastUpdate(entries)),
    // For entries without an author (RFC 4287 §4.1.1).
    element('author', [textElement('name', channel.name)]),
    element('link', [], { href: site, rel: 'alternate', type: 'text/html' }),
    ...(self === null
      ? []
      : [element('link', [], { href: self, rel: 'self', type: 'application/atom+xml' })]),
    ...entries.map(atomEntry),
  ]
  return xmlDocument(element('feed', children, { xmlns: 'http://www.w3.org/2005/Atom' }))
}

function atomEntry({ iri, url, html, updated, post }: FeedEntry): string {
  return element('entry', [
    textElement('id', iri),
    textElement('title', post.title),
    textElement('updated', updated),
    textElement('published', post.publishedAt),
    ...post.authors.map(({ name }) => element('author', [textElement('name', name)])),
    ...[post.category, ...post.tags].map(({ slug, name }) =>
      element('category', [], { term: slug, label: name }),
    ),
    element('link', [], { href: url, rel: 'alternate', type: 'text/html' }),
    ...summaryOf(post.description, 'summary'),
    textElement('content', html, { type: 'html' }),
  ])
}

function jsonFeed({ channel: { name }, self, site, entries }: Feed): string {
  const feed = {
    version: 'https://jsonfeed.org/version/1.1',
    title: name,
    home_page_url: site,
    ...(self === null ? {} : { feed_url: self }),
    items: entries.map(jsonItem),
  }
  return JSON.stringify(feed, (_, value) => (typeof value === 'string' ? plainText(value) : value))
}

function jsonItem({ iri, url, html, updated, post }: FeedEntry): object {
  const { title, description, coverImage, publishedAt, authors, category, tags } = post
  return {
    id: iri,
    url,
    title,
    content_html: html,
    ...(description ? { summary: description } : {}),
    ...(coverImage === null ? {} : { image: absoluteUrl(coverImage, url) }),
    date_published: publishedAt,
    date_modified: updated,
    authors: authors.map(({ name, image }) => ({
      name,
      ...(image === null ? {} : { avatar: absoluteUrl(image, url) }),
    })),
    tags: [category, ...tags].map(({ name }) => name),
  }
}

function summaryOf(description: string | null, name: string): readonly string[] {
  return description ? [textElement(name, description)] : []
}

/** Latest update of the posts; 1970-01-01 without posts. */
function lastUpdate(entries: readonly FeedEntry[]): string {
  return entries.reduce(
    (latest, { updated }) => (updated > latest ? updated : latest),
    new Date(0).toISOString(),
  )
}

/** Formats a date for RSS 2.0, with a four-digit year: `Mon, 23 Nov 2026 12:00:00 GMT`. */
function rfc822(date: string): string {
  return new Date(date).toUTCString()
}
