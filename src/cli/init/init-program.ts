// `quarry init` with its flags.
import { Command, Option } from 'commander'
import { parseText } from '../options.ts'
import { templateNames } from './templates.ts'

/** The command for new projects. */
export function initCommand(): Command {
  return new Command('init')
    .description('make a new project from a template')
    .allowExcessArguments(false)
    .argument('[dir]', 'its folder; names come from it (default: the working folder)', parseText)
    .addOption(
      new Option('--template <name>', 'what it begins with (default: blog)').choices([
        ...templateNames,
      ]),
    )
    .option('--yes', 'ask nothing')
    .action(async (folder, flags) => {
      const { runInit } = await import('./init-command.ts')
      await runInit(folder, flags)
    })
}
