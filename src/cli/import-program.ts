// `quarry import` with its flags.
import { Argument, Command, InvalidArgumentError } from 'commander'
import { type ImporterName, importerNames } from '../import/importer-names.ts'
import { parseAddress, parseText } from './options.ts'

/** Returns the command that imports the content of another tool. */
export function importCommand(): Command {
  return new Command('import')
    .description('import the posts of another tool into a workspace')
    .allowExcessArguments(false)
    .addArgument(new Argument('<from>', 'the tool').choices([...importerNames]))
    .argument('<source>', 'folder of the site, or file of the export', parseText)
    .option(
      '--workspace <id>',
      'workspace folder in the content folder (default: name of the source)',
      parseText,
    )
    .option('--posts <folder>', 'folder of the posts, below the source', parseText)
    .option('--language <code>', 'language of the posts, if the site has several', parseText)
    .option('--media <folder>', 'folder of the images of an export, which are copied', parseText)
    .option('--site <url>', 'origin of the site, for relative URLs in an export', parseAddress)
    .option(
      '--template <name=text>',
      'template for an unknown Liquid filter or shortcode; repeatable',
      parseTemplate,
    )
    .option('--keep-unknown', 'keep unknown markup as text')
    .option('--content <folder>', 'content folder (default: content)', parseText)
    .option('--config <file>', 'configuration file (default: quarry.config.ts)', parseText)
    .action(async (from: ImporterName, source: string, flags) => {
      const { runImport } = await import('./import-command.ts')
      await runImport(from, source, flags)
    })
}

/** Adds `name=template` to earlier templates. */
function parseTemplate(
  text: string,
  templates: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const [, name, template] = /^([\w/-]+)=(.*)$/s.exec(text) ?? []
  if (name === undefined || template === undefined)
    throw new InvalidArgumentError(
      "It must be a name and a template, such as 'shout={{ value }}!'.",
    )
  return new Map([...templates, [name, template]])
}
