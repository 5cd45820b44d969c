// The words after `quarry`, read from the commands.
import type { Argument, Command, Option } from 'commander'

/** A command and the words that may follow it. */
export interface CommandNode {
  /** With its parents: `quarry keys create`. */
  readonly path: string
  readonly commands: readonly Named[]
  readonly flags: readonly Flag[]
  /** Value of the first positional word; `none` if it takes none. */
  readonly argument: Value
}

/** A word and its description. */
export interface Named {
  readonly name: string
  readonly description: string
}

/** A flag. */
export interface Flag {
  /** With hyphens. */
  readonly long: string
  /** With a hyphen; null if it has none. */
  readonly short: string | null
  readonly description: string
  readonly value: Value
}

/** Value of a flag or word: one of a few words, a path, any text, or nothing. */
export type Value = 'none' | 'text' | 'file' | 'folder' | readonly string[]

/** Returns a command and all its subcommands. */
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

/** Returns `quarry build --out` and so on, for every flag whose value matches. */
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

/** Returns flags with a fixed set of values, and the values. */
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

/** The placeholder between `<` and `>` names its type. */
function kindOf(flags: string): Value {
  if (flags.includes('<folder>')) return 'folder'
  return flags.includes('<file>') ? 'file' : 'text'
}
