// Where images and links to other posts lead: what can be set, in the configuration and in a workspace.
import { postPlaces } from '../api/post-link.ts'

/** The severity of a link to nothing; `ignore` reports none. */
export const brokenLinkSettings = ['error', 'warning', 'ignore'] as const

type BrokenLinks = (typeof brokenLinkSettings)[number]

/** Why a text is none of them. */
export const brokenLinksMessage = 'must be "error", "warning" or "ignore"'

/** How addresses are made. */
export interface LinkSettings {
  /** Where `public` is served, without a slash at its end; '' makes addresses that begin with `/`. */
  readonly baseUrl: string
  /** The address of a post, with places such as `{slug}`; null leaves links to posts as they are written. */
  readonly post: string | null
  /** The severity of an image or a post that is not there. */
  readonly broken: BrokenLinks
}

/** The settings; those of a workspace override those of the configuration. */
export interface LinkInput {
  readonly baseUrl?: string | undefined
  readonly links?:
    | { readonly post?: string | undefined; readonly broken?: BrokenLinks | undefined }
    | undefined
}

/** Settings with nothing left out. @param inputs the strongest first; checked */
export function resolveLinks(...inputs: readonly LinkInput[]): LinkSettings {
  const first = <T>(pick: (input: LinkInput) => T | undefined): T | undefined =>
    inputs.map(pick).find((value) => value !== undefined)
  return {
    baseUrl: (first((input) => input.baseUrl) ?? '').replace(/\/+$/, ''),
    post: first((input) => input.links?.post) ?? null,
    broken: first((input) => input.links?.broken) ?? 'error',
  }
}

/** Why a text is no base of addresses; null when it is one. */
export function baseUrlProblem(text: string): string | null {
  const isPlain = plain.test(text) && !/[?#]/.test(text)
  if (isPlain && /^https?:\/\/[^/@]+/.test(text) && URL.canParse(text)) return null
  return 'must be an address such as https://content.example.com, without query and fragment'
}

/** Why a text cannot make addresses of posts; null when it can. */
export function postLinkProblem(text: string): string | null {
  const unknown = [...text.matchAll(/\{([^{}]*)\}/g)].find(
    ([, name = '']) => !Object.hasOwn(postPlaces, name),
  )
  if (unknown !== undefined) {
    return `has no place "${unknown[0]}"; there are ${Object.keys(postPlaces)
      .map((name) => `{${name}}`)
      .join(', ')}`
  }
  const rest = text.replace(/\{\w+\}/g, 'x')
  const isAddress = /^\/(?!\/)/.test(rest) || (/^https?:\/\//.test(rest) && URL.canParse(rest))
  if (isAddress && plain.test(rest)) return null
  return 'must be a path such as /blog/{slug}, or such an address with http or https'
}

/** Neither white space nor what means something in HTML or in Markdown, not even together. */
const plain = /^[A-Za-z0-9\-._~:/?#@!$&+,=%]+$/
