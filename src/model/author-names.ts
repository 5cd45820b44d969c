// Authors in the front matter of posts: a name, a Markdown link, or a map with a name.
import type { Social } from '../api/resources.ts'

/** An author as written in a post. */
export interface WrittenAuthor {
  readonly name: string
  readonly slug?: string | undefined
  readonly id?: string | undefined
  readonly image?: string | null | undefined
  readonly role?: string | null | undefined
  readonly bio?: string | undefined
  readonly url?: string | undefined
  readonly socials?: readonly Social[] | undefined
}

/** Parses an author in text form: `[Ada](https://ada.example)` is Ada with a URL, any other text a name. */
export function writtenAuthor(text: string): WrittenAuthor {
  const [, , url] = link.exec(text) ?? []
  // regex: the constant of this file
  const name = oneLine(url === undefined ? text : text.replaceAll(new RegExp(link, 'gu'), '$1'))
  return { name, ...(url !== undefined && /^https?:\/\//iu.test(url) ? { url } : {}) }
}

/** Returns the profiles of an author: those in front matter, and the URL. */
export function socialsOf({
  socials = [],
  url,
}: Pick<WrittenAuthor, 'socials' | 'url'>): readonly Social[] {
  if (url === undefined || socials.some((social) => social.url === url)) return socials
  return [...socials, { platform: platformOf(url), url }]
}

/** Collapses white space into single spaces and normalizes to NFC. */
export function oneLine(text: string): string {
  return text.normalize('NFC').replace(/\s+/gu, ' ').trim()
}

// Bounded, so that matching a text of brackets is linear in its length.
const link = /\[([^[\]]{1,200})\]\(([^()\s]{1,2000})\)/u

/** Returns the platform of a URL: `twitter` for `https://www.twitter.com/ada`. Other URLs are websites. */
function platformOf(url: string): string {
  const host = URL.canParse(url) ? new URL(url).hostname.replace(/^www\./u, '') : ''
  return platforms.get(host) ?? 'website'
}

const platforms: ReadonlyMap<string, string> = new Map([
  ['twitter.com', 'twitter'],
  ['x.com', 'x'],
  ['github.com', 'github'],
  ['gitlab.com', 'gitlab'],
  ['linkedin.com', 'linkedin'],
  ['instagram.com', 'instagram'],
  ['facebook.com', 'facebook'],
  ['youtube.com', 'youtube'],
  ['bsky.app', 'bluesky'],
  ['mastodon.social', 'mastodon'],
])
