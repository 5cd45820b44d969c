// Infers the type of each custom field of an imported site from its values in all posts.
import type { FieldType } from 'quarry/authoring'
import { parseDate } from 'quarry/authoring'
import type { FieldValue } from './site.ts'

/** The types of custom fields. Memory: one entry per name. */
export class FieldTypes {
  readonly #types = new Map<string, FieldType>()

  /** Records a value. Ignores names that make none of a field. */
  observe(name: string, value: FieldValue): void {
    const type = typeOf(value)
    const field = fieldName(name)
    if (type === null || field === undefined) return
    const known = this.#types.get(field)
    this.#types.set(field, known === undefined ? type : common(known, type))
  }

  /**
   * Converts a value to its field's type; undefined for an empty value or a name that makes none of a field.
   *
   * @param written the value as it stands in the file: `1.10` is 1.1 as a number alone
   */
  shape(name: string, value: FieldValue, written: FieldValue = value): FieldValue {
    const type = this.#types.get(fieldName(name) ?? '')
    if (type === undefined || typeOf(value) === null) return undefined
    if (type === 'list') return Array.isArray(value) ? value.map(asText) : [asText(value)]
    if (type === 'date') return parseDate(String(value), 'loose')
    if (type !== 'text') return value
    return asText(typeof written === 'string' ? written : value)
  }

  /** Types by name. */
  get types(): ReadonlyMap<string, FieldType> {
    return this.#types
  }
}

/** A valid name of a field for a key: `og_image` for `og:image`; undefined if none is near. See `docs/content.md`. */
export function fieldName(key: string): string | undefined {
  const name = key.replace(/[\s.:/]+/g, '_')
  const isValid = /^[A-Za-z][\w-]{0,63}$/.test(name) && !['constructor', 'prototype'].includes(name)
  return isValid ? name : undefined
}

/** Null for an empty value. Texts in quotes are texts, whatever they look like. */
function typeOf(value: FieldValue): FieldType | null {
  if (value === null || value === undefined || value === '') return null
  if (Array.isArray(value)) {
    if (value.some((item) => typeof item === 'object' && item !== null)) return 'json'
    return value.length === 0 ? null : 'list'
  }
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'number') return 'number'
  if (typeof value !== 'string') return 'json'
  return /^\d{4}-\d{1,2}-\d{1,2}/.test(value) && parseDate(value, 'loose') !== null
    ? 'date'
    : 'text'
}

function common(a: FieldType, b: FieldType): FieldType {
  if (a === b) return a
  if (a === 'json' || b === 'json') return 'json'
  return a === 'list' || b === 'list' ? 'list' : 'text'
}

function asText(value: FieldValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
