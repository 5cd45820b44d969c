// The program: commander's commands out of the table, their help, and the exit code after an error.
import { join } from 'node:path'
import { Argument, Command, Option } from 'commander'
import { hideClearKeys } from '../api/keys.ts'
import { type CommandEntry, commands } from './commands.ts'
import { explainFailure } from './report.ts'
import { type Flag, packageInfo } from './settings.ts'
import { shortest, terminalOf } from './terminal.ts'

const program: CommandEntry = {
  about: 'a fast, versioned JSON content API from Markdown in git.',
  examples: [
    ['quarry init my-site', 'create a project'],
    ['quarry dev', 'build, serve and rebuild'],
    ['quarry build', 'build for a CDN and a function'],
  ],
  page: 'getting-started.md',
}

/** Runs a command, and sets `process.exitCode` after an error. @param argv as `process.argv` */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  try {
    await createProgram().parseAsync(argv)
  } catch (error) {
    const { text, exitCode } = explainFailure(error, terminalOf(process.env, process.stderr))
    if (text !== '') process.stderr.write(`${hideClearKeys(text)}\n`)
    process.exitCode = exitCode
  }
}

/** Returns the whole program. */
export function createProgram(): Command {
  const root = finish(new Command('quarry'), program, 'the commands')
  root.version(packageInfo().version, '-V, --version', 'Print the version')
  for (const [path, entry] of Object.entries(commands)) {
    const [name = '', below] = path.split(' ')
    const parent = root.commands.find((command) => command.name() === name) ?? root
    parent.addCommand(commandOf(below ?? name, entry, path))
  }
  return root
}

function commandOf(name: string, entry: CommandEntry, path: string): Command {
  const command = finish(new Command(name), entry, 'its flags', ` ${path}`)
  const { argument, flags = [], load } = entry
  if (argument !== undefined) {
    const { words, about, parse } = argument
    const added = new Argument(words, capitalised(about))
    command.addArgument(parse === undefined ? added : added.argParser(parse))
  }
  for (const flag of flags) command.addOption(optionOf(flag))
  if (entry.isPassedOn) command.allowUnknownOption().helpOption(false)
  if (load === undefined) return command
  return command.allowExcessArguments(false).action(async (...words: unknown[]) => {
    const run = await load()
    // Commander passes the command as the last argument.
    await run(...(words.slice(0, -1) as never[]))
  })
}

function optionOf(flag: Flag): Option {
  const option = new Option(flag.words, describeFlag(flag)).hideHelp(flag.isHidden === true)
  option.makeOptionMandatory(flag.isRequired === true)
  if (flag.choices !== undefined) option.choices(flag.choices)
  else if (flag.parse !== undefined) option.argParser(flag.parse)
  return option
}

/** The words of a flag in help and docs: with its choices, its default and its variable. */
export function describeFlag({ about, choices, usual, env, isRequired }: Flag): string {
  const remarks = [
    ...(choices === undefined ? [] : [`one of ${choices.join(', ')}`]),
    ...(usual === undefined ? [] : [`default: ${usual}`]),
    ...(isRequired ? ['required'] : []),
  ]
  const tail = remarks.length === 0 ? '' : ` (${remarks.join('; ')})`
  return `${capitalised(about)}${tail}${env === undefined ? '' : ` [env: ${env}]`}`
}

function finish(command: Command, entry: CommandEntry, sought: string, path = ''): Command {
  return (
    command
      .description(capitalised(entry.about))
      .exitOverride()
      .showHelpAfterError(`Run npx quarry${path} --help for ${sought}.`)
      // Commander repeats invalid arguments in its errors, and one may be a key: keys are redacted.
      .configureOutput({ writeErr: (text) => process.stderr.write(hideClearKeys(text)) })
      .configureHelp({
        showGlobalOptions: true,
        optionDescription: ({ description }) => description,
        subcommandDescription: (below) => capitalised(below.description()),
      })
      .helpOption('-h, --help', 'Print this help')
      .addHelpText('after', () => helpEnd(entry))
  )
}

function helpEnd({ examples, variables = [], page }: CommandEntry): string {
  const width = Math.max(...variables.map(({ env }) => env.length))
  return [
    ...(examples.length === 0 ? [] : ['', 'Examples:']),
    ...examples.map(([line, purpose]) => `  ${line}\n      ${purpose}`),
    ...(variables.length === 0 ? [] : ['', 'Environment:']),
    ...variables.map(({ env, about }) => `  ${env.padEnd(width)}  ${about}`),
    ...['', `More: ${shortest(join(packageInfo().folder, 'docs', page))}`],
  ].join('\n')
}

/** Returns a text with a capital at its start. */
export function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
