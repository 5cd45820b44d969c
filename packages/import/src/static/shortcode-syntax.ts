// Parses Hugo shortcodes: `{{< name args >}}text{{< /name >}}` and `{{% … %}}`.
import { replaceParts } from '../parts.ts'
import { replaceOutsideCode } from './code-mask.ts'

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
  const closingOf = closings(tags)
  const found: Shortcode[] = []
  for (let at = 0; at < tags.length; at++) {
    const tag = tags[at]
    if (tag === undefined || tag.isClosing) continue
    const close = closingOf.get(at) ?? -1
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
  return replaceParts(
    text,
    /\{\{([<%])\/\*/g,
    () => '\\*/[>%]\\}\\}',
    ({ open: [, sign = ''], inner, end }) => `{{${sign}${inner}${text.slice(end - 3, end)}`,
  )
}

const tagStart = /\{\{[<%](?!\/\*)\s{0,99}(\/?)\s{0,99}([\w./-]+)/g

function findTags(text: string): readonly Tag[] {
  const tags: Tag[] = []
  for (const match of text.matchAll(tagStart)) {
    const [whole, slash, name = ''] = match
    const from = match.index + whole.length
    const end = match.index < (tags.at(-1)?.end ?? 0) ? undefined : endOfTag(text, from)
    if (end === undefined) continue
    const args = text.slice(from, end - 3).trimEnd()
    const isSelfClosing = (name + args).endsWith('/')
    tags.push({
      name: args === '' && isSelfClosing ? name.slice(0, -1) : name,
      args: isSelfClosing ? args.slice(0, -1) : args,
      isClosing: slash === '/',
      isSelfClosing,
      start: match.index,
      end,
    })
  }
  return tags
}

/** The end of a tag, a quoted text, or what a tag may not contain: the start of another tag, an unclosed quote. */
const inTag =
  /([%>]\}\})|"(?:[^"\\{]|\\.|\{(?!\{[<%]))*"|`(?:[^`{]|\{(?!\{[<%]))*`|(<\}\}|\{\{[<%]|["`])/g

/** The offset after `>}}`; undefined for no tag. Cost: O(length) to the next tag. */
function endOfTag(text: string, from: number): number | undefined {
  inTag.lastIndex = from
  for (let match = inTag.exec(text); match !== null; match = inTag.exec(text)) {
    if (match[1] !== undefined) return inTag.lastIndex
    if (match[2] !== undefined) return undefined
  }
  return undefined
}

/** Closing tags by opening tags, as indexes; each closes the nearest open one of its name. */
function closings(tags: readonly Tag[]): ReadonlyMap<number, number> {
  const open = new Map<string, number[]>()
  const closing = new Map<number, number>()
  for (const [at, { name, isClosing, isSelfClosing }] of tags.entries()) {
    if (isSelfClosing) continue
    const known = open.get(name) ?? []
    open.set(name, known)
    const opening = isClosing ? known.pop() : undefined
    if (opening !== undefined) closing.set(opening, at)
    else if (!isClosing) known.push(at)
  }
  return closing
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

/** Shortcodes of Zola, `{{ name(key="value") }}` and `{% name() %}text{% end %}`, in the syntax of Hugo. */
export function zolaShortcodes(body: string): string {
  const open: string[] = []
  const tag =
    /\{([{%])-?\s{0,9}(?:([\w:]{1,99})\(((?:[^()"'`{}]|"[^"]*"|'[^']*'|`[^`]*`){0,500})\)|(end))\s{0,9}-?[%}]\}/g
  return replaceOutsideCode(body, tag, ([all = '', sign, name = '', args = '', end]) => {
    if (end) {
      const last = open.pop()
      return last === undefined ? all : `{{< /${last} >}}`
    }
    if (sign === '%') open.push(name)
    const spaced = args.replace(/("[^"]*"|'[^']*'|`[^`]*`)|,/g, (_, text?: string) => text ?? ' ')
    return `{{< ${name} ${spaced.replace(/\s?=\s?/g, '=').trim()} >}}`
  })
}
