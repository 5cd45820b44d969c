// Parses JSON as data only, into the same values as YAML, of which JSON is a subset.
import type { Read, YamlValue } from './raw.ts'
import { parseYaml, type YamlPlace } from './yaml.ts'

/** Parses a JSON document, and reports its problems like `parseYaml`. */
export function parseJson(text: string, place: YamlPlace): Read<YamlValue> {
  const { value, diagnostics } = parseYaml(text, place)
  const reported = diagnostics.map((found) =>
    found.code === 'yaml-syntax' ? { hint: HINT, ...found, code: 'json-syntax' as const } : found,
  )
  return value === undefined ? { diagnostics: reported } : { value, diagnostics: reported }
}

const HINT = 'Write keys and text in double quotes, and a comma between two entries.'
