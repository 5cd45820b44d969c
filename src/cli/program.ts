// The commands and their flags. The code of a command is imported when it runs, so that help is fast.
import { Command, Option } from 'commander'
import { hideClearKeys } from '../api/clear-key.ts'
import { hostNames } from '../hosts/names.ts'
import { doctorCommand, notifyCommand } from './deployment-program.ts'
import { addExamples } from './examples.ts'
import { withBuild, withCache, withFolders } from './folder-flags.ts'
import { helpFormat } from './help-format.ts'
import { initCommand } from './init/init-program.ts'
import { keysCommand } from './keys-program.ts'
import { parseLimit, parseMoment, parsePort, parseStatus, parseText } from './options.ts'
import { packageInfo } from './package-info.ts'
import { reportFormats } from './report.ts'
import { schemaCommand } from './schema/schema-program.ts'

/** Returns the whole program. */
export function createProgram(): Command {
  const program = new Command('quarry')
    .description('A fast, versioned JSON content API from Markdown in git.')
    .version(packageInfo().version, '-V, --version', 'print the version')
    .exitOverride()
    .showHelpAfterError('Run npx quarry --help for the commands.')
  for (const command of [
    initCommand(),
    buildCommand(),
    devCommand(),
    serveCommand(),
    mcpCommand(),
    checkCommand(),
    schemaCommand(),
    explainCommand(),
    notifyCommand(),
    doctorCommand(),
    keysCommand(),
  ]) {
    program.addCommand(
      command
        .exitOverride()
        .showHelpAfterError(`Run npx quarry ${command.name()} --help for its flags.`),
    )
  }
  addExamples(program, packageInfo().folder)
  finishCommand(program)
  program.addCommand(importCommand())
  return program
}

/** Commander repeats invalid arguments in its errors, and one may be a key: keys are redacted. */
function finishCommand(command: Command): void {
  command
    .configureOutput({ writeErr: (text) => process.stderr.write(hideClearKeys(text)) })
    .configureHelp(helpFormat)
    .helpOption('-h, --help', 'print this help')
  for (const below of command.commands) finishCommand(below)
}

/** Passes all words on: quarry-import reads them. */
function importCommand(): Command {
  return new Command('import')
    .description('import the posts of another tool into a workspace, with quarry-import')
    .argument('[words...]', 'the tool, its source, and flags: quarry import --help')
    .allowUnknownOption()
    .helpOption(false)
    .action(async (words: readonly string[]) => {
      const { runImport } = await import('./import-command.ts')
      await runImport(words)
    })
}

function buildCommand(): Command {
  return withCache(
    withFolders(
      new Command('build').description(
        'build the content into static files and the index of the function',
      ),
    ),
  )
    .addOption(outOption())
    .option(
      '--now <date>',
      'publish posts that are due at this time, ISO 8601 (default: the clock)',
      parseMoment,
    )
    .addOption(
      new Option('--for <host>', 'also write the files of a deployment to this host').choices([
        ...hostNames,
      ]),
    )
    .option('--force', 'ignore the cache: render every body and write every file again')
    .option('--drafts', 'also build drafts, for keys with the scope drafts:read')
    .option('--allow-empty', 'build a workspace that has lost all its posts')
    .option('--json', 'print the result as JSON')
    .option('--quiet', 'print problems only')
    .action(async (flags) => {
      const { runBuild } = await import('./build-command.ts')
      await runBuild(flags)
    })
}

function devCommand(): Command {
  const command = new Command('dev').description(
    'build and serve the content, and rebuild when it changes',
  )
  return withListening(withCache(withFolders(command)))
    .addOption(outOption())
    .option('--strict-port', 'fail if the port is taken, instead of using the next one')
    .option('--drafts', 'also serve drafts, to keys with the scope drafts:read')
    .action(async (flags) => {
      const { runDev } = await import('./dev-command.ts')
      await runDev(flags)
    })
}

function serveCommand(): Command {
  return withListening(new Command('serve').description('serve the last build in production'))
    .allowExcessArguments(false)
    .addOption(outOption())
    .option('--config <file>', 'configuration file (default: quarry.config.ts)', parseText)
    .action(async (flags) => {
      const { runServe } = await import('./serve-command.ts')
      await runServe(flags)
    })
}

function mcpCommand(): Command {
  return new Command('mcp')
    .description('serve the last build to agents on this machine, as MCP over stdin and stdout')
    .allowExcessArguments(false)
    .addOption(outOption())
    .option('--config <file>', 'configuration file (default: quarry.config.ts)', parseText)
    .action(async (flags) => {
      const { runMcp } = await import('./mcp-command.ts')
      await runMcp(flags)
    })
}

function withListening(command: Command): Command {
  return command
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)', parseText)
    .option('--port <number>', 'port to listen on, 0 for any (default: 4321)', parsePort)
}

function checkCommand(): Command {
  return withCache(
    withFolders(
      new Command('check').description('report every problem of the content; write nothing'),
    ),
  )
    .addOption(
      new Option('--format <form>', 'form of the report')
        .choices([...reportFormats])
        .default('text'),
    )
    .option('--verbose', 'print every problem, without groups of warnings and the limit of 1,000')
    .option(
      '--max-warnings <number>',
      'exit with 1 for more warnings (default: no limit)',
      parseLimit,
    )
    .action(async (flags) => {
      const { runCheck } = await import('./check-command.ts')
      await runCheck(flags)
    })
}

function explainCommand(): Command {
  return withBuild(
    new Command('explain')
      .description('explain the response to a request, or an error code')
      .allowExcessArguments(false)
      .argument(
        '<address>',
        'URL or path, such as /v1/my-site/posts?page=2, or an error code',
        parseText,
      ),
  )
    .option('--now <date>', 'preview a future date, ISO 8601 (default: now)', parseMoment)
    .option('--key-stdin', 'read the API key from stdin [env: QUARRY_KEY]')
    .option('--json', 'print the result as JSON')
    .option('--expect <status>', 'exit with 1 unless the response has this status', parseStatus)
    .action(async (address, flags) => {
      const { runExplain } = await import('./explain-command.ts')
      await runExplain(address, flags)
    })
}

function outOption(): Option {
  return new Option('--out <folder>', 'output folder (default: dist)').argParser(parseText)
}
