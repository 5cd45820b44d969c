// Infers the type of each custom field of an imported site from its values in all posts.

import type { FieldType } from 'quarry/authoring'
import { parseDate } from 'quarry/authoring'
import type { FieldValue } from './site.ts'

/** The types of custom fields. Memory: one entry per name. */
export class FieldTypes {
  readonly #types = new Map<string, FieldType>()

  /** Records a value. Ignores names that are invalid for a field. */
  observe(name: string, value: FieldValue): void {
    const type = typeOf(value)
    if (type === null || !isFieldName(name)) return
    const known = this.#types.get(name)
    this.#types.set(name, known === undefined ? type : common(known, type))
  }

  /** Converts a value to its field's type; undefined for an empty value or an invalid name. */
  shape(name: string, value: FieldValue): FieldValue {
    const type = this.#types.get(name)
    if (type === undefined || typeOf(value) === null) return undefined
    if (type === 'list') return Array.isArray(value) ? value.map(asText) : [asText(value)]
    if (type === 'date') return parseDate(String(value), 'loose')
    if (type === 'number') return Number(value)
    if (type === 'boolean') return String(value) === 'true'
    return asText(value)
  }

  /** Types by name. */
  get types(): ReadonlyMap<string, FieldType> {
    return this.#types
  }
}

/** True for a valid field name: see `docs/content.md`. */
export function isFieldName(name: string): boolean {
  return /^[A-Za-z][\w-]{0,63}$/.test(name) && !['constructor', 'prototype'].includes(name)
}

/** Null for an empty value. */
function typeOf(value: FieldValue): FieldType | null {
  if (value === null || value === undefined || value === '') return null
  if (Array.isArray(value)) return value.length === 0 ? null : 'list'
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'number') return 'number'
  if (typeof value !== 'string') return 'text'
  if (value === 'true' || value === 'false') return 'boolean'
  if (/^-?(0|[1-9]\d{0,14})(\.\d{1,10})?$/.test(value)) return 'number'
  return parseDate(value, 'loose') === null ? 'text' : 'date'
}

function common(a: FieldType, b: FieldType): FieldType {
  if (a === b) return a
  return a === 'list' || b === 'list' ? 'list' : 'text'
}

function asText(value: FieldValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
