// Posts in feeds, sitemaps and lists for language models, with their URLs on the site.
import { hex, parseJson, utf8 } from './bytes.ts'
import { encodePart, postLink } from './post-link.ts'
import type { Post } from './resources.ts'
import { sha256 } from './sha256.ts'
import type { Channel, Snapshot } from './snapshot.ts'
import { mapInTurns, postBytes } from './work.ts'

/** A post with its URL. */
export interface FeedPost {
  /** An IRI: a UUID of workspace and id, so that a new title, slug or domain does not make a new entry. */
  readonly iri: string
  readonly url: string
  readonly post: Post
  /** The later of publication and update, so a scheduled post is new when it appears. */
  readonly updated: string
}

/** A post with its content in HTML. */
export interface FeedEntry extends FeedPost {
  readonly html: string
}

/** Returns the URL of the site that shows the posts of a channel. */
export function siteUrl({ postLink: template, workspace }: Channel): string {
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
export function iriOf(channel: Pick<Channel, 'workspace'>, id = ''): string {
  const bytes = sha256(utf8(`quarry feed\n${channel.workspace}\n${id}`)).slice(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return `urn:uuid:${hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`
}

/** Returns a range of posts, in order. @param end ordinal after the last one */
export async function feedPosts(
  channel: Channel,
  snapshot: Pick<Snapshot, 'post'>,
  first: number,
  end: number,
): Promise<readonly FeedPost[]> {
  const ordinals = Array.from({ length: end - first }, (_, at) => first + at)
  return mapInTurns(
    ordinals,
    () => postBytes,
    async (ordinal) => feedPost(channel, await snapshot.post(ordinal)),
  )
}

/** Returns a range of posts with their content. */
export async function feedEntries(
  channel: Channel,
  snapshot: Pick<Snapshot, 'post' | 'read'>,
  first: number,
  end: number,
): Promise<readonly FeedEntry[]> {
  const posts = await feedPosts(channel, snapshot, first, end)
  const entries = posts.map(async (post, at): Promise<FeedEntry> => {
    const html = await snapshot.read({ of: 'posts', part: 'html', ordinal: first + at })
    return { ...post, html: absoluteUrls(parseJson(html), post.url) }
  })
  return Promise.all(entries)
}

function feedPost(channel: Channel, post: Post): FeedPost {
  const { id, publishedAt, updatedAt } = post
  const url = postLink(channel.postLink, { ...post, workspace: channel.workspace })
  const updated = publishedAt > updatedAt ? publishedAt : updatedAt
  return { iri: iriOf(channel, id), url, post, updated }
}

/** Makes the URLs of links and images in HTML absolute, as a feed reader has no base URL. */
export function absoluteUrls(html: string, base: string): string {
  return html.replace(/<[a-z](?:"[^"]*"|[^"<>])*>/gi, (tag) =>
    tag.replace(/ (src|href|cite)="([^"]*)"/g, (_, name: string, url: string) => {
      return ` ${name}="${absoluteUrl(url, base)}"`
    }),
  )
}

/**
 * Makes a URL absolute, in HTML or on its own. Keeps character references: `&` is allowed in every part of a URL, and
 * the text after `#` does not change.
 */
export function absoluteUrl(url: string, base: string): string {
  const isRelative = !/^[a-z][a-z\d+.-]*:/i.test(url)
  return isRelative && URL.canParse(url, base) ? new URL(url, base).href : url
}
