// The configuration: its type for those who write one, and how it is found. The code that checks and loads a file is
// imported only where there is one.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { formats, versions } from './api/request.ts'
import { deploymentOf } from './config/deployment-setting.ts'
import { UseError } from './config/use-error.ts'
import type { WorkspacePaths } from './content/mounts.ts'
import type { DiagnosticCode } from './diagnostics.ts'
import type { Precompute } from './emit/plan.ts'
import { type MarkdownOptions, markdownDefaults } from './markdown/options.ts'
import type { FrontMatterMapping, KindMappings } from './model/front-matter-mapping.ts'
import type { LinkInput } from './model/link-settings.ts'
import type { DeploymentName, HostName, StorageName } from './platforms/hosts.ts'

export { UseError }

/** The export of `quarry.config.ts`; everything may be left out. */
export interface QuarryConfig {
  /** The content folder. @default 'content' */
  readonly content?: string | undefined
  /** The output folder. @default 'dist' */
  readonly out?: string | undefined
  /** Lets the owner alone read `private`, `function` and the manifest in `out`. @default modes stay as they are */
  readonly ownerOnly?: boolean | undefined
  /** Address that servers listen on. @default '127.0.0.1' */
  readonly host?: string | undefined
  /** Port that servers listen on, 0 for any. @default 4321 */
  readonly port?: number | undefined
  /** Threads that render. @default one for each core */
  readonly workers?: number | undefined
  /** Where builds keep what the next one need not make again; false for nowhere. @default 'node_modules/.cache/quarry' */
  readonly cache?: string | false | undefined
  /**
   * The responses that are written as files.
   *
   * @default both versions and formats, pages of 10, the `default` lists, no ids; for `static` v1, ids, and also the
   *   lists `excludeContent` and `excludeContent+all`
   */
  readonly precompute?: Partial<Precompute> | undefined
  /** Whether `limit=all` gives every post; without it such a request is a 400. @default true */
  readonly limitAll?: boolean | undefined
  /** Keeps the changes of the last 20 builds for `changes`. @default false */
  readonly changes?: boolean | undefined
  /** The host that each build is made ready for. @default none */
  readonly platform?: HostName | undefined
  /** The bucket that the host's function reads its files from: `s3` for `aws-lambda`, `r2` for `cloudflare`. @default none: it has them */
  readonly storage?: StorageName | undefined
  /** Where parts of workspaces are: paths of folders and data files, from the folder of the configuration. */
  readonly workspaces?: WorkspacePaths | undefined
  /** Folders that are the root of a site for images, `static` or `public`: from the folder of the configuration. */
  readonly media?: { readonly roots?: readonly string[] | undefined } | undefined
  /** How front matter that was written for another tool is read. */
  readonly frontMatter?: FrontMatterMapping | KindMappings | undefined
  /** Where `public` is served: addresses of images begin with it. @default none: they begin with `/` */
  readonly baseUrl?: string | undefined
  /** Where links to posts lead, and what one means that leads nowhere. */
  readonly links?: LinkInput['links']
  /** Warnings that are not reported: codes such as `raw-html`. Errors are reported whatever it says. */
  readonly warnings?: { readonly ignore?: readonly DiagnosticCode[] | undefined } | undefined
  /** How Markdown is rendered. */
  readonly markdown?: MarkdownInput | undefined
}

type MarkdownInput = Partial<Omit<MarkdownOptions, 'rootImages' | 'parser'>> & {
  readonly parser?: 'auto' | 'remark'
}

/** A configuration and its folder. */
interface LoadedConfig extends QuarryConfig {
  /** The folder that paths of `workspaces` and `media` are relative to. @default the working folder */
  readonly project?: string | undefined
}

/** A configuration with nothing left out. */
export interface Settings {
  readonly content: string
  readonly out: string
  /** Undefined to leave modes as they are. */
  readonly ownerOnly: boolean | undefined
  readonly host: string
  readonly port: number
  /** Undefined for one a core. */
  readonly workers: number | undefined
  /** Null for none. */
  readonly cache: string | null
  readonly precompute: Precompute
  readonly limitAll: boolean
  readonly changes: boolean
  /** The deployment that is made. Undefined for none. */
  readonly platform: DeploymentName | undefined
  /** Undefined for none. */
  readonly storage: StorageName | undefined
  readonly frontMatter: FrontMatterMapping | KindMappings
  /** Absolute, or from `project`. */
  readonly workspaces: WorkspacePaths
  /** As `media.roots`: absolute, or from `project`. */
  readonly mediaRoots: readonly string[]
  /** The folder that nothing of `workspaces` and `mediaRoots` leads out of. */
  readonly project: string
  /** Undefined for none. */
  readonly baseUrl: string | undefined
  readonly links: LinkInput['links']
  readonly ignoredWarnings: readonly DiagnosticCode[]
  readonly markdown: MarkdownOptions
}

/** Gives a configuration its type; returns it as it is. */
export function defineConfig(config: QuarryConfig): QuarryConfig {
  return config
}

/** The names under which a configuration is looked for, in this order. */
export const configFiles: readonly string[] = [
  'quarry.config.ts',
  'quarry.config.mts',
  'quarry.config.js',
  'quarry.config.mjs',
  'quarry.config.json',
]

/**
 * Reads the configuration of a project.
 *
 * @param file as given by the user; without it the first of `configFiles` that exists in `folder`
 * @returns an empty configuration when there is no file
 * @throws UseError when the file is missing, cannot be loaded or holds something unknown
 */
export async function loadConfig(folder: string, file?: string): Promise<LoadedConfig> {
  const found = file ?? configFiles.find((name) => existsSync(resolve(folder, name)))
  if (found === undefined) return {}
  const path = resolve(folder, found)
  if (!existsSync(path)) throw new UseError(`There is no configuration file ${path}.`)
  const { checkConfig } = await import('./config/config-schema.ts')
  const config = checkConfig(await importConfig(path), found) as QuarryConfig
  return { ...config, project: dirname(path) }
}

/**
 * Merges configurations, the first one strongest, and fills in the defaults.
 *
 * @throws UseError when a value is none that the setting takes
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
    platform: deploymentOf(merged),
    storage: merged.storage,
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

/** A host without a function serves files alone, and checks no key. */
const functionlessPrecompute: Precompute = {
  ...defaultPrecompute,
  versions: ['v1'],
  lists: ['default', 'excludeContent', 'excludeContent+all'],
  ids: true,
}

/** @throws UseError when a host without a function would be left without a response, or settings contradict each other */
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

/** A list that is named twice is written once. */
function withoutRepeats({ versions, formats, pageSizes, lists, ...flags }: Precompute): Precompute {
  return {
    versions: [...new Set(versions)],
    formats: [...new Set(formats)],
    pageSizes: [...new Set(pageSizes)],
    lists: [...new Map(lists.map((name) => [name.split('+').sort().join('+'), name])).values()],
    ...flags,
  }
}

async function importConfig(path: string): Promise<unknown> {
  try {
    if (path.endsWith('.json')) return JSON.parse(readFileSync(path, 'utf8'))
    const { createJiti } = await import('jiti')
    // Modules are not cached, so a corrected file is read again. Compiled text is, under a hash of the source.
    const modules = join(dirname(path), 'node_modules')
    const fsCache = existsSync(modules) && join(modules, '.cache/jiti')
    const jiti = createJiti(pathToFileURL(path).href, { fsCache, moduleCache: false })
    return await jiti.import(path, { default: true })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UseError(`${path} cannot be loaded: ${reason}`)
  }
}

function withoutUndefined<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(value).filter(([, entry]) => entry !== undefined),
  ) as Partial<T>
}
