// URLs of posts on the site that shows them.

/** Placeholder values of a link to a post. */
export interface PostPlace {
  readonly workspace: string
  readonly id: string
  readonly slug: string
  /** ISO 8601, UTC. */
  readonly publishedAt: string
  /** Its own URL, absolute or a path from the root of the site; null for that of the template. */
  readonly url?: string | null | undefined
}

/** Returns the URL of a post, percent-encoded. @param template a valid template */
export function postLink(template: string, post: PostPlace): string {
  const [host = ''] = /^https?:\/\/[^/?#{}]+/.exec(template) ?? []
  const root = host || 'https://quarry.invalid'
  if (post.url && URL.canParse(post.url, root)) {
    const { href } = new URL(post.url, root)
    return host === '' && href.startsWith(root) ? href.slice(root.length) : href
  }
  return template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodePart(postPlaces[name]?.(post) ?? ''),
  )
}

/** Encodes a path segment so that it is safe in HTML and in Markdown. */
export function encodePart(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Placeholders of a template, by name. */
export const postPlaces: Readonly<Record<string, (post: PostPlace) => string>> = {
  slug: ({ slug }) => slug,
  id: ({ id }) => id,
  workspace: ({ workspace }) => workspace,
  year: ({ publishedAt }) => publishedAt.slice(0, 4),
  month: ({ publishedAt }) => publishedAt.slice(5, 7),
  day: ({ publishedAt }) => publishedAt.slice(8, 10),
}
