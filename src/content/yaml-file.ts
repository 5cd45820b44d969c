// Reads a file of plain YAML.
// Knows nothing of what it is about.
import type { RawYaml, Read } from './raw.ts'
import { stripByteOrderMark } from './source.ts'
import { parseYaml } from './yaml.ts'

/** A file's value with its text; a byte order mark is left out. */
export function readYaml(file: string, text: string): Read<RawYaml> {
  const source = stripByteOrderMark(text)
  const { value, diagnostics } = parseYaml(source, { file, firstLine: 1 })
  return value === undefined ? { diagnostics } : { value: { file, source, value }, diagnostics }
}
