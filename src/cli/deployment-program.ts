// Commands for the deployment of a build.
import { Command, Option } from 'commander'
import { withBuild } from './folder-flags.ts'
import { collectText, parseAddress, parseCount, parseText } from './options.ts'

/** Returns the command that sends changes to webhooks. */
export function notifyCommand(): Command {
  return withBuild(
    new Command('notify')
      .description('send the changes of the last build to webhooks')
      .allowExcessArguments(false)
      .requiredOption('--url <url>', 'webhook that receives the changes; repeatable', collectText)
      .option(
        '--since <build>',
        'send the changes after this build (default: the build of the last message, or the one before the last)',
        parseText,
      )
      .option(
        '--workspace <id>',
        'workspace (default: all workspaces that are public in v1)',
        parseText,
      )
      .addOption(new Option('--deadline <milliseconds>').argParser(parseCount).hideHelp()),
  ).action(async (flags) => {
    const { runNotify } = await import('./notify-command.ts')
    await runNotify(flags)
  })
}

/** Returns the command that checks a deployment. */
export function doctorCommand(): Command {
  return withBuild(
    new Command('doctor')
      .description(
        'check a deployment, and probe it for private files and drafts that it must not serve',
      )
      .allowExcessArguments(false)
      .argument('[url]', 'URL of the deployment', parseAddress)
      .option('--probe [url]', 'probe all private files and drafts, not a sample', parseAddress)
      .option(
        '--files <number>',
        'number of private files and drafts to probe (default: 2)',
        parseCount,
      )
      .option('--key-stdin', 'read an API key from stdin [env: QUARRY_KEY]'),
  ).action(async (url, flags) => {
    const { runDoctor } = await import('./doctor-command.ts')
    await runDoctor(url, flags)
  })
}
