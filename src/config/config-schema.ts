// The schema of a configuration, and its error messages.
import * as z from 'zod'
import { type Format, formats, type Version, versions } from '../api/request.ts'
import { mountedParts } from '../content/mounts.ts'
import { nearest } from '../content/nearest.ts'
import { isDiagnosticCode } from '../diagnostics.ts'
import { isListName, listParts } from '../emit/plan.ts'
import { hostNames } from '../hosts/names.ts'
import { isByKind, mappedFields, mappedTermFields } from '../model/front-matter-mapping.ts'
import {
  baseUrlProblem,
  brokenLinkSettings,
  brokenLinksMessage,
  postLinkProblem,
} from '../model/link-settings.ts'
import { UseError } from './use-error.ts'

/**
 * Validates a configuration.
 *
 * @param file named in the error
 * @returns a `QuarryConfig`
 * @throws UseError that lists every mistake
 */
export function checkConfig(value: unknown, file: string): object {
  const result = configSchema.safeParse(value)
  // A map of the schema skips this name without an issue.
  const proto = hasProtoWorkspace(value) ? ['workspaces.__proto__ cannot be a workspace.'] : []
  if (result.success && proto.length === 0) return result.data
  const issues = result.error?.issues ?? []
  const lines = [...issues.flatMap(describeIssue), ...proto].map((line) => `  ${line}`)
  throw new UseError(`${file} is not a valid configuration:\n${lines.join('\n')}`)
}

/** True for text of JSON only: in JavaScript, `__proto__` in an object is its prototype. */
function hasProtoWorkspace(value: unknown): boolean {
  const { workspaces } = (value ?? {}) as { readonly workspaces?: unknown }
  return (
    typeof workspaces === 'object' && workspaces !== null && Object.hasOwn(workspaces, '__proto__')
  )
}

function folderName() {
  return z.string('must be text').min(1, 'must not be empty')
}

function integer(from: number, to: number) {
  const message = `must be an integer from ${from} to ${to}`
  const isInRange = (value: number) => Number.isInteger(value) && value >= from && value <= to
  // One check, as a value that fails several would be reported several times.
  return z.number(message).refine(isInRange, message)
}

function someOf<T extends string>(values: readonly T[]) {
  return anyOf(values).min(1, someOfMessage(values))
}

/** Accepts an empty list too. */
function anyOf<T extends string>(values: readonly T[]) {
  const message = someOfMessage(values)
  return z.array(z.enum(values as [T, ...T[]], message), message)
}

function someOfMessage(values: readonly string[]): string {
  return `must be some of ${values.map((value) => `"${value}"`).join(', ')}`
}

const listsMessage = `must be some of "default", ${listParts.map((part) => `"${part}"`).join(', ')}, joined with "+" where a list is several, such as "excludeContent+all"`

const listName = z.string(listsMessage).refine(isListName, listsMessage)

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

const lists = ['tags', 'authors', 'category', 'aliases']

/** Only some fields of posts are lists; for the others, a split without `take` would be an error in each post. */
function fieldOf<T extends typeof fieldSource>(schema: T, field: string) {
  return schema.refine(
    ({ split, take }) => split === undefined || take !== undefined || lists.includes(field),
    'is not a list: add `take: "first"` or `take: "last"`, or remove `split`',
  )
}

/** Accepts text or a list as a short form of `from`. Not a `z.union`, so that errors describe only the form in use. */
function sourceOf(schema: z.ZodType) {
  return z.unknown().superRefine((value, context) => {
    const isShort = typeof value === 'string' || Array.isArray(value)
    const result = (isShort ? keys : schema).safeParse(value)
    for (const issue of result.error?.issues ?? []) context.addIssue({ ...issue })
  })
}

const ignore = z
  .union([z.literal(true), z.array(z.string())], 'must be a list of keys or true')
  .optional()

const mappingShape = {
  ...Object.fromEntries(
    mappedFields.map((field) => [field, sourceOf(fieldOf(fieldSource, field)).optional()]),
  ),
  slug: sourceOf(fieldOf(slugSource, 'slug')).optional(),
  ignore,
}

const termShape = {
  ...Object.fromEntries(mappedTermFields.map((field) => [field, sourceOf(fieldSource).optional()])),
  ignore,
}

