// `quarry completion`: prints a script from which a shell knows every command and flag.
import type { Command } from 'commander'
import { bashScript } from './bash.ts'
import { fishScript } from './fish.ts'
import type { Shell } from './shells.ts'
import { commandNodes } from './tree.ts'
import { zshScript } from './zsh.ts'

/** Prints the script of a shell for a whole command line. */
export function runCompletion(shell: Shell, program: Command): void {
  const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript }
  process.stdout.write(scripts[shell](commandNodes(program)))
}
