// Figures and buttons of shortcodes, as HTML.
import type { Shortcode } from './shortcode-syntax.ts'

/** The figure described by the arguments of a shortcode; undefined when none is a URL. */
export function figure({ named, positional }: Shortcode): string | undefined {
  const src = named.get('src') ?? named.get('url') ?? named.get('link') ?? positional[0]
  if (src === undefined) return undefined
  const caption = named.get('caption') ?? named.get('title') ?? ''
  const alt = named.get('alt') ?? positional[1] ?? caption
  const image = `<img src="${escaped(src)}" alt="${escaped(alt)}">`
  const href = named.get('href') ?? (named.has('src') ? named.get('link') : undefined)
  const shown = href === undefined ? image : `<a href="${escaped(href)}">${image}</a>`
  const texts = [...new Set([named.get('title'), named.get('caption'), named.get('attr')])].filter(
    Boolean,
  )
  return captioned(shown, texts.join(' '))
}

/** An HTML figure, with a caption unless it is blank. */
export function captioned(shown: string, caption: string): string {
  const text = caption.trim()
  return `<figure>${shown}${text === '' ? '' : `<figcaption>${text}</figcaption>`}</figure>`
}

/** A link that themes show as a button; undefined when no argument is a URL. */
export function button(
  { named, positional }: Shortcode,
  inner: string | undefined,
): string | undefined {
  const url = named.get('href') ?? named.get('url') ?? named.get('link') ?? positional[0]
  const text = inner ?? named.get('text') ?? named.get('label') ?? positional[1]
  return url === undefined ? undefined : `<a href="${escaped(url)}">${(text ?? url).trim()}</a>`
}

/** Escapes a text for an attribute value. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
