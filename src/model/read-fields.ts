// Reads YAML fields through a schema, and reports violations at their position in the file.
import type { z } from 'zod'
import { nearest } from '../content/nearest.ts'
import type { RawYaml, YamlEntry, YamlValue } from '../content/raw.ts'
import { isDiagnosticCode, type Position, type Problem, quote } from '../diagnostics.ts'
import type { Problems, Source } from './problems.ts'
import { shownKey, type WithheldProblems, withholds } from './withheld-keys.ts'

/** Fields by name, each with its position. */
export type Fields = ReadonlyMap<string, YamlEntry>

/** Fields and their source, for problems found later. */
export interface Reading {
  readonly source: Source
  readonly fields: Fields
  /** Position of the problem if a field is missing. */
  readonly at: Position
  /** Original keys of mapped fields; the other fields have their own keys. */
  readonly writtenAs?: ReadonlyMap<string, string>
}

/**
 * Validates fields.
 *
 * @returns undefined if there was an error; every error has been reported
 */
export function readFields<T>(
  schema: z.ZodType<T>,
  reading: Reading,
  problems: Problems,
): T | undefined {
  const { value, failed } = readFieldsPartly(schema, reading, problems)
  return failed.size === 0 ? value : undefined
}

/**
 * Validates fields, so that one invalid field does not hide the problems of the others.
 *
 * @param schema with a value for every absent field, which a field that failed has too
 * @returns the valid fields, and the names of the others, all reported
 */
export function readFieldsPartly<T>(
  schema: z.ZodType<T>,
  reading: Reading,
  problems: Problems,
): { readonly value: T; readonly failed: ReadonlySet<string> } {
  const stated = [...reading.fields].map(([name, { value }]) => [name, plain(value)] as const)
  const input = stated.filter(([, value]) => value !== undefined)
  const result = schema.safeParse(Object.fromEntries(input))
  const issues = result.error?.issues ?? []
  for (const issue of issues) reportIssue(issue, reading, problems)
  const failed = new Set(issues.map(({ path: [field] }) => String(field)))
  const sound = input.filter(([name]) => !failed.has(name))
  const value = result.success ? result.data : schema.safeParse(Object.fromEntries(sound)).data
  return { value: value as T, failed }
}

function reportIssue(issue: z.core.$ZodIssue, reading: Reading, problems: Problems): void {
  const [field = '', ...inner] = issue.path.map(String)
  const name = [reading.writtenAs?.get(field) ?? field, ...inner].join('.')
  const value = inner.reduce(childOf, reading.fields.get(field)?.value)
  const isMissing = value === undefined || isAbsent(value)
  const { code, hint } = (issue.code === 'custom' ? issue.params : undefined) ?? {}
  const shown = value?.kind === 'text' ? ` ${quote(value.value)}` : ''
  problems.report(reading.source, placeOf(reading, issue.path), {
    code: isMissing ? 'missing-field' : isDiagnosticCode(code) ? code : 'invalid-field',
    message: isMissing ? `\`${name}\` is missing.` : `\`${name}\`${shown} ${issue.message}.`,
    hint: isMissing ? `Add \`${name}: …\`.` : typeof hint === 'string' ? hint : undefined,
  })
}

/** How unknown fields are reported. */
interface UnknownKeyRules {
  /** Errors of keys that withhold something in other tools. @default they are as other keys */
  readonly withheld?: WithheldProblems | undefined
  /** Returns the problem of any other key, if it is one. @default `unknownKey` */
  readonly unknown?: (name: string) => Problem | undefined
}

/** The warning of an unknown key. */
export function unknownKey(name: string): Problem {
  const message = `"${name}" is not a known key; it is ignored.`
  return { code: 'unknown-key', severity: 'warning', message }
}

/** Warns about unknown fields, with a similar known name; those that withhold something in other tools can be errors. */
export function warnUnknownKeys(
  reading: Reading,
  known: readonly string[],
  problems: Problems,
  { withheld = {}, unknown = unknownKey }: UnknownKeyRules = {},
): void {
  for (const [name, { keyAt, value }] of reading.fields) {
    if (known.includes(name)) continue
    const kind = withholds(name, plain(value)) ?? 'unknown'
    const error = withheld[kind]?.(shownKey(name, value, plain(value)))
    const near = kind === 'unknown' ? () => nearest(name, known) : undefined
    const other = unknown(name)
    if (error !== undefined) {
      problems.report(reading.source, keyAt, { code: 'withheld-key', ...error })
    } else if (other !== undefined) {
      problems.report(reading.source, keyAt, { near, ...other })
    }
  }
}

/** Returns the position of a field's value or one of its items; that of the whole if the field is missing. */
export function placeOf(reading: Reading, path: readonly PropertyKey[]): Position {
  const [name, ...inner] = path
  const entry = reading.fields.get(String(name))
  if (entry === undefined) return reading.at
  return inner.reduce<YamlValue>((value, key) => childOf(value, key) ?? value, entry.value).at
}

function childOf(parent: YamlValue | undefined, key: PropertyKey): YamlValue | undefined {
  if (parent?.kind === 'list') return parent.items[Number(key)]
  return parent?.kind === 'map' ? parent.entries.get(String(key))?.value : undefined
}

/** Reports whether a value is absent: `key:`, `~` or `null`. */
export function isAbsent(value: YamlValue): boolean {
  return value.kind === 'text' && value.isPlain && ['', '~', 'null'].includes(value.value)
}

/** Returns data as typed: all scalars are text; undefined for what is absent. */
export function plain(value: YamlValue): unknown {
  if (value.kind === 'text') return isAbsent(value) ? undefined : value.value
  if (value.kind === 'list') return value.items.map(plain)
  return Object.fromEntries([...value.entries].map(([name, entry]) => [name, plain(entry.value)]))
}

/** Returns the fields of a parsed file. */
export function readingOf(
  { file, source: text }: { readonly file: string; readonly source: string },
  value: YamlValue,
): Reading {
  return { source: { file, text }, fields: fieldsOf(value), at: value.at }
}

/** Returns the entries of a map; none for other values. */
export function fieldsOf(value: YamlValue): Fields {
  return value.kind === 'map' ? value.entries : new Map()
}

/**
 * Returns every entry of a list that is a map; none for an empty file. Reports everything else.
 *
 * @param form the name of the list in messages, and the first key of an entry, such as `slug`
 */
export function readList(
  { file, source: text, value: list }: RawYaml,
  { name, firstKey }: { readonly name: string; readonly firstKey: string },
  problems: Problems,
): readonly Reading[] {
  const source = { file, text }
  const report = ({ at }: YamlValue, what: string, form: string) => {
    const message = `${what} must be a ${form}: \`- ${firstKey}: …\`.`
    problems.report(source, at, { code: 'invalid-field', message })
  }
  if (list.kind === 'map' && list.entries.size === 0) return []
  if (list.kind !== 'list') report(list, `\`${name}\``, 'list')
  const items = list.kind === 'list' ? list.items : []
  return items.flatMap((item) => {
    if (item.kind === 'map') return [{ source, fields: item.entries, at: item.at }]
    report(item, `An entry of \`${name}\``, 'map')
    return []
  })
}
