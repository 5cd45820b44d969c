// Every command: its words, flags, variables, examples and page. The program, its help and docs/cli.md are made of this
// table. The code of a command is imported when it runs, so that help is fast.
import { InvalidArgumentError } from 'commander'
import { allScopes, defaultScopes, type Scope } from '../api/keys.ts'
import { hostNames } from '../config/names.ts'
import { didYouMean } from '../model/read-fields.ts'
import { deployNames, templateNames } from './init.ts'
import { reportFormats } from './report.ts'
import {
  type EditorName,
  editorNames,
  type Flag,
  flag,
  parseAddress,
  parseMoment,
  parseNumber,
  parseSiteUrl,
  parseText,
  settingFlags,
  settingVariables,
  type Variable,
} from './settings.ts'

/** A command. */
export interface CommandEntry {
  readonly about: string
  readonly argument?: Pick<Flag, 'words' | 'about' | 'parse'>
  readonly flags?: readonly Flag[]
  readonly variables?: readonly Variable[]
  /** True if another program reads the words, and has the help. */
  readonly isPassedOn?: boolean
  /** Command lines, and what they are for. */
  readonly examples: readonly (readonly [line: string, purpose: string])[]
  /** A page below `docs`. */
  readonly page: string
  /** Imports the function that runs it, with the argument, if it has one, and the flags; absent for a group. */
  readonly load?: () => Promise<(...words: never[]) => Promise<void>>
}

const { content, config, cache, out, host, port } = settingFlags
const { baseUrl, workers } = settingVariables
const noCache: Flag = flag('--no-cache', 'build without a cache, as with --cache off')
const rendering = [content, config, cache, noCache]
const keyStdin = (about: string): Flag => ({ words: '--key-stdin', about, env: 'QUARRY_KEY' })
const json: Flag = flag('--json', 'print the result as JSON')
const siteAuthorization: Variable = {
  env: 'QUARRY_SITE_AUTHORIZATION',
  about: 'Authorization header for an origin that is not public',
}
const keysVariable: Variable = { env: 'QUARRY_KEYS', about: 'keys to add or revoke at run time' }

const workspace = (about: string, isRequired: boolean): Flag => ({
  words: '--workspace <id>',
  about,
  parse: parseText,
  isRequired,
})

