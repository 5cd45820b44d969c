// The OpenAPI document, generated from the tables that route requests and parse parameters. It is the same for every
// workspace.
import { type DocumentKind, documentTable, isDocumentKind } from './documents.ts'
import { type ErrorStatus, errorLabels } from './errors.ts'
import {
  includedOn,
  type OperationKind,
  operationOf,
  type ParameterName,
  parametersOf,
  typeOf,
} from './parameter-table.ts'
import { defaultParameters, type IncludeName } from './request.ts'
import { type ResourceKind, resourceKinds } from './resources.ts'
import { type Operation, operations } from './routes.ts'
import { derivedSchema, ref, type Scaling, type Schema, schemas } from './schemas.ts'

/** An OpenAPI 3.1 document, ready for JSON. */
export interface OpenApiDocument {
  readonly openapi: string
  readonly info: Readonly<Record<'title' | 'version' | 'description', string>> & {
    readonly contact: { readonly name: string }
    readonly license: { readonly name: string; readonly identifier: string }
  }
  /** Relative to the URL of the document. */
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, { readonly get: DescribedOperation }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly securitySchemes?: Schema
  }
}

/** An operation of the document. */
export interface DescribedOperation {
  readonly operationId?: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  /** Empty if no key is required. */
  readonly security: readonly Schema[]
  readonly parameters: readonly Schema[]
  /** By status. */
  readonly responses: Readonly<Record<string, Schema>>
}

/** Settings of a site that change its document. */
export interface OpenApiOptions {
  /** False if `limit=all` is disabled. @default true */
  readonly limitAll?: boolean
  /** Origin of the API. @default the origin that serves the document */
  readonly baseUrl?: string | undefined
  readonly scaling?: Scaling
}

/** Returns the OpenAPI 3.1 document as JSON, in UTF-8. */
export function openApiJson(options: OpenApiOptions): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(openApiDocument(options)))
}

/** Returns the OpenAPI 3.1 document. */
export function openApiDocument({
  limitAll = true,
  baseUrl,
  scaling,
}: OpenApiOptions = {}): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Content delivery API',
      version: '2',
      description: 'Read-only access to posts, authors, categories and tags. v2 is recommended.',
      contact: { name: 'quarry' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl?.replace(/(?<!\/)\/+$/, '') ?? '/' }],
    tags: resourceKinds.map((name) => ({ name, description: tagDescriptions[name] })),
    paths: Object.fromEntries(
      operations.map((operation) => [operation.template, { get: describe(operation, limitAll) }]),
    ),
    components: {
      schemas: { ...schemas, Derived: derivedSchema(scaling) },
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', bearerFormat: 'qk_…' } },
    },
  }
}

const tagDescriptions: Readonly<Record<ResourceKind, string>> = {
  posts: 'Posts, newest first, with filters and search.',
  categories: 'Categories, by name.',
  tags: 'Tags, by name.',
  authors: 'Authors, by name.',
}

const bodies: Readonly<Record<ResourceKind, { readonly list: string; readonly single: string }>> = {
  posts: { list: 'PostList', single: 'SinglePost' },
  categories: { list: 'CategoryList', single: 'Term' },
  tags: { list: 'TagList', single: 'Term' },
  authors: { list: 'AuthorList', single: 'Author' },
}

const singular: Readonly<Record<ResourceKind, string>> = {
  posts: 'post',
  categories: 'category',
  tags: 'tag',
  authors: 'author',
}

function describe(operation: Operation, limitAll: boolean): DescribedOperation {
  const { version, resource, isList } = operation
  const name = summaryOf(operation)
  const target = { version, resource, identifier: isList ? null : '' }
  const accepted = operation.isText ? [] : parametersOf(target)
  return {
    operationId: operationId(operation),
    summary: name,
    description: `${name} of ${version === 'v1' ? 'a workspace, without a key' : "the key's workspace"}.`,
    tags: [isDocumentKind(resource) ? 'posts' : resource],
    security: version === 'v2' ? [{ apiKey: [] }] : [],
    parameters: [
      ...pathParameters(operation),
      ...accepted.map((parameter) => describeParameter(operationOf(target), parameter, limitAll)),
    ],
    responses: {
      '200': bodyResponse(operation),
      ...(resource === 'posts' && !isList ? { '308': moved } : {}),
      '304': { description: 'Not modified: `If-None-Match` matches the current response.' },
      ...errorResponses(operation),
    },
  }
}

