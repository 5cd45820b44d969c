// The fields that posts can be filtered by: apart from definitions, whose schemas few builds load.
import type { IndexedField } from '../api/field-parameters.ts'
import type { FieldDefinition } from './field-definitions.ts'

/** The fields that posts can be filtered by. */
export function indexedFields(defined: readonly FieldDefinition[]): readonly IndexedField[] {
  return defined.flatMap(({ name, type, isIndexed }) => (isIndexed ? { name, type } : []))
}
