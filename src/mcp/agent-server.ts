// The Model Context Protocol server for agents: tools over API responses, based on the protocol's SDK.

import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js'
import type { jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js'
import type { FieldError } from '#client'
import { ApiError, errorJson } from '../api/errors.ts'
import { maskCleartextKeys } from '../api/keys.ts'
import { descriptionOf } from '../api/openapi.ts'
import {
  operationOf,
  type ParameterName,
  parametersOf,
  parameterTable,
  typeOf,
} from '../api/parameters.ts'
import type { Target } from '../api/request.ts'
import { resourceKinds } from '../api/resources.ts'
import type { AgentSource } from '../runtime/agents.ts'
import type { HttpReply } from '../runtime/http.ts'

interface ContentTool {
  readonly name: string
  readonly description: string
  readonly resource: Target['resource']
  /** Required arguments that are segments of the path. @default none */
  readonly path?: readonly ('collection' | 'identifier')[]
  /** Required parameters. @default none */
  readonly required?: readonly ParameterName[]
  /** Values of omitted parameters. @default none */
  readonly defaults?: Readonly<Partial<Record<ParameterName, unknown>>>
}

/** Arguments of a call, which can be any JSON. */
export type ToolArguments = Readonly<Record<string, unknown>>

const listDefaults = { format: 'markdown', excludeContent: true }

/** Every tool except `list_workspaces`. */
export const contentTools: readonly ContentTool[] = [
  {
    name: 'list_posts',
    description:
      'Lists the published posts of a workspace, newest first, with filters and pages. Posts have no content unless excludeContent is false.',
    resource: 'posts',
    defaults: listDefaults,
  },
  {
    name: 'search_posts',
    description:
      'Finds every published post with a text anywhere in its title or visible text, also inside words. Filters of list_posts apply.',
    resource: 'posts',
    required: ['query'],
    defaults: listDefaults,
  },
  {
    name: 'get_post',
    description: 'Returns one published post with its content, in Markdown unless format is html.',
    resource: 'posts',
    path: ['identifier'],
    defaults: { format: 'markdown' },
  },
  ...resourceKinds
    .filter((resource) => resource !== 'posts')
    .map((resource) => ({
      name: `list_${resource}`,
      description: `Lists the ${resource} of a workspace, by name.`,
      resource,
    })),
  {
    name: 'list_collections',
    description: 'Lists the collections of a workspace: its custom types of content.',
    resource: 'collections',
  },
  {
    name: 'list_items',
    description:
      'Lists the items of a collection in its order, with filters, search and pages. Items have no content unless excludeContent is false.',
    resource: 'items',
    path: ['collection'],
    defaults: listDefaults,
  },
  {
    name: 'get_item',
    description: 'Returns one item of a collection, in Markdown unless format is html.',
    resource: 'items',
    path: ['collection', 'identifier'],
    defaults: { format: 'markdown' },
  },
  {
    name: 'get_singleton',
    description: 'Returns a singleton, such as a menu, by its name.',
    resource: 'singletons',
    path: ['identifier'],
    defaults: { format: 'markdown' },
  },
]

const pathArguments = {
  collection: 'Name of the collection: see list_collections.',
  identifier: 'Slug or id; the name of a singleton.',
}

function argumentsSchema(tool: ContentTool): Tool['inputSchema'] {
  const { path = [], required = [], defaults = {} } = tool
  const operation = operationOf(toTarget(tool))
  const parameters = parametersOfTool(tool).map((name): [string, object] => {
    const value = defaults[name]
    const description = descriptionOf(name, operation)
    const { schema } = typeOf(name, operation)
    return [name, { ...schema, description, ...(value === undefined ? {} : { default: value }) }]
  })
  const segments = path.map((name): [string, object] => {
    return [name, { type: 'string', minLength: 1, description: pathArguments[name] }]
  })
  return {
    type: 'object',
    properties: {
      workspace: { type: 'string', description: 'Id of the workspace: see list_workspaces.' },
      ...Object.fromEntries([...segments, ...parameters]),
    },
    required: [...path, ...required],
  }
}

/** Returns a path: `posts?limit=3&strict=true`. Omits null arguments. @throws ApiError 400 for unsupported types */
export function pathOfCall(tool: ContentTool, { workspace: _, ...sent }: ToolArguments): string {
  const { resource, path = [], required = [], defaults } = tool
  const given = Object.entries(sent).filter(([, value]) => value !== null)
  const inPath: readonly string[] = ['identifier', ...path]
  const parameters = Object.fromEntries(given.filter(([name]) => !inPath.includes(name)))
  const all: ToolArguments = { ...defaults, ...parameters }
  const names: readonly string[] = [...parametersOfTool(tool), 'strict']
  const isText = (value: unknown) => typeof value === 'string' && value.trim() !== ''
  const problems: FieldError[] = []
  for (const field of path)
    if (!isText(sent[field])) problems.push({ field, message: 'must be a slug or an id' })
  for (const field of required)
    if (!isText(all[field])) problems.push({ field, message: 'is missing' })
  for (const [field, value] of Object.entries(all)) {
    const message = problemOf(names, field, value)
    if (message !== null) problems.push({ field, message })
  }
  if (problems.length > 0) throw argumentsError(problems)
  const query = new URLSearchParams()
  for (const [field, value] of Object.entries(all))
    for (const item of [value].flat()) query.append(field, String(item))
  // Makes unknown arguments an error, so that the agent can correct itself.
  query.set('strict', 'true')
  // URLs cannot contain lone surrogates. A slug of an item may be a path.
  const encode = (text: string) => encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'))
  const segments = path.flatMap((name) => {
    const text = String(sent[name])
    return resource === 'items' && name === 'identifier' ? text.split('/') : text
  })
  const root = resource === 'items' ? 'collections' : resource
  return `${[root, ...segments.map(encode)].join('/')}?${query}`
}

/** Rejects parameters of other requests, including `status`, because agents may not read drafts with any key. */
function problemOf(names: readonly string[], name: string, value: unknown): string | null {
  if (Object.hasOwn(parameterTable, name) && !names.includes(name))
    return 'is not an argument of this tool'
  const isPlain = (item: unknown) => ['string', 'number', 'boolean'].includes(typeof item)
  const items = Array.isArray(value) ? value : [value]
  return items.every(isPlain) ? null : 'must be a string, a number, a boolean or a list of strings'
}

function argumentsError(details: readonly FieldError[]): ApiError {
  const names = details.map(({ field }) => field).join(', ')
  return new ApiError(400, `Invalid arguments: ${names}.`, { details })
}

function toTarget({ resource, path }: ContentTool) {
  return { resource, identifier: path?.includes('identifier') ? '' : null }
}

function parametersOfTool(tool: ContentTool): readonly ParameterName[] {
  return parametersOf(toTarget(tool)).filter((name) => name !== 'strict')
}

const listWorkspaces: Tool = {
  name: 'list_workspaces',
  title: 'List workspaces',
  description: 'Lists the ids of the workspaces that can be read here.',
  inputSchema: { type: 'object', properties: {} },
  annotations: { readOnlyHint: true, openWorldHint: false },
}

const tools: readonly Tool[] = [
  ...contentTools.map((tool): Tool => {
    const { name, description } = tool
    const { annotations } = listWorkspaces
    const title = name[0]?.toUpperCase() + name.slice(1).replaceAll('_', ' ')
    return { name, title, description, inputSchema: argumentsSchema(tool), annotations }
  }),
  listWorkspaces,
]

/** Creates a server for one connection or message. @param source called for every tool call */
export function createAgentServer(source: () => AgentSource): Server {
  const server = new Server(
    { name: 'quarry', version: source().build },
    {
      capabilities: { tools: {} },
      // The validator is only for requested user input, and no tool requests any. By default, the SDK creates one
      // per server.
      jsonSchemaValidator: noValidator,
      instructions:
        'Published posts, categories, tags, authors, and items of custom types. Results are JSON; content is Markdown.',
    },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...tools] }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    callTool(source(), params.name, params.arguments ?? {}),
  )
  return server
}

