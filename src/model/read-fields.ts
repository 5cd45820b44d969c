// Reads YAML fields through a schema, and reports violations at their position in the file.
import type { z } from 'zod'
import type { YamlEntry, YamlValue } from '../content/raw.ts'
import { isDiagnosticCode, type Position, quote } from '../diagnostics.ts'
import { didYouMean, type Problems, type Source } from './problems.ts'
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
  const { value, failed } = readFieldsPartly(schema, reading, problems, {})
  return failed.size === 0 ? value : undefined
}

/** The fields that are valid. */
export interface PartlyRead<T> {
  /** A field that failed has its fallback, or the value of an absent field. */
  readonly value: T | undefined
  /** Names of invalid fields, all reported. */
  readonly failed: ReadonlySet<string>
}

/**
 * Validates fields, so that one invalid field does not hide the problems of the others.
 *
 * @param fallbacks values for required fields that fail
 */
export function readFieldsPartly<T>(
  schema: z.ZodType<T>,
  reading: Reading,
  problems: Problems,
  fallbacks: Readonly<Record<string, unknown>>,
): PartlyRead<T> {
  const input: Record<string, unknown> = {}
  for (const [name, entry] of reading.fields) {
    if (!isAbsent(entry.value)) input[name] = plain(entry.value)
  }
  const result = schema.safeParse(input)
  if (result.success) return { value: result.data, failed: new Set() }
  for (const issue of result.error.issues) reportIssue(issue, reading, problems)
  const failed = new Set(result.error.issues.map((issue) => String(issue.path[0])))
  const sound = Object.entries(input).filter(([name]) => !failed.has(name))
  const rest = schema.safeParse({ ...fallbacks, ...Object.fromEntries(sound) })
  return { value: rest.data, failed }
}

/** How unknown fields are reported. */
export interface UnknownKeyRules {
  /** Hint for a key without a similar known key. */
  readonly hintFor?: (name: string) => string
  /** Errors of keys that withhold something in other tools. @default warnings, as for other keys */
  readonly withheld?: WithheldProblems | undefined
  /** Reports only these errors. @default false */
  readonly isSilent?: boolean
  /** True for an unknown key that is an error. @default none is */
  readonly isError?: (name: string) => boolean
}

/** Warns about unknown fields; those that withhold something in other tools can be errors. */
export function warnUnknownKeys(
  reading: Reading,
  known: readonly string[],
  problems: Problems,
  rules: UnknownKeyRules = {},
): void {
  const { withheld, isSilent = false, isError } = rules
  for (const [name, { keyAt, value }] of reading.fields) {
    if (known.includes(name)) continue
    const kind = withholds(name, plain(value))
    const error = kind === undefined || kind === 'harmless' ? undefined : withheld?.[kind]
    const problem = error?.(shownKey(name, value, plain(value)))
    if (problem !== undefined) {
      problems.report(reading.source, keyAt, { code: 'withheld-key', ...problem })
      continue
    }
    if (isSilent) continue
    const near = kind === undefined ? didYouMean(name, known) : undefined
    problems.report(reading.source, keyAt, {
      code: 'unknown-key',
      severity: isError?.(name) === true ? 'error' : 'warning',
      message: `"${name}" is not a known key; it is ignored.`,
      hint: near ?? rules.hintFor?.(name),
    })
  }
}

/** Returns the position of a field's value or one of its items; that of the whole if the field is missing. */
export function placeOf(reading: Reading, path: readonly PropertyKey[]): Position {
  const [name, ...inner] = path
  const entry = reading.fields.get(String(name))
  if (entry === undefined) return reading.at
  return inner.reduce<YamlValue>((value, key) => childOf(value, key) ?? value, entry.value).at
}

/** Reports whether a value is absent: `key:`, `~` or `null`. */
export function isAbsent(value: YamlValue): boolean {
  return value.kind === 'text' && value.isPlain && ['', '~', 'null'].includes(value.value)
}

/** Returns the entries of a map; none for other values. */
export function fieldsOf(value: YamlValue): Fields {
  return value.kind === 'map' ? value.entries : new Map()
}

function reportIssue(issue: z.core.$ZodIssue, reading: Reading, problems: Problems): void {
  const [field, ...inner] = issue.path.map(String)
  const name = [reading.writtenAs?.get(field ?? '') ?? field, ...inner].join('.')
  const value = valueAt(reading, issue.path)
  const isMissing = value === undefined || isAbsent(value)
  const { code, hint } = (issue.code === 'custom' ? issue.params : undefined) ?? {}
  const shown = value?.kind === 'text' ? ` ${quote(value.value)}` : ''
  problems.report(reading.source, placeOf(reading, issue.path), {
    code: isMissing ? 'missing-field' : isDiagnosticCode(code) ? code : 'invalid-field',
    message: isMissing ? `\`${name}\` is missing.` : `\`${name}\`${shown} ${issue.message}.`,
    hint: isMissing ? `Add \`${name}: …\`.` : typeof hint === 'string' ? hint : undefined,
  })
}

function valueAt(reading: Reading, path: readonly PropertyKey[]): YamlValue | undefined {
  const [name, ...inner] = path
  let value = reading.fields.get(String(name))?.value
  for (const key of inner) value = value && childOf(value, key)
  return value
}

/** Returns data as typed: all scalars are text; undefined for what is absent. */
export function plain(value: YamlValue): unknown {
  if (value.kind === 'text') return isAbsent(value) ? undefined : value.value
  if (value.kind === 'list') return value.items.map(plain)
  return Object.fromEntries([...value.entries].map(([name, entry]) => [name, plain(entry.value)]))
}

function childOf(parent: YamlValue, key: PropertyKey): YamlValue | undefined {
  if (parent.kind === 'list') return parent.items[Number(key)]
  if (parent.kind === 'map') return parent.entries.get(String(key))?.value
  return undefined
}
