// The addresses of posts on the site that shows them.

/** The placeholders of a link to a post. */
export interface PostPlace {
  readonly workspace: string
  readonly id: string
  readonly slug: string
  /** ISO 8601, UTC. */
  readonly publishedAt: string
}

/** The address of a post. @param template one without a problem @returns percent-encoded */
export function postLink(template: string, post: PostPlace): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodePart(postPlaces[name]?.(post) ?? ''),
  )
}

/** One part of a path, safe in HTML and in Markdown. */
export function encodePart(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** The places of a template, by name. */
export const postPlaces: Readonly<Record<string, (post: PostPlace) => string>> = {
  slug: ({ slug }) => slug,
  id: ({ id }) => id,
  workspace: ({ workspace }) => workspace,
  year: ({ publishedAt }) => publishedAt.slice(0, 4),
  month: ({ publishedAt }) => publishedAt.slice(5, 7),
  day: ({ publishedAt }) => publishedAt.slice(8, 10),
}
