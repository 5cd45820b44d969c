// The schema of a configuration, and its error messages.
import * as z from 'zod'
import { formats, versions } from '../api/request.ts'
import { hostNames } from '../config/names.ts'
import { mountedParts } from '../content/mounts.ts'
import { isDiagnosticCode, UseError } from '../diagnostics.ts'
import {
  baseUrlProblem,
  brokenLinkSettings,
  brokenLinksMessage,
  postLinkProblem,
} from '../model/destinations.ts'
import { isByKind, mappedFields, mappedTermFields } from '../model/map-fields.ts'
import { didYouMean } from '../model/read-fields.ts'
import { validText } from '../model/schema.ts'
import { isListName, listParts } from './names.ts'

/** Extensions except those of Markdown, which are posts. */
const downloadExtension = /^\.(?!(?:md|markdown|mdx)$)[a-z0-9]{1,10}$/

const downloadMessage =
  'must be a list of lower-case extensions, such as ".pdf", without those of Markdown'

/** Returns a `QuarryConfig`. @param file the file name for errors @throws UseError that lists every mistake */
export function checkConfig(value: unknown, file: string): object {
  const result = configSchema.safeParse(value)
  if (result.success) return result.data
  const lines = result.error.issues.map(
    ({ path, message }) => `  ${path.map(String).join('.') || 'the file'} ${message}`,
  )
  throw new UseError(`${file} is not a valid configuration:\n${lines.join('\n')}`)
}

/** A map without other keys. @param more keys of other forms, for hints */
function strict<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  more: readonly string[] = [],
  message = 'must be a map',
) {
  const known = [...Object.keys(shape), ...more]
  const error: z.core.$ZodErrorMap = ({ path = [] }) =>
    `is not a known setting. ${didYouMean(String(path.at(-1)), known) ?? ''}`.trimEnd()
  return z.object(shape, message).catchall(z.custom(() => false, { error }))
}

const text = z.string('must be text').min(1, 'must not be empty')
const boolean = z.boolean('must be true or false').optional()

function integer(from: number, to: number) {
  const message = `must be an integer from ${from} to ${to}`
  const isInRange = (value: number) => Number.isInteger(value) && value >= from && value <= to
  // Only one check, because a value that fails several checks would be reported several times.
  return z.number(message).refine(isInRange, message)
}

function quoted(values: readonly string[]): string {
  return values.map((value) => `"${value}"`).join(', ')
}

function subsetOf(values: readonly string[], min = 0) {
  const message = `must be a list of values from ${quoted(values)}`
  return z
    .array(z.enum(values as [string], `must be one of ${quoted(values)}`), message)
    .min(min, message)
    .optional()
}

function oneOf(values: readonly string[], message = `must be one of ${quoted(values)}`) {
  return z.enum(values as [string], message).optional()
}

/** Checks a value with the schema of its form. Unlike with `z.union`, errors describe only the form in use. */
function byForm(schemaOf: (value: unknown) => z.ZodType) {
  return z
    .unknown()
    .superRefine((value, context) => {
      for (const issue of schemaOf(value).safeParse(value).error?.issues ?? [])
        context.addIssue({ ...issue })
    })
    .optional()
}

const keys = z.union([z.string(), z.array(z.string())], 'must be a key or a list of keys')

const sourceShape = {
  from: keys.optional(),
  split: z.string().min(1).optional(),
  take: oneOf(['first', 'last'], 'must be "first" or "last"'),
  slugify: boolean,
  dates: z.literal('loose', 'must be "loose"').optional(),
  not: boolean,
  default: z.string('must be text').optional(),
}

const slugShape = {
  ...sourceShape,
  derive: oneOf(['name', 'path'], 'must be "name" or "path"'),
}

/** Accepts text or a list as a short form of `from`. */
function sourceOf(schema: z.ZodType) {
  return byForm((value) => (typeof value === 'string' || Array.isArray(value) ? keys : schema))
}

const lists = ['tags', 'authors', 'category', 'aliases']

