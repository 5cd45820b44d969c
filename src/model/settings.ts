// A workspace's settings, from its `workspace.yml`.
import * as z from 'zod'
import { allScopes, defaultScopes, type KeyRecord } from '../api/keys.ts'
import { isSortable } from '../api/parameter-values.ts'
import {
  type DerivedName,
  derivedNames,
  type ResourceKind,
  resourceKinds,
  type TermKind,
} from '../api/resources.ts'
import type { OrderBy } from '../api/snapshot.ts'
import { entriesOf, isCustomPath } from '../content/mounts.ts'
import type { RawWorkspace, RawYaml, YamlValue } from '../content/raw.ts'
import { nearest } from '../content/source.ts'
import { fileStart, quote } from '../diagnostics.ts'
import {
  builtInKeys,
  type FieldDefinition,
  indexedFields,
  readFieldDefinitions,
  referenceTypes,
} from './custom-fields.ts'
import {
  baseUrlProblem,
  brokenLinkSettings,
  brokenLinksMessage,
  type LinkInput,
  postLinkProblem,
} from './destinations.ts'
import { foldCase, identifierProblem } from './identifier.ts'
import {
  listEntries,
  type Problems,
  Reading,
  readValidFields,
  unknownKey,
  warnUnknownKeys,
} from './read-fields.ts'
import { date, identifier, requiredText, text, validText } from './schema.ts'
import { byTermKind } from './terms.ts'
import { withheldOther } from './withheld-keys.ts'

const settingsShape = z.object({
  name: text.optional().describe('The name of the workspace.'),
  references: z
    .enum(['error', 'create'], 'must be "error" or "create"')
    .default('error')
    .describe('What to do with categories, tags and authors that have no file.'),
  defaults: z
    .strictObject({ category: identifier.optional() }, 'must be a map with `category` only')
    .default({ category: undefined }),
  v1: z
    .enum(['public', 'private'], 'must be "public" or "private"')
    .default('public')
    .describe('private: the workspace is not served under v1.'),
  dates: z
    .enum(['written', 'git'], 'must be "written" or "git"')
    .default('written')
    .describe('git: missing dates of a post come from its first and last commits.'),
  locale: text
    .regex(/^[a-z]{2,3}(?:-[a-z\d]{1,8})*$/iu, 'must be a BCP 47 language tag, such as de or pt-BR')
    .optional()
    .describe('The language of the workspace, such as de.'),
  translationOf: text.optional().describe('The workspace that this one is a translation of.'),
  baseUrl: validText(baseUrlProblem)
    .optional()
    .describe('The URL at which `public` is served; image URLs begin with it.'),
  links: z
    .strictObject(
      {
        post: validText(postLinkProblem)
          .optional()
          .describe('The URL of a post, such as /blog/{slug}.'),
        broken: z.enum(brokenLinkSettings, brokenLinksMessage).optional(),
      },
      'must be a map with `post` and `broken` only',
    )
    .optional(),
  derived: z
    .array(
      z.enum(derivedNames, `must be one of ${derivedNames.join(', ')}`),
      'must be a list, such as [excerpt, toc]',
    )
    .default([])
    .describe('Values derived from bodies, which are added to posts.'),
  // Validated as definitions of custom fields.
  fields: z
    .looseObject({}, 'must be a map, such as `rating: number`')
    .optional()
    .describe('Your own fields, which every post has, in response order.'),
  // Validated as definitions of collections.
  collections: z
    .looseObject({}, 'must be a map, such as `guides: { folder: guides }`')
    .optional()
    .describe('Content of your own types, by name: a folder of Markdown, or a list in a file.'),
  fieldsOf: z
    .strictObject(
      byTermKind(() => z.looseObject({}, 'must be a map').optional()),
      'must be a map with `categories`, `tags` and `authors` only',
    )
    .optional()
    .describe('Your own fields of categories, tags and authors.'),
  singletons: z
    .looseObject({}, 'must be a map, such as `navigation: navigation.yml`')
    .optional()
    .describe('Single files of data or Markdown, by name.'),
})

/** The schema of the settings, as written. */
export const settingsSchema: z.ZodType = settingsShape

const knownKeys = Object.keys(settingsShape.shape)

/** Settings and custom fields of a workspace. */
export interface WorkspaceSettings extends LinkInput {
  /** Fields of categories, tags and authors, in file order. */
  readonly fieldsOf: Readonly<Record<TermKind, readonly FieldDefinition[]>>
  readonly name?: string | undefined
  readonly references: 'error' | 'create'
  readonly defaults: { readonly category?: string | undefined }
  readonly v1: 'public' | 'private'
  readonly dates: 'written' | 'git'
  /** A BCP 47 tag. */
  readonly locale?: string | undefined
  /** Id of a workspace. */
  readonly translationOf?: string | undefined
  /** Computed values of posts. */
  readonly derived: readonly DerivedName[]
  /** Custom fields in file order, which is also the order in responses. */
  readonly fields: readonly FieldDefinition[]
  /** In file order. */
  readonly collections: readonly CollectionDefinition[]
  /** Names, in file order. */
  readonly singletons: readonly string[]
  /** True if the settings have an error, which has been reported; dependent problems would only repeat it. */
  readonly isBroken: boolean
  /** True if a setting other than fields and collections has an error: `references` and `links` may be wrong. */
  readonly hasInvalidRules: boolean
  /** Reports problems that are found later. */
  readonly reading: Reading
}

