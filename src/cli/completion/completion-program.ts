// `quarry completion` with its argument.
import { Argument, Command } from 'commander'
import { type Shell, shells } from './shells.ts'

/** Returns the command that prints completion scripts. */
export function completionCommand(): Command {
  return new Command('completion')
    .description('print the completion script of a shell')
    .allowExcessArguments(false)
    .addArgument(new Argument('<shell>', 'the shell').choices([...shells]))
    .action(async (shell: Shell, _, command: Command) => {
      const { runCompletion } = await import('./completion-command.ts')
      runCompletion(shell, command.parent ?? command)
    })
}
