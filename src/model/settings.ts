// A workspace's settings, from its `workspace.yml`.
import * as z from 'zod'
import { type DerivedName, derivedNames } from '../api/resources.ts'
import { nearest } from '../content/nearest.ts'
import type { RawWorkspace } from '../content/raw.ts'
import { type FieldDefinitions, readFieldDefinitions } from './custom-fields.ts'
import {
  baseUrlProblem,
  brokenLinkSettings,
  brokenLinksMessage,
  type LinkInput,
  postLinkProblem,
} from './link-settings.ts'
import type { Problems } from './problems.ts'
import { type Reading, readFieldsPartly, unknownKey, warnUnknownKeys } from './read-fields.ts'
import { identifier, text, withoutProblem } from './schema.ts'
import { withheldWorkspace } from './withheld-keys.ts'

const settingsShape = z.object({
  name: text.optional(),
  references: z.enum(['error', 'create'], 'must be "error" or "create"').default('error'),
  defaults: z
    .strictObject({ category: identifier.optional() }, 'must be a map with `category` only')
    .default({ category: undefined }),
  v1: z.enum(['public', 'private'], 'must be "public" or "private"').default('public'),
  baseUrl: withoutProblem(baseUrlProblem).optional(),
  links: z
    .strictObject(
      {
        post: withoutProblem(postLinkProblem).optional(),
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
    .default([]),
  // Validated as definitions of custom fields.
  fields: z.looseObject({}, 'must be a map, such as `rating: number`').optional(),
})

const knownKeys = Object.keys(settingsShape.shape)

/** Settings and custom fields of a workspace. */
export interface WorkspaceSettings extends LinkInput {
  readonly name?: string | undefined
  readonly references: 'error' | 'create'
  readonly defaults: { readonly category?: string | undefined }
  readonly v1: 'public' | 'private'
  /** Computed values of posts. */
  readonly derived: readonly DerivedName[]
  readonly fields: FieldDefinitions
  /** Names of settings with an error, which has been reported: problems that depend on them would repeat it. */
  readonly doubtful: ReadonlySet<string>
  /** For problems found later; undefined without settings. */
  readonly reading: Reading | undefined
}

/** Reads the settings. A setting with an error has its default; errors have been reported. */
export function readSettings(raw: RawWorkspace, problems: Problems): WorkspaceSettings {
  const { settings: file, hasBrokenSettings = false } = raw
  const none = { ...settingsShape.parse({}), reading: undefined }
  const unknown: WorkspaceSettings = {
    ...none,
    fields: { defined: [], isDoubtful: true },
    doubtful: new Set(knownKeys),
  }
  if (hasBrokenSettings) return unknown
  if (file === undefined) {
    return { ...none, fields: { defined: [], isDoubtful: false }, doubtful: new Set() }
  }
  const source = { file: file.file, text: file.source }
  const { value } = file
  if (value.kind !== 'map') {
    problems.report(source, value.at, {
      code: 'invalid-field',
      message: 'Settings must be a map of keys and values, such as `name: Acme`.',
    })
    return unknown
  }
  const reading = { source, fields: value.entries, at: value.at }
  const missing = new Map(
    [...value.entries.keys()].map((name) => [name, missingNear(name, reading)]),
  )
  warnUnknownKeys(reading, knownKeys, problems, {
    withheld: withheldWorkspace,
    unknown: (name) => ({ ...unknownKey(name), ...(missing.get(name) && { severity: 'error' }) }),
  })
  const fields = readFieldDefinitions(reading, problems)
  const read = readFieldsPartly(settingsShape, reading, problems)
  const misspelt = [...missing.values()].filter((name) => name !== undefined)
  const doubtful = new Set([...read.failed, ...misspelt])
  const isDoubtful = fields.isDoubtful || doubtful.has('fields')
  return { ...read.value, fields: { ...fields, isDoubtful }, doubtful, reading }
}

/** Returns the setting that an unknown key probably means, if posts depend on it and it is not stated. */
function missingNear(name: string, { fields }: Reading): string | undefined {
  const near = knownKeys.includes(name) ? undefined : nearest(name, knownKeys)
  const isNeeded = ['references', 'defaults', 'links', 'fields'].includes(near ?? '')
  return isNeeded && near !== undefined && !fields.has(near) ? near : undefined
}
