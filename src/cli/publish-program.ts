// `quarry publish` and `quarry follow` with their flags.
import { Command, InvalidArgumentError, Option } from 'commander'
import { tagHeaders } from '../platforms/cache-tags.ts'
import { parseText } from './options.ts'

/** Returns the command that publishes a build to a bucket. */
export function publishCommand(): Command {
  return withBucket(
    new Command('publish').description('publish the last build to a bucket, for quarry follow'),
  )
    .option('--responses', 'also publish the precomputed responses, for a web server')
    .option('--source <commit>', 'git commit of the build (default: HEAD)', parseText)
    .option('--rollback', 'publish a build that is older than the latest one, or of unknown age')
    .addOption(
      new Option(
        '--gc [hours]',
        'then remove builds that were replaced at least this many hours ago (default: 24)',
      ).argParser(parseHours),
    )
    .addOption(
      new Option(
        '--purge <cache>',
        'then purge changed responses from a cache, or print their URLs',
      ).choices([...Object.keys(tagHeaders), 'urls']),
    )
    .addOption(
      new Option(
        '--purge-after <seconds>',
        'pause before the purge, so that all servers have the build (default: 5)',
      ).argParser((text) => parseNumber(text, 0, 'seconds from 0')),
    )
    .option('--content <folder>', 'content folder (default: content)', parseText)
    .option('--json', 'print the result as JSON')
    .action(async (url, flags) => {
      const { runPublish } = await import('./publish-command.ts')
      await runPublish(url, flags)
    })
}

/** Returns the command that keeps a folder equal to the latest commit of a bucket. */
export function followCommand(): Command {
  return withBucket(
    new Command('follow').description(
      'keep the output folder equal to the latest build in a bucket',
    ),
  )
    .option('--interval <seconds>', 'seconds between two checks (default: 1)', parseSeconds)
    .option('--once', 'exit once the folder equals the latest build')
    .action(async (url, flags) => {
      const { runFollow } = await import('./follow-command.ts')
      await runFollow(url, flags)
    })
}

function withBucket(command: Command): Command {
  return command
    .allowExcessArguments(false)
    .argument('<url>', 'bucket, such as s3://bucket/prefix', parseText)
    .option(
      '--endpoint <url>',
      'endpoint of the service (default: AWS) [env: AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL]',
      parseText,
    )
    .option('--virtual-host', 'address the bucket by host name at this endpoint')
    .option('--out <folder>', 'output folder (default: dist)', parseText)
    .option('--config <file>', 'configuration file (default: quarry.config.ts)', parseText)
}

function parseHours(text: string): number {
  return parseNumber(text, 0, 'hours from 0')
}

function parseSeconds(text: string): number {
  return parseNumber(text, 0.1, 'seconds from 0.1')
}

function parseNumber(text: string, least: number, expected: string): number {
  const number = /^\d{1,6}(\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN
  if (!(number >= least)) throw new InvalidArgumentError(`It must be a number of ${expected}.`)
  return number
}
