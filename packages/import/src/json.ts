// Values of JSON exports.
import { UseError } from 'quarry/authoring'

/** A JSON value. */
export type Json = string | number | boolean | null | undefined | readonly Json[] | JsonObject

/** A JSON object; any key may be missing. */
export interface JsonObject {
  readonly [key: string]: Json
}

/** Parses a document. @param name for messages @throws UseError */
export function parseJson(text: string, name: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    throw new UseError(`${name} is not JSON: ${(error as Error).message}`)
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
