// Reads a YAML or JSON file.

import { findConflicts } from './conflicts.ts'
import { parseJson } from './json.ts'
import type { RawYaml, Read } from './raw.ts'
import { createSource, diagnose, plainText } from './source.ts'
import { parseYaml } from './yaml.ts'

/** Returns the value of a file and its text, without a byte order mark and with LF line endings. */
export function readYaml(file: string, text: string): Read<RawYaml> {
  const source = plainText(text)
  const conflicts = findConflicts(source)
  if (conflicts.length > 0) {
    const place = createSource(file, source)
    return { diagnostics: conflicts.map((conflict) => diagnose(place, conflict)) }
  }
  const parse = file.endsWith('.json') ? parseJson : parseYaml
  const { value, diagnostics } = parse(source, { file, firstLine: 1 })
  return value === undefined ? { diagnostics } : { value: { file, source, value }, diagnostics }
}
