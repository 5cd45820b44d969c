// The commands and their flags. Each command's work is loaded when it is called, so that help is quick.
import { Command, Option } from 'commander'
import { hideClearKeys } from '../api/clear-key.ts'
import { hostNames } from '../platforms/hosts.ts'
import { completionCommand } from './completion/completion-program.ts'
import { addExamples } from './examples.ts'
import { explainCommand } from './explain/explain-program.ts'
import { withCache, withFolders } from './folder-flags.ts'
import { importCommand } from './import-program.ts'
import { initCommand } from './init/init-program.ts'
import { keysCommand } from './keys-program.ts'
import {
  collectText,
  parseAddress,
  parseCount,
  parseMoment,
  parsePort,
  parseShard,
  parseText,
} from './options.ts'
import { packageInfo } from './package-info.ts'
import { followCommand, publishCommand } from './publish-program.ts'
import { reportFormats } from './report.ts'
import { schemaCommand } from './schema/schema-program.ts'

/** The whole command line. */
export function createProgram(): Command {
  const program = new Command('quarry')
    .description('A fast, versioned JSON content API from Markdown in git.')
    .version(packageInfo().version)
    .exitOverride()
    .showHelpAfterError('(quarry --help lists the commands)')
    .configureHelp({ sortSubcommands: false, showGlobalOptions: true })
  for (const command of [
    initCommand(),
    importCommand(),
    buildCommand(),
    devCommand(),
    serveCommand(),
    mcpCommand(),
    checkCommand(),
    schemaCommand(),
    explainCommand(),
    planCommand(),
    publishCommand(),
    followCommand(),
    notifyCommand(),
    cacheCommand(),
    doctorCommand(),
    keysCommand(),
    completionCommand(),
  ]) {
    program.addCommand(
      command
        .exitOverride()
        .showHelpAfterError(`(quarry ${command.name()} --help lists the flags)`),
    )
  }
  addExamples(program, packageInfo().folder)
  neverShowKeys(program)
  return program
}

/** Commander repeats what it cannot use, and somebody's key may be among it. */
function neverShowKeys(command: Command): void {
  command.configureOutput({ writeErr: (text) => process.stderr.write(hideClearKeys(text)) })
  for (const below of command.commands) neverShowKeys(below)
}

function buildCommand(): Command {
  return withCache(withFolders(new Command('build').description('write the content as JSON files')))
    .addOption(outOption())
    .option(
      '--now <date>',
      'publish what is due at this moment, ISO 8601 (default: the clock)',
      parseMoment,
    )
    .addOption(
      new Option('--for <host>', 'write also what this host is given').choices([...hostNames]),
    )
    .option('--force', 'read nothing of the cache: render every body and write every file again')
    .option(
      '--verify-parser',
      'render every body by satteri and by remark-parse, and fail on a difference',
    )
    .addOption(
      new Option(
        '--workspace <id>',
        'build one workspace, and leave the others as the last build left them',
      ).conflicts('force'),
    )
    .addOption(
      new Option(
        '--shard <part>',
        'only render a part of the posts, such as 2/3, into the cache; a build with the caches of all parts renders nothing',
      )
        .argParser(parseShard)
        .conflicts(['force', 'workspace', 'for', 'drafts', 'allowEmpty', 'report', 'now']),
    )
    .option('--drafts', 'build drafts too, for keys with the scope drafts:read')
    .option('--allow-empty', 'build a workspace without posts that had some in the last build')
    .option('--json', 'print one JSON object about the build')
    .option(
      '--report [file]',
      'write a page about the build (default: quarry-report.html)',
      parseText,
    )
    .option('--quiet', 'print nothing but problems')
    .action(async (flags) => {
      const { runBuild } = await import('./build-command.ts')
      await runBuild(flags)
    })
}

function devCommand(): Command {
  const command = new Command('dev').description('build and serve the content on this machine')
  return withListening(withCache(withFolders(command)))
    .addOption(outOption())
    .option('--drafts', 'serve drafts too, to keys with the scope drafts:read')
    .action(async (flags) => {
      const { runDev } = await import('./dev-command.ts')
      await runDev(flags)
    })
}

function serveCommand(): Command {
  return withListening(new Command('serve').description('serve what was built, for production'))
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
    .description('give agents on this machine tools over what was built, by stdin and stdout')
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
      new Command('check').description('find every problem of the content; write nothing'),
    ),
  )
    .addOption(
      new Option('--format <form>', 'how problems are printed')
        .choices([...reportFormats])
        .default('text'),
    )
    .option(
      '--verbose',
      'print every problem by itself: no groups of warnings, and more than 1,000 of one kind',
    )
    .action(async (flags) => {
      const { runCheck } = await import('./check-command.ts')
      await runCheck(flags)
    })
}

function planCommand(): Command {
  return new Command('plan')
    .description('what the build would take on each host, and what the host allows')
    .allowExcessArguments(false)
    .option('--json', 'print one JSON object')
    .addOption(outOption())
    .option('--config <file>', 'configuration file (default: quarry.config.ts)', parseText)
    .action(async (flags) => {
      const { runPlan } = await import('./plan-command.ts')
      await runPlan(flags)
    })
}

function notifyCommand(): Command {
  return new Command('notify')
    .description('post the changes of the last build to webhooks, after its deployment')
    .allowExcessArguments(false)
    .requiredOption('--url <url>', 'receiver, may be repeated', collectText)
    .option('--since <build>', 'build whose changes follow (default: the one before)', parseText)
    .option('--workspace <id>', 'one workspace (default: all that are open)', parseText)
    .addOption(new Option('--deadline <milliseconds>').argParser(parseCount).hideHelp())
    .addOption(outOption())
    .option('--config <file>', 'configuration file (default: quarry.config.ts)', parseText)
    .action(async (flags) => {
      const { runNotify } = await import('./notify-command.ts')
      await runNotify(flags)
    })
}

function cacheCommand(): Command {
  return withCache(new Command('cache').description('what the cache of builds holds'))
    .allowExcessArguments(false)
    .option('--clear', 'remove it: the next build makes everything again')
    .option('--json', 'print one JSON object')
    .option('--config <file>', 'configuration file (default: quarry.config.ts)', parseText)
    .action(async (flags) => {
      const { runCache } = await import('./cache-command.ts')
      await runCache(flags)
    })
}

function doctorCommand(): Command {
  return new Command('doctor')
    .description('look at a running deployment, and ask it for all that it must not give')
    .allowExcessArguments(false)
    .requiredOption('--probe <url>', 'where the deployment answers', parseAddress)
    .option('--key <key>', 'an API key, also read from QUARRY_PROBE_KEY', parseText)
    .option('--files <number>', 'private files that are asked for at most', parseCount)
    .addOption(outOption())
    .option('--config <file>', 'configuration file (default: quarry.config.ts)', parseText)
    .action(async (flags) => {
      const { runDoctor } = await import('./doctor-command.ts')
      await runDoctor(flags)
    })
}

function outOption(): Option {
  return new Option('--out <folder>', 'output folder (default: dist)').argParser(parseText)
}
