// A list of maps in a YAML file, made ready to be read entry by entry.
import type { RawYaml, YamlValue } from '../content/raw.ts'
import type { Problems } from './problems.ts'
import { fieldsOf, type Reading } from './read-fields.ts'

/** The name of a list in messages, and how an entry of it begins. */
export interface ListForm {
  readonly name: string
  /** Such as `slug`. */
  readonly firstKey: string
}

/** Every entry that is a map, none for a file without content; everything else is reported. */
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

/** The value of a file without content. */
function isEmptyMap(value: YamlValue): boolean {
  return value.kind === 'map' && value.entries.size === 0
}
