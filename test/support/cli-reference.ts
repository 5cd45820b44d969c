// The reference of the command line in Markdown, made from the commands themselves.
// Knows nothing of the document around it.
import type { Argument, Command } from 'commander'
import { variables } from '../../src/cli/environment.ts'
import { describeArgument, describeOption, helpFormat } from '../../src/cli/help-format.ts'

/** The paths of a command and all below it, such as `quarry keys create`. */
export function commandPaths(command: Command, above: readonly string[] = []): readonly string[] {
  const path = [...above, command.name()]
  return [path.join(' '), ...command.commands.flatMap((below) => commandPaths(below, path))]
}

/** The flags and variables of several commands in one list, then a section for each command that does something. */
export function cliReference(program: Command): string {
  const commands = commandsOf(program)
  const all = commands.flatMap(([path, command]) => linesOf(path, command))
  const shared = [...new Set(all.filter((line) => all.filter((each) => each === line).length > 1))]
  const sections = commands.map(([path, command]) => section(path, command, shared))
  return [`${shared.join('\n')}\n`, ...sections].join('\n')
}

/** Commands without commands below them, with their paths. */
function commandsOf(command: Command, above: readonly string[] = []): readonly [string, Command][] {
  const path = [...above, command.name()]
  const below = command.commands.flatMap((next) => commandsOf(next, path))
  return above.length === 0 || below.length > 0 ? below : [[path.join(' '), command]]
}

function section(path: string, command: Command, shared: readonly string[]): string {
  const lines = linesOf(path, command)
  const own = lines.filter((line) => !shared.includes(line))
  const others = lines
    .filter((line) => shared.includes(line))
    .map((line) => /`[^` ]+/.exec(line)?.[0])
  const words = command.registeredArguments.map(placeholder)
  const paragraphs = [
    `### ${path}`,
    `${helpFormat.commandDescription?.(command)}: ${code([path, ...words].join(' '))}`,
    ...(own.length === 0 ? [] : [own.join('\n')]),
    ...(others.length === 0 ? [] : [`Also ${others.map((name) => `${name}\``).join(', ')}.`]),
  ]
  return `${paragraphs.join('\n\n')}\n`
}

/** Lines of a list: arguments, flags and environment variables. */
function linesOf(path: string, command: Command): readonly string[] {
  const words = command.registeredArguments.map((word) => [
    placeholder(word),
    describeArgument(word),
  ])
  const flags = command.options.filter(({ hidden }) => !hidden)
  const environment = (variables[path] ?? []).map(({ name, purpose }) => [name, purpose])
  return [...words, ...flags.map((flag) => [flag.flags, describeOption(flag)]), ...environment].map(
    ([name = '', text]) => `- ${code(name)}: ${text}`,
  )
}

function placeholder(argument: Argument): string {
  return argument.required ? `<${argument.name()}>` : `[${argument.name()}]`
}

function code(text: string): string {
  return `\`${text}\``
}
