// `quarry completion`: prints a completion script for a shell.
import type { Command } from 'commander'
import { bashScript } from './bash.ts'
import { fishScript } from './fish.ts'
import type { Shell } from './shells.ts'
import { commandNodes } from './tree.ts'
import { zshScript } from './zsh.ts'

/** Prints a shell's completion script for a program. */
export function runCompletion(shell: Shell, program: Command): void {
  const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript }
  process.stdout.write(scripts[shell](commandNodes(program)))
}
