// The OpenAPI document, generated from the tables that route requests and parse parameters. It is the same for every
// workspace.

import { documentDescriptions, includeDescriptions, parameterDescriptions } from './descriptions.ts'
import { documentTable, isDocumentKind } from './documents.ts'
import { type ErrorStatus, errorLabels } from './errors.ts'
import {
  includedOn,
  type OperationKind,
  operationOf,
  type ParameterName,
  parametersOf,
  typeOf,
} from './parameter-table.ts'
import { defaultParameters } from './request.ts'
import { type ResourceKind, resourceKinds } from './resources.ts'
import { type Operation, operations } from './routes.ts'
import { ref, type Schema, schemas } from './schemas.ts'

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
}

/** Returns the OpenAPI 3.1 document as JSON, in UTF-8. */
export function openApiJson(options: OpenApiOptions): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(openApiDocument(options)))
}

/** Returns the OpenAPI 3.1 document. */
export function openApiDocument({
  limitAll = true,
  baseUrl,
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
      schemas,
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
