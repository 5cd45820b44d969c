// The reference of the command line in Markdown, made from the commands themselves.
// Knows nothing of the document around it.
import type { Argument, Command, Option } from 'commander'
import { variables } from '../../src/cli/environment.ts'
import { examples } from '../../src/cli/examples.ts'
import { describeArgument, describeOption, helpFormat } from '../../src/cli/help-format.ts'

/** The paths of a command and all below it, such as `quarry keys create`. */
export function commandPaths(command: Command, above: readonly string[] = []): readonly string[] {
  const path = [...above, command.name()]
  return [path.join(' '), ...command.commands.flatMap((below) => commandPaths(below, path))]
}

/** A section for each command that does something. */
export function cliReference(command: Command, above: readonly string[] = []): string {
  const path = [...above, command.name()]
  const below = command.commands.map((next) => cliReference(next, path))
  const own = above.length === 0 || below.length > 0 ? [] : [section(path.join(' '), command)]
  return [...own, ...below].join('\n')
}

function section(path: string, command: Command): string {
  const words = command.registeredArguments.map(argumentRow)
  const flags = command.options.filter(({ hidden }) => !hidden).map(flagRow)
  const usage = [path, ...command.registeredArguments.map(placeholder), '[flags]'].join(' ')
  const environment = (variables[path] ?? []).map(({ name, purpose }) => [code(name), purpose])
  const rows = [...words, ...flags, ...environment].map(([name, text]) => `| ${name} | ${text} |`)
  const table = rows.length === 0 ? [] : ['| | |', '|---|---|', ...rows, '']
  const known = examples[path] ?? []
  const lines = known.flatMap(({ line, does }) => [`# ${does}`, line])
  return [
    `### ${path}`,
    '',
    `\`${flags.length > 0 ? usage : usage.replace(' [flags]', '')}\`: ${helpFormat.commandDescription?.(command)}.`,
    '',
    ...table,
    ...(lines.length === 0 ? [] : ['```sh', ...lines, '```', '']),
  ].join('\n')
}

function argumentRow(argument: Argument): readonly [string, string] {
  return [code(placeholder(argument)), describeArgument(argument)]
}

function flagRow(option: Option): readonly [string, string] {
  return [code(option.flags), describeOption(option)]
}

function placeholder(argument: Argument): string {
  return argument.required ? `<${argument.name()}>` : `[${argument.name()}]`
}

function code(text: string): string {
  return `\`${text}\``
}
