// The command and its flags.
import { Argument, Command, InvalidArgumentError } from 'commander'
import { parseAddress, parseText } from 'quarry/authoring'
import { type ImporterName, importerNames } from './importer-names.ts'

/** Returns the command that imports the content of another tool. */
export function importCommand(name: string): Command {
  return new Command(name)
    .exitOverride()
    .showHelpAfterError(`Run npx ${name} --help for its flags.`)
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
    .addHelpText('after', ['', 'Examples:', ...examples(name)].join('\n'))
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

function examples(name: string): readonly string[] {
  return [
    `  ${name} jekyll ../old-blog --workspace blog`,
    '      import a Jekyll site into content/blog',
    `  ${name} jekyll ../old-blog --posts _posts --keep-unknown`,
    '      import one folder of posts, and keep unknown markup as text',
    `  ${name} wordpress ../old-blog.xml --workspace blog`,
    '      import the posts of an export',
  ]
}
