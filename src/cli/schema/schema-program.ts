// `quarry schema` with its flags.
import { Command } from 'commander'
import { withFolders } from '../folder-flags.ts'
import { parseText } from '../options.ts'

/** The command that tells editors and TypeScript what posts hold. */
export function schemaCommand(): Command {
  return withFolders(
    new Command('schema').description('write what posts hold, for editors and for TypeScript'),
  )
    .option('--to <folder>', 'where it is written', parseText, '.quarry')
    .action(async (flags) => {
      const { runSchema } = await import('./schema-command.ts')
      await runSchema(flags)
    })
}
