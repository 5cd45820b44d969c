// The texts of help: sentences with a capital, the environment variable of a flag, and flags that are required.
import type { Argument, Command, HelpConfiguration, Option } from 'commander'

/** Variables that give the value of a flag, by the name of the flag. */
const variables: Readonly<Record<string, string>> = {
  content: 'QUARRY_CONTENT',
  config: 'QUARRY_CONFIG',
  cache: 'QUARRY_CACHE',
  out: 'QUARRY_OUT',
  host: 'QUARRY_HOST',
  port: 'QUARRY_PORT',
}

/** How help is written. */
export const helpFormat: HelpConfiguration = {
  sortSubcommands: false,
  showGlobalOptions: true,
  commandDescription: (command: Command) => capitalised(command.description()),
  subcommandDescription: (command: Command) => capitalised(command.description()),
  optionDescription: describeOption,
  argumentDescription: describeArgument,
}

/** Its sentence, its choices, its default, its variable, and whether it is required. */
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

/** Its sentence and its choices. */
export function describeArgument({ argChoices, description }: Argument): string {
  const tail = argChoices === undefined ? '' : ` (one of ${argChoices.join(', ')})`
  return `${capitalised(description)}${tail}`
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
