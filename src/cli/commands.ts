// Every command: its words, flags, variables, examples and page. The program, its help and docs/cli.md come from this
// table. The code of a command is imported when it runs, so that help is fast.
import { InvalidArgumentError } from 'commander'
import { allScopes, defaultScopes, type Scope } from '../api/keys.ts'
import { hostNames } from '../config/names.ts'
import { defaults } from '../config.ts'
import { didYouMean } from '../model/read-fields.ts'
import { deployNames, templateNames } from './init.ts'
import { reportFormats } from './report.ts'
import {
  editorNames,
  parseAddress,
  parseNumber,
  parseSiteUrl,
  parseText,
  settingParsers,
} from './settings.ts'

/** A flag or an argument. Without `parse`, the value of a `<date>` is a time, and other values are non-empty texts. */
export interface Words {
  readonly about: string
  readonly choices?: readonly string[]
  /** @param before the value of an earlier flag @throws InvalidArgumentError */
  parse?(value: string, before: unknown): unknown
  readonly isRequired?: boolean
  readonly isHidden?: boolean
}

/** Descriptions of flags or arguments, by the words that commander parses: `--out <folder>`. */
type WordTable = Readonly<Record<string, string | Words>>

/** A command. */
export interface CommandEntry {
  readonly about: string
  /** At most one argument. */
  readonly argument?: WordTable
  readonly flags?: WordTable
  /** The purpose of each environment variable. */
  readonly variables?: Readonly<Record<string, string>>
  /** True if another program parses the arguments and prints the help. */
  readonly isPassedOn?: boolean
  /** The purpose of each example command line. */
  readonly examples: Readonly<Record<string, string>>
  /** A page below `docs`. */
  readonly page: string
  /** Imports the function that runs the command with its argument, if any, and its flags; absent for a group. */
  readonly load?: () => Promise<(...words: never[]) => Promise<void>>
}

const config = {
  '--config <file>': 'Configuration file (default: quarry.config.ts) [env: QUARRY_CONFIG]',
}
const content = {
  '--content <folder>': `Content folder (default: ${defaults.content}) [env: QUARRY_CONTENT]`,
  ...config,
}
const out = {
  '--out <folder>': `Output folder (default: ${defaults.out}) [env: QUARRY_OUT]`,
  ...config,
}
const address = {
  '--host <address>': `Address to listen on (default: ${defaults.host}) [env: QUARRY_HOST]`,
  '--port <number>': {
    about: `Port to listen on, 0 for any (default: ${defaults.port}) [env: QUARRY_PORT]`,
    parse: settingParsers.port,
  },
}
const rendering = {
  ...content,
  '--cache <folder>': `Cache folder (default: ${defaults.cache}) [env: QUARRY_CACHE]`,
}
const json = { '--json': 'Print the result as JSON' }
const baseUrl = { QUARRY_BASE_URL: 'URL of the deployment' }
const workers = { QUARRY_WORKERS: 'number of rendering threads, 1 to 256' }
const keys = { QUARRY_KEYS: 'keys to add or revoke without a build' }
const siteAuthorization = {
  QUARRY_SITE_AUTHORIZATION: 'Authorization header for an origin that is not public',
}

function choice(about: string, choices: readonly string[], usual?: string): Words {
  const tail = usual === undefined ? '' : `; default: ${usual}`
  return { about: `${about} (one of ${choices.join(', ')}${tail})`, choices }
}