/** Returns the schema of a field of posts. For a field that is not a list, `split` requires `take`. */
function postField(field: string) {
  const isSingle = (value: { readonly split?: unknown; readonly take?: unknown }) =>
    value.split === undefined || value.take !== undefined || lists.includes(field)
  const message = 'is not a list: add `take: "first"` or `take: "last"`, or remove `split`'
  return sourceOf(strict(field === 'slug' ? slugShape : sourceShape).refine(isSingle, message))
}

const ignore = z
  .union([z.literal(true), z.array(z.string())], 'must be a list of keys or true')
  .optional()
const mappingShape = {
  ...Object.fromEntries(mappedFields.map((field) => [field, postField(field)])),
  ignore,
}
const termShape = {
  ...Object.fromEntries(mappedTermFields.map((field) => [field, sourceOf(strict(sourceShape))])),
  ignore,
}
const terms = strict(termShape).optional()
/** Mappings by names of keys and fields, which only the content defines. */
const items = z.record(z.string(), z.union([ignore, sourceOf(strict(sourceShape))])).optional()

/** A mapping for posts, or a mapping per kind. */
const frontMatter = byForm((value) =>
  typeof value === 'object' && value !== null && isByKind(value)
    ? strict({
        posts: strict(mappingShape).optional(),
        categories: terms,
        tags: terms,
        authors: terms,
        collections: z.record(z.string(), items).optional(),
      })
    : strict(mappingShape, ['posts']),
)

const listsMessage = `must be one or more of "default", ${quoted(listParts)}, joined with "+", such as "excludeContent+all"`
const listName = z.string(listsMessage).refine(isListName, listsMessage)
const isCode = 'must be warning codes, such as "raw-html"'
const code = z.string(isCode).refine(isDiagnosticCode, isCode)

const cacheMessage = 'must be "public" with ages in seconds, such as "public, max-age=60"'
const cachePattern =
  /^public(?:, ?(?:(?:max-age|s-maxage|stale-while-revalidate|stale-if-error)=\d{1,9}|must-revalidate))*$/
const originMessage = 'must be an origin, such as "https://example.com"'
const originPattern = /^https?:\/\/[a-z\d.-]+(?::\d{1,5})?$/

const configSchema = strict(
  {
    content: text.optional(),
    out: text.optional(),
    host: text.optional(),
    port: integer(0, 65_535).optional(),
    workers: integer(1, 256).optional(),
    cache: text.optional(),
    changes: boolean,
    browser: boolean,
    precompute: strict({
      versions: subsetOf(versions),
      formats: subsetOf(formats, 1),
      pageSizes: z.array(integer(1, 100), 'must be a list of page sizes').min(1).optional(),
      lists: z.array(listName, listsMessage).min(1, listsMessage).optional(),
      ids: boolean,
    }).optional(),
    platform: oneOf(hostNames),
    frontMatter,
    frontMatterBytes: integer(1024, 16 * 1024 * 1024).optional(),
    workspaces: z
      .record(
        z.string(),
        strict(Object.fromEntries(mountedParts.map((part) => [part, text.optional()]))),
        'must be a map of workspaces',
      )
      .optional(),
    media: strict({
      roots: z.array(text, 'must be a list of folders').optional(),
      files: z
        .array(z.string().regex(downloadExtension, downloadMessage), downloadMessage)
        .optional(),
      widths: z.array(integer(1, 10_000), 'must be a list of widths in pixels').optional(),
      preview: boolean,
    }).optional(),
    baseUrl: validText(baseUrlProblem).optional(),
    links: strict({
      post: validText(postLinkProblem).optional(),
      broken: oneOf(brokenLinkSettings, brokenLinksMessage),
    }).optional(),
    http: strict({
      cacheControl: z.string(cacheMessage).regex(cachePattern, cacheMessage).optional(),
      cors: z.array(z.string(originMessage).regex(originPattern, originMessage)).optional(),
    }).optional(),
    warnings: strict({ ignore: z.array(code, isCode).optional() }).optional(),
    markdown: strict({
      html: oneOf(['sanitize', 'omit'], 'must be "sanitize" or "omit"'),
      headingIds: boolean,
      alerts: boolean,
      singleTilde: boolean,
      math: boolean,
      mdx: boolean,
    }).optional(),
  },
  [],
  'must export an object',
)