const noValidator: jsonSchemaValidator = {
  getValidator: () => {
    throw new Error('Nothing is validated here.')
  },
}

/** Calls a tool. An API error is a result, so that the agent can react to it. @throws McpError for an unknown tool */
async function callTool(
  source: AgentSource,
  name: string,
  given: ToolArguments,
): Promise<CallToolResult> {
  if (name === listWorkspaces.name) {
    return resultOf(JSON.stringify({ workspaces: source.workspaces.map((id) => ({ id })) }), false)
  }
  const tool = contentTools.find((known) => known.name === name)
  if (tool === undefined)
    throw new McpError(
      ErrorCode.InvalidParams,
      `There is no tool ${maskCleartextKeys(name.slice(0, 64))}.`,
    )
  try {
    const reply = await source.get(workspaceOf(source, given), pathOfCall(tool, given))
    return resultOf(textOf(reply), reply.status !== 200)
  } catch (error) {
    if (error instanceof ApiError) return resultOf(errorJson('v2', error), true)
    throw error
  }
}

/** Returns the workspace of a call: the named one, or that of the key, or the only one. */
function workspaceOf({ workspaces, own }: AgentSource, { workspace }: ToolArguments): string {
  const only = workspaces.length === 1 ? workspaces[0] : undefined
  const id = workspace ?? own ?? only
  if (typeof id === 'string' && workspaces.includes(id)) return id
  if (typeof id === 'string') throw new ApiError(404, 'There is no such workspace.')
  const names = workspaces.map((known) => JSON.stringify(known)).join(', ')
  throw argumentsError([{ field: 'workspace', message: `must be one of ${names}` }])
}

/** @throws ApiError for a streamed body, which is too long for an agent */
function textOf({ body, headers }: HttpReply): string {
  if (body === null) return ''
  if (body instanceof Uint8Array) return new TextDecoder().decode(body)
  const length = headers.find(([name]) => name === 'content-length')?.[1] ?? 'more than a million'
  throw new ApiError(
    400,
    `The response has ${length} bytes, which is too long for a tool. Use limit and page, or excludeContent.`,
  )
}

function resultOf(text: string, isError: boolean): CallToolResult {
  return { content: [{ type: 'text', text }], ...(isError ? { isError } : {}) }
}
