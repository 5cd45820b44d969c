// A workspace's settings, from its `workspace.yml`.
// Knows nothing of what the settings change.
import type { RawWorkspace } from '../content/raw.ts'
import type { Problems } from './problems.ts'
import { fieldsOf, readFields, warnUnknownKeys } from './read-fields.ts'
import { knownKeys, type Settings, settingsSchema } from './schema.ts'

/** The settings; defaults where there is no file or it has errors, which have been reported. */
export function readSettings(raw: RawWorkspace, problems: Problems): Settings {
  const file = raw.settings
  const fallback = settingsSchema.parse({})
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
  warnUnknownKeys(reading, knownKeys.settings, problems)
  return readFields(settingsSchema, reading, problems) ?? fallback
}
