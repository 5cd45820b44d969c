// Replaces embedded pages and players by links, as a content API cannot serve them.
import { replaceOutsideCode } from './code-mask.ts'
import type { BodyContext } from './generator.ts'

/** Replaces every `iframe`, `video`, `audio`, `embed` and `object` that has a URL by a link. */
export function embedsToLinks(body: string, { changed }: Pick<BodyContext, 'changed'>): string {
  return [frame, player].reduce(
    (text, pattern) =>
      replaceOutsideCode(text, pattern, ([whole = '']) => {
        const url = sourceOf(whole)
        if (url === undefined) return whole
        changed(`embedded ${/^<(\w+)/.exec(whole)?.[1]?.toLowerCase()} → link`)
        return linkTo(url)
      }),
    body,
  )
}

/** A link to a page or a player, with its URL as default text. */
export function linkTo(url: string, text: string = url): string {
  const escaped = (value: string) =>
    value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  return `<a href="${escaped(url)}">${escaped(text)}</a>`
}

const frame = /<(iframe|embed)\b[^<>]{0,4000}>(?:[^<]{0,1000}<\/\1>)?/gi
const player = /<(video|audio|object)\b[^<>]{0,4000}>(?:(?!<\/?\1\b)[\s\S]){0,4000}?<\/\1>/gi

function sourceOf(element: string): string | undefined {
  const [, quoted, bare] =
    /\s(?:src|data|data-src)\s*=\s*(?:["']([^"'\s]+)["']|([^\s"'<>{}]+))/i.exec(element) ?? []
  const url = (quoted ?? bare)?.replaceAll('&amp;', '&')
  return url === undefined ? undefined : pageOf(url.startsWith('//') ? `https:${url}` : url)
}

/** The page of a video, given the URL of its player. */
export function pageOf(url: string): string {
  const youtube = /^https?:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/([\w-]+)/.exec(url)?.[1]
  if (youtube !== undefined && youtube !== 'videoseries')
    return `https://www.youtube.com/watch?v=${youtube}`
  const vimeo = /^https?:\/\/player\.vimeo\.com\/video\/(\d+)/.exec(url)?.[1]
  return vimeo === undefined ? url : `https://vimeo.com/${vimeo}`
}
