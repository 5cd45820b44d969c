// `quarry explain` with its flags.
import { Command } from 'commander'
import { parseMoment, parseStatus, parseText } from '../options.ts'

/** Returns the command that explains a request. */
export function explainCommand(): Command {
  return new Command('explain')
    .description('explain the response to a request, or an error code')
    .allowExcessArguments(false)
    .argument(
      '<address>',
      'URL or path, such as /v1/my-site/posts?page=2, or an error code',
      parseText,
    )
    .option('--out <folder>', 'output folder (default: dist)', parseText)
    .option('--config <file>', 'configuration file (default: quarry.config.ts)', parseText)
    .option('--now <date>', 'preview a future date, ISO 8601 (default: now)', parseMoment)
    .option('--key-stdin', 'read the API key from stdin [env: QUARRY_KEY]')
    .option('--json', 'print the result as JSON')
    .option('--expect <status>', 'exit with 1 unless the response has this status', parseStatus)
    .action(async (address, flags) => {
      const { runExplain } = await import('./explain-command.ts')
      await runExplain(address, flags)
    })
}
