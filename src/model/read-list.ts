// Lists of maps in a YAML file.
import type { RawYaml, YamlValue } from '../content/raw.ts'
import type { Problems } from './problems.ts'
import { fieldsOf, type Reading } from './read-fields.ts'

/** The name of a list in messages, and the first key of an entry. */
export interface ListForm {
  readonly name: string
  /** Such as `slug`. */
  readonly firstKey: string
}

/** Returns every entry that is a map; none for an empty file. Reports everything else. */
export function readList(
  list: RawYaml,
  { name, firstKey }: ListForm,
  problems: Problems,
): readonly Reading[] {
  const source = { file: list.file, text: list.source }
  const complain = (value: YamlValue, what: string, form: string) =>
    problems.report(source, value.at, {
      code: 'invalid-field',
      message: `${what} must be a ${form}: \`- ${firstKey}: …\`.`,
    })
  if (list.value.kind !== 'list') {
    if (!isEmptyMap(list.value)) complain(list.value, `\`${name}\``, 'list')
    return []
  }
  return list.value.items.flatMap((item) => {
    if (item.kind === 'map') return [{ source, fields: fieldsOf(item), at: item.at }]
    complain(item, `An entry of \`${name}\``, 'map')
    return []
  })
}

/** Reports whether a value is that of an empty file. */
function isEmptyMap(value: YamlValue): boolean {
  return value.kind === 'map' && value.entries.size === 0
}
