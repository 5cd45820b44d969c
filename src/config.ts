// The configuration: its public type, its file and its defaults. A schema is imported only when there is a file.
import { lstatSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { formats, versions } from './api/request.ts'
import { UseError } from './config/use-error.ts'
import type { WorkspacePaths } from './content/mounts.ts'
import type { DiagnosticCode } from './diagnostics.ts'
import type { Precompute } from './emit/plan.ts'
import type { HostName } from './hosts/names.ts'
import { type MarkdownOptions, markdownDefaults } from './markdown/options.ts'
import type { FrontMatterMapping, KindMappings } from './model/front-matter-mapping.ts'
import type { LinkInput } from './model/link-settings.ts'

export { UseError }

/** The export of `quarry.config.ts`. Every setting is optional. */
export interface QuarryConfig {
  /** The content folder. @default 'content' */
  readonly content?: string | undefined
  /** The output folder. @default 'dist' */
  readonly out?: string | undefined
  /** Restricts `private`, `function` and the manifest in `out` to their owner. @default file modes are unchanged */
  readonly ownerOnly?: boolean | undefined
  /** Address that servers listen on. @default '127.0.0.1' */
  readonly host?: string | undefined
  /** Port that servers listen on; 0 picks a free one. @default 4321 */
  readonly port?: number | undefined
  /** Number of rendering threads. @default one per core */
  readonly workers?: number | undefined
  /** Cache folder; false disables the cache. @default 'node_modules/.cache/quarry' */
  readonly cache?: string | false | undefined
  /**
   * Responses that are written as files.
   *
   * @default both versions and formats, pages of 10, the `default` lists, no ids. For `static`: v1, ids, and also the
   *   lists `excludeContent` and `excludeContent+all`
   */
  readonly precompute?: Partial<Precompute> | undefined
  /** Whether `limit=all` returns every post. If false, such a request is a 400. @default true */
  readonly limitAll?: boolean | undefined
  /** Keeps the changes of the last 20 builds for the `changes` endpoint. @default false */
  readonly changes?: boolean | undefined
  /** Host that each build prepares a deployment for. @default none */
  readonly platform?: HostName | undefined
  /** Folders and data files of workspaces outside the content folder. Paths are relative to the configuration. */
  readonly workspaces?: WorkspacePaths | undefined
  /** Root folders of a site's images, such as `static` or `public`. Paths are relative to the configuration. */
  readonly media?: { readonly roots?: readonly string[] | undefined } | undefined
  /** Maps front matter written for another tool. */
  readonly frontMatter?: FrontMatterMapping | KindMappings | undefined
  /** URL at which `public` is served, a prefix of image URLs. @default none: image URLs begin with `/` */
  readonly baseUrl?: string | undefined
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
}

/** A configuration with defaults filled in. */
export interface Settings {
  readonly content: string
  readonly out: string
  /** Undefined keeps the file modes. */
  readonly ownerOnly: boolean | undefined
  readonly host: string
  readonly port: number
  /** Undefined means one per core. */
  readonly workers: number | undefined
  /** Null disables the cache. */
  readonly cache: string | null
  readonly precompute: Precompute
  readonly limitAll: boolean
  readonly changes: boolean
  /** The deployment to generate; undefined for none. */
  readonly platform: HostName | undefined
  /** Undefined for none. */
  readonly frontMatter: FrontMatterMapping | KindMappings
  /** Absolute or relative to `project`. */
  readonly workspaces: WorkspacePaths
  /** `media.roots`: absolute or relative to `project`. */
  readonly mediaRoots: readonly string[]
  /** Folder that contains every path of `workspaces` and `mediaRoots`. */
  readonly project: string
  /** Undefined for none. */
  readonly baseUrl: string | undefined
  readonly links: LinkInput['links']
  readonly ignoredWarnings: readonly DiagnosticCode[]
  readonly markdown: MarkdownOptions
}

/** Returns `config` unchanged; gives it its type. */
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
 * @param file path given by the user; without it, the first of `configFiles` that exists in `folder`
 * @returns an empty configuration when there is no file
 * @throws UseError when the file is missing, cannot be loaded or has an invalid setting
 */
export async function loadConfig(folder: string, file?: string): Promise<LoadedConfig> {
  // A link to nothing is a mistake, not a missing configuration.
  const isThere = (name: string) =>
    lstatSync(resolve(folder, name), { throwIfNoEntry: false }) !== undefined
  const found = file ?? configFiles.find(isThere)
  if (found === undefined) return {}
  const path = resolve(folder, found)
  if (!isThere(found)) throw new UseError(`There is no configuration file ${path}.`)
  const { importConfig } = await import('./config/import-config.ts')
  const { checkConfig } = await import('./config/config-schema.ts')
  const config = checkConfig(await importConfig(path, found), found) as QuarryConfig
  return { ...config, project: dirname(path) }
}

/**
 * Merges configurations, the first one taking precedence, and fills in the defaults.
 *
 * @throws UseError when settings contradict each other
 */
export function resolveSettings(...configs: readonly LoadedConfig[]): Settings {
  const merged: LoadedConfig = Object.assign({}, ...configs.map(withoutUndefined).reverse())
  const { content = 'content', out = 'dist', host = '127.0.0.1', port = 4321, workers } = merged
  const { cache = 'node_modules/.cache/quarry' } = merged
  const mediaRoots = merged.media?.roots ?? []
  return {
    content,
    out,
    ownerOnly: merged.ownerOnly,
    host,
    port,
    workers,
    cache: cache === false ? null : cache,
    precompute: precomputeOf(merged),
    limitAll: merged.limitAll ?? true,
    changes: merged.changes ?? false,
    platform: merged.platform,
    frontMatter: merged.frontMatter ?? {},
    workspaces: merged.workspaces ?? {},
    mediaRoots,
    project: merged.project ?? process.cwd(),
    baseUrl: merged.baseUrl,
    links: merged.links,
    ignoredWarnings: merged.warnings?.ignore ?? [],
    markdown: {
      ...markdownDefaults,
      ...withoutUndefined(merged.markdown ?? {}),
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
  neighbours: false,
}

/** Defaults of a host without a function: it serves only files and checks no keys. */
const functionlessPrecompute: Precompute = {
  ...defaultPrecompute,
  versions: ['v1'],
  lists: ['default', 'excludeContent', 'excludeContent+all'],
  ids: true,
}

/** @throws UseError when a host without a function would have no responses, or settings contradict each other */
function precomputeOf({ platform, precompute = {}, limitAll = true }: QuarryConfig): Precompute {
  const isAll = (list: string) => list.split('+').includes('all')
  if (!limitAll && precompute.lists?.some(isAll)) {
    throw new UseError(
      '`limitAll` is false, and `precompute.lists` names a list with "all". Remove one of them.',
    )
  }
  const usual = platform === 'static' ? functionlessPrecompute : defaultPrecompute
  const lists = usual.lists.filter((list) => limitAll || !isAll(list))
  const defaults = { ...usual, lists }
  const chosen = withoutRepeats({ ...defaults, ...withoutUndefined(precompute) })
  if (platform === 'static' && !chosen.versions.includes('v1')) {
    throw new UseError(
      'The host "static" serves only v1, and `precompute.versions` leaves it out. Add "v1".',
    )
  }
  return chosen
}

/** Removes duplicates. Two names of one list, such as `a+b` and `b+a`, are duplicates too. */
function withoutRepeats({ versions, formats, pageSizes, lists, ...flags }: Precompute): Precompute {
  return {
    versions: [...new Set(versions)],
    formats: [...new Set(formats)],
    pageSizes: [...new Set(pageSizes)],
    lists: [...new Map(lists.map((name) => [name.split('+').sort().join('+'), name])).values()],
    ...flags,
  }
}

function withoutUndefined<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(value).filter(([, entry]) => entry !== undefined),
  ) as Partial<T>
}