const kindShape = {
  posts: z.strictObject(mappingShape).optional(),
  categories: z.strictObject(termShape).optional(),
  tags: z.strictObject(termShape).optional(),
  authors: z.strictObject(termShape).optional(),
}

/** A mapping for posts, or one per kind. Not a `z.union`, so that errors describe only the form in use. */
const frontMatter = z.unknown().superRefine((value, context) => {
  const isNested = typeof value === 'object' && value !== null && isByKind(value)
  const result = z.strictObject(isNested ? kindShape : mappingShape).safeParse(value)
  for (const issue of result.error?.issues ?? []) context.addIssue({ ...issue })
})

function withoutProblem(problemOf: (text: string) => string | null) {
  return z.string('must be text').superRefine((value, context) => {
    const message = problemOf(value)
    if (message !== null) context.addIssue({ code: 'custom', message })
  })
}

const partShape = Object.fromEntries(mountedParts.map((part) => [part, folderName().optional()]))

const mediaShape = { roots: z.array(folderName(), 'must be a list of folders').optional() }

const linksShape = {
  post: withoutProblem(postLinkProblem).optional(),
  broken: z.enum(brokenLinkSettings, brokenLinksMessage).optional(),
}

const isCode = 'must be codes of warnings, such as "raw-html"'

const warningsShape = {
  ignore: z.array(z.string(isCode).refine(isDiagnosticCode, isCode), isCode).optional(),
}

const markdownShape = {
  html: z.enum(['sanitize', 'omit'], 'must be "sanitize" or "omit"').optional(),
  headingIds: z.boolean('must be true or false').optional(),
  alerts: z.boolean('must be true or false').optional(),
  mdx: z.boolean('must be true or false').optional(),
}

const configShape = {
  content: folderName().optional(),
  out: folderName().optional(),
  ownerOnly: z.boolean('must be true or false').optional(),
  host: z.string('must be text').min(1, 'must not be empty').optional(),
  port: integer(0, 65_535).optional(),
  workers: integer(1, 256).optional(),
  cache: z.union([z.literal(false), z.string().min(1)], 'must be a folder or false').optional(),
  changes: z.boolean('must be true or false').optional(),
  limitAll: z.boolean('must be true or false').optional(),
  precompute: z
    .strictObject({
      versions: anyOf<Version>(versions).optional(),
      formats: someOf<Format>(formats).optional(),
      pageSizes: z.array(integer(1, 100), 'must be a list of page sizes').min(1).optional(),
      lists: z.array(listName, listsMessage).min(1, listsMessage).optional(),
      ids: z.boolean('must be true or false').optional(),
      neighbours: z.boolean('must be true or false').optional(),
    })
    .optional(),
  platform: z
    .enum(hostNames, `must be one of ${hostNames.map((name) => `"${name}"`).join(', ')}`)
    .optional(),
  frontMatter: frontMatter.optional(),
  workspaces: z
    .record(z.string(), z.strictObject(partShape), 'must be a map of workspaces')
    .optional(),
  media: z.strictObject(mediaShape).optional(),
  baseUrl: withoutProblem(baseUrlProblem).optional(),
  links: z.strictObject(linksShape).optional(),
  warnings: z.strictObject(warningsShape).optional(),
  markdown: z.strictObject(markdownShape).optional(),
}

const configSchema = z.strictObject(configShape, 'must export an object')

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
  if (path.length === 0) return Object.keys(configShape)
  if (path[0] === 'precompute')
    return ['versions', 'formats', 'pageSizes', 'lists', 'ids', 'neighbours']
  if (path[0] === 'links') return Object.keys(linksShape)
  if (path[0] === 'warnings') return Object.keys(warningsShape)
  if (path[0] === 'media') return Object.keys(mediaShape)
  if (path[0] === 'workspaces') return mountedParts
  if (path[0] === 'markdown') return Object.keys(markdownShape)
  if (path.length === 1) return [...Object.keys(mappingShape), 'posts']
  const steps = Object.keys((path.at(-1) === 'slug' ? slugSource : fieldSource).shape)
  if (path.length > 2) return steps
  if (path[1] === 'posts') return Object.keys(mappingShape)
  return Object.hasOwn(kindShape, String(path[1])) ? [...steps, ...Object.keys(termShape)] : steps
}
