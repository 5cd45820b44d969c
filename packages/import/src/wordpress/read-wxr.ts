// Reads the records of a WordPress export (WXR).
import { createReadStream } from 'node:fs'
import { UseError } from 'quarry/authoring'
import { SaxesParser } from 'saxes'

/** A category, a tag or another term of a post. */
export interface WxrTerm {
  readonly domain: string
  readonly slug: string
  readonly name: string
}

/** A child of the channel: `item`, `wp:author`, `wp:category`, `wp:tag`, `title` … */
export interface WxrRecord {
  readonly name: string
  /** The line of its tag, from 1. */
  readonly line: number
  /** Texts of its children by name (the first of each), and its own text under `''`. */
  readonly texts: Map<string, string>
  /** The line of `content:encoded`. */
  contentLine: number
  readonly terms: WxrTerm[]
  /** Values of post meta by key. */
  readonly meta: Map<string, string[]>
  /** Number of comments and pingbacks. */
  comments: number
}

/** Characters that XML 1.0 forbids but WordPress writes (§2.2). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const controls = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g

/**
 * Reads all records of an export, and the number of removed control characters, which XML does not allow.
 *
 * @throws UseError with line and column for a file that is no WXR, for a DTD, and for an entity that XML does not
 *   define
 */
export async function readWxr(
  file: string,
): Promise<{ readonly records: readonly WxrRecord[]; readonly dropped: number }> {
  const parser = new SaxesParser()
  const refuse = (reason: string): UseError =>
    new UseError(`${file}:${parser.line}:${parser.column + 1}: ${reason}`)
  const records: WxrRecord[] = []
  const open: string[] = []
  let attributes: Readonly<Record<string, string>> = {}
  let record: WxrRecord | undefined
  let hasChannel = false
  let text = ''
  let metaKey = ''
  parser.on('error', (error) => {
    throw refuse(error.message.replace(/^\d+:\d+: /, ''))
  })
  parser.on('doctype', () => {
    throw refuse('a document type (DTD) is not read. WordPress writes none.')
  })
  parser.on('opentag', ({ name, attributes: given }) => {
    open.push(name)
    attributes = given
    text = ''
    if (open.length === 1 && name !== 'rss')
      throw refuse(`<${name}> is not the <rss> of a WordPress export.`)
    if (open.length === 2 && name === 'channel') hasChannel = true
    const { line } = parser
    if (open.length === 3)
      record = {
        ...{ name, line, contentLine: line, texts: new Map(), terms: [] },
        ...{ meta: new Map(), comments: 0 },
      }
    if (record !== undefined && name === 'content:encoded') record.contentLine = line
    if (record !== undefined && name === 'wp:comment') record.comments += 1
  })
  const addText = (part: string) => {
    // Comments are counted, not stored.
    if (open[3] !== 'wp:comment') text += part
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  const closeChild = ({ texts, terms, meta }: WxrRecord, name: string) => {
    const { domain = 'category', nicename = '' } = attributes
    if (open.length === 3 && name === 'category') terms.push({ domain, slug: nicename, name: text })
    else if (open.length === 3 && !texts.has(name)) texts.set(name, text)
    else if (name === 'wp:meta_key') metaKey = text
    else if (name === 'wp:meta_value') meta.set(metaKey, [...(meta.get(metaKey) ?? []), text])
  }
  parser.on('closetag', () => {
    const name = open.pop() ?? ''
    if (record === undefined) return
    if (open.length > 2) closeChild(record, name)
    else {
      record.texts.set('', text)
      records.push(record)
      record = undefined
    }
    text = ''
  })
  let dropped = 0
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const write = (chunk?: Uint8Array) => {
    let decoded: string
    try {
      decoded = decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      throw refuse('the text after this place is not UTF-8.')
    }
    const plain = decoded.replace(controls, '')
    dropped += decoded.length - plain.length
    parser.write(plain)
  }
  for await (const chunk of createReadStream(file)) write(chunk as Uint8Array)
  write()
  parser.close()
  if (!hasChannel) throw refuse('there is no <channel> of a WordPress export.')
  return { records, dropped }
}
