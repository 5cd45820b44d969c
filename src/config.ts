// The configuration: its public type, its file and its defaults. The schema is imported only if there is a file.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { formats, versions } from './api/request.ts'
import type { Scaling } from './api/schemas.ts'
import type { HostName, Precompute } from './config/names.ts'
import type { WorkspacePaths } from './content/mounts.ts'
import { normalizeText } from './content/source.ts'
import { type DiagnosticCode, type Position, UseError } from './diagnostics.ts'
import { type MarkdownOptions, markdownDefaults } from './markdown/options.ts'
import type { LinkInput } from './model/destinations.ts'
import type { FrontMatterMapping, KindMappings } from './model/map-fields.ts'
import type { HttpSettings } from './snapshot/format.ts'

export { UseError }

/** The export of `quarry.config.ts`. Every setting is optional. */
export interface QuarryConfig {
  /** The content folder. @default 'content' */
  readonly content?: string | undefined
  /** The output folder. @default 'dist' */
  readonly out?: string | undefined
  /** Address that servers listen on. @default '127.0.0.1' */
  readonly host?: string | undefined
  /** Port that servers listen on; 0 picks a free one. @default 4321 */
  readonly port?: number | undefined
  /** Number of rendering threads. @default one per core */
  readonly workers?: number | undefined
  /** Cache folder. @default 'node_modules/.cache/quarry' */
  readonly cache?: string | undefined
  /**
   * Responses that are written as files.
   *
   * @default both versions and formats, pages of 10, the `default` lists, no ids. For `static`: v1, ids, and also the
   *   lists `excludeContent` and `excludeContent+all`
   */
  readonly precompute?: Partial<Precompute> | undefined
  /** Writes files with which browsers respond to every v1 request: the public view of the site, and the function. @default false */
  readonly browser?: boolean | undefined
  /** Keeps the changes of the last 20 builds for the `changes` endpoint. @default false */
  readonly changes?: boolean | undefined
  /** Host that each build prepares a deployment for. @default none */
  readonly platform?: HostName | undefined
  /** Folders and data files of workspaces outside the content folder. Paths are relative to the configuration. */
  readonly workspaces?: WorkspacePaths | undefined
  /** Root folders of a site's images, such as `static` or `public`. Paths are relative to the configuration. */
  readonly media?:
    | {
        readonly roots?: readonly string[] | undefined
        /** Extensions of files that posts link to, which are published for download: `.pdf`, `.svg`. @default none */
        readonly files?: readonly string[] | undefined
        /** Widths of smaller copies, in pixels, which sharp makes of the images in `derived`. @default none */
        readonly widths?: readonly number[] | undefined
        /** Whether the images in `derived` have a preview of 16 pixels, which sharp makes. @default false */
        readonly preview?: boolean | undefined
      }
    | undefined
  /** Maps front matter written for another tool. */
  readonly frontMatter?: FrontMatterMapping | KindMappings | undefined
  /** Maximum size of the front matter of a file, in bytes. @default 65536 */
  readonly frontMatterBytes?: number | undefined
  /** URL at which `public` is served, a prefix of image URLs. @default none: image URLs begin with `/` */
  readonly baseUrl?: string | undefined
  /** Headers of responses. */
  readonly http?: HttpSettings | undefined
  /** URLs of links to posts, and the severity of broken links. */
  readonly links?: LinkInput['links']
  /** Codes of warnings to suppress, such as `raw-html`. Errors are always reported. */
  readonly warnings?: { readonly ignore?: readonly DiagnosticCode[] | undefined } | undefined
  /** Markdown rendering. */
  readonly markdown?: MarkdownInput | undefined
}

type MarkdownInput = Partial<Omit<MarkdownOptions, 'rootImages'>>

/** A configuration and its folder. */
interface LoadedConfig extends QuarryConfig {
  /** Base folder of the paths in `workspaces` and `media`. @default the working folder */
  readonly project?: string | undefined
  /** Absolute path of the file; undefined for none. */
  readonly configFile?: string | undefined
}

/** The values of settings without a configuration. */
export const defaults = {
  content: 'content',
  out: 'dist',
  host: '127.0.0.1',
  port: 4321,
  cache: 'node_modules/.cache/quarry',
  browser: false,
  changes: false,
  frontMatter: {},
  workspaces: {},
} as const

/** A configuration in which these settings have a value. */
type FilledConfig = LoadedConfig & {
  readonly [Name in keyof typeof defaults | 'project']-?: NonNullable<LoadedConfig[Name]>
}

/** A configuration with defaults filled in. Paths are absolute or relative to `project`. */
export type Settings = FilledConfig & {
  readonly precompute: Precompute
  /** `media.roots`. */
  readonly mediaRoots: readonly string[]
  /** `media.files`. */
  readonly downloads: readonly string[]
  /** `media.widths`, ascending, and `media.preview`. */
  readonly scaling: Scaling
  readonly ignoredWarnings: readonly DiagnosticCode[]
  readonly markdown: MarkdownOptions
}

/** Returns `config` unchanged. It only sets its type. */
export function defineConfig(config: QuarryConfig): QuarryConfig {
  return config
}

