// Expands blocks of WordPress' editor in the text of a post: removes their markers and inserts referenced content.
import { escaped } from '../parts.ts'

/** Referenced content, and callbacks for losses. */
export interface BlockContext {
  /** The content of synced patterns by id. */
  readonly patterns: ReadonlyMap<string, string>
  /** Called for a block without stored content, such as a list of the latest posts. */
  readonly onDynamic: (name: string) => void
}

/** True for a text of the block editor; in other texts, blank lines separate paragraphs. */
export function hasBlocks(content: string): boolean {
  return content.includes('<!-- wp:')
}

/** Maximum nesting of patterns. */
const patternDepthMax = 5

/** Converts a text with blocks to HTML. */
export function expandBlocks(content: string, context: BlockContext, depth = 0): string {
  const named = content.replace(codeBlock, (_, language: string) => `<pre lang="${language}" `)
  return named.replace(delimiter, (_, slash: string, name: string, data = '', self = '') => {
    if (slash === '/' || self === '') return ''
    return contentOf(name, attributesOf(data as string), context, depth)
  })
}

/** `<!-- wp:name {"key":1} -->`, `<!-- /wp:name -->` and `<!-- wp:name /-->`; JSON in it has no `-->`. */
const delimiter =
  /<!--[ \t\n]+(\/?)wp:([a-z][a-z0-9_-]*(?:\/[a-z][a-z0-9_-]*)?)[ \t\n]+(\{(?:(?!-->|<!--)[\s\S])*?\}[ \t\n]+)?(\/?)-->/g

/** A block of code whose language is an attribute of the block. */
const codeBlock =
  /<!-- wp:syntaxhighlighter\/code \{"language":"([\w+#-]{1,30})"[^{}]{0,300}\} -->\s{0,9}<pre /g

interface Attributes {
  readonly ref?: unknown
  readonly url?: unknown
  readonly service?: unknown
}

function attributesOf(data: string): Attributes {
  try {
    const value: unknown = JSON.parse(data)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

function contentOf(
  name: string,
  { ref, url, service }: Attributes,
  context: BlockContext,
  depth: number,
): string {
  const pattern = name === 'block' ? context.patterns.get(String(ref)) : undefined
  if (pattern !== undefined && depth < patternDepthMax)
    return expandBlocks(pattern, context, depth + 1)
  if (name === 'footnotes') return ''
  if (name === 'social-link' && typeof url === 'string')
    return `<p><a href="${escaped(url)}">${escaped(String(service ?? url))}</a></p>`
  if (!empty.has(name)) context.onDynamic(name)
  return ''
}

/** Blocks without visible content. */
const empty: ReadonlySet<string> = new Set(['more', 'nextpage', 'separator', 'spacer'])

/** The footnotes of a post, which the editor stores in the post meta `footnotes`: HTML by id, in order. */
export function footnotesOf(meta: string | undefined): ReadonlyMap<string, string> {
  try {
    const notes: unknown = JSON.parse(meta ?? '')
    if (!Array.isArray(notes)) return new Map()
    return new Map(
      notes.map((note: { readonly id?: unknown; readonly content?: unknown }) => [
        String(note?.id ?? ''),
        String(note?.content ?? ''),
      ]),
    )
  } catch {
    return new Map()
  }
}
