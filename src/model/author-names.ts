// Authors as posts write them: a name, a Markdown link, or a map with a name in it.
import type { Social } from '../api/resources.ts'

/** An author as a post describes one. */
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
 * The author that a text names.
 *
 * `[Ada](https://ada.example)` is Ada with an address, and so is `Ada ([@ada](https://twitter.com/ada))`.
 * Any other text is a name.
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

/** Where an author is found: what they state, and their address. */
export function socialsOf({
  socials = [],
  url,
}: Pick<WrittenAuthor, 'socials' | 'url'>): readonly Social[] {
  if (url === undefined || socials.some((social) => social.url === url)) return socials
  return [...socials, { platform: platformOf(url), url }]
}

/** Runs of white space made one blank; in normal form C. */
export function oneLine(text: string): string {
  return text.normalize('NFC').replace(/\s+/gu, ' ').trim()
}

// Bounded, so that a text of nothing but brackets costs no more than its length.
const link = /\[(?<text>[^[\]]{1,200})\]\((?<url>[^()\s]{1,2000})\)/gu

/** `([@ada](…))` behind a name. */
const handle = /\s*\(\[@?[^[\]]{1,200}\]\([^()\s]{1,2000}\)\)/gu

/** `https://www.twitter.com/ada` is of `twitter`; other addresses are websites. */
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