const moved: Schema = {
  description: 'The identifier is an old slug of the post; `Location` has its path.',
  headers: { Location: { required: true, schema: { type: 'string' } } },
}

function summaryOf({ resource, isList, isText }: Operation): string {
  if (isText) return 'Read one post as Markdown'
  if (isDocumentKind(resource)) return documentDescriptions[resource].summary
  return isList ? `List ${resource}` : `Get one ${singular[resource]}`
}

function bodyResponse({ resource, isList, isText }: Operation): Schema {
  if (isText) {
    const form = { 'text/markdown': { schema: { type: 'string' } } }
    return { description: 'The Markdown, after a heading of the title.', content: form }
  }
  if (!isDocumentKind(resource))
    return jsonResponse('The response.', bodies[resource][isList ? 'list' : 'single'])
  const { contentType } = documentTable[resource]
  const { schema } = documentDescriptions[resource]
  const [type = ''] = contentType.split(';')
  const form = schema === null ? { type: 'string' } : ref(schema)
  return { description: 'The response.', content: { [type]: { schema: form } } }
}

/** `v1GetFeedXml`, `v2ListPosts`. */
function operationId(operation: Operation): string {
  const { version, resource, isList } = operation
  const [verb = ''] = summaryOf(operation).split(' ')
  const noun = isList || isDocumentKind(resource) ? resource : singular[resource]
  const words = noun.split('.').map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
  return `${version}${verb}${words.join('')}`
}

function pathParameters({ version, resource, isList }: Operation): readonly Schema[] {
  const workspace = pathParameter('workspaceId', 'The workspace: the name of its folder.')
  const own = version === 'v1' ? [workspace] : []
  if (isList || isDocumentKind(resource)) return own
  return [...own, pathParameter('identifier', `Slug or id of the ${singular[resource]}.`)]
}

function pathParameter(name: string, description: string): Schema {
  return { name, in: 'path', required: true, description, schema: { type: 'string' } }
}

/** Describes a parameter of an operation. */
export function describeParameter(
  operation: OperationKind,
  name: ParameterName,
  limitAll: boolean,
): Schema {
  const schema = { ...typeOf(name, operation, limitAll).schema, ...defaultOf(name) }
  const description = descriptionOf(name, operation)
  // A list is one comma-separated value; repeats of the parameter are concatenated.
  const style = 'type' in schema && schema.type === 'array' ? { style: 'form', explode: false } : {}
  return { name, in: 'query', required: false, description, ...style, schema }
}

/** Returns a default only if a request can send it. */
function defaultOf(name: ParameterName): { readonly default?: unknown } {
  const value = name === 'strict' ? false : defaultParameters[name]
  return (typeof value === 'string' && value !== '') || typeof value === 'number'
    ? { default: value }
    : {}
}

/** Describes a parameter and each of its values. */
export function descriptionOf(name: ParameterName, operation: OperationKind): string {
  const description = parameterDescriptions[name]
  if (name !== 'include') return description
  const values = includedOn(operation).map(
    (value) => `\`${value}\` (${includeDescriptions[value]})`,
  )
  return `${description} ${values.join(', ')}.`
}

function errorResponses({ version, resource }: Operation): Readonly<Record<string, Schema>> {
  const v2Only: readonly ErrorStatus[] = [401, 403]
  const statuses = (Object.keys(errorLabels) as unknown[]).map(Number) as ErrorStatus[]
  const entries = statuses
    .filter((status) => version === 'v2' || !v2Only.includes(status))
    .filter((status) => resource === 'changes' || status !== 410)
    .map((status) => [
      String(status),
      jsonResponse(`${errorLabels[status]}.`, version === 'v1' ? 'ErrorV1' : 'ErrorV2'),
    ])
  return Object.fromEntries(entries)
}

/** A response in JSON, by the name of its schema. */
export function jsonResponse(description: string, schema: string): Schema {
  return { description, content: { 'application/json': { schema: ref(schema) } } }
}

