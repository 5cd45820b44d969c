// Reads YAML fields through a schema, and reports violations at their position in the file.
import type { z } from 'zod'
import type { Social } from '../api/resources.ts'
import { entriesOf } from '../content/mounts.ts'
import type { ParsedFile, RawDocument, RawYaml, YamlEntry, YamlValue } from '../content/raw.ts'
import { nearest } from '../content/source.ts'
import {
  type Diagnostic,
  type DiagnosticCode,
  diagnosticAt,
  isDiagnosticCode,
  type Position,
  type Problem,
  quote,
  shownOfCodeMax,
} from '../diagnostics.ts'
import { type GivenSlug, slugify } from './identifier.ts'
import type { Kind } from './map-fields.ts'
import { formatKey, judgeKey, type WithheldProblems } from './withheld-keys.ts'

/** Fields by name, each with its position. */
export type Fields = ReadonlyMap<string, YamlEntry>

/** A path in fields: the name of a field, followed by keys and indexes. */
export type FieldPath = readonly PropertyKey[]

/** The fields of a map in a file, and the place where their problems are reported. */
export class Reading {
  readonly file: string
  readonly fields: Fields
  /** Position at which a missing field is reported. */
  readonly at: Position
  readonly #source: { readonly file: string; readonly source: string }
  readonly #problems: Problems
  /** Original keys of mapped fields; the other fields have their own keys. */
  readonly #originalKeys: ReadonlyMap<string, string>

  /** @param value its fields are read; not a map has none @param writtenAs original keys of mapped fields */
  constructor(
    problems: Problems,
    source: { readonly file: string; readonly source: string },
    value: YamlValue,
    writtenAs: ReadonlyMap<string, string> = new Map(),
  ) {
    this.file = source.file
    this.fields = entriesOf(value)
    this.at = value.at
    this.#source = source
    this.#problems = problems
    this.#originalKeys = writtenAs
  }

