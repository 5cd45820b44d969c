// The configuration: its type for those who write one, and how it is found and checked.
// Knows nothing of what the settings do.
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createJiti } from 'jiti'
import { z } from 'zod'
import { type Format, formats, type Version, versions } from './api/request.ts'
import { nearest } from './content/nearest.ts'
import type { Precompute } from './emit/plan.ts'
import { type FrontMatterMapping, mappedFields } from './model/front-matter-mapping.ts'

/** What `quarry.config.ts` exports; everything may be left out. */
export interface QuarryConfig {
  /** The content folder. @default 'content' */
  readonly content?: string | undefined
  /** The output folder. @default 'dist' */
  readonly out?: string | undefined
  /** Address that servers listen on. @default '127.0.0.1' */
  readonly host?: string | undefined
  /** Port that servers listen on, 0 for any. @default 4321 */
  readonly port?: number | undefined
  /** Threads that render. @default one for each core */
  readonly workers?: number | undefined
  /** Where builds keep what the next one need not make again; false for nowhere. @default 'node_modules/.cache/quarry' */
  readonly cache?: string | false | undefined
  /** What is written as files. @default both versions and formats, pages of 10, no ids */
  readonly precompute?: Partial<Precompute> | undefined
  /** How front matter that was written for another tool is read. */
  readonly frontMatter?: FrontMatterMapping | undefined
}

/** A configuration with nothing left out. */
export interface Settings {
  readonly content: string
  readonly out: string
  readonly host: string
  readonly port: number
  /** Undefined for one a core. */
  readonly workers: number | undefined
  /** Null for none. */
  readonly cache: string | null
  readonly precompute: Precompute
  readonly frontMatter: FrontMatterMapping
}

