// URLs of posts on the site that shows them.

/** Placeholder values of a link to a post. */
export interface PostPlace {
  readonly workspace: string
  readonly id: string
  readonly slug: string
  /** ISO 8601, UTC. */
  readonly publishedAt: string
}

/** Returns the URL of a post, percent-encoded. @param template a valid template */
export function postLink(template: string, post: PostPlace): string {
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
