// The OpenAPI document, generated from the tables that route requests and parse parameters, and from the definitions of
// workspaces.
import { type DocumentKind, documentTable, isDocumentKind } from './documents.ts'
import { errorLabels } from './errors.ts'
import { fieldParameters, type ValueType } from './parameter-values.ts'
import {
  includesOf,
  type OperationKind,
  operationOf,
  type ParameterName,
  parametersOf,
  parameterTable,
  typeOf,
} from './parameters.ts'
import type { IncludeName, Target, Version } from './request.ts'
import { type ResourceKind, resourceKinds, singular } from './resources.ts'
import { matchRoute, operations } from './routes.ts'
import {
  type DescribedContent,
  type DescribedFields,
  ref,
  type Scaling,
  type Schema,
  schemasOf,
} from './schemas.ts'

/** An OpenAPI 3.1 document, ready for JSON. */
export interface OpenApiDocument extends Schema {
  readonly info: Schema & { readonly title: string }
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, { readonly get: Described }>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> } & Schema
}

interface Described extends Schema {
  readonly parameters: readonly Schema[]
}

/** Settings of a site that change its document. */
export interface OpenApiOptions {
  /** Origin of the API. @default the origin that serves the document */
  readonly baseUrl?: string | undefined
  readonly scaling?: Scaling
}

const noContent: DescribedContent = {
  ...{ collections: [], singletons: [], hasTermFields: false, locales: 'none' },
}

