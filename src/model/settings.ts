// A workspace's settings, from its `workspace.yml`.
import { nearest } from '../content/nearest.ts'
import type { RawWorkspace } from '../content/raw.ts'
import { type FieldDefinitions, noFields, readFieldDefinitions } from './field-definitions.ts'
import type { Problems } from './problems.ts'
import { fieldsOf, type Reading, readFieldsPartly, warnUnknownKeys } from './read-fields.ts'
import { knownKeys, type Settings, settingsSchema } from './schema.ts'
import { withheldWorkspace } from './withheld-keys.ts'

/** Settings and custom fields of a workspace. */
export type WorkspaceSettings = Settings & {
  readonly fields: FieldDefinitions
  /** Names of settings with an error, which has been reported: problems that depend on them would repeat it. */
  readonly doubtful: ReadonlySet<string>
  /** For problems found later; undefined without settings. */
  readonly reading: Reading | undefined
}

/** Reads the settings. A setting with an error has its default; errors have been reported. */
export function readSettings(raw: RawWorkspace, problems: Problems): WorkspaceSettings {
  const { settings: file, hasBrokenSettings = false } = raw
  const none = { ...settingsSchema.parse({}), fields: noFields, reading: undefined }
  const unknown: WorkspaceSettings = {
    ...none,
    fields: { defined: [], isDoubtful: true },
    doubtful: new Set(knownKeys.settings),
  }
  if (hasBrokenSettings) return unknown
  if (file === undefined) return { ...none, doubtful: new Set() }
  const source = { file: file.file, text: file.source }
  if (file.value.kind !== 'map') {
    problems.report(source, file.value.at, {
      code: 'invalid-field',
      message: 'Settings must be a map of keys and values, such as `name: Acme`.',
    })
    return unknown
  }
  const reading = { source, fields: fieldsOf(file.value), at: file.value.at }
  const isMisspelt = (name: string) => missingNear(name, reading) !== undefined
  warnUnknownKeys(reading, knownKeys.settings, problems, {
    withheld: withheldWorkspace,
    isError: isMisspelt,
  })
  const fields = readFieldDefinitions(reading, problems)
  const { value, failed } = readFieldsPartly(settingsSchema, reading, problems, {})
  const misspelt = [...reading.fields.keys()].flatMap((name) => missingNear(name, reading) ?? [])
  const doubtful = new Set([...failed, ...misspelt])
  const isDoubtful = fields.isDoubtful || doubtful.has('fields')
  return { ...none, ...value, fields: { ...fields, isDoubtful }, doubtful, reading }
}

/** Returns the setting that an unknown key probably means, if posts depend on it and it is not stated. */
function missingNear(name: string, { fields }: Reading): string | undefined {
  if (knownKeys.settings.includes(name)) return undefined
  const near = nearest(name, knownKeys.settings)
  const isNeeded =
    near !== undefined && ['references', 'defaults', 'links', 'fields'].includes(near)
  return isNeeded && !fields.has(near) ? near : undefined
}
