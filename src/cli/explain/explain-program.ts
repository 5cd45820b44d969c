// `quarry explain` with its flags.
import { Command } from 'commander'
import { parseMoment, parseText } from '../options.ts'

/** The command that explains a request. */
export function explainCommand(): Command {
  return new Command('explain')
    .description(
      'say how a request is answered from what was built, and why; or what an error means',
    )
    .allowExcessArguments(false)
    .argument(
      '<address>',
      'a URL or a path, such as /v1/my-site/posts?page=2; or the code of a problem',
      parseText,
    )
    .option('--out <folder>', 'output folder (default: dist)', parseText)
    .option('--config <file>', 'configuration file (default: quarry.config.ts)', parseText)
    .option('--now <date>', 'ask at this moment, ISO 8601 (default: the clock)', parseMoment)
    .option('--key-stdin', 'read the API key from stdin (default: QUARRY_KEY)')
    .option('--json', 'print one JSON object')
    .action(async (address, flags) => {
      const { runExplain } = await import('./explain-command.ts')
      await runExplain(address, flags)
    })
}
