// Documents that list every visible post: the sitemap, and the list for language models.
import { type FeedPost, feedPosts, siteUrl } from './feed-posts.ts'
import type { Channel, Snapshot } from './snapshot.ts'
import { element, plainText, textElement, xmlDocument } from './xml.ts'

/** A range of posts by ordinal, latest first: from `first` to `end`, exclusive. */
export interface PostRange {
  readonly first: number
  readonly end: number
}

/**
 * Returns a page of the sitemap, latest posts first. Without posts it lists only the site, as a sitemap requires a URL.
 *
 * @param posts those of the page
 */
export async function sitemapXml(
  channel: Channel,
  snapshot: Pick<Snapshot, 'post'>,
  { first, end }: PostRange,
): Promise<string> {
  const posts = await feedPosts(channel, snapshot, first, end)
  const urls = posts.map(({ url, updated }) =>
    element('url', [textElement('loc', url), textElement('lastmod', updated)]),
  )
  const home = element('url', [textElement('loc', siteUrl(channel))])
  const namespace = { xmlns: 'http://www.sitemaps.org/schemas/sitemap/0.9' }
  return xmlDocument(element('urlset', urls.length === 0 ? [home] : urls, namespace))
}

/** Returns the posts as a Markdown list (https://llmstxt.org), latest first. */
export async function llmsText(
  channel: Channel,
  snapshot: Pick<Snapshot, 'post'>,
  { first, end }: PostRange,
): Promise<string> {
  const posts = await feedPosts(channel, snapshot, first, end)
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
