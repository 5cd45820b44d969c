// Flags that commands share.
import type { Command } from 'commander'
import { parseText } from './options.ts'

/** Adds `--content` and `--config`, and rejects excess arguments. */
export function withFolders(command: Command): Command {
  return command
    .allowExcessArguments(false)
    .option('--content <folder>', 'content folder (default: content)', parseText)
    .option('--config <file>', 'configuration file (default: quarry.config.ts)', parseText)
}

/** Adds `--out` and `--config` to a command that reads a build. */
export function withBuild(command: Command): Command {
  return command
    .option('--out <folder>', 'output folder (default: dist)', parseText)
    .option('--config <file>', 'configuration file (default: quarry.config.ts)', parseText)
}

/** Adds `--cache` and `--no-cache` to a command that renders. */
export function withCache(command: Command): Command {
  return command
    .option(
      '--cache <folder>',
      'cache folder, or "off" (default: node_modules/.cache/quarry)',
      parseText,
    )
    .option('--no-cache', 'build without a cache, as with --cache off')
}
