// `quarry schema` with its flags.
import { Command } from 'commander'
import { withFolders } from '../folder-flags.ts'
import { parseText } from '../options.ts'

/** Returns the command that writes schemas and types of posts. */
export function schemaCommand(): Command {
  return withFolders(
    new Command('schema').description('write JSON Schemas for editors and types for TypeScript'),
  )
    .option('--to <folder>', 'output folder', parseText, '.quarry')
    .action(async (flags) => {
      const { runSchema } = await import('./schema-command.ts')
      await runSchema(flags)
    })
}