/** The configuration or a flag is wrong: what was expected and what was got. */
export class UseError extends Error {
  override readonly name = 'UseError'
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
export async function loadConfig(folder: string, file?: string): Promise<QuarryConfig> {
  const found = file ?? configFiles.find((name) => existsSync(resolve(folder, name)))
  if (found === undefined) return {}
  const path = resolve(folder, found)
  if (!existsSync(path)) throw new UseError(`There is no configuration file ${path}.`)
  return checkConfig(await importConfig(path), found)
}

/**
 * Merges configurations, the first one strongest, and fills in the defaults.
 *
 * @throws UseError when a value is none that the setting takes
 */
export function resolveSettings(...configs: readonly QuarryConfig[]): Settings {
  const merged: QuarryConfig = Object.assign({}, ...configs.map(withoutUndefined).reverse())
  const { content = 'content', out = 'dist', host = '127.0.0.1', port = 4321, workers } = merged
  const { cache = 'node_modules/.cache/quarry' } = merged
  return {
    content,
    out,
    host,
    port,
    workers,
    cache: cache === false ? null : cache,
    precompute: withoutRepeats({
      ...defaultPrecompute,
      ...withoutUndefined(merged.precompute ?? {}),
    }),
    frontMatter: merged.frontMatter ?? {},
  }
}

/**
 * Checks a configuration.
 *
 * @param file named in the error
 * @throws UseError that lists every mistake
 */
export function checkConfig(value: unknown, file: string): QuarryConfig {
  const result = configSchema.safeParse(value)
  if (result.success) return result.data
  const lines = result.error.issues.flatMap(describeIssue).map((line) => `  ${line}`)
  throw new UseError(`${file} is not a valid configuration:\n${lines.join('\n')}`)
}

const defaultPrecompute: Precompute = { versions, formats, pageSizes: [10], ids: false }

/** What is named twice is still written once. */
function withoutRepeats({ versions, formats, pageSizes, ids }: Precompute): Precompute {
  return {
    versions: [...new Set(versions)],
    formats: [...new Set(formats)],
    pageSizes: [...new Set(pageSizes)],
    ids,
  }
}

async function importConfig(path: string): Promise<unknown> {
  try {
    if (path.endsWith('.json')) return JSON.parse(readFileSync(path, 'utf8'))
    // A fresh instance without caches: a file that was mended is read anew.
    const jiti = createJiti(pathToFileURL(path).href, { fsCache: false, moduleCache: false })
    return await jiti.import(path, { default: true })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UseError(`${path} cannot be loaded: ${reason}`)
  }
}

function folderName() {
  return z.string('must be text').min(1, 'must not be empty')
}

function integer(from: number, to: number) {
  const message = `must be an integer from ${from} to ${to}`
  return z.int(message).min(from, message).max(to, message)
}

function someOf<T extends string>(values: readonly T[]) {
  const message = `must be some of ${values.map((value) => `"${value}"`).join(', ')}`
  return z.array(z.enum(values as [T, ...T[]], message), message).min(1, message)
}

const keys = z.union([z.string(), z.array(z.string())], 'must be a key or a list of keys')

const fieldSource = z.strictObject({
  from: keys.optional(),
  split: z.string().min(1).optional(),
  take: z.enum(['first', 'last'], 'must be "first" or "last"').optional(),
  slugify: z.boolean('must be true or false').optional(),
  dates: z.literal('loose', 'must be "loose"').optional(),
  not: z.boolean('must be true or false').optional(),
  default: z.string('must be text').optional(),
})

const slugSource = fieldSource.extend({
  derive: z.enum(['name', 'path'], 'must be "name" or "path"').optional(),
})

/** A text or a list is short for `from`; it is told apart here so that errors speak of one form. */
function sourceOf(schema: z.ZodType) {
  return z.unknown().superRefine((value, context) => {
    const isShort = typeof value === 'string' || Array.isArray(value)
    const result = (isShort ? keys : schema).safeParse(value)
    for (const issue of result.error?.issues ?? []) context.addIssue({ ...issue })
  })
}

const mappingShape = {
  ...Object.fromEntries(mappedFields.map((field) => [field, sourceOf(fieldSource).optional()])),
  slug: sourceOf(slugSource).optional(),
  ignore: z
    .union([z.literal(true), z.array(z.string())], 'must be a list of keys or true')
    .optional(),
}

const configSchema = z.strictObject(
  {
    content: folderName().optional(),
    out: folderName().optional(),
    host: z.string('must be text').min(1, 'must not be empty').optional(),
    port: integer(0, 65_535).optional(),
    workers: integer(1, 256).optional(),
    cache: z.union([z.literal(false), z.string().min(1)], 'must be a folder or false').optional(),
    precompute: z
      .strictObject({
        versions: someOf<Version>(versions).optional(),
        formats: someOf<Format>(formats).optional(),
        pageSizes: z.array(integer(1, 100), 'must be a list of page sizes').min(1).optional(),
        ids: z.boolean('must be true or false').optional(),
      })
      .optional(),
    frontMatter: z.strictObject(mappingShape).optional(),
  },
  'must export an object',
) as z.ZodType<QuarryConfig>

function describeIssue(issue: z.core.$ZodIssue): readonly string[] {
  const path = issue.path.map(String).join('.')
  if (issue.code !== 'unrecognized_keys')
    return [`${path === '' ? 'the file' : path} ${issue.message}`]
  return issue.keys.map((key) => {
    const near = nearest(key, knownKeysAt(issue.path))
    return `${[path, key].filter(Boolean).join('.')} is not a known setting.${near === undefined ? '' : ` Did you mean "${near}"?`}`
  })
}

function knownKeysAt(path: readonly PropertyKey[]): readonly string[] {
  if (path.length === 0)
    return ['content', 'out', 'host', 'port', 'workers', 'cache', 'precompute', 'frontMatter']
  if (path[0] === 'precompute') return ['versions', 'formats', 'pageSizes', 'ids']
  if (path.length === 1) return Object.keys(mappingShape)
  return Object.keys((path[1] === 'slug' ? slugSource : fieldSource).shape)
}

function withoutUndefined<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(value).filter(([, entry]) => entry !== undefined),
  ) as Partial<T>
}
