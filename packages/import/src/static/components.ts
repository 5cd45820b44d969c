// MDX components whose visible content is in their attributes: images, players, labels.
import { linkTo } from './embeds.ts'
import type { JsxTag } from './jsx-tags.ts'

/** The HTML for an opening tag; `''` when its attributes have no visible content. */
export function showComponent({ name, attributes }: JsxTag): string {
  const get = (...keys: readonly string[]) =>
    keys
      .map((key) => attributes.find((attribute) => attribute.name === key)?.text)
      .find((text) => text)
  const source = get('src', 'image', 'href', 'url')
  const player = playerOf(name, get('id', 'videoId', 'youTubeId', 'tweetId', 'videoid'), source)
  if (player !== undefined) return linkTo(player)
  const caption = get('caption')
  const value = name === 'TabItem' ? 'value' : ''
  const label = get('title', 'label', 'summary', 'header', 'heading', value)
  const parts = [
    label === undefined ? '' : `<p><strong>${label}</strong></p>`,
    source !== undefined && isImage(source)
      ? `<img src="${source}" alt="${get('alt') ?? caption ?? label ?? ''}">`
      : '',
    caption === undefined ? '' : `<p>${caption}</p>`,
  ]
  return parts.join('')
}

function isImage(url: string): boolean {
  return /\.(?:png|jpe?g|gif|webp|avif|svg)$/i.test(url.split(/[?#]/, 1)[0] ?? '')
}

function playerOf(
  name: string,
  id: string | undefined,
  source: string | undefined,
): string | undefined {
  const url = id ?? source
  if (url === undefined) return undefined
  if (/youtube|^yt$/i.test(name)) {
    const video = /(?:embed\/|v=|youtu\.be\/)([\w-]+)/.exec(url)?.[1]
    return `https://www.youtube.com/watch?v=${video ?? url}`
  }
  if (/vimeo/i.test(name)) return /^\d+$/.test(url) ? `https://vimeo.com/${url}` : url
  if (/^(?:tweet|twitter|xpost)/i.test(name))
    return /^\d+$/.test(url) ? `https://twitter.com/i/status/${url}` : url
  return /^(?:video|audio|iframe|codesandbox|stackblitz|codepen|linkcard)$/i.test(name)
    ? source
    : undefined
}
