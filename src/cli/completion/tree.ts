// The words after `quarry`, read off the commands themselves.
// Knows no shell.
import type { Argument, Command, Option } from 'commander'

/** A command, and what can be behind it. */
export interface CommandNode {
  /** With those above it: `quarry keys create`. */
  readonly path: string
  readonly commands: readonly Named[]
  readonly flags: readonly Flag[]
  /** The value of its first word that is no command; `none` when it takes no such word. */
  readonly argument: Value
}

/** A word and what it means. */
export interface Named {
  readonly name: string
  readonly description: string
}

/** A flag. */
export interface Flag {
  /** With its hyphens. */
  readonly long: string
  /** With its hyphen; null when there is none. */
  readonly short: string | null
  readonly description: string
  readonly value: Value
}

/** The value of a flag, or of a word: one of a few words, a name of the file system, any text, nothing. */
export type Value = 'none' | 'text' | 'file' | 'folder' | readonly string[]

/** Every command below one, itself first. */
export function commandNodes(
  command: Command,
  above: readonly string[] = [],
): readonly CommandNode[] {
  const path = [...above, command.name()]
  const help = command.createHelp()
  const [argument] = command.registeredArguments
  const node: CommandNode = {
    path: path.join(' '),
    commands: help
      .visibleCommands(command)
      .map((below) => ({ name: below.name(), description: below.description() })),
    flags: help.visibleOptions(command).map(flagOf),
    argument: argument === undefined ? 'none' : argumentValue(argument),
  }
  return [node, ...command.commands.flatMap((below) => commandNodes(below, path))]
}

/** `quarry build --out`, for every flag with a value that passes. */
export function flagsWith(
  nodes: readonly CommandNode[],
  isWanted: (value: Value) => boolean,
): readonly string[] {
  return nodes.flatMap(({ path, flags }) =>
    flags
      .filter(({ value }) => value !== 'none' && isWanted(value))
      .flatMap(({ long, short }) => [long, ...(short === null ? [] : [short])])
      .map((name) => `${path} ${name}`),
  )
}

/** Flags whose value is one of a few words, with them. */
export function flagsWithChoices(
  nodes: readonly CommandNode[],
): readonly (readonly [flag: string, choices: readonly string[]])[] {
  return nodes.flatMap(({ path, flags }) =>
    flags.flatMap(({ long, value }): [string, readonly string[]][] =>
      typeof value === 'string' ? [] : [[`${path} ${long}`, value]],
    ),
  )
}

function flagOf(option: Option): Flag {
  const { long, short, description, argChoices } = option
  const takesValue = option.required || option.optional
  return {
    long: long ?? '',
    short: short ?? null,
    description,
    value: takesValue ? (argChoices ?? kindOf(option.flags)) : 'none',
  }
}

function argumentValue({ argChoices, description }: Argument): Value {
  return argChoices ?? (/folder/.test(description) ? 'folder' : 'text')
}

/** The word between `<` and `>` says what it is. */
function kindOf(flags: string): Value {
  if (flags.includes('<folder>')) return 'folder'
  return flags.includes('<file>') ? 'file' : 'text'
}
