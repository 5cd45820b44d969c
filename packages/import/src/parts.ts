// Replaces parts of texts in linear time, where a regular expression would be quadratic; escapes texts.

export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}

export type Range = readonly [start: number, end: number]

/** A part of a text with its ends. */
export interface Part {
  readonly open: RegExpExecArray
  readonly inner: string
  readonly start: number
  readonly end: number
}

/**
 * Finds every part from a match of `open` to the nearest match of `closeOf`, which returns a source of a regular
 * expression without case; undefined for no part. Its first group matches the start of a nested part. Parts without
 * an end are left out.
 *
 * Cost: O(length) for each distinct end.
 */
export function* partsOf(
  text: string,
  open: RegExp,
  closeOf: (open: RegExpExecArray) => string | undefined,
): Generator<Part> {
  const endOf = endsIn(text)
  let done = 0
  for (const match of text.matchAll(open)) {
    const source = match.index < done ? undefined : closeOf(match)
    const inner = match.index + match[0].length
    const [close, end] = (source !== undefined && endOf(source, inner)) || []
    if (close === undefined || end === undefined) continue
    done = end
    yield { open: match, inner: text.slice(inner, close), start: match.index, end }
  }
}

/** Replaces parts; see `partsOf`. @param seen the text in which parts are found, of the same length */
export function replaceParts(
  text: string,
  open: RegExp,
  closeOf: (open: RegExpExecArray) => string | undefined,
  replace: (part: Part) => string,
  seen: string = text,
): string {
  const parts = Array.from(partsOf(seen, open, closeOf), (part) => ({ ...part, index: part.start }))
  return replaceRanges(text, parts, (part) => [part.end, replace(part)])
}

/** Replaces the text from each item to an end, in order. Items inside replaced text are left out; undefined keeps the text. */
export function replaceRanges<T extends { readonly index: number }>(
  text: string,
  items: Iterable<T>,
  replace: (item: T) => readonly [end: number, text: string] | undefined,
): string {
  let result = ''
  let done = 0
  for (const item of items) {
    const [end, made] = (item.index >= done && replace(item)) || []
    if (end === undefined) continue
    result += text.slice(done, item.index) + made
    done = end
  }
  return result + text.slice(done)
}

/** Finds the nearest end after an offset, by the source of a regular expression. Cost: O(length) for each source without an end. */
export function endsIn(text: string): (source: string, from: number) => Range | undefined {
  const unclosed = new Set<string>()
  return (source, from) => {
    if (unclosed.has(source)) return undefined
    const close = new RegExp(source, 'gi')
    close.lastIndex = from
    let depth = 1
    for (let match = close.exec(text); match !== null; match = close.exec(text)) {
      depth += match[1] === undefined ? -1 : 1
      if (depth === 0) return [match.index, close.lastIndex]
    }
    unclosed.add(source)
    return undefined
  }
}

/** Removes characters from the end of a text. Cost: O(length); `/[…]+$/` is quadratic. */
export function trimmedEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** Decodes a path, slug or fragment of a URL, in NFC. Text with an invalid encoding stays. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text).normalize('NFC')
  } catch {
    return text
  }
}

/** Escapes a text for HTML. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}

/** Formats a block of code. @param before the text before it on its line: after an indent, no blank line is needed */
export function codeBlock(code: string, language: string, before = '.'): string {
  const text = trimmedEnd(code.replace(/^[ \t]*\n/, ''), ' \t').replace(/\n$/, '')
  const lengths = Array.from(text.matchAll(/`+/g), ([run]) => run.length + 1)
  const fence = '`'.repeat(Math.max(3, ...lengths))
  const [start, indent] = before.trim() === '' ? ['', before] : ['\n\n', '']
  return `${start}${fence}${/^[\w#+.-]+$/.test(language) ? language : ''}\n${text}\n${indent}${fence}\n`
}

/** Returns Markdown for an element, on separate lines if it has markup, so that it is parsed inside raw HTML. */
export function within(text: string): string {
  return /[\n*_`[\]<>&\\~{$]|https?:/.test(text) ? `\n\n${text}\n\n` : text
}

export function elementOf(tag: string, text: string): string {
  return `<${tag}>${within(text)}</${tag}>`
}

/** Formats a label in bold, without marks of bold outside of code, which would end it. */
export function bold(label: string): string {
  return `**${label.trim().replace(/(`[^`]*`)|\*\*|(?<!\w)__|__(?!\w)/g, (_, code = '') => code)}**`
}

/** Formats a link. The default text has no scheme, so that Markdown does not make a second link of it. */
export function linkTo(url: string, text: string = url.replace(/^.*?\/\/(www\.)?/, '')): string {
  return `<a href="${escaped(url)}">${escaped(text)}</a>`
}

/** Names of players, with the start of the URL of their pages. */
const players: readonly (readonly [name: RegExp, page: string])[] = [
  [/^(?:lite-?)?yt$|youtube/i, 'https://www.youtube.com/watch?v='],
  [/vimeo/i, 'https://vimeo.com/'],
  [/^(?:tweet|twitter|xpost|x$)/i, 'https://x.com/i/status/'],
  [/^gist/i, 'https://gist.github.com/'],
  [/^jsfiddle/i, 'https://jsfiddle.net/'],
  [/^instagram/i, 'https://www.instagram.com/p/'],
  [/^(?:video|audio|iframe|embed|code(?:sandbox|pen)|stackblitz|linkcard|soundcloud|pdf)$/i, ''],
]

/** Returns the page of a player, such as `youtube-80` or `TweetEmbed`, by an id or a URL; undefined for other names. */
export function playerPage(name: string, id: string | undefined): string | undefined {
  const [, page] = players.find(([pattern]) => pattern.test(name)) ?? []
  if (page === undefined || !id || (page === '' && !/[./]/.test(id))) return undefined
  return /^https?:\/\//.test(id) ? pageOf(id) : page + id
}

/** Returns the page of a video from the URL of its player. */
export function pageOf(url: string): string {
  const youtube = /^https?:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/([\w-]+)/.exec(url)?.[1]
  if (youtube !== undefined && youtube !== 'videoseries')
    return `https://www.youtube.com/watch?v=${youtube}`
  const vimeo = /^https?:\/\/player\.vimeo\.com\/video\/(\d+)/.exec(url)?.[1]
  return vimeo === undefined ? url : `https://vimeo.com/${vimeo}`
}

/** Returns a function that makes each value once. */
export function remembered<T>(make: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>()
  return (key) => {
    if (!known.has(key)) known.set(key, make(key))
    return known.get(key) as T
  }
}