/** The commands by path, in the order of the help. */
export const commands: Readonly<Record<string, CommandEntry>> = {
  init: {
    about: 'Create a project from a template',
    argument: { '[dir]': 'Project folder; also sets its name (default: the working folder)' },
    flags: {
      '--template <name>': choice('Template', templateNames, 'blog'),
      '--deploy <host>': choice('Also write a workflow that deploys to this host', deployNames),
      '--yes': { about: 'Accepted for compatibility; there are no prompts', isHidden: true },
    },
    examples: {
      'quarry init my-site': 'create a blog in a new folder',
      'quarry init handbook --template docs': 'use another template',
    },
    page: 'getting-started.md',
    load: async () => (await import('./init.ts')).runInit,
  },
  build: {
    about: 'Build static files and the index for the function',
    flags: {
      ...rendering,
      ...out,
      '--now <date>': 'Publish posts that are due at this time, ISO 8601 (default: the clock)',
      '--for <host>': choice('Also write the files of a deployment to this host', hostNames),
      '--force': 'Ignore the cache: render every body and write every file again',
      '--drafts': 'Also build drafts for keys with the scope drafts:read',
      '--allow-empty': 'Allow a workspace to lose all its posts',
      ...json,
      '--quiet': 'Print only problems',
    },
    variables: { ...baseUrl, ...workers },
    examples: {
      'quarry build': 'build content into dist',
      'quarry build --out next --now 2027-01-01': 'preview a future date',
    },
    page: 'configuration.md',
    load: async () => (await import('./build.ts')).runBuild,
  },
  dev: {
    about: 'Build and serve the content, and rebuild when it changes',
    flags: {
      ...rendering,
      ...address,
      ...out,
      '--strict-port': 'Fail if the port is in use instead of trying the next one',
      '--now <date>': 'Show the site as it is at this time, ISO 8601 (default: the clock)',
      '--drafts': 'Also serve drafts to keys with the scope drafts:read',
    },
    variables: { ...baseUrl, ...workers, ...keys },
    examples: {
      'quarry dev --port 8080': 'listen on another port',
      'quarry dev --now 2027-01-01': 'preview a future date',
    },
    page: 'explorer.md',
    load: async () => (await import('./dev.ts')).runDev,
  },
  serve: {
    about: 'Serve the last build in production',
    flags: {
      ...address,
      ...out,
      '--from <url>': {
        about: 'Origin folder or root: copy each build from there to --out [env: QUARRY_SITE]',
        parse: parseSiteUrl,
      },
    },
    variables: {
      ...siteAuthorization,
      ...keys,
      QUARRY_RATE_LIMIT: 'COUNT/SECONDS or off',
      QUARRY_REDIS_URL: 'Redis for a rate limit shared between servers',
      QUARRY_TRUSTED_PROXIES: 'number of trusted proxies',
      QUARRY_MCP: 'on: serve MCP at POST /mcp',
    },
    examples: {
      'quarry serve --host 0.0.0.0 --port 8080': 'listen on every network interface',
      'quarry serve --from https://origin.example.com/site/': 'serve the builds of an origin',
    },
    page: 'operating.md',
    load: async () => (await import('./serve.ts')).runServe,
  },
  unused: {
    about: 'List uploaded data files that no root uses',
    argument: { '<root...>': 'File or URL of a root; repeatable' },
    flags: {
      '--names <file>':
        'File with the names in the uploaded data folder, one per line; "-" reads stdin (default: lists data next to the first root)',
    },
    variables: siteAuthorization,
    examples: {
      'quarry unused dist/function/root.json': 'list files that only earlier builds use',
    },
    page: 'deploying/origin.md',
    load: async () => (await import('./unused.ts')).runUnused,
  },
  mcp: {
    about: 'Serve the last build to agents on this machine, as MCP over stdin and stdout',
    flags: out,
    examples: { 'quarry mcp': 'the command that an agent starts: see docs/mcp.md' },
    page: 'cli.md',
    load: async () => (await import('./mcp.ts')).runMcp,
  },
  check: {
    about: 'Report every problem in the content without writing files',
    flags: {
      ...rendering,
      '--format <form>': choice('Form of the report', reportFormats, 'text'),
      '--verbose': 'Print every warning, without grouping them or the limit of 1,000',
      '--max-warnings <number>': {
        about: 'Exit with 1 if there are more warnings (default: no limit)',
        parse: parseNumber(0),
      },
    },
    variables: workers,
    examples: {
      'quarry check': 'report every problem with its line',
      'quarry check --format github': 'show problems in a pull request',
    },
    page: 'errors.md',
    load: async () => (await import('./build.ts')).runCheck,
  },
  schema: {
    about: 'Write JSON Schemas for editors and types for TypeScript',
    flags: { ...content, '--to <folder>': 'Output folder (default: .quarry)' },
    examples: { 'quarry schema': 'write JSON Schemas and types of each workspace to .quarry' },
    page: 'content.md',
    load: async () => (await import('./editor.ts')).runSchema,
  },
  editor: {
    about: 'Write the configuration of a content editor for people who do not use Git',
    argument: {
      '<editor>': { about: `One of ${editorNames.join(', ')}`, choices: editorNames },
    },
    flags: { ...content, '--to <file>': 'Output file (default: admin/config.yml, or .pages.yml)' },
    examples: { 'quarry editor decap': 'write admin/config.yml for Decap CMS' },
    page: 'content.md',
    load: async () => (await import('./editor.ts')).runEditor,
  },
  explain: {
    about: 'Explain the response to a request, or an error code',
    argument: {
      '<address>': 'URL or path, such as /v1/my-site/posts?page=2, or an error code',
    },
    flags: {
      ...out,
      '--now <date>': 'Preview a future date, ISO 8601 (default: now)',
      '--key-stdin': 'Read the API key from stdin [env: QUARRY_KEY]',
      ...json,
      '--expect <status>': {
        about: 'Exit with 1 if the status differs',
        parse: parseNumber(100, 599),
      },
    },
    examples: {
      'quarry explain "/v1/my-site/posts?tags=writing"': 'explain why this request has no file',
      'quarry explain /v1/my-site/posts --now 2027-01-01': 'preview a future date',
      'quarry explain unknown-category': 'explain an error code with an example',
      'quarry explain /v2/posts --key-stdin': 'check whether a key is accepted',
    },
    page: 'cli.md',
    load: async () => (await import('./explain.ts')).runExplain,
  },
  notify: {
    about: 'Send the changes in the last build to webhooks',
    flags: {
      '--url <url>': {
        about: 'Webhook to send the changes to; repeatable (required)',
        parse: (value, before) => [...((before ?? []) as readonly string[]), parseText(value)],
        isRequired: true,
      },
      '--since <build>':
        'Send the changes since this build (default: the last one sent, or the previous build)',
      '--workspace <id>': 'Workspace (default: all workspaces that are public in v1)',
      '--format <form>': choice('Form of the messages', ['quarry', 'marble'], 'quarry'),
      '--deadline <milliseconds>': {
        about: 'Timeout per attempt',
        parse: parseNumber(1),
        isHidden: true,
      },
      ...out,
    },
    variables: { QUARRY_NOTIFY_SECRET: 'secret that signs the changes' },
    examples: {
      'quarry notify --url https://example.com/hook':
        'send the changes since the last message, signed with QUARRY_NOTIFY_SECRET',
    },
    page: 'webhooks.md',
    load: async () => (await import('./notify.ts')).runNotify,
  },
  doctor: {
    about: 'Check a deployment, and probe it for private files and drafts that it must not serve',
    argument: { '<url>': { about: 'URL of the deployment', parse: parseAddress } },
    flags: {
      '--probe': 'Probe all private files and drafts, not a sample',
      '--files <number>': {
        about: 'Number of private files and drafts to probe (default: 2)',
        parse: parseNumber(1),
      },
      '--key-stdin': 'Read an API key from stdin [env: QUARRY_KEY]',
      ...out,
    },
    examples: {
      'quarry doctor https://content.example.com': 'check a sample',
      'quarry doctor https://content.example.com --probe': 'check everything',
    },
    page: 'deploying.md',
    load: async () => (await import('./doctor.ts')).runDoctor,
  },
  keys: {
    about: 'Create, list and revoke API keys for v2',
    examples: { 'quarry keys list': 'list the keys of all workspaces' },
    page: 'keys.md',
  },
  'keys create': {
    about: 'Create a key and print it once',
    flags: {
      ...content,
      '--workspace <id>': { about: 'Workspace that the key reads (required)', isRequired: true },
      '--name <text>': 'Purpose of the key (default: its id)',
      '--scopes <list>': {
        about: `Some of ${allScopes.join(',')} (default: ${defaultScopes.join(',')})`,
        parse: parseScopes,
      },
      '--expires <date>': 'Expiry date of the key, ISO 8601 (default: never)',
    },
    examples: {
      'quarry keys create --workspace my-site --name "Web site"': 'create a key for one workspace',
    },
    page: 'keys.md',
    load: async () => (await import('./keys.ts')).runKeysCreate,
  },
  'keys list': {
    about: 'List the keys, without their hashes',
    flags: {
      ...content,
      '--workspace <id>': 'Only keys of this workspace (default: all)',
      ...json,
    },
    examples: { 'quarry keys list --workspace my-site': 'list the keys of one workspace' },
    page: 'keys.md',
    load: async () => (await import('./keys.ts')).runKeysList,
  },
  'keys revoke': {
    about: 'Revoke a key by its name or id',
    argument: { '<key>': 'Name or id of the key' },
    flags: {
      ...content,
      '--workspace <id>': { about: 'Workspace of the key (required)', isRequired: true },
    },
    examples: { 'quarry keys revoke --workspace my-site "Web site"': 'revoke a key by its name' },
    page: 'keys.md',
    load: async () => (await import('./keys.ts')).runKeysRevoke,
  },
  import: {
    about: 'Import the posts of another tool into a workspace, with quarry-import',
    argument: { '[words...]': 'Tool, source and flags; see quarry import --help' },
    isPassedOn: true,
    examples: {},
    page: 'importing.md',
    load: async () => (await import('./import.ts')).runImport,
  },
}

/** Parses comma-separated scopes. Returns them without duplicates, in a fixed order. */
function parseScopes(value: string): readonly Scope[] {
  const names = value.split(',').map((name) => name.trim())
  const wrong = names.find((name) => !allScopes.some((scope) => scope === name))
  if (wrong === undefined) return allScopes.filter((scope) => names.includes(scope))
  const hint = didYouMean(wrong, allScopes) ?? `The scopes are ${allScopes.join(', ')}.`
  throw new InvalidArgumentError(`"${wrong}" is not a scope. ${hint}`)
}
