// Parses Hugo shortcodes: `{{< name args >}}text{{< /name >}}` and `{{% … %}}`.

/** A shortcode in a text. */
export interface Shortcode {
  readonly name: string
  readonly positional: readonly string[]
  readonly named: ReadonlyMap<string, string>
  /** The text between the tags; undefined without a closing tag. */
  readonly inner: string | undefined
  /** Offsets of the whole shortcode. */
  readonly start: number
  readonly end: number
  /** Offset of `inner`. */
  readonly innerStart: number
}

interface Tag {
  readonly name: string
  readonly args: string
  readonly isClosing: boolean
  readonly isSelfClosing: boolean
  readonly start: number
  readonly end: number
}

/** The outermost shortcodes, in order. Skips escaped ones, `{{</* … *\/>}}`. */
export function findShortcodes(text: string): readonly Shortcode[] {
  const tags = findTags(text)
  const found: Shortcode[] = []
  for (let at = 0; at < tags.length; at++) {
    const tag = tags[at]
    if (tag === undefined || tag.isClosing) continue
    const close = tag.isSelfClosing ? -1 : closingOf(tags, at)
    const closing = tags[close]
    const args = readArguments(tag.args)
    const inner = closing === undefined ? undefined : text.slice(tag.end, closing.start)
    found.push({
      name: tag.name,
      ...args,
      inner,
      start: tag.start,
      end: closing?.end ?? tag.end,
      innerStart: tag.end,
    })
    if (close !== -1) at = close
  }
  return found
}

/** Unescapes shortcodes that Hugo shows as text. */
export function unescapeShortcodes(text: string): string {
  return text.replace(/\{\{([<%])\/\*([\s\S]*?)\*\/([>%])\}\}/g, '{{$1$2$3}}')
}

const tagPattern =
  /\{\{([<%])(?!\/\*)\s*(\/?)\s*([\w./-]+)((?:"(?:[^"\\]|\\.)*"|`[^`]*`|(?![<%>]\}\})[^"`])*?)(\/?)\s*[>%]\}\}/g

function findTags(text: string): readonly Tag[] {
  if (!/\{\{[<%]/.test(text)) return []
  return [...text.matchAll(tagPattern)].map((match) => {
    const [whole, , slash, name = '', args = '', selfClosing] = match
    const isClosing = slash === '/'
    const end = match.index + whole.length
    return { name, args, isClosing, isSelfClosing: selfClosing === '/', start: match.index, end }
  })
}

/** -1 for an unclosed tag. */
function closingOf(tags: readonly Tag[], open: number): number {
  const name = tags[open]?.name
  let depth = 0
  for (let at = open; at < tags.length; at++) {
    const tag = tags[at]
    if (tag?.name !== name || tag?.isSelfClosing) continue
    depth += tag?.isClosing ? -1 : 1
    if (depth === 0) return at
  }
  return -1
}

const argument =
  /([\w-]+)=(?:"((?:[^"\\]|\\.)*)"|`([^`]*)`|([^\s"`]+))|"((?:[^"\\]|\\.)*)"|`([^`]*)`|([^\s"`]+)/g

function readArguments(text: string): Pick<Shortcode, 'positional' | 'named'> {
  const positional: string[] = []
  const named = new Map<string, string>()
  for (const [, key, ...values] of text.matchAll(argument)) {
    const value = (values.find((found) => found !== undefined) ?? '').replace(/\\(.)/g, '$1')
    if (key === undefined) positional.push(value)
    else named.set(key.toLowerCase(), value)
  }
  return { positional, named }
}
