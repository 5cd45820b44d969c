// Converts a URL or path, as typed, to a request target.
import { UseError } from '../../config.ts'

/**
 * Returns the request target that a browser would send: path and query, percent-encoded.
 *
 * @param address a URL, with or without `http://`, or a path, with or without its leading `/`
 * @throws UseError for an invalid URL
 */
export function targetOf(address: string): string {
  const hasHost = /^[^/?#]+:\d+(?:\/|$)/.test(address)
  if (hasHost || /^https?:\/\//i.test(address)) return urlTarget(hasHost, address)
  const [path = ''] = address.split('#')
  const rooted = path.startsWith('/') ? path : `/${path}`
  return rooted.replace(/[^\x21-\x7e]+/gu, (text) => encodeURIComponent(text))
}

function urlTarget(hasHost: boolean, address: string): string {
  const text = hasHost ? `http://${address}` : address
  if (!URL.canParse(text)) {
    throw new UseError('The address is no URL. Give a path instead, such as /v1/my-site/posts.')
  }
  const { pathname, search } = new URL(text)
  return `${pathname}${search}`
}
