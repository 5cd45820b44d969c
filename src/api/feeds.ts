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

/** Returns a document. Throws no `ApiError`: this module is bundled separately, with its own copy of that class. */
export async function feedText(
  kind: FeedKind,
  channel: Channel,
  snapshot: Snapshot,
  posts: Uint32Array,
): Promise<string> {
  if (kind === 'sitemap.xml') return sitemapXml(channel, snapshot, posts)
  if (kind === 'llms.txt') return llmsText(channel, snapshot, posts)
  const entries = await feedPosts(channel, snapshot, posts.slice(0, feedMax), true)
  if (kind === 'feed.json') return jsonFeed(channel, entries)
  return kind === 'feed.xml' ? rssFeed(channel, entries) : atomFeed(channel, entries)
}

function rssFeed(channel: Channel, entries: readonly FeedPost[]): string {
  const { name } = channel
  const self = selfUrl(channel, 'feed.xml')
  const link =
    self === null ? [] : xml`<atom:link href="${self}" rel="self" type="application/rss+xml"/>`
  const [latest] = entries
  const built = latest && xml`<lastBuildDate>${rfc822(lastUpdate(entries))}</lastBuildDate>`
  return xmlDocument(xml`
    <rss version="2.0"
      xmlns:atom="http://www.w3.org/2005/Atom"
      xmlns:content="http://purl.org/rss/1.0/modules/content/"
      xmlns:dc="http://purl.org/dc/elements/1.1/">
    <channel>
    <title>${name}</title>
    <link>${siteUrl(channel)}</link>
    <description>${`The latest posts of ${name}`}</description>
    ${link}${built ?? []}${entries.flatMap(rssItem)}
    </channel>
    </rss>`)
}

function rssItem({ iri, url, html, post }: FeedPost): Xml {
  const { title, description, publishedAt, authors, category, tags } = post
  return xml`
    <item>
    <title>${title}</title>
    <link>${url}</link>
    <guid isPermaLink="false">${iri}</guid>
    <pubDate>${rfc822(publishedAt)}</pubDate>
    ${authors.flatMap(({ name }) => xml`<dc:creator>${name}</dc:creator>`)}
    ${[category, ...tags].flatMap(({ name }) => xml`<category>${name}</category>`)}
    ${description ? xml`<description>${description}</description>` : []}
    <content:encoded>${html}</content:encoded>
    </item>`
}

function atomFeed(channel: Channel, entries: readonly FeedPost[]): string {
  const { name } = channel
  const self = selfUrl(channel, 'atom.xml')
  const link =
    self === null ? [] : xml`<link href="${self}" rel="self" type="application/atom+xml"/>`
  // The author is that of entries without one (RFC 4287 §4.1.1).
  return xmlDocument(xml`
    <feed xmlns="http://www.w3.org/2005/Atom">
    <id>${iriOf(channel)}</id>
    <title>${name}</title>
    <updated>${lastUpdate(entries)}</updated>
    <author><name>${name}</name></author>
    <link href="${siteUrl(channel)}" rel="alternate" type="text/html"/>
    ${link}${entries.flatMap(atomEntry)}
    </feed>`)
}

function atomEntry({ iri, html, updated, post, alternate }: FeedPost): Xml {
  const { title, description, publishedAt, authors, category, tags } = post
  const categories = [category, ...tags]
  return xml`
    <entry>
    <id>${iri}</id>
    <title>${title}</title>
    <updated>${updated}</updated>
    <published>${publishedAt}</published>
    ${authors.flatMap(({ name }) => xml`<author><name>${name}</name></author>`)}
    ${categories.flatMap(({ slug, name }) => xml`<category term="${slug}" label="${name}"/>`)}
    ${alternate.flatMap(
      ({ locale, url }) =>
        xml`<link href="${url}" rel="alternate" type="text/html"${languageOf(locale)}/>`,
    )}
    ${description ? xml`<summary>${description}</summary>` : []}
    <content type="html">${html}</content>
    </entry>`
}

function languageOf(locale: string | undefined): Xml {
  return locale === undefined ? [] : xml` hreflang="${locale}"`
}

