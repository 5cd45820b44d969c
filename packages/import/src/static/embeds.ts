// Links in place of pages and players that a site embeds.
import { escaped } from '../parts.ts'

/** A link to a page or a player, with its URL as default text. */
export function linkTo(url: string, text: string = url): string {
  return `<a href="${escaped(url)}">${escaped(text)}</a>`
}

/** The page of a video, given the URL of its player. */
export function pageOf(url: string): string {
  const youtube = /^https?:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/([\w-]+)/.exec(url)?.[1]
  if (youtube !== undefined && youtube !== 'videoseries')
    return `https://www.youtube.com/watch?v=${youtube}`
  const vimeo = /^https?:\/\/player\.vimeo\.com\/video\/(\d+)/.exec(url)?.[1]
  return vimeo === undefined ? url : `https://vimeo.com/${vimeo}`
}