/** Returns the OpenAPI 3.1 document. */
export function openApiDocument(
  { baseUrl, scaling }: OpenApiOptions = {},
  content: DescribedContent = noContent,
): OpenApiDocument {
  const { workspace } = content
  const own = workspace && encodeURIComponent(workspace.id)
  const paths = [...operations, ...ownOperations(content)].flatMap((path) => {
    const template = path.replace('{workspaceId}', own ?? '$&')
    const target = matchRoute(template)
    if (target === null || (target.version === 'v1' && workspace?.isV1Private)) return []
    return [[template, { get: describe(template, target, content) }] as const]
  })
  return {
    openapi: '3.1.0',
    info: {
      title: workspace?.title ?? 'Content delivery API',
      version: '2',
      description: 'Read-only access to posts, authors, categories and tags. v2 is recommended.',
      contact: { name: 'quarry' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl?.replace(/(?<!\/)\/+$/, '') ?? '/' }],
    tags: resourceKinds.map((name) => ({ name, description: tagDescriptions[name] })),
    paths: Object.fromEntries(paths),
    components: {
      schemas: schemasOf(content, scaling),
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

/** Names of the schemas of one resource. */
const singleSchemas = { posts: 'SinglePost', categories: 'Term', tags: 'Term', authors: 'Author' }

/** What the document says of an operation, besides its parameters. */
interface OperationForm {
  readonly summary: string
  readonly response: Schema
  /** Absent for own content. */
  readonly id?: string
  /** Fields of posts and items. */
  readonly fields?: DescribedFields | undefined
}

function formOf(target: Target, { fields, collections }: DescribedContent): OperationForm {
  const { resource, collection, identifier } = target
  const isList = identifier === null
  if (isDocumentKind(resource)) return formOfDocument(resource)
  if (identifier?.endsWith('.md')) {
    const response = responseIn(
      'text/markdown',
      text,
      'The Markdown, after a heading of the title.',
    )
    return { summary: 'Read one post as Markdown', response, id: 'ReadPost' }
  }
  if (resource === 'items') {
    const own = collections.find(({ name }) => name === collection)
    const summary = `${isList ? 'List items' : 'Get one item'} of ${collection}`
    const response = jsonResponse(`Item_${collection}_${isList ? 'list' : 'single'}`)
    return { summary, response, fields: own?.fields }
  }
  const kind = resourceKinds.find((each) => each === resource)
  if (kind === undefined)
    return isList
      ? { summary: 'List collections', response: jsonResponse('CollectionList') }
      : { summary: 'Get one singleton', response: jsonResponse('Singleton') }
  const one = singular[kind]
  return {
    summary: isList ? `List ${kind}` : `Get one ${one}`,
    id: isList ? `List${capitalize(kind)}` : `Get${capitalize(one)}`,
    response: jsonResponse(isList ? `${capitalize(one)}List` : singleSchemas[kind]),
    fields: kind === 'posts' ? fields : undefined,
  }
}

function formOfDocument(kind: DocumentKind): OperationForm {
  const { summary, schema } = documentDescriptions[kind]
  const [type = ''] = documentTable[kind].contentType.split(';')
  const [verb = ''] = summary.split(' ')
  const response = responseIn(type, schema === null ? text : ref(schema))
  return { summary, response, id: `${verb}${capitalize(kind)}` }
}

function capitalize(name: string): string {
  return name.replace(/(?:^|\.)(.)/g, (_, letter: string) => letter.toUpperCase())
}

/** The paths of own content. */
function ownOperations({ collections, singletons }: DescribedContent): readonly string[] {
  const items = collections.flatMap(({ name }) => [name, `${name}/{identifier}`])
  const paths = [
    ...(items.length > 0 ? ['collections'] : []),
    ...items.map((path) => `collections/${path}`),
    ...(singletons.length > 0 ? ['singletons/{identifier}'] : []),
  ]
  return paths.flatMap((path) => [`/v2/${path}`, `/v1/{workspaceId}/${path}`])
}

function describe(template: string, target: Target, content: DescribedContent): Described {
  const { version, resource } = target
  const { summary, response, id, fields } = formOf(target, content)
  const isList = target.identifier === null
  const whose = version === 'v1' ? 'a workspace, without a key' : "the key's workspace"
  const operation = operationOf(target)
  // Any language adds the same values.
  const locale = content.locales === 'none' ? undefined : content.locales
  const own = { fields: fields?.indexed, references: fields?.references, locale }
  const hasIncludes = includesOf(operation).length > 0 || fields?.references.length !== 0
  const taken = template.endsWith('.md') ? [] : parametersOf(target)
  const accepted = taken.filter((name) => name !== 'include' || hasIncludes)
  const filters = isList ? fieldParameters(fields?.indexed ?? []) : []
  const kind = resourceKinds.find((each) => each === resource)
  const inPath = Array.from(template.matchAll(/\{(\w+)\}/g), ([, name = '']) => {
    const about = kind && { description: `Slug or id of the ${singular[kind]}.` }
    const description = name === 'workspaceId' ? workspaceName : about
    return { name, in: 'path', required: true, ...description, schema: text }
  })
  return {
    ...(id && { operationId: `${version}${id}` }),
    summary,
    description: id ? `${summary} of ${whose}.` : `${summary}.`,
    tags: [kind ?? 'posts'],
    security: version === 'v2' ? [{ apiKey: [] }] : [],
    parameters: [
      ...inPath,
      ...accepted.map((name) => {
        const type = typeOf(name, operation, own)
        return queryParameter(
          name,
          descriptionOf(name, operation),
          type,
          defaultOf(name, operation),
        )
      }),
      ...(locale === undefined ? [] : [localeParameter]),
      ...filters.map(({ name, description, type }) => queryParameter(name, description, type)),
    ],
    responses: {
      '200': response,
      ...(resource === 'posts' && !isList ? { '308': movedResponse } : {}),
      '304': { description: 'Not modified: `If-None-Match` matches the current response.' },
      ...errorResponses(version, resource),
    },
  }
}

const text: Schema = { type: 'string' }

const workspaceName: Schema = { description: 'The workspace: the name of its folder.' }

const localeParameter: Schema = {
  ...{ name: 'locale', in: 'query', required: false, schema: text },
  description: 'Responds from the workspace in this language, in the same group.',
}

const movedResponse: Schema = {
  description: 'The identifier is an old slug of the post; `Location` has its path.',
  headers: { Location: { required: true, schema: text } },
}

function responseIn(type: string, schema: Schema, description = 'The response.'): Schema {
  return { description, content: { [type]: { schema } } }
}

function jsonResponse(schema: string, description?: string): Schema {
  return responseIn('application/json', ref(schema), description)
}

/** A list is one comma-separated value; repeats of the parameter are concatenated. */
function queryParameter(
  name: string,
  description: string,
  { isList, schema }: ValueType<unknown>,
  usual: Schema = {},
): Schema {
  const style = isList ? { style: 'form', explode: false } : {}
  const about = { name, in: 'query', required: false, description, ...style }
  return { ...about, schema: { ...schema, ...usual } }
}

/** Returns a default only if a request can send it. */
function defaultOf(name: ParameterName, operation: OperationKind): { readonly default?: unknown } {
  // Each collection has its own order.
  if (operation === 'items' && /^order/.test(name)) return {}
  const { usual } = parameterTable[name]
  return usual !== '' && /string|number/.test(typeof usual) ? { default: usual } : {}
}

/** Describes a parameter and each of its values. */
export function descriptionOf(name: ParameterName, operation: OperationKind): string {
  const description = parameterDescriptions[name]
  const ofItems = operation === 'item' || operation === 'items'
  if (name === 'order' && ofItems)
    return '`asc` or `desc`. By default, dates are newest first, and everything else is ascending.'
  if (name !== 'include') return ofItems ? description.replace(/\bpost/g, 'item') : description
  // Lists of posts accept `posts`, which adds nothing.
  const values = includesOf(operation)
    .filter((value) => value !== 'posts' || operation.startsWith('term'))
    .map((value) => `\`${value}\` (${includeDescriptions[value]})`)
  const known = values.length === 0 ? [] : [`${description} ${values.join(', ')}.`]
  return [...known, ...(operation.startsWith('term') ? [] : [wholeTargets])].join(' ')
}

const wholeTargets = 'The name of a field that refers to other resources includes them whole.'

function errorResponses(version: Version, resource: string): Readonly<Record<string, Schema>> {
  const entries = Object.entries(errorLabels)
    .filter(([status]) => version === 'v2' || !['401', '403'].includes(status))
    .filter(([status]) => resource === 'changes' || status !== '410')
    .map(([status, label]) => {
      return [status, jsonResponse(version === 'v1' ? 'ErrorV1' : 'ErrorV2', `${label}.`)]
    })
  return Object.fromEntries(entries)
}

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
  match: '`words`: `query` is up to 16 words, each of which must occur in the title or the text.',
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

const includeDescriptions: Readonly<Record<IncludeName, string>> = {
  posts: 'its posts',
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
  aliases: 'Former slugs of the post.',
  url: 'URL of the post on the site, if it differs from `links.post`.',
  translationKey: 'Shared by the post and its translations. Default: the path of the file.',
  tags: 'Slugs or ids, in the order in which they are shown.',
  authors: 'Slugs or ids, in the order in which they are shown.',
  publishedAt: "When it is published, ISO 8601. Default: the date in the file's name.",
  updatedAt: 'Default: publishedAt.',
  expiresAt: 'The post is hidden from this time on.',
  coverImage: 'URL of a picture.',
  attribution: 'Free text about the original publication.',
}