function jsonFeed(channel: Channel, entries: readonly FeedPost[]): string {
  const self = selfUrl(channel, 'feed.json')
  const feed = {
    version: 'https://jsonfeed.org/version/1.1',
    title: channel.name,
    home_page_url: siteUrl(channel),
    ...(self === null ? {} : { feed_url: self }),
    items: entries.map(jsonItem),
  }
  return JSON.stringify(feed, (_, value) => (typeof value === 'string' ? plainText(value) : value))
}

function jsonItem({ iri, url, html, updated, post }: FeedPost): object {
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

/** Latest update of the posts; 1970-01-01 without posts. */
function lastUpdate(entries: readonly FeedPost[]): string {
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
  /** The content; '' outside of feeds. */
  readonly html: string
}

/** A URL on the site, and its language if the workspace has one. */
interface Alternate {
  readonly locale?: string | undefined
  readonly url: string
}

/** Returns the URL of a feed; null if the URL of the API is unknown. */
function selfUrl({ baseUrl, workspace }: Channel, kind: FeedKind): string | null {
  return baseUrl === '' ? null : `${baseUrl}/v1/${encodeURIComponent(workspace)}/${kind}`
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
  hasContent = false,
): Promise<readonly FeedPost[]> {
  const { language, translationsOf = () => [] } = snapshot
  const isLinked = (one: Translation): one is Translation & Alternate => one.url !== null
  return mapInBatches(
    ordinals,
    () => postBytes,
    async (group) => {
      const posts = await readPosts(group, snapshot)
      const bodies = hasContent ? await readParts(group, ['html'], snapshot) : []
      return posts.map((post, at) => {
        const { id, publishedAt, updatedAt } = post
        const { workspace, urls } = channel
        const url = postLink(channel.postLink, { ...post, workspace, url: urls?.[id] })
        const updated = publishedAt > updatedAt ? publishedAt : updatedAt
        const own = { locale: language?.locale, url }
        const alternate = [own, ...translationsOf(group[at] ?? 0).filter(isLinked)]
        const [body] = bodies[at] ?? []
        const html = body === undefined ? '' : absoluteUrls(JSON.parse(body), url)
        return { iri: iriOf(channel, id), url, post, updated, alternate, html }
      })
    },
  )
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
  const linkOf = ({ locale, url }: Alternate) =>
    xml`<xhtml:link href="${url}" rel="alternate"${languageOf(locale)}/>`
  const urls = posts.flatMap(({ url, updated, alternate }) => {
    const links = alternate.length === 1 ? [] : alternate.flatMap(linkOf)
    return xml`<url><loc>${url}</loc><lastmod>${updated}</lastmod>${links}</url>`
  })
  const xhtml = snapshot.language ? xml` xmlns:xhtml="http://www.w3.org/1999/xhtml"` : []
  const home = xml`<url><loc>${siteUrl(channel)}</loc></url>`
  return xmlDocument(xml`
    <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"${xhtml}>
    ${urls.length === 0 ? home : urls}
    </urlset>`)
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

/** Markup. */
type Xml = readonly string[]

/** Returns markup without the line breaks of the template. Texts are escaped; markup is inserted as it is. */
function xml(template: TemplateStringsArray, ...values: readonly (string | Xml)[]): Xml {
  const parts = template.map((markup, at) => {
    const value = values[at] ?? []
    const line = markup.replace(/\n *(?=<|$)/g, '').replace(/\n */g, ' ')
    return line + (typeof value === 'string' ? escapeXml(value) : value.join(''))
  })
  return [parts.join('')]
}

/** Returns an XML 1.0 document. Characters that XML does not allow (§2.2), such as lone surrogates, are removed. */
function xmlDocument(root: Xml): string {
  return plainText(`<?xml version="1.0" encoding="UTF-8"?>\n${root.join('')}\n`)
}

/** Removes the characters that XML 1.0 does not allow. */
export function plainText(text: string): string {
  return text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
}

/** Also escapes carriage returns, because a parser would read each as a line feed. */
function escapeXml(text: string): string {
  return text.replace(/[&<>"\r]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