/** Reads the settings. A setting with an error has its default; errors have been reported. */
export function readSettings({ id, files }: RawWorkspace, problems: Problems): WorkspaceSettings {
  const [file, second] = files.filter(({ role }) => role.kind === 'settings')
  if (file !== undefined && second !== undefined) {
    const message = `The settings of this workspace are also in ${quote(file.path)}.`
    const problem = { code: 'ignored-file', message, hint: 'Keep one of these files.' } as const
    problems.reportLine(second.path, fileStart, problem, '')
  }
  const isUnread = file !== undefined && file.yaml === undefined
  const { yaml = { file: id, source: '', value: noSettings } } = file ?? {}
  const before = problems.errors
  const reading = new Reading(problems, yaml, yaml.value)
  if (yaml.value.kind !== 'map') {
    const message = 'Settings must be a map of keys and values, such as `name: Acme`.'
    reading.report([], { code: 'invalid-field', message })
  }
  warnUnknownKeys(reading, knownKeys, {
    withheld: withheldOther,
    // A misspelt setting is an error, because posts may depend on it.
    unknown: (name) => {
      const isMisspelt = nearest(name, knownKeys) !== undefined
      return unknownKey(name, isMisspelt ? 'error' : 'warning')
    },
  })
  const { value } = readValidFields(settingsShape, reading)
  const hasInvalidRules = isUnread || problems.errors > before
  // The possible targets of references.
  const targets = [...resourceKinds, ...entriesOf(reading.fields.get('collections')?.value).keys()]
  const names = { reserved: [], targets, excluded: [] }
  const fields = readFieldDefinitions(reading, reading.fields.get('fields')?.value, names)
  const fieldsOf = readTermFields(reading)
  const collections = readCollections(reading, targets)
  const singletons = readSingletons(reading)
  const isBroken = isUnread || problems.errors > before
  const defined = { fields, fieldsOf, collections, singletons }
  // A broken link may follow from an error in the settings.
  const links = hasInvalidRules ? { broken: 'ignore' as const } : value.links
  return { ...value, links, ...defined, isBroken, hasInvalidRules, reading }
}

const noSettings: YamlValue = { kind: 'map', entries: new Map(), at: fileStart }

/** Reads the fields of terms, which cannot refer to other resources or files. */
function readTermFields(settings: Reading): WorkspaceSettings['fieldsOf'] {
  const all = entriesOf(settings.fields.get('fieldsOf')?.value)
  const excluded = ['image', ...referenceTypes] as const
  const names = { reserved: builtInKeys, targets: [], excluded }
  return byTermKind((kind) => readFieldDefinitions(settings, all.get(kind)?.value, names))
}

/** The definition of a collection. */
export interface CollectionDefinition {
  readonly name: string
  /** Path of a folder of Markdown files, or of a file that is a list, below the folder of the workspace. */
  readonly source: string
  readonly fields: readonly FieldDefinition[]
  /** Null to order by date, or by file. */
  readonly orderBy: OrderBy | null
}

const source = validText((path) =>
  isCustomPath(path) ? null : 'must be a path in the workspace folder that has no other use',
)

const collectionShape = z.object({
  folder: source.optional(),
  file: source.optional(),
  fields: z.looseObject({}, 'must be a map, such as `level: number`').optional(),
  orderBy: text.optional(),
})

function readCollections(
  settings: Reading,
  targets: readonly string[],
): readonly CollectionDefinition[] {
  const names = { reserved: builtInKeys, targets, excluded: [] }
  const sources = new Map<string, string>()
  const stated = entriesOf(settings.fields.get('collections')?.value)
  return [...stated].flatMap(([name, { keyAt, value }]) => {
    if (!checkName(name, settings, keyAt)) return []
    const reading = settings.with(entriesOf(value), keyAt)
    warnUnknownKeys(reading, Object.keys(collectionShape.shape))
    const { value: read, failed } = readValidFields(collectionShape, reading)
    if (failed.size > 0) return []
    const path = read.folder ?? read.file
    if (path === undefined || (read.folder !== undefined && read.file !== undefined)) {
      const message = `The collection ${JSON.stringify(name)} needs \`folder\` or \`file\`, but not both.`
      reading.report([], { code: 'invalid-field', message, hint: `Write \`folder: ${name}\`.` })
      return []
    }
    const other = sources.get(foldCase(path)) ?? sources.get(`name ${foldCase(name)}`)
    sources.set(foldCase(path), name).set(`name ${foldCase(name)}`, name)
    if (other !== undefined) {
      const message = `The collection ${JSON.stringify(name)} has the same name or path as ${JSON.stringify(other)}.`
      reading.report([], { code: 'invalid-field', message, hint: 'Change one of them.' })
      return []
    }
    const fields = readFieldDefinitions(reading, reading.fields.get('fields')?.value, names)
    const orderBy = readOrderBy(read.orderBy, fields, reading)
    return orderBy === undefined ? [] : [{ name, source: path, fields, orderBy }]
  })
}

