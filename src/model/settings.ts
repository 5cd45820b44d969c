// A workspace's settings, from its `workspace.yml`.
import * as z from 'zod'
import { type DerivedName, derivedNames } from '../api/resources.ts'
import { nearest } from '../content/nearest.ts'
import type { RawWorkspace } from '../content/raw.ts'
import { type FieldDefinition, readFieldDefinitions } from './custom-fields.ts'
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
  /** Custom fields in file order, which is also the order in responses. */
  readonly fields: readonly FieldDefinition[]
  /** True if they have an error, which has been reported: problems that depend on settings would repeat it. */
  readonly isBroken: boolean
  /** For problems found later; undefined without settings. */
  readonly reading: Reading | undefined
}

/** Reads the settings. A setting with an error has its default; errors have been reported. */
export function readSettings({ files }: RawWorkspace, problems: Problems): WorkspaceSettings {
  const file = files.find(({ role }) => role.kind === 'settings')
  const none = { ...settingsShape.parse({}), fields: [], reading: undefined }
  if (file?.yaml === undefined) return { ...none, isBroken: file !== undefined }
  const { file: path, source: text, value } = file.yaml
  const source = { file: path, text }
  if (value.kind !== 'map') {
    const message = 'Settings must be a map of keys and values, such as `name: Acme`.'
    problems.report(source, value.at, { code: 'invalid-field', message })
    return { ...none, isBroken: true }
  }
  const before = problems.errors
  const reading = { source, fields: value.entries, at: value.at }
  warnUnknownKeys(reading, knownKeys, problems, {
    withheld: withheldWorkspace,
    // Posts may depend on a setting that is misspelt.
    unknown: (name) => {
      const isMisspelt = nearest(name, knownKeys) !== undefined
      return { ...unknownKey(name), severity: isMisspelt ? 'error' : 'warning' }
    },
  })
  const fields = readFieldDefinitions(reading, problems)
  const read = readFieldsPartly(settingsShape, reading, problems)
  return { ...read.value, fields, isBroken: problems.errors > before, reading }
}
