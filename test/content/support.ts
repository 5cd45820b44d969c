// Diagnostics and values of YAML in short.
import type { YamlValue } from '../../src/content/raw.ts'
import type { Diagnostic } from '../../src/diagnostics.ts'

/** `hello.md:4:7 yaml-tag` of each. */
export function places(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.map(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`)
}

/** A value as plain lists, text and objects, without places. */
export function plain(value: YamlValue | undefined): unknown {
  if (value?.kind === 'map') {
    return Object.fromEntries([...value.entries].map(([key, entry]) => [key, plain(entry.value)]))
  }
  return value?.kind === 'list' ? value.items.map(plain) : value?.value
}