/** The commands by path, in the order of the help. */
export const commands: Readonly<Record<string, CommandEntry>> = {
  init: {
    about: 'create a project from a template',
    argument: {
      words: '[dir]',
      about: 'project folder; also sets its name (default: the working folder)',
      parse: parseText,
    },
    flags: [
      flag('--template <name>', 'template', { choices: templateNames, usual: 'blog' }),
      flag('--deploy <host>', 'also write a workflow that deploys to this host', {
        choices: deployNames,
      }),
      flag('--yes', 'does nothing: there are no prompts', { isHidden: true }),
    ],
    examples: [
      ['quarry init my-site', 'create a blog in a new folder'],
      ['quarry init handbook --template docs', 'use another template'],
    ],
    page: 'getting-started.md',
    load: async () => (await import('./init.ts')).runInit,
  },
  build: {
    about: 'build the content into static files and the index of the function',
    flags: [
      ...rendering,
      out,
      flag('--now <date>', 'publish posts that are due at this time, ISO 8601', {
        usual: 'the clock',
        parse: parseMoment,
      }),
      flag('--for <host>', 'also write the files of a deployment to this host', {
        choices: hostNames,
      }),
      flag('--force', 'ignore the cache: render every body and write every file again'),
      flag('--drafts', 'also build drafts, for keys with the scope drafts:read'),
      flag('--allow-empty', 'build a workspace that has lost all its posts'),
      json,
      flag('--quiet', 'print problems only'),
    ],
    variables: [baseUrl, workers],
    examples: [
      ['quarry build', 'build content into dist'],
      ['quarry build --out next --now 2027-01-01', 'preview a future date'],
    ],
    page: 'configuration.md',
    load: async () => (await import('./build.ts')).runBuild,
  },
  dev: {
    about: 'build and serve the content, and rebuild when it changes',
    flags: [
      ...rendering,
      host,
      port,
      out,
      flag('--strict-port', 'fail if the port is taken, instead of using the next one'),
      flag('--drafts', 'also serve drafts, to keys with the scope drafts:read'),
    ],
    variables: [baseUrl, workers, keysVariable],
    examples: [['quarry dev --port 8080', 'listen on another port']],
    page: 'explorer.md',
    load: async () => (await import('./dev.ts')).runDev,
  },
  serve: {
    about: 'serve the last build in production',
    flags: [
      host,
      port,
      out,
      config,
      flag(
        '--from <url>',
        'folder of an origin, or its root: copy each build from there to --out',
        {
          env: 'QUARRY_SITE',
          parse: parseSiteUrl,
        },
      ),
    ],
    variables: [
      siteAuthorization,
      keysVariable,
      { env: 'QUARRY_RATE_LIMIT', about: 'COUNT/SECONDS or off' },
      { env: 'QUARRY_REDIS_URL', about: 'Redis that shares the rate limit between servers' },
      { env: 'QUARRY_TRUSTED_PROXIES', about: 'number of proxies in front' },
      { env: 'QUARRY_MCP', about: 'on: serve agents at POST /mcp' },
    ],
    examples: [
      ['quarry serve --host 0.0.0.0 --port 8080', 'listen on every network interface'],
      ['quarry serve --from https://origin.example.com/site/', 'serve the builds of an origin'],
    ],
    page: 'operating.md',
    load: async () => (await import('./serve.ts')).runServe,
  },
  unused: {
    about: 'print the uploaded data that no root needs',
    argument: { words: '<root...>', about: 'root: a file or a URL; repeatable' },
    flags: [
      flag('--names <file>', 'names in the uploaded folder data, one a line; "-" reads stdin', {
        usual: 'those in data next to the first file',
        parse: parseText,
      }),
    ],
    variables: [siteAuthorization],
    examples: [['quarry unused dist/function/root.json', 'print what only earlier builds need']],
    page: 'deploying/origin.md',
    load: async () => (await import('./unused.ts')).runUnused,
  },
  mcp: {
    about: 'serve the last build to agents on this machine, as MCP over stdin and stdout',
    flags: [out, config],
    examples: [['quarry mcp', 'the command that an agent starts: see docs/mcp.md']],
    page: 'cli.md',
    load: async () => (await import('./mcp.ts')).runMcp,
  },
  check: {
    about: 'report every problem of the content; write nothing',
    flags: [
      ...rendering,
      flag('--format <form>', 'form of the report', { choices: reportFormats, usual: 'text' }),
      flag('--verbose', 'print every problem, without groups of warnings and the limit of 1,000'),
      flag('--max-warnings <number>', 'exit with 1 for more warnings', {
        usual: 'no limit',
        parse: parseNumber(0),
      }),
    ],
    variables: [workers],
    examples: [
      ['quarry check', 'report every problem with its line'],
      ['quarry check --format github', 'show problems in a pull request'],
    ],
    page: 'errors.md',
    load: async () => (await import('./build.ts')).runCheck,
  },
  schema: {
    about: 'write JSON Schemas for editors and types for TypeScript',
    flags: [
      content,
      config,
      flag('--to <folder>', 'output folder', { usual: '.quarry', parse: parseText }),
    ],
    examples: [['quarry schema', 'write JSON Schemas and types of each workspace to .quarry']],
    page: 'content.md',
    load: async () => (await import('./editor.ts')).runSchema,
  },
  editor: {
    about: 'write the configuration of an editor for people who do not use Git',
    argument: { words: '<editor>', about: 'one of decap, sveltia, pages', parse: parseEditor },
    flags: [
      content,
      config,
      flag('--to <file>', 'output file', {
        usual: 'admin/config.yml, or .pages.yml',
        parse: parseText,
      }),
    ],
    examples: [['quarry editor decap', 'write admin/config.yml for Decap CMS']],
    page: 'content.md',
    load: async () => (await import('./editor.ts')).runEditor,
  },
  explain: {
    about: 'explain the response to a request, or an error code',
    argument: {
      words: '<address>',
      about: 'URL or path, such as /v1/my-site/posts?page=2, or an error code',
      parse: parseText,
    },
    flags: [
      out,
      config,
      flag('--now <date>', 'preview a future date, ISO 8601', { usual: 'now', parse: parseMoment }),
      keyStdin('read the API key from stdin'),
      json,
      flag('--expect <status>', 'exit with 1 unless the response has this status', {
        parse: parseNumber(100, 599),
      }),
    ],
    examples: [
      ['quarry explain "/v1/my-site/posts?tags=writing"', 'explain why this request has no file'],
      ['quarry explain /v1/my-site/posts --now 2027-01-01', 'preview a future date'],
      ['quarry explain unknown-category', 'explain an error code with an example'],
      ['quarry explain /v2/posts --key-stdin', 'check whether a key is accepted'],
    ],
    page: 'cli.md',
    load: async () => (await import('./explain.ts')).runExplain,
  },
  notify: {
    about: 'send the changes of the last build to webhooks',
    flags: [
      flag('--url <url>', 'webhook that receives the changes; repeatable', {
        parse: (value, before: readonly string[] = []) => [...before, parseText(value)],
        isRequired: true,
      }),
      flag('--since <build>', 'send the changes after this build', {
        usual: 'the build of the last message, or the one before the last',
        parse: parseText,
      }),
      workspace('workspace (default: all workspaces that are public in v1)', false),
      flag('--format <form>', 'form of the messages', {
        choices: ['quarry', 'marble'],
        usual: 'quarry',
      }),
      flag('--deadline <milliseconds>', 'timeout of each attempt', {
        parse: parseNumber(1),
        isHidden: true,
      }),
      out,
      config,
    ],
    variables: [{ env: 'QUARRY_NOTIFY_SECRET', about: 'secret that signs the changes' }],
    examples: [
      [
        'quarry notify --url https://example.com/hook',
        'send the changes since the last message, signed with QUARRY_NOTIFY_SECRET',
      ],
    ],
    page: 'webhooks.md',
    load: async () => (await import('./notify.ts')).runNotify,
  },
  doctor: {
    about: 'check a deployment, and probe it for private files and drafts that it must not serve',
    argument: { words: '[url]', about: 'URL of the deployment', parse: parseAddress },
    flags: [
      flag('--probe', 'probe all private files and drafts, not a sample'),
      flag('--files <number>', 'number of private files and drafts to probe', {
        usual: 2,
        parse: parseNumber(1),
      }),
      keyStdin('read an API key from stdin'),
      out,
      config,
    ],
    examples: [
      ['quarry doctor https://content.example.com', 'check a sample'],
      ['quarry doctor https://content.example.com --probe', 'check everything'],
    ],
    page: 'deploying.md',
    load: async () => (await import('./doctor.ts')).runDoctor,
  },
  keys: {
    about: 'create, list and revoke API keys for v2',
    examples: [['quarry keys list', 'list the keys of all workspaces']],
    page: 'keys.md',
  },
  'keys create': {
    about: 'create a key and print it once',
    flags: [
      content,
      config,
      workspace('workspace that the key reads', true),
      flag('--name <text>', 'purpose of the key', { usual: 'its id' }),
      flag('--scopes <list>', `some of ${allScopes.join(',')}`, {
        usual: defaultScopes.join(','),
        parse: parseScopes,
      }),
      flag('--expires <date>', 'expiry date of the key, ISO 8601', {
        usual: 'never',
        parse: parseMoment,
      }),
    ],
    examples: [
      [
        'quarry keys create --workspace my-site --name "Web site"',
        'create a key for one workspace',
      ],
    ],
    page: 'keys.md',
    load: async () => (await import('./keys.ts')).runKeysCreate,
  },
  'keys list': {
    about: 'list the keys, without their hashes',
    flags: [content, config, workspace('only keys of this workspace (default: all)', false), json],
    examples: [['quarry keys list --workspace my-site', 'list the keys of one workspace']],
    page: 'keys.md',
    load: async () => (await import('./keys.ts')).runKeysList,
  },
  'keys revoke': {
    about: 'revoke a key by its name or id',
    argument: { words: '<key>', about: 'name or id of the key' },
    flags: [content, config, workspace('workspace of the key', true)],
    examples: [['quarry keys revoke --workspace my-site "Web site"', 'revoke a key by its name']],
    page: 'keys.md',
    load: async () => (await import('./keys.ts')).runKeysRevoke,
  },
  import: {
    about: 'import the posts of another tool into a workspace, with quarry-import',
    argument: {
      words: '[words...]',
      about: 'the tool, its source, and flags: quarry import --help',
    },
    isPassedOn: true,
    examples: [],
    page: 'importing.md',
    load: async () => (await import('./import.ts')).runImport,
  },
}

function parseEditor(value: string): EditorName {
  const found = editorNames.find((name) => name === value)
  if (found !== undefined) return found
  throw new InvalidArgumentError(`It must be one of ${editorNames.join(', ')}.`)
}

/** Parses comma-separated scopes. @returns unique, in a fixed order */
function parseScopes(value: string): readonly Scope[] {
  const names = value.split(',').map((name) => name.trim())
  const wrong = names.find((name) => !allScopes.some((scope) => scope === name))
  if (wrong === undefined) return allScopes.filter((scope) => names.includes(scope))
  const hint = didYouMean(wrong, allScopes) ?? `The scopes are ${allScopes.join(', ')}.`
  throw new InvalidArgumentError(`"${wrong}" is not a scope. ${hint}`)
}
