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

/**
 * Parses an author in text form.
 *
 * `[Ada](https://ada.example)` is Ada with a URL, and so is `Ada ([@ada](https://twitter.com/ada))`. Any other text is
 * a name.
 */
export function writtenAuthor(text: string): WrittenAuthor {
  if (!text.includes('](')) return { name: oneLine(text) }
  const links = [...text.matchAll(link)]
  const url = links.map(({ groups }) => groups?.['url']).find((found) => found !== undefined)
  if (url === undefined) return { name: oneLine(text) }
  const name = text.replace(handle, ' ').replace(link, '$<text>')
  const isWeb = /^https?:\/\//iu.test(url)
  return { name: oneLine(name) || oneLine(text), ...(isWeb ? { url } : {}) }
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
const link = /\[(?<text>[^[\]]{1,200})\]\((?<url>[^()\s]{1,2000})\)/gu

/** `([@ada](…))` after a name. */
const handle = /(?<!\s)\s*\(\[@?[^[\]]{1,200}\]\([^()\s]{1,2000}\)\)/gu

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