/** Description of each parameter. */
const parameterDescriptions: Readonly<Record<ParameterName, string>> = {
  limit: 'Items per page. Post lists also accept `all`, which returns everything on one page.',
  page: 'Page number, from 1.',
  order: 'Newest first (`desc`) or oldest first (`asc`).',
  orderBy:
    'Order of posts: by publication, by update, by title, or by a custom field with `fields.NAME`.',
  categories: 'Only posts in any of these categories: slugs.',
  excludeCategories: 'No posts in any of these categories: slugs.',
  tags: 'Only posts with at least one of these tags: slugs.',
  excludeTags: 'No posts with any of these tags: slugs.',
  tagsMatch: '`all`: only posts with every one of `tags`.',
  authors: 'Only posts by at least one of these authors: slugs.',
  excludeAuthors: 'No posts by any of these authors: slugs.',
  authorsMatch: '`all`: only posts by every one of `authors`.',
  publishedAfter: 'Only posts published at or after this time.',
  publishedBefore: 'Only posts published before this time.',
  updatedAfter: 'Only posts updated at or after this time.',
  updatedBefore: 'Only posts updated before this time.',
  slugs: 'Only the posts with these slugs.',
  ids: 'Only the posts with these ids.',
  query: 'Only posts with this text in their title or visible text, ignoring case and accents.',
  match: '`words`: `query` is up to 16 words, each of which is somewhere in the title or the text.',
  format: 'Format of `content`.',
  excludeContent: '`true` omits `content` from each post.',
  select: 'Returns only these keys of each post, and `id`. The schema shows the whole post.',
  featured: 'Only posts that are, or are not, featured.',
  include: 'Adds to the response:',
  strict: '`true` makes an unknown parameter a 400.',
  since:
    'Id of an earlier build, whose later changes are returned. Without it, all recorded changes.',
  status:
    'Published posts, drafts or both. Drafts need a key with the scope `drafts:read`, and a build with `--drafts`.',
  type: 'Only media files of this type.',
}

/** Description of each value of `include`. */
const includeDescriptions: Readonly<Record<IncludeName, string>> = {
  posts: 'the posts of a category, a tag or an author; nothing on posts',
  facets: 'the number of posts with each category, tag and author',
  matches: 'with `query`, the passages of each post that contain the text; not with `limit=all`',
  neighbours: 'the previous and the next post by publication',
  related: 'the five posts that share the most tags and the category',
  parent: 'the item whose path is the one above',
  children: 'the items whose paths are one level below',
}

/** Summary of each document, a verb and a noun phrase, and the name of its body's schema; null for text. */
const documentDescriptions: Readonly<
  Record<DocumentKind, { readonly summary: string; readonly schema: string | null }>
> = {
  redirects: { summary: 'List redirects from old slugs', schema: 'RedirectList' },
  changes: { summary: 'List changes since a build', schema: 'ChangeList' },
  'feed.xml': { summary: 'Get the RSS 2.0 feed', schema: null },
  'atom.xml': { summary: 'Get the Atom feed', schema: null },
  'feed.json': { summary: 'Get the JSON Feed', schema: 'JsonFeed' },
  'sitemap.xml': { summary: 'Get the sitemap', schema: null },
  'llms.txt': { summary: 'Get the list for language models', schema: null },
  'llms-full.txt': { summary: 'Get the texts for language models', schema: null },
}

/** Front matter keys of a post, for editors. */
export const postKeyDescriptions: Readonly<Record<string, string>> = {
  title: 'The title of the post.',
  slug: 'The name in its URL. Default: the file name.',
  id: 'Default: derived from workspace and slug.',
  description: 'A short summary.',
  category: 'Slug or id of a category.',
  aliases: 'Slugs that the post had before.',
  url: 'URL of the post on the site, if it is not the one of `links.post`.',
  translationKey: 'What its translations have, too. Default: the path of the file.',
  tags: 'Slugs or ids, in the order in which they are shown.',
  authors: 'Slugs or ids, in the order in which they are shown.',
  publishedAt: "When it is published, ISO 8601. Default: the date in the file's name.",
  updatedAt: 'Default: publishedAt.',
  expiresAt: 'From this time on, no reader sees the post.',
  coverImage: 'URL of a picture.',
  attribution: 'Free text about the original publication.',
}
