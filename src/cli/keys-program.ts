// `quarry keys` and its subcommands, with their flags.
import { Command, InvalidArgumentError } from 'commander'
import { allScopes, defaultScopes, type Scope } from '../api/key-record.ts'
import { didYouMean } from '../model/problems.ts'
import { withFolders } from './folder-flags.ts'
import { parseMoment, parseText } from './options.ts'

/** Returns the commands for API keys. */
export function keysCommand(): Command {
  const keys = new Command('keys').description('create, list and revoke API keys for v2')
  for (const command of [createCommand(), listCommand(), revokeCommand()]) {
    keys.addCommand(
      command
        .exitOverride()
        .showHelpAfterError(`Run npx quarry keys ${command.name()} --help for its flags.`),
    )
  }
  return keys
}

function createCommand(): Command {
  return withFolders(new Command('create').description('create a key and print it once'))
    .requiredOption('--workspace <id>', 'workspace that the key reads', parseText)
    .option('--name <text>', 'purpose of the key (default: its id)')
    .option(
      '--scopes <list>',
      `some of ${allScopes.join(',')} (default: ${defaultScopes.join(',')})`,
      parseScopes,
    )
    .option('--expires <date>', 'expiry date of the key, ISO 8601 (default: never)', parseMoment)
    .action(async (flags) => {
      const { runKeysCreate } = await import('./keys-command.ts')
      await runKeysCreate(flags)
    })
}

function listCommand(): Command {
  return withFolders(new Command('list').description('list the keys, without their hashes'))
    .option('--workspace <id>', 'only keys of this workspace (default: all)', parseText)
    .option('--json', 'print the result as JSON')
    .action(async (flags) => {
      const { runKeysList } = await import('./keys-command.ts')
      await runKeysList(flags)
    })
}

function revokeCommand(): Command {
  return withFolders(new Command('revoke').description('revoke a key by its name or id'))
    .argument('<key>', 'name or id of the key')
    .requiredOption('--workspace <id>', 'workspace of the key', parseText)
    .action(async (key, flags) => {
      const { runKeysRevoke } = await import('./keys-command.ts')
      await runKeysRevoke(key, flags)
    })
}

/**
 * Parses comma-separated scopes.
 *
 * @returns unique, in a fixed order
 */
function parseScopes(value: string): readonly Scope[] {
  const names = value.split(',').map((name) => name.trim())
  const wrong = names.find((name) => !allScopes.some((scope) => scope === name))
  if (wrong === undefined) return allScopes.filter((scope) => names.includes(scope))
  const hint = didYouMean(wrong, allScopes) ?? `Known are ${allScopes.join(', ')}.`
  throw new InvalidArgumentError(`"${wrong}" is no scope. ${hint}`)
}
