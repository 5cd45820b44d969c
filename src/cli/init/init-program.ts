// `quarry init` with its flags.
import { Command, Option } from 'commander'
import { parseText } from '../options.ts'
import { templateNames } from './templates.ts'

/** Returns the command that creates a project. */
export function initCommand(): Command {
  return new Command('init')
    .description('create a project from a template')
    .allowExcessArguments(false)
    .argument(
      '[dir]',
      'project folder; also sets its name (default: the working folder)',
      parseText,
    )
    .addOption(
      new Option('--template <name>', 'template (default: blog)').choices([...templateNames]),
    )
    .option('--yes', 'use the defaults, without prompts')
    .action(async (folder, flags) => {
      const { runInit } = await import('./init-command.ts')
      await runInit(folder, flags)
    })
}