  /** Returns a reading of other fields in the same file. */
  with(
    fields: Fields,
    at: Position = this.at,
    writtenAs: ReadonlyMap<string, string> = this.#originalKeys,
  ): Reading {
    const value = { kind: 'map', entries: fields, at } as const
    return new Reading(this.#problems, this.#source, value, writtenAs)
  }

  /** The number of errors in all files so far. */
  get errors(): number {
    return this.#problems.errors
  }

  /** @param place a position, or the path of a value or one of its items */
  report(place: FieldPath | Position, problem: Problem): void {
    const at = 'line' in place ? place : this.placeOf(place)
    this.#problems.report(this.file, this.#source.source, at, problem)
  }

  /** Returns the position of a field's value or of one of its items; for a missing field, `at`. */
  placeOf([name, ...inner]: FieldPath): Position {
    const entry = this.fields.get(String(name))
    if (entry === undefined) return this.at
    return inner.reduce<YamlValue>((value, key) => childOf(value, key) ?? value, entry.value).at
  }

  /** Claims a value for the entry. If another has claimed it, reports the problem, with the place: `acme/posts/a.md:3`. */
  claim(
    owners: Map<string, string>,
    value: string,
    path: FieldPath,
    problemOf: (owner: string) => Problem,
  ): boolean {
    const owner = owners.get(value)
    if (owner === undefined) owners.set(value, this.lineOf(path))
    else this.report(path, problemOf(owner))
    return owner === undefined
  }

  /** Returns the place of a value for a message: `acme/posts/a.md:3`. */
  lineOf(path: FieldPath): string {
    return `${this.file}:${this.placeOf(path).line}`
  }

  /** Returns the key that a field has in the file. */
  keyOf(field: string): string {
    return this.#originalKeys.get(field) ?? field
  }
}

/** Validates fields. Invalid fields are reported and count as absent; `failed` has their names. */
export function readValidFields<T>(
  schema: z.ZodType<T>,
  reading: Reading,
): { readonly value: T; readonly failed: ReadonlySet<string> } {
  const stated = [...reading.fields].map(([name, { value }]) => [name, toPlain(value)] as const)
  const input = stated.filter(([, value]) => value !== undefined)
  const result = schema.safeParse(Object.fromEntries(input))
  const issues = result.error?.issues.flatMap(issuesOf) ?? []
  for (const issue of issues) reportIssue(issue, reading)
  const failed = new Set(issues.map(({ path: [field] }) => String(field)))
  const validInput = input.filter(([name]) => !failed.has(name))
  const value = result.success ? result.data : schema.safeParse(Object.fromEntries(validInput)).data
  return { value: value as T, failed }
}

/** Returns the issues of the form that a value of a union has: the form without an issue of the whole value. */
function issuesOf(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  const forms = issue.code === 'invalid_union' ? issue.errors : []
  const form = forms.find((issues) => issues.every(({ path }) => path.length > 0)) ?? []
  if (form.length === 0) return [issue]
  return form.flatMap((inner) => issuesOf({ ...inner, path: [...issue.path, ...inner.path] }))
}

/** Reports a violation of a schema at its value. */
export function reportIssue(issue: z.core.$ZodIssue, reading: Reading): void {
  const [field = '', ...inner] = issue.path.map(String)
  const name = [reading.keyOf(field), ...inner].join('.')
  const value = inner.reduce(childOf, reading.fields.get(field)?.value)
  if (issue.code === 'unrecognized_keys') {
    const hint = `\`${name}\` ${issue.message}.`
    // The message of a schema names its keys.
    const known = issue.message.split('`').filter((part) => !part.includes(' '))
    for (const key of issue.keys) {
      const { keyAt = reading.at } = entriesOf(value).get(key) ?? {}
      const near = () => nearest(key, known)
      reading.report(keyAt, { ...unknownKey(`${name}.${key}`, 'error'), hint, near })
    }
    return
  }
  const isMissing = value === undefined || isAbsent(value)
  const { code, hint } = (issue.code === 'custom' ? issue.params : undefined) ?? {}
  const shown = value?.kind === 'text' ? ` ${quote(value.value)}` : ''
  reading.report(issue.path, {
    code: isMissing ? 'missing-field' : isDiagnosticCode(code) ? code : 'invalid-field',
    message: isMissing ? `\`${name}\` is missing.` : `\`${name}\`${shown} ${issue.message}.`,
    hint: isMissing ? `Add \`${name}: …\`.` : typeof hint === 'string' ? hint : undefined,
  })
}

interface UnknownKeyRules {
  /** Errors for keys that withhold something in other tools. @default such keys are like any others */
  readonly withheld?: WithheldProblems | undefined
  /** Returns the problem to report for any other key, if any. @default `unknownKey` */
  readonly unknown?: (name: string) => Problem | undefined
}

/** Returns the problem of an unknown key. */
export function unknownKey(name: string, severity: Problem['severity'] = 'warning'): Problem {
  const text = severity === 'warning' ? 'is not a known key; it is ignored.' : 'is not a known key.'
  return { code: 'unknown-key', severity, message: `"${name}" ${text}` }
}

/** Warns about unknown fields, with a similar name. Keys that withhold something in other tools can be errors. */
export function warnUnknownKeys(
  reading: Reading,
  known: readonly string[],
  { withheld = {}, unknown = unknownKey }: UnknownKeyRules = {},
): void {
  for (const [name, { keyAt, columnAt, value }] of reading.fields) {
    if (known.includes(name)) continue
    const kind = judgeKey(name, toPlain(value))
    const [effect, hint] = (kind && kind !== 'harmless' && withheld[kind]) || []
    const near = kind === undefined ? () => nearest(name, known) : undefined
    const other = unknown(name)
    if (effect !== undefined) {
      const message = `${formatKey(name, value, toPlain(value))} ${effect}`
      reading.report(keyAt, { code: 'withheld-key', message, hint })
    } else if (other !== undefined) reading.report(columnAt ?? keyAt, { near, ...other })
  }
}

function childOf(parent: YamlValue | undefined, key: PropertyKey): YamlValue | undefined {
  if (parent?.kind === 'list') return parent.items[Number(key)]
  return parent?.kind === 'map' ? parent.entries.get(String(key))?.value : undefined
}

/** Reports whether a value is absent: `key:`, `~` or `null`. */
export function isAbsent(value: YamlValue): boolean {
  return value.kind === 'text' && value.isPlain && ['', '~', 'null'].includes(value.value)
}

/** Converts a value to plain data: scalars are text as typed, absent values are undefined. */
function toPlain(value: YamlValue): unknown {
  if (value.kind === 'text') return isAbsent(value) ? undefined : value.value
  if (value.kind === 'list') return value.items.map(toPlain)
  return Object.fromEntries([...value.entries].map(([name, entry]) => [name, toPlain(entry.value)]))
}

/** Splits a text into a list of trimmed texts, without empty ones; other values stay. */
export function splitText(value: YamlValue, separator: string | RegExp): YamlValue {
  if (value.kind !== 'text') return value
  const parts = value.value.split(separator).map((part) => part.trim())
  const items = parts.filter((part) => part !== '').map((part) => ({ ...value, value: part }))
  return { kind: 'list', items, at: value.at }
}

/** An entry of the content. */
export interface Entry {
  readonly reading: Reading
  /** Slug of an entry that states none, from its file name, its key in a map, or its name. */
  readonly given?: GivenSlug | undefined
  /** Absent for data. */
  readonly document?: RawDocument
}

/** The form of the entries in a list of data. */
interface ListForm {
  readonly name: string
  /** With `slug`, the entries may also be a map by slug. */
  readonly firstKey: 'slug' | 'id'
  /** True if an entry may be only a name. @default false */
  readonly isNamed?: boolean
}

/** Returns the entries of a file; undefined if it could not be parsed. */
export function readEntries(
  { path, role, document, yaml }: ParsedFile,
  form: ListForm,
  problems: Problems,
): readonly Entry[] | undefined {
  const given = { slug: fileStem(path), source: "the file's name" } as const
  if (document !== undefined)
    return [{ reading: new Reading(problems, document, document.frontMatter), given, document }]
  if (yaml === undefined || role.kind === 'list') return yaml && listEntries(yaml, form, problems)
  return [{ reading: new Reading(problems, yaml, yaml.value), given }]
}

/** Returns the entries of a list, or of a map by slug, and reports everything else. */
export function listEntries(file: RawYaml, form: ListForm, problems: Problems): readonly Entry[] {
  const { name, firstKey, isNamed = false } = form
  const { value } = file
  const all = new Reading(problems, file, value)
  const report = (at: Position, what: string, kind: string) => {
    const message = `${what} must be a ${kind}: \`- ${firstKey}: …\`.`
    all.report(at, { code: 'invalid-field', message })
  }
  const entryOf = (item: YamlValue, at: Position, given?: GivenSlug): readonly Entry[] => {
    if (item.kind === 'map') return [{ reading: all.with(item.entries, at), given }]
    if (item.kind === 'text' && isNamed) {
      const fields = new Map([['name', { keyAt: item.at, value: item }]])
      const usual = { slug: slugify(item.value), source: 'its name' } as const
      return [{ reading: all.with(fields, at), given: given ?? usual }]
    }
    report(item.at, `An entry of \`${name}\``, 'map')
    return []
  }
  if (value.kind === 'list') return value.items.flatMap((item) => entryOf(item, item.at))
  if (value.kind === 'map' && (firstKey === 'slug' || value.entries.size === 0))
    return [...value.entries].flatMap(([slug, { keyAt, value: item }]) =>
      entryOf(item, keyAt, { slug, source: 'its key' }),
    )
  report(value.at, `\`${name}\``, 'list')
  return []
}

/** Reads an entry: maps its keys, and validates the fields. Other keys are reported. */
export function readEntry<T>(
  written: Reading,
  kind: Kind<T>,
  withheldOf: (fields: T) => WithheldProblems | undefined,
): { readonly fields: T; readonly failed: ReadonlySet<string>; readonly reading: Reading } {
  const { fields: own, usedKeys, originalKeys, problems } = kind.map(written.fields)
  for (const [problem, at] of problems) written.report(at, problem)
  const reading = written.with(own, written.at, originalKeys)
  const { value: fields, failed } = readValidFields(kind.schema, reading)
  const { known, unknown } = kind
  warnUnknownKeys(written, [...known, ...usedKeys], { withheld: withheldOf(fields), unknown })
  return { fields, failed, reading }
}

/** A growing list of diagnostics. */
export class Problems {
  readonly diagnostics: Diagnostic[] = []
  errors = 0
  readonly #reported = new Set<string>()
  readonly #searches = new Map<DiagnosticCode, number>()
  #latest: { readonly text: string; readonly lines: readonly string[] } = { text: '', lines: [''] }

