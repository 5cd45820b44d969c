// Feeds of the latest posts: RSS 2.0, Atom (RFC 4287) and JSON Feed 1.1. Their text does not depend on the clock or on
// invisible posts.
import { hex, sha256, utf8 } from './bytes.ts'
import type { FeedKind } from './documents.ts'
import { readParts, readPosts } from './include.ts'
import { encodePart, postLink } from './paths.ts'
import type { Post } from './resources.ts'
import type { Channel, Snapshot, Translation } from './snapshot.ts'
import { mapInBatches, postBytes } from './work.ts'

/** Requests for these are as rare as for feeds, so one separate file has the code of both. */
export { changesJson } from './changes.ts'
export { snapshotFor, workspaceOfLocale } from './targets.ts'

/** Maximum number of posts in a feed. */
const feedMax = 20

interface Feed {
  readonly channel: Channel
  /** URL of the feed itself; null if the URL of the API is unknown. */
  readonly self: string | null
  readonly site: string
  /** Latest first. */
  readonly entries: readonly FeedEntry[]
}

/** Returns a document. Throws no `ApiError`: this module is bundled separately, with its own copy of that class. */
export async function feedText(
  kind: FeedKind,
  channel: Channel,
  snapshot: Snapshot,
  posts: Uint32Array,
): Promise<string> {
  if (kind === 'sitemap.xml') return sitemapXml(channel, snapshot, posts)
  if (kind === 'llms.txt') return llmsText(channel, snapshot, posts)
  const entries = await feedEntries(channel, snapshot, posts.slice(0, feedMax))
  const { baseUrl, workspace } = channel
  const self = baseUrl && `${baseUrl}/v1/${encodeURIComponent(workspace)}/${kind}`
  const feed = { channel, self: self || null, site: siteUrl(channel), entries }
  if (kind === 'feed.json') return jsonFeed(feed)
  return kind === 'feed.xml' ? rssFeed(feed) : atomFeed(feed)
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
    // The author of entries without one (RFC 4287 §4.1.1).
    element('author', [textElement('name', channel.name)]),
    element('link', [], { href: site, rel: 'alternate', type: 'text/html' }),
    ...(self === null
      ? []
      : [element('link', [], { href: self, rel: 'self', type: 'application/atom+xml' })]),
    ...entries.map(atomEntry),
  ]
  return xmlDocument(element('feed', children, { xmlns: 'http://www.w3.org/2005/Atom' }))
}

function atomEntry({ iri, html, updated, post, alternate }: FeedEntry): string {
  return element('entry', [
    textElement('id', iri),
    textElement('title', post.title),
    textElement('updated', updated),
    textElement('published', post.publishedAt),
    ...post.authors.map(({ name }) => element('author', [textElement('name', name)])),
    ...[post.category, ...post.tags].map(({ slug, name }) =>
      element('category', [], { term: slug, label: name }),
    ),
    ...alternates(alternate, 'link', { type: 'text/html' }),
    ...summaryOf(post.description, 'summary'),
    textElement('content', html, { type: 'html' }),
  ])
}

function alternates(
  all: readonly Alternate[],
  name: string,
  more: Attributes = {},
): readonly string[] {
  return all.map(({ locale, url }) => {
    const language = locale === undefined ? {} : { hreflang: locale }
    return element(name, [], { href: url, rel: 'alternate', ...more, ...language })
  })
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
  const dates = entries.map(({ updated }) => updated).sort()
  return dates.at(-1) ?? new Date(0).toISOString()
}

/** Formats a date for RSS 2.0, with a four-digit year: `Mon, 23 Nov 2026 12:00:00 GMT`. */
function rfc822(date: string): string {
  return new Date(date).toUTCString()
}

interface FeedPost {
  /** An IRI: a UUID made from workspace and id, so that a new title, slug or domain does not make a new entry. */
  readonly iri: string
  readonly url: string
  readonly post: Post
  /** The later date of publication and update, so a scheduled post is new when it appears. */
  readonly updated: string
  /** The post itself, then its visible translations. */
  readonly alternate: readonly Alternate[]
}

/** A URL on the site, and its language if the workspace has one. */
interface Alternate {
  readonly locale?: string | undefined
  readonly url: string
}

interface FeedEntry extends FeedPost {
  readonly html: string
}

/** Returns the URL of the site that shows the posts of a channel. */
function siteUrl({ postLink: template, workspace }: Channel): string {
  return `${hostOf(template.replaceAll('{workspace}', encodePart(workspace)))}/`
}

/** Reports whether a URL template has a scheme, and one host for all posts. */
export function isAbsoluteLink(template: string): boolean {
  return hostOf(template.replaceAll('{workspace}', 'w')) !== ''
}