function readOrderBy(
  given: string | undefined,
  fields: readonly FieldDefinition[],
  reading: Reading,
): OrderBy | null | undefined {
  if (given === undefined) return null
  const builtIn = (['title', 'publishedAt', 'updatedAt'] as const).find((name) => name === given)
  if (builtIn !== undefined) return builtIn
  const sortable = indexedFields(fields).filter(({ type }) => isSortable(type))
  const names = sortable.map(({ name }) => name)
  if (names.includes(given)) return `fields.${given}`
  reading.report(['orderBy'], {
    code: 'invalid-field',
    message: `\`orderBy\` ${JSON.stringify(given)} must be title, publishedAt, updatedAt or a field with \`index: true\`.`,
    near: () => nearest(given, [...names, 'title', 'publishedAt', 'updatedAt']),
  })
  return undefined
}

function readSingletons(settings: Reading): readonly string[] {
  const stated = entriesOf(settings.fields.get('singletons')?.value)
  return [...stated].flatMap(([name, { keyAt, value }]) => {
    if (!checkName(name, settings, keyAt)) return []
    if (value.kind === 'text' && isCustomPath(value.value) && /\.\w+$/.test(value.value))
      return [name]
    const message = `The singleton ${JSON.stringify(name)} must be a file of the workspace.`
    const hint = `Write \`${name}: ${name}.yml\`; the file ends in .yml, .json or .md.`
    settings.report(value.at, { code: 'invalid-field', message, hint })
    return []
  })
}

/** Checks a name that is part of paths. The kinds of resources are reserved. */
function checkName(name: string, settings: Reading, at: Parameters<Reading['report']>[0]): boolean {
  const isTaken = resourceKinds.includes(name as ResourceKind)
  const problem = isTaken ? 'is a kind of resource' : identifierProblem(name)
  if (problem === null) return true
  const message = `The name ${JSON.stringify(name)} ${problem}.`
  settings.report(at, { code: 'invalid-identifier', message, hint: 'Choose another name.' })
  return false
}

/** A key with the metadata for its owners. */
export interface KeyEntry {
  readonly record: KeyRecord
  /** `YYYY-MM-DDTHH:MM:SS.sssZ`, like every date here. */
  readonly created: string
  readonly revoked: string | null
}

const keySchema = z.object({
  id: identifier,
  name: requiredText.regex(/^\P{Cc}*$/u, 'must not contain control characters'),
  sha256: text.regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits in lower case'),
  scopes: z
    .array(
      z.enum(allScopes, `must be one of ${allScopes.join(', ')}`),
      'must be a list, such as [posts:read, tags:read]',
    )
    .min(1, `must name a scope; a key without scopes has ${defaultScopes.join(', ')}`)
    .default([...defaultScopes]),
  created: date,
  expires: date.optional(),
  revoked: date.optional(),
})

/** Returns the valid keys by workspace. An id is unique in its workspace, a hash in all workspaces. */
export function readKeys(
  workspaces: readonly { readonly id: string; readonly keys?: RawYaml | undefined }[],
  problems: Problems,
): ReadonlyMap<string, readonly KeyEntry[]> {
  /** First occurrence of each id and hash: `acme/keys.yml:3`. */
  const owners = new Map<string, string>()
  const isFree = (value: string, field: keyof typeof duplicates, scope: string, read: Reading) =>
    read.claim(owners, `${scope}\0${value}`, [field], (other) => ({
      ...duplicates[field],
      message: `This ${field} already belongs to the key at ${other}.`,
    }))
  const readKey = (workspace: string, reading: Reading): readonly KeyEntry[] => {
    // An unknown key is an error, because it may be meant to end the access.
    const unknown = (name: string) => unknownKey(name, 'error')
    warnUnknownKeys(reading, Object.keys(keySchema.shape), { unknown })
    const { value, failed } = readValidFields(keySchema, reading)
    if (failed.size > 0) return []
    const { id, name, sha256, scopes, created, expires, revoked } = value
    const isIdFree = isFree(id, 'id', workspace, reading)
    const isHashFree = isFree(sha256, 'sha256', '', reading)
    if (!isIdFree || !isHashFree) return []
    const expiresAt = expires === undefined ? null : Date.parse(expires)
    const isRevoked = revoked !== undefined
    const record = { id, workspace, name, sha256, scopes, expiresAt, revoked: isRevoked }
    return [{ record, created, revoked: revoked ?? null }]
  }
  return new Map(
    workspaces.map(({ id, keys }) => {
      const list = keys && listEntries(keys, { name: 'keys', firstKey: 'id' }, problems)
      return [id, (list ?? []).flatMap(({ reading }) => readKey(id, reading))]
    }),
  )
}

const duplicates = {
  id: { code: 'duplicate-identifier', hint: 'Give one of them another id.' },
  sha256: { code: 'duplicate-key', hint: 'Remove one; each workspace has its own keys.' },
} as const
