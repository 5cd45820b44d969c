// Reads a file of plain YAML.

import { parseJson } from './json.ts'
import type { RawYaml, Read } from './raw.ts'
import { plainText } from './source.ts'
import { parseYaml } from './yaml.ts'

/** A file's value with its text; without a byte order mark, with LF at the end of lines. */
export function readYaml(file: string, text: string): Read<RawYaml> {
  const source = plainText(text)
  const parse = file.endsWith('.json') ? parseJson : parseYaml
  const { value, diagnostics } = parse(source, { file, firstLine: 1 })
  return value === undefined ? { diagnostics } : { value: { file, source, value }, diagnostics }
}