/** File names of a configuration, in lookup order. */
export const configFiles: readonly string[] = [
  'quarry.config.ts',
  'quarry.config.mts',
  'quarry.config.js',
  'quarry.config.mjs',
  'quarry.config.json',
]

/**
 * Loads the configuration of a project.
 *
 * @param file path from the user. @default the first of `configFiles` that exists in `folder`
 * @returns an empty configuration when there is no file
 * @throws UseError when the file is missing, cannot be loaded or has an invalid setting
 */
export async function loadConfig(folder: string, file?: string): Promise<LoadedConfig> {
  const isThere = (name: string) => existsSync(resolve(folder, name))
  const found = file ?? configFiles.find(isThere)
  if (found === undefined) return {}
  const path = resolve(folder, found)
  if (!isThere(found)) throw new UseError(`There is no configuration file ${path}.`)
  const { checkConfig } = await import('./config/schema.ts')
  const config = checkConfig(await importConfig(path, found), found) as QuarryConfig
  return { ...config, project: dirname(path), configFile: path }
}

/**
 * Imports a configuration in TypeScript, JavaScript or JSON.
 *
 * @param name the path that is shown to the user
 * @throws UseError when it is not a file, or cannot be loaded
 */
async function importConfig(path: string, name: string): Promise<unknown> {
  if (!statSync(path).isFile()) throw new UseError(`The configuration ${path} is not a file.`)
  const text = normalizeText(readFileSync(path, 'utf8'))
  if (path.endsWith('.json')) {
    const { readYaml } = await import('./content/yaml.ts')
    const [problem] = readYaml(name, text).diagnostics
    if (problem === undefined) return JSON.parse(text)
    throw placedError(name, text, problem, `${problem.message} ${problem.hint ?? ''}`)
  }
  const { createJiti } = await import('jiti')
  // Modules are not cached, so a corrected file is loaded again. Compiled text is cached under a hash of its source.
  const modules = join(dirname(path), 'node_modules')
  const fsCache = existsSync(modules) && join(modules, '.cache/jiti')
  const jiti = createJiti(pathToFileURL(path).href, { fsCache, moduleCache: false })
  try {
    return await jiti.import(path, { default: true })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    // A syntax error: the message, then the path with the line, from 1, and the column, from 0.
    const [first = '', ...others] = message.trimEnd().split('\n')
    const [, reason] = /^ParseError:(.*)$/s.exec(first.trim().replace(/\.$/, '')) ?? []
    const [, line, column] = /:(\d+):(\d+)$/.exec(others.at(-1) ?? '') ?? []
    if (reason === undefined || line === undefined)
      throw new UseError(`${path} cannot be loaded: ${message}`)
    const at = { line: Number(line), column: Number(column) + 1 }
    throw placedError(name, text, at, `${reason.trim()}.`)
  }
}

function placedError(name: string, text: string, at: Position, message: string): UseError {
  const { line, column } = at
  const lineText = text.split('\n')[line - 1] ?? ''
  return new UseError(`${name}:${line}:${column} ${message}`, { line, column, lineText })
}

/**
 * Merges configurations, the first one taking precedence, and fills in the defaults.
 *
 * @throws UseError when settings contradict each other
 */
export function resolveSettings(...configs: readonly LoadedConfig[]): Settings {
  const merged: FilledConfig = Object.assign(
    { project: process.cwd() },
    defaults,
    ...configs.map(withoutUndefined).reverse(),
  )
  const { media, warnings, markdown = {} } = merged
  const mediaRoots = media?.roots ?? []
  const widths = [...new Set(media?.widths)].sort((a, b) => a - b)
  return {
    ...merged,
    mediaRoots,
    downloads: media?.files ?? [],
    scaling: { widths, preview: media?.preview ?? false },
    precompute: precomputeOf(merged),
    ignoredWarnings: warnings?.ignore ?? [],
    markdown: {
      ...markdownDefaults,
      ...withoutUndefined(markdown),
      rootImages: mediaRoots.length > 0,
    },
  }
}

const defaultPrecompute: Precompute = {
  versions,
  formats,
  pageSizes: [10],
  lists: ['default'],
  ids: false,
}

/** Defaults of a host without a function: it serves only files and checks no keys. */
const functionlessPrecompute: Precompute = {
  ...defaultPrecompute,
  versions: ['v1'],
  lists: ['default', 'excludeContent', 'excludeContent+all'],
  ids: true,
}

/** @throws UseError when a host without a function would have no responses, or settings contradict each other */
function precomputeOf({ platform, precompute = {} }: QuarryConfig): Precompute {
  const usual = platform === 'static' ? functionlessPrecompute : defaultPrecompute
  const chosen = { ...usual, ...withoutUndefined(precompute) }
  if (platform === 'static' && !chosen.versions.includes('v1')) {
    throw new UseError(
      'The host "static" serves only v1, and `precompute.versions` leaves it out. Add "v1".',
    )
  }
  return chosen
}

function withoutUndefined<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(value).filter(([, entry]) => entry !== undefined),
  ) as Partial<T>
}
