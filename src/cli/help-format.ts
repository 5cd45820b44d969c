// The format of help: capitalized sentences, the environment variable of a flag, and required flags.
import type { Argument, Command, HelpConfiguration, Option } from 'commander'

/** Environment variables of flags, by flag name. */
const variables: Readonly<Record<string, string>> = {
  content: 'QUARRY_CONTENT',
  config: 'QUARRY_CONFIG',
  cache: 'QUARRY_CACHE',
  out: 'QUARRY_OUT',
  host: 'QUARRY_HOST',
  port: 'QUARRY_PORT',
}

/** Configuration of commander's help. */
export const helpFormat: HelpConfiguration = {
  sortSubcommands: false,
  showGlobalOptions: true,
  commandDescription: (command: Command) => capitalised(command.description()),
  subcommandDescription: (command: Command) => capitalised(command.description()),
  optionDescription: describeOption,
  argumentDescription: describeArgument,
}

/** Returns the description of a flag with its choices, default and variable, and whether it is required. */
export function describeOption(option: Option): string {
  const { argChoices, defaultValue, description, mandatory } = option
  const variable = option.negate ? undefined : variables[option.name()]
  const remarks = [
    ...(argChoices === undefined ? [] : [`one of ${argChoices.join(', ')}`]),
    ...(defaultValue === undefined ? [] : [`default: ${defaultValue}`]),
    ...(mandatory ? ['required'] : []),
  ]
  const tail = remarks.length === 0 ? '' : ` (${remarks.join('; ')})`
  return `${capitalised(description)}${tail}${variable === undefined ? '' : ` [env: ${variable}]`}`
}

/** Returns the description of an argument with its choices. */
export function describeArgument({ argChoices, description }: Argument): string {
  const tail = argChoices === undefined ? '' : ` (one of ${argChoices.join(', ')})`
  return `${capitalised(description)}${tail}`
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
