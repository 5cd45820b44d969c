// Custom fields that posts can be filtered by. Separate from the definitions, whose schemas few builds load.
import type { IndexedField } from '../api/field-parameters.ts'
import type { FieldDefinition } from './field-definitions.ts'

/** Returns the custom fields that posts can be filtered by. */
export function indexedFields(defined: readonly FieldDefinition[]): readonly IndexedField[] {
  return defined.flatMap(({ name, type, isIndexed }) => (isIndexed ? { name, type } : []))
}