  /** @param text the whole file, which contains the line of the problem */
  report(file: string, text: string, at: Position, problem: Problem): void {
    // Problems arrive grouped by file, so the latest split text is enough.
    if (this.#latest.text !== text) this.#latest = { text, lines: text.split('\n') }
    this.reportLine(file, at, problem, this.#latest.lines[at.line - 1])
  }

  /** Reports a problem in a known line, once. Similar names are searched only for the first of a code: each search compares all names. */
  reportLine(file: string, at: Position, problem: Problem, lineText: string | undefined): void {
    const { code, near, message } = problem
    const key = JSON.stringify([file, at, code, message])
    if (this.#reported.has(key)) return
    this.#reported.add(key)
    const searches = this.#searches.get(code) ?? 0
    let { hint } = problem
    if (near !== undefined && searches < shownOfCodeMax) {
      this.#searches.set(code, searches + 1)
      const found = near()
      if (found !== undefined) hint = `Did you mean "${found}"?`
    }
    if (problem.severity !== 'warning') this.errors++
    this.diagnostics.push(diagnosticAt(file, at, { ...problem, hint }, lineText))
  }
}

/** `Did you mean "engineering"?`, if a known name is similar. */
export function didYouMean(name: string, known: readonly string[]): string | undefined {
  const found = nearest(name, known)
  return found === undefined ? undefined : `Did you mean "${found}"?`
}

/** `acme/tags/hello.md` → `hello`. */
export function fileStem(file: string): string {
  return withoutExtension(file.slice(file.lastIndexOf('/') + 1))
}

/** `acme/posts/2024/hello.md` → `2024/hello`. @param folders the folders of posts */
export function pathInFolders(file: string, folders: readonly string[]): string {
  const folder = folders.find((path) => file.startsWith(`${path}/`))
  return withoutExtension(file.slice(folder === undefined ? 0 : folder.length + 1))
}

function withoutExtension(path: string): string {
  return path.replace(/\.(?:md|markdown|mdx|ya?ml|json)$/u, '')
}

/** An author as written in a post. */
export interface InlineAuthor {
  readonly name: string
  readonly slug?: string | undefined
  readonly id?: string | undefined
  readonly image?: string | null | undefined
  readonly role?: string | null | undefined
  readonly bio?: string | undefined
  readonly url?: string | undefined
  readonly socials?: readonly Social[] | undefined
}

/** Parses an author in text form: `[Ada](https://ada.example)` is Ada with a URL, any other text a name. */
export function parseAuthor(text: string): InlineAuthor {
  const [, , url] = link.exec(text) ?? []
  // regex: the constant of this file
  const name = collapseSpaces(
    url === undefined ? text : text.replaceAll(new RegExp(link, 'gu'), '$1'),
  )
  return { name, ...(url !== undefined && /^https?:\/\//iu.test(url) ? { url } : {}) }
}

/** Returns the profiles of an author: those in front matter, and the URL. */
export function socialsOf({ socials = [], url }: Partial<InlineAuthor>): readonly Social[] {
  if (url === undefined || socials.some((social) => social.url === url)) return socials
  return [...socials, { platform: platformOf(url), url }]
}

/** Collapses white space into single spaces and normalizes to NFC. */
export function collapseSpaces(text: string): string {
  return text.normalize('NFC').replace(/\s+/gu, ' ').trim()
}

// Bounded, so that matching a text of brackets is linear in its length.
const link = /\[([^[\]]{1,200})\]\(([^()\s]{1,2000})\)/u

/** Returns the platform of a URL: `twitter` for `https://www.twitter.com/ada`. Other URLs are websites. */
function platformOf(url: string): string {
  const host = URL.canParse(url) ? new URL(url).hostname.replace(/^www\./u, '') : ''
  if (host === 'bsky.app') return 'bluesky'
  const name =
    /^(?:(?:twitter|x|github|gitlab|linkedin|instagram|facebook|youtube)\.com|mastodon\.social)$/
  return name.test(host) ? host.replace(/\..*/, '') : 'website'
}
