// `quarry schema`: JSON Schemas of front matter and settings for editors, and types of slugs and fields for the client.
import { relative } from 'node:path'
import { writeTypes } from '../build/types.ts'
import { type CommonFlags, readSettings } from './settings.ts'

/** Writes the files of every workspace; prints the path of each new or changed file. */
export async function runSchema({
  to = '.quarry',
  ...flags
}: CommonFlags & { readonly to?: string }): Promise<void> {
  const changed = await writeTypes(await readSettings(flags), to)
  for (const path of changed) process.stdout.write(`${relative('.', path)}\n`)
}
