// Link settings, in the configuration and in a workspace: URLs of images and posts, and broken links.
import { postPlaces } from '../api/post-link.ts'

/** Severities of a broken link; `ignore` does not report it. */
export const brokenLinkSettings = ['error', 'warning', 'ignore'] as const

type BrokenLinks = (typeof brokenLinkSettings)[number]

/** Error message for any other value. */
export const brokenLinksMessage = 'must be "error", "warning" or "ignore"'

/** Settings of URLs. */
export interface LinkSettings {
  /** URL at which `public` is served, without a trailing slash; '' for URLs that begin with `/`. */
  readonly baseUrl: string
  /** URL template of posts, with placeholders such as `{slug}`; null keeps links to posts as written. */
  readonly post: string | null
  /** Severity of a missing image or post. */
  readonly broken: BrokenLinks
}

/** Optional settings. Those of a workspace override those of the configuration. */
export interface LinkInput {
  readonly baseUrl?: string | undefined
  readonly links?:
    | { readonly post?: string | undefined; readonly broken?: BrokenLinks | undefined }
    | undefined
}

/** Fills in the defaults. @param own settings of a workspace, validated @param given those of the configuration */
export function resolveLinks(own: LinkInput, given: LinkInput): LinkSettings {
  return {
    baseUrl: (own.baseUrl ?? given.baseUrl ?? '').replace(/(?<!\/)\/+$/, ''),
    post: own.links?.post ?? given.links?.post ?? null,
    broken: own.links?.broken ?? given.links?.broken ?? 'error',
  }
}

/** Returns why a text cannot be a base URL; null if it can. */
export function baseUrlProblem(text: string): string | null {
  const isPlain = plain.test(text) && !/[?#]/.test(text)
  if (isPlain && /^https?:\/\/[^/@]+/.test(text) && URL.canParse(text)) return null
  return 'must be a URL such as https://content.example.com, without a query or fragment'
}

/** Returns why a text cannot be a URL template of posts; null if it can. */
export function postLinkProblem(text: string): string | null {
  const names = Object.keys(postPlaces).map((name) => `{${name}}`)
  const unknown = text.match(/\{[^{}]*\}/g)?.find((name) => !names.includes(name))
  if (unknown !== undefined)
    return `has an unknown placeholder "${unknown}"; the placeholders are ${names.join(', ')}`
  const rest = text.replace(/\{\w+\}/g, 'x')
  const isAddress = /^\/(?!\/)/.test(rest) || (/^https?:\/\//.test(rest) && URL.canParse(rest))
  if (isAddress && plain.test(rest)) return null
  return 'must be a path such as /blog/{slug}, or such a URL with http or https'
}

/** No white space and no characters with a meaning in HTML or Markdown, alone or combined. */
const plain = /^[A-Za-z0-9\-._~:/?#@!$&+,=%]+$/
