// The end of each command's help: examples, and a link to the documentation.
import { join, relative } from 'node:path'
import type { Command } from 'commander'
import { type Variable, variables } from './environment.ts'

/** A command line and its purpose. */
export interface Example {
  readonly line: string
  readonly does: string
}

/** Examples of every command with an action, by path. */
export const examples: Readonly<Record<string, readonly Example[]>> = {
  quarry: [
    { line: 'quarry init my-site', does: 'create a project' },
    { line: 'quarry dev', does: 'build, serve and rebuild' },
    { line: 'quarry build', does: 'build for a CDN and a function' },
  ],
  'quarry init': [
    { line: 'quarry init my-site', does: 'create a blog in a new folder' },
    {
      line: 'quarry init handbook --template docs --yes',
      does: 'use another template, without prompts',
    },
  ],
  'quarry build': [
    { line: 'quarry build', does: 'build content into dist' },
    { line: 'quarry build --out next --now 2027-01-01', does: 'preview a future date' },
  ],
  'quarry dev': [{ line: 'quarry dev --port 8080', does: 'listen on another port' }],
  'quarry serve': [
    {
      line: 'quarry serve --host 0.0.0.0 --port 8080',
      does: 'listen on every network interface',
    },
  ],
  'quarry mcp': [{ line: 'quarry mcp', does: 'the command that an agent starts: see docs/mcp.md' }],
  'quarry check': [
    { line: 'quarry check', does: 'report every problem with its line' },
    { line: 'quarry check --format github', does: 'show problems in a pull request' },
  ],
  'quarry schema': [
    { line: 'quarry schema', does: 'write JSON Schemas and types of each workspace to .quarry' },
  ],
  'quarry explain': [
    {
      line: 'quarry explain "/v1/my-site/posts?tags=writing"',
      does: 'explain why this request has no file',
    },
    {
      line: 'quarry explain /v1/my-site/posts --now 2027-01-01',
      does: 'preview a future date',
    },
    { line: 'quarry explain unknown-category', does: 'explain an error code with an example' },
    { line: 'quarry explain /v2/posts --key-stdin', does: 'check whether a key is accepted' },
  ],
  'quarry notify': [
    {
      line: 'quarry notify --url https://example.com/hook',
      does: 'send the changes since the last message, signed with QUARRY_NOTIFY_SECRET',
    },
  ],
  'quarry doctor': [
    { line: 'quarry doctor https://content.example.com', does: 'check a sample' },
    { line: 'quarry doctor https://content.example.com --probe', does: 'check everything' },
  ],
  'quarry keys': [{ line: 'quarry keys list', does: 'list the keys of all workspaces' }],
  'quarry keys create': [
    {
      line: 'quarry keys create --workspace my-site --name "Web site"',
      does: 'create a key for one workspace',
    },
  ],
  'quarry keys list': [
    { line: 'quarry keys list --workspace my-site', does: 'list the keys of one workspace' },
  ],
  'quarry keys revoke': [
    { line: 'quarry keys revoke --workspace my-site "Web site"', does: 'revoke a key by its name' },
  ],
}

/** Documents in `docs`, by command; the other commands link to the reference. */
const documents: Readonly<Record<string, string>> = {
  quarry: 'getting-started.md',
  'quarry init': 'getting-started.md',
  'quarry build': 'configuration.md',
  'quarry dev': 'explorer.md',
  'quarry serve': 'operating.md',
  'quarry schema': 'content.md',
  'quarry check': 'errors.md',
  'quarry doctor': 'deploying.md',
  'quarry notify': 'webhooks.md',
  'quarry keys': 'keys.md',
  'quarry keys create': 'keys.md',
  'quarry keys list': 'keys.md',
  'quarry keys revoke': 'keys.md',
}

/**
 * Adds examples and a link to the help of a command and its subcommands.
 *
 * @param folder of the package, which contains the documents
 */
export function addExamples(command: Command, folder: string, above: readonly string[] = []): void {
  const path = [...above, command.name()]
  command.addHelpText('after', () => helpEnd(path.join(' '), folder))
  for (const below of command.commands) addExamples(below, folder, path)
}

function helpEnd(path: string, folder: string): string {
  const ownExamples = examples[path] ?? []
  const lines = ownExamples.map(({ line, does }) => `  ${line}\n      ${does}`)
  const title = ownExamples.length === 0 ? [] : ['', 'Examples:', ...lines]
  return [
    ...title,
    ...environmentLines(variables[path] ?? []),
    '',
    `More: ${documentOf(path, folder)}`,
  ].join('\n')
}

function environmentLines(known: readonly Variable[]): readonly string[] {
  if (known.length === 0) return []
  const width = Math.max(...known.map(({ name }) => name.length))
  return [
    '',
    'Environment:',
    ...known.map(({ name, purpose }) => `  ${name.padEnd(width)}  ${purpose}`),
  ]
}

/** Returns the path of a document, relative to the working folder. */
function documentOf(path: string, folder: string): string {
  const file = join(folder, 'docs', documents[path] ?? 'cli.md')
  const below = relative(process.cwd(), file)
  return below.startsWith('..') ? file : below
}
