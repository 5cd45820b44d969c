// Reads JSON as data and nothing more: the same values as those of YAML, of which JSON is a part.
import type { Read, YamlValue } from './raw.ts'
import { parseYaml, type YamlPlace } from './yaml.ts'

/** The value of a JSON document, and all that is wrong with it: as `parseYaml`. */
export function parseJson(text: string, place: YamlPlace): Read<YamlValue> {
  const { value, diagnostics } = parseYaml(text, place)
  const reported = diagnostics.map((found) =>
    found.code === 'yaml-syntax' ? { hint: HINT, ...found, code: 'json-syntax' as const } : found,
  )
  return value === undefined ? { diagnostics: reported } : { value, diagnostics: reported }
}

const HINT = 'Write keys and text in double quotes, and a comma between two entries.'
