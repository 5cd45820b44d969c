// Streams the records of a WordPress export (WXR). Memory is bounded by the largest record.
import { createReadStream } from 'node:fs'
import { UseError } from 'quarry/authoring'
import { SaxesParser, type SaxesTagPlain } from 'saxes'

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
  readonly texts: ReadonlyMap<string, string>
  /** The line of `content:encoded`. */
  readonly contentLine: number
  readonly terms: readonly WxrTerm[]
  /** Values of post meta by key. */
  readonly meta: ReadonlyMap<string, readonly string[]>
  /** Number of comments and pingbacks. */
  readonly comments: number
}

/** Limits of a record; a document beyond them is refused. */
const recordCharactersMax = 32 * 1024 * 1024
const depthMax = 32

/**
 * Iterates over the records of an export.
 *
 * @param onDropped called with the number of removed control characters, which XML does not allow
 * @throws UseError with line and column for a file that is no WXR, for a DTD, and for an entity that XML does not
 *   define
 */
export async function* wxrRecords(
  file: string,
  onDropped: (count: number) => void = () => {},
): AsyncGenerator<WxrRecord> {
  const reader = new WxrReader(file, onDropped)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of createReadStream(file, { highWaterMark: 64 * 1024 })) {
    yield* reader.write(reader.decode(() => decoder.decode(chunk as Uint8Array, { stream: true })))
  }
  yield* reader.write(reader.decode(() => decoder.decode()))
  yield* reader.end()
}

interface OpenRecord {
  readonly name: string
  readonly line: number
  readonly texts: Map<string, string>
  contentLine: number
  readonly terms: WxrTerm[]
  readonly meta: Map<string, string[]>
  comments: number
}

class WxrReader {
  readonly #parser = new SaxesParser()
  readonly #file: string
  readonly #onDropped: (count: number) => void
  #records: WxrRecord[] = []
  readonly #open: SaxesTagPlain[] = []
  #record: OpenRecord | undefined
  #text: string[] = []
  #metaKey = ''
  #hasRecords = false
  #charactersSinceEvent = 0
  #charactersOfRecord = 0

  constructor(file: string, onDropped: (count: number) => void) {
    this.#file = file
    this.#onDropped = onDropped
    this.#parser.on('error', (error) => {
      throw this.#refuse(error.message.replace(/^\d+:\d+: /, ''))
    })
    this.#parser.on('doctype', () => {
      throw this.#refuse('a document type (DTD) is not read. WordPress writes none.')
    })
    this.#parser.on('opentag', (tag) => this.#openTag(tag))
    this.#parser.on('closetag', () => this.#closeTag())
    this.#parser.on('text', (text) => this.#addText(text))
    this.#parser.on('cdata', (text) => this.#addText(text))
  }

  decode(read: () => string): string {
    try {
      return read()
    } catch {
      throw this.#refuse('the text after this place is not UTF-8.')
    }
  }

  /** @returns the records that end in this chunk */
  write(chunk: string): readonly WxrRecord[] {
    const text = chunk.replace(controls, '')
    if (text.length < chunk.length) this.#onDropped(chunk.length - text.length)
    this.#charactersSinceEvent += text.length
    this.#parser.write(text)
    if (this.#charactersSinceEvent > recordCharactersMax) throw this.#tooLarge()
    return this.#take()
  }

  end(): readonly WxrRecord[] {
    this.#parser.close()
    if (!this.#hasRecords) throw this.#refuse('there is no <channel> of a WordPress export.')
    return this.#take()
  }

  #take(): readonly WxrRecord[] {
    const records = this.#records
    this.#records = []
    return records
  }

  #openTag(tag: SaxesTagPlain): void {
    this.#charactersSinceEvent = 0
    this.#open.push(tag)
    this.#text = []
    if (this.#open.length > depthMax)
      throw this.#refuse(`more than ${depthMax} levels of elements.`)
    if (this.#open.length === 1 && tag.name !== 'rss')
      throw this.#refuse(`<${tag.name}> is not the <rss> of a WordPress export.`)
    if (this.#open.length === 2 && tag.name === 'channel') this.#hasRecords = true
    if (this.#open.length === 3) this.#record = this.#newRecord(tag.name)
    if (this.#record === undefined) return
    if (tag.name === 'content:encoded') this.#record.contentLine = this.#parser.line
    if (tag.name === 'wp:comment') this.#record.comments += 1
  }

  #newRecord(name: string): OpenRecord {
    this.#charactersOfRecord = 0
    const { line } = this.#parser
    return {
      name,
      line,
      contentLine: line,
      texts: new Map(),
      terms: [],
      meta: new Map(),
      comments: 0,
    }
  }

  #addText(text: string): void {
    this.#charactersSinceEvent = 0
    this.#charactersOfRecord += text.length
    if (this.#charactersOfRecord > recordCharactersMax) throw this.#tooLarge()
    // Comments are counted, not stored.
    const isKept = this.#record !== undefined && this.#open[3]?.name !== 'wp:comment'
    if (isKept) this.#text.push(text)
  }

  #closeTag(): void {
    const tag = this.#open.pop()
    const text = this.#text.join('')
    this.#text = []
    const record = this.#record
    if (tag === undefined || record === undefined) return
    const depth = this.#open.length
    if (depth === 2) this.#closeRecord(record, text)
    else if (depth === 3) closeChild(record, tag, text)
    else if (this.#open[3]?.name === 'wp:postmeta') this.#closeMeta(record, tag.name, text)
  }

  #closeRecord(record: OpenRecord, text: string): void {
    record.texts.set('', text)
    this.#records.push(record)
    this.#record = undefined
  }

  #closeMeta(record: OpenRecord, name: string, text: string): void {
    if (name === 'wp:meta_key') this.#metaKey = text
    if (name === 'wp:meta_value')
      record.meta.set(this.#metaKey, [...(record.meta.get(this.#metaKey) ?? []), text])
  }

  #tooLarge(): UseError {
    return this.#refuse(`a record has more than ${recordCharactersMax} characters.`)
  }

  #refuse(reason: string): UseError {
    const { line, column } = this.#parser
    return new UseError(`${this.#file}:${line}:${column + 1}: ${reason}`)
  }
}

/** Characters that XML 1.0 forbids but WordPress writes (§2.2). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const controls = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g

function closeChild(record: OpenRecord, { name, attributes }: SaxesTagPlain, text: string): void {
  if (name === 'category') {
    const { domain = 'category', nicename = '' } = attributes
    record.terms.push({ domain, slug: nicename, name: text })
  } else if (!record.texts.has(name)) record.texts.set(name, text)
}
