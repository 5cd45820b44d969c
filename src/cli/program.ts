// The program: commander's commands, made from the table, their help, and the exit code after an error.
import { join } from 'node:path'
import { type AddHelpTextContext, Argument, Command, Option } from 'commander'
import { maskCleartextKeys } from '../api/keys.ts'
import { type CommandEntry, commands, type Words } from './commands.ts'
import { explainFailure } from './report.ts'
import { packageInfo, parseMoment, parseText } from './settings.ts'
import { displayPath, terminalOf } from './terminal.ts'

const program: CommandEntry = {
  about: 'A fast, versioned JSON content API from Markdown in git.',
  examples: {
    'quarry init my-site': 'create a project',
    'quarry dev': 'build, serve and rebuild',
    'quarry build': 'build for a CDN and a function',
  },
  page: 'getting-started.md',
}

/** Runs a command, and sets `process.exitCode` after an error. @param argv in the form of `process.argv` */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  const [node = '', script = '', first = '', group = '', ...names] = argv
  // `help keys create` is `keys help create`: commander's help takes one name.
  const isLong = first === 'help' && names.length > 0
  try {
    await createProgram().parseAsync(isLong ? [node, script, group, first, ...names] : argv)
  } catch (error) {
    fail(error)
  }
}

/** Prints an error, and sets `process.exitCode`. */
export function fail(error: unknown): void {
  const { text, exitCode } = explainFailure(error, terminalOf(process.env, process.stderr))
  if (text !== '') process.stderr.write(`${maskCleartextKeys(text)}\n`)
  process.exitCode = exitCode
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
  const { argument = {}, flags = {}, load } = entry
  for (const [words, about] of Object.entries(argument))
    command.addArgument(parsed(new Argument(words, wordsOf(about).about), words, about))
  for (const [words, about] of Object.entries(flags)) {
    const { about: text, isHidden = false, isRequired = false } = wordsOf(about)
    const option = new Option(words, text).hideHelp(isHidden)
    command.addOption(parsed(option.makeOptionMandatory(isRequired), words, about))
  }
  if (entry.isPassedOn) command.allowUnknownOption().helpOption(false)
  if (load === undefined) return command
  return command.allowExcessArguments(false).action(async (...words: unknown[]) => {
    const run = await load()
    // Commander passes the command as the last argument.
    await run(...(words.slice(0, -1) as never[]))
  })
}

/** Returns the long form of what the table says of a flag or an argument. */
export function wordsOf(about: string | Words): Words {
  return typeof about === 'string' ? { about } : about
}

/** Sets the parser of a flag or an argument. Commander collects the values of `<root...>`. */
function parsed<T extends Argument | Option>(target: T, words: string, about: string | Words): T {
  const { choices, parse } = wordsOf(about)
  const usual = words.endsWith('<date>') ? parseMoment : parseText
  if (choices !== undefined) target.choices(choices)
  else if (/\w[>\]]$/.test(words)) target.argParser(parse ?? usual)
  return target
}

function finish(command: Command, entry: CommandEntry, sought: string, path = ''): Command {
  if (entry.load === undefined) command.helpCommand('help [command]', 'Display help for command')
  return (
    command
      .description(entry.about)
      .exitOverride()
      .showHelpAfterError(`Run npx quarry${path} --help for ${sought}.`)
      // Commander repeats invalid arguments in its errors, and an argument may be a key. Keys are redacted.
      .configureOutput({ writeErr: (text) => process.stderr.write(maskCleartextKeys(text)) })
      .configureHelp({
        showGlobalOptions: true,
        argumentDescription: ({ description }) => description,
        optionDescription: ({ description }) => description,
      })
      .helpOption('-h, --help', 'Print this help')
      .addHelpText('before', unknownName)
      .addHelpText('after', () => helpEnd(entry))
  )
}

/** Names the unknown command of `help nosuch`. */
function unknownName({ error, command }: AddHelpTextContext): string {
  const [, name] = command.args
  return error && name !== undefined ? `error: unknown command '${name}'\n` : ''
}

function helpEnd({ examples, variables = {}, page }: CommandEntry): string {
  const [lines, named] = [Object.entries(examples), Object.entries(variables)]
  const width = Math.max(...named.map(([name]) => name.length))
  return [
    ...(lines.length === 0 ? [] : ['', 'Examples:']),
    ...lines.map(([line, purpose]) => `  ${line}\n      ${purpose}`),
    ...(named.length === 0 ? [] : ['', 'Environment:']),
    ...named.map(([name, about]) => `  ${name.padEnd(width)}  ${about}`),
    ...['', `More: ${displayPath(join(packageInfo().folder, 'docs', page))}`],
  ].join('\n')
}