/** Returns scheme and host; '' for a path, and for a host that differs by post. */
function hostOf(url: string): string {
  return /^https?:\/\/[^/?#{}]+(?=[/?#]|$)/.exec(url)?.[0] ?? ''
}

/** Returns a UUID that never changes (RFC 9562 §5.8), as an IRI. */
function iriOf(channel: Pick<Channel, 'workspace'>, id = ''): string {
  const bytes = sha256(utf8(`quarry feed\n${channel.workspace}\n${id}`)).slice(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return `urn:uuid:${hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`
}

async function feedPosts(
  channel: Channel,
  snapshot: Pick<Snapshot, 'read' | 'language' | 'translationsOf'>,
  ordinals: Uint32Array,
): Promise<readonly FeedPost[]> {
  const { language, translationsOf = () => [] } = snapshot
  const isLinked = (one: Translation): one is Translation & Alternate => one.url !== null
  return mapInBatches(
    ordinals,
    () => postBytes,
    async (group) => {
      const posts = await readPosts(group, snapshot)
      return posts.map((post, at) => {
        const { id, publishedAt, updatedAt } = post
        const { workspace, urls } = channel
        const url = postLink(channel.postLink, { ...post, workspace, url: urls?.[id] })
        const updated = publishedAt > updatedAt ? publishedAt : updatedAt
        const own = { locale: language?.locale, url }
        const alternate = [own, ...translationsOf(group[at] ?? 0).filter(isLinked)]
        return { iri: iriOf(channel, id), url, post, updated, alternate }
      })
    },
  )
}

async function feedEntries(
  channel: Channel,
  snapshot: Snapshot,
  ordinals: Uint32Array,
): Promise<readonly FeedEntry[]> {
  const posts = await feedPosts(channel, snapshot, ordinals)
  const bodies = await readParts([...ordinals], ['html'], snapshot)
  return posts.map((post, at) => {
    return { ...post, html: absoluteUrls(JSON.parse(bodies[at]?.[0] ?? ''), post.url) }
  })
}

/** Makes the URLs of links and images in HTML absolute, because a feed reader has no base URL. */
function absoluteUrls(html: string, base: string): string {
  return html.replace(/<[a-z](?:"[^"]*"|[^"<>])*>/gi, (tag) =>
    tag.replace(/ (src|href|cite)="([^"]*)"/g, (_, name: string, url: string) => {
      return ` ${name}="${absoluteUrl(url, base)}"`
    }),
  )
}

/** Keeps character references: `&` is allowed in every part of a URL, and the text after `#` does not change. */
function absoluteUrl(url: string, base: string): string {
  const isRelative = !/^[a-z][a-z\d+.-]*:/i.test(url)
  return isRelative && URL.canParse(url, base) ? new URL(url, base).href : url
}

/** Returns a page of the sitemap. Without posts it lists only the site, because a sitemap requires a URL. */
export async function sitemapXml(
  channel: Channel,
  snapshot: Pick<Snapshot, 'read' | 'language' | 'translationsOf'>,
  ordinals: Uint32Array,
): Promise<string> {
  const posts = await feedPosts(channel, snapshot, ordinals)
  const urls = posts.map(({ url, updated, alternate }) => {
    const links = alternate.length === 1 ? [] : alternates(alternate, 'xhtml:link')
    return element('url', [textElement('loc', url), textElement('lastmod', updated), ...links])
  })
  const xhtml = snapshot.language && { 'xmlns:xhtml': 'http://www.w3.org/1999/xhtml' }
  const home = element('url', [textElement('loc', siteUrl(channel))])
  const namespace = { xmlns: 'http://www.sitemaps.org/schemas/sitemap/0.9', ...xhtml }
  return xmlDocument(element('urlset', urls.length === 0 ? [home] : urls, namespace))
}

/** Returns the posts as a Markdown list (https://llmstxt.org), latest first. */
async function llmsText(
  channel: Channel,
  snapshot: Snapshot,
  ordinals: Uint32Array,
): Promise<string> {
  const posts = await feedPosts(channel, snapshot, ordinals)
  const head = `# ${inline(channel.name)}\n`
  const list = posts.length === 0 ? '' : `\n## Posts\n\n${posts.map(postLine).join('')}`
  return plainText(head + list)
}

function postLine({ url, post: { title, description } }: FeedPost): string {
  const about = inline(description ?? '')
  return `- [${inline(title)}](${url})${about === '' ? '' : `: ${about}`}\n`
}

/** Escapes text for one line of Markdown. */
function inline(text: string): string {
  return text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .replace(/[\\`*_[\]<&#|~]/g, '\\$&')
}

type Attributes = Readonly<Record<string, string>>

function textElement(name: string, text: string, attributes: Attributes = {}): string {
  return element(name, [escapeXml(text)], attributes)
}

function element(name: string, children: readonly string[], attributes: Attributes = {}): string {
  const named = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
  const start = `<${name}${named.join('')}`
  return children.length === 0 ? `${start}/>` : `${start}>${children.join('')}</${name}>`
}

/** Returns an XML 1.0 document. Characters that XML does not allow (§2.2), such as lone surrogates, are removed. */
function xmlDocument(root: string): string {
  return plainText(`<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`)
}

/** Removes the characters that XML 1.0 does not allow. */
export function plainText(text: string): string {
  return text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
}

/** Also escapes carriage returns, because a parser would read each as a line feed. */
function escapeXml(text: string): string {
  return text.replace(/[&<>"\r]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
