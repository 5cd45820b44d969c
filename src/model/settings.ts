// A workspace's settings, from its `workspace.yml`.
import type { RawWorkspace } from '../content/raw.ts'
import { type FieldDefinitions, noFields, readFieldDefinitions } from './field-definitions.ts'
import type { Problems } from './problems.ts'
import { fieldsOf, readFields, warnUnknownKeys } from './read-fields.ts'
import { knownKeys, type Settings, settingsSchema } from './schema.ts'
import { withheldWorkspace } from './withheld-keys.ts'

/** Settings and custom fields of a workspace. */
export type WorkspaceSettings = Settings & { readonly fields: FieldDefinitions }

/** Reads the settings. Returns defaults if there is no file or it has errors, which have been reported. */
export function readSettings(raw: RawWorkspace, problems: Problems): WorkspaceSettings {
  const file = raw.settings
  const fallback = { ...settingsSchema.parse({}), fields: noFields }
  if (file === undefined) return fallback
  const source = { file: file.file, text: file.source }
  if (file.value.kind !== 'map') {
    problems.report(source, file.value.at, {
      code: 'invalid-field',
      message: 'Settings must be a map of keys and values, such as `name: Acme`.',
    })
    return fallback
  }
  const reading = { source, fields: fieldsOf(file.value), at: file.value.at }
  warnUnknownKeys(reading, knownKeys.settings, problems, { withheld: withheldWorkspace })
  const fields = readFieldDefinitions(reading, problems)
  return { ...(readFields(settingsSchema, reading, problems) ?? fallback), fields }
}
