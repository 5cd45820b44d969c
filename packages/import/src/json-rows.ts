// Streams the rows of large JSON documents. Memory is bounded by the largest row.
import { Tokenizer, TokenParser, TokenType } from '@streamparser/json'
import { UseError } from 'quarry/authoring'

/** A JSON value. */
export type Json = string | number | boolean | null | undefined | readonly Json[] | JsonObject

/** A JSON object; any key may be missing. */
export interface JsonObject {
  readonly [key: string]: Json
}

/** A row. */
export interface JsonRow {
  /** The key of the list that contains it: `posts`; `''` when the document is a list. */
  readonly list: string
  /** Index in a list, from 0; key in an object. */
  readonly index: number | string
  readonly value: Json
}

/** Limits of a row. A document beyond them is no export of posts, and is refused. */
const rowBytesMax = 32 * 1024 * 1024
const rowTokensMax = 200_000
const depthMax = 200

/**
 * Iterates over the rows at some paths.
 *
 * @param chunks UTF-8
 * @param paths such as `$.db.*.data.*.*`; none may be below another
 * @param name of the document, for messages
 * @throws UseError for invalid JSON, with the byte offset, and for a row beyond a limit
 */
export async function* jsonRows(
  chunks: AsyncIterable<Uint8Array>,
  paths: readonly string[],
  name: string,
): AsyncGenerator<JsonRow> {
  const reader = new RowReader(paths, name)
  for await (const chunk of chunks) yield* reader.write(chunk)
  yield* reader.end()
}

class RowReader {
  readonly #tokenizer = new Tokenizer({ stringBufferSize: 64 * 1024 })
  readonly #parser: TokenParser
  readonly #name: string
  #rows: JsonRow[] = []
  #bytes = 0
  #bytesOfLastRow = 0
  #tokens = 0
  #depth = 0

  constructor(paths: readonly string[], name: string) {
    this.#name = name
    this.#parser = new TokenParser({ paths: [...paths], keepStack: false })
    this.#parser.onValue = ({ value, key, stack }) => {
      this.#rows.push({
        list: String(stack.at(-1)?.key ?? ''),
        index: key ?? 0,
        value: value as Json,
      })
      this.#tokens = 0
      this.#bytesOfLastRow = this.#bytes
    }
    this.#tokenizer.onToken = (token) => {
      this.#countToken(token.token)
      this.#parser.write(token)
    }
  }

  /** @returns the rows that end in this chunk */
  write(chunk: Uint8Array): readonly JsonRow[] {
    this.#guard(() => this.#tokenizer.write(chunk))
    this.#bytes += chunk.length
    if (this.#bytes - this.#bytesOfLastRow > rowBytesMax)
      throw this.#refuse(`a value of more than ${rowBytesMax} bytes`)
    return this.#take()
  }

  end(): readonly JsonRow[] {
    this.#guard(() => {
      if (!this.#tokenizer.isEnded) this.#tokenizer.end()
      if (!this.#parser.isEnded) this.#parser.end()
    })
    return this.#take()
  }

  #take(): readonly JsonRow[] {
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  #countToken(token: TokenType): void {
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) this.#depth += 1
    if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) this.#depth -= 1
    this.#tokens += 1
    if (this.#depth > depthMax) throw this.#refuse(`nesting of more than ${depthMax} levels`)
    if (this.#tokens > rowTokensMax) throw this.#refuse(`a row of more than ${rowTokensMax} values`)
  }

  #guard(step: () => void): void {
    try {
      step()
    } catch (error) {
      if (error instanceof UseError) throw error
      const reason = error instanceof Error ? error.message : String(error)
      throw new UseError(`${this.#name} is not JSON after byte ${this.#bytes}: ${reason}`)
    }
  }

  #refuse(reason: string): UseError {
    return new UseError(`${this.#name} has ${reason} after byte ${this.#bytesOfLastRow}.`)
  }
}

/** Returns an object, or undefined for any other value. */
export function asObject(value: Json): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined
}

/** A non-empty text, trimmed; numbers are converted to text. */
export function asText(value: Json): string | undefined {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') return undefined
  return value.trim() === '' ? undefined : value.trim()
}

/** The objects of a list. */
export function asObjects(value: Json): readonly JsonObject[] {
  if (!Array.isArray(value)) return []
  return value.map(asObject).filter((item) => item !== undefined)
}
