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
import { ApiError, errorJson, type FieldError } from '../api/errors.ts'
import { hideClearKeys } from '../api/keys.ts'
import { descriptionOf } from '../api/openapi.ts'
import {
  operationOf,
  type ParameterName,
  parametersOf,
  parameterTable,
  typeOf,
} from '../api/parameter-table.ts'
import { type ResourceKind, resourceKinds } from '../api/resources.ts'
import type { AgentSource } from '../runtime/agents.ts'
import type { HttpReply } from '../runtime/http.ts'

/** A tool for one operation. */
interface ContentTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly resource: ResourceKind
  /** False for a tool that returns a single resource, by slug or id. */
  readonly isList: boolean
  /** Required parameters, besides the identifier of a single resource. */
  readonly required: readonly ParameterName[]
  /** Values of omitted parameters. */
  readonly defaults: Readonly<Partial<Record<ParameterName, unknown>>>
}

/** Arguments of a call: any JSON. */
export type ToolArguments = Readonly<Record<string, unknown>>

const leanList = { format: 'markdown', excludeContent: true }

/** Every tool except `list_workspaces`. */
export const contentTools: readonly ContentTool[] = [
  {
    name: 'list_posts',
    title: 'List posts',
    description:
      'Lists the published posts of a workspace, newest first, with filters and pages. Posts have no content unless excludeContent is false.',
    resource: 'posts',
    isList: true,
    required: [],
    defaults: leanList,
  },
  {
    name: 'search_posts',
    title: 'Search posts',
    description:
      'Finds every published post with a text anywhere in its title or visible text, also inside words. Filters of list_posts apply.',
    resource: 'posts',
    isList: true,
    required: ['query'],
    defaults: leanList,
  },
  {
    name: 'get_post',
    title: 'Get one post',
    description: 'Returns one published post with its content, in Markdown unless format is html.',
    resource: 'posts',
    isList: false,
    required: [],
    defaults: { format: 'markdown' },
  },
  ...resourceKinds
    .filter((resource) => resource !== 'posts')
    .map((resource) => ({
      name: `list_${resource}`,
      title: `List ${resource}`,
      description: `Lists the ${resource} of a workspace, by name.`,
      resource,
      isList: true,
      required: [],
      defaults: {},
    })),
]

/** The JSON Schema of a tool's arguments. */
function argumentsSchema(tool: ContentTool): Tool['inputSchema'] {
  const identifier = { type: 'string', minLength: 1, description: 'Slug or id.' }
  const operation = operationOf(targetOf(tool))
  const parameters = parametersOfTool(tool).map((name): [string, object] => {
    const value = tool.defaults[name]
    const description = descriptionOf(name, operation)
    const { schema } = typeOf(name, operation)
    return [name, { ...schema, description, ...(value === undefined ? {} : { default: value }) }]
  })
  return {
    type: 'object',
    properties: {
      workspace: { type: 'string', description: 'Id of the workspace: see list_workspaces.' },
      ...(tool.isList ? {} : { identifier }),
      ...Object.fromEntries(parameters),
    },
    required: [...(tool.isList ? [] : ['identifier']), ...tool.required],
  }
}

/**
 * The path and query of a call, relative to a version and a workspace: `posts?limit=3&strict=true`. An argument that is
 * null is an absent one.
 *
 * @throws ApiError 400 that lists every argument of an unsupported type; the response to the path rejects all other
 *   mistakes
 */
export function pathOfCall(tool: ContentTool, { workspace: _, ...sent }: ToolArguments): string {
  const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null))
  const { identifier, ...parameters } = tool.isList ? { identifier: '', ...given } : given
  const all: ToolArguments = { ...tool.defaults, ...parameters }
  const names: readonly string[] = [...parametersOfTool(tool), 'strict']
  const isText = (value: unknown) => typeof value === 'string' && value.trim() !== ''
  const problems: FieldError[] = []
  if (!tool.isList && !isText(identifier))
    problems.push({ field: 'identifier', message: 'must be a slug or an id' })
  for (const field of tool.required)
    if (!isText(all[field])) problems.push({ field, message: 'is missing' })
  for (const [field, value] of Object.entries(all)) {
    const message = problemOf(names, field, value)
    if (message !== null) problems.push({ field, message })
  }
  if (problems.length > 0) throw badArguments(problems)
  const query = new URLSearchParams()
  for (const [field, value] of Object.entries(all))
    for (const item of [value].flat()) query.append(field, String(item))
  // Makes unknown arguments an error, so that the agent can correct itself.
  query.set('strict', 'true')
  // URLs cannot contain lone surrogates.
  const single = tool.isList
    ? ''
    : `/${encodeURIComponent(String(identifier).replace(/\p{Cs}/gu, '\ufffd'))}`
  return `${tool.resource}${single}?${query}`
}

/** Rejects parameters of other requests, including `status`: agents read no drafts, whatever their key. */
function problemOf(names: readonly string[], name: string, value: unknown): string | null {
  if (Object.hasOwn(parameterTable, name) && !names.includes(name))
    return 'is not an argument of this tool'
  const isPlain = (item: unknown) => ['string', 'number', 'boolean'].includes(typeof item)
  const items = Array.isArray(value) ? value : [value]
  return items.every(isPlain) ? null : 'must be a string, a number, a boolean or a list of strings'
}

/** The error for invalid arguments. */
function badArguments(details: readonly FieldError[]): ApiError {
  const names = details.map(({ field }) => field).join(', ')
  return new ApiError(400, `Invalid arguments: ${names}.`, { details })
}

function targetOf({ resource, isList }: ContentTool) {
  return { resource, identifier: isList ? null : '' }
}

function parametersOfTool(tool: ContentTool): readonly ParameterName[] {
  return parametersOf(targetOf(tool)).filter((name) => name !== 'strict')
}

/** The tool that lists the workspaces. */
const listWorkspaces: Tool = {
  name: 'list_workspaces',
  title: 'List workspaces',
  description: 'Lists the ids of the workspaces that can be read here.',
  inputSchema: { type: 'object', properties: {} },
  annotations: { readOnlyHint: true, openWorldHint: false },
}

const tools: readonly Tool[] = [
  ...contentTools.map((tool): Tool => {
    const { name, title, description } = tool
    const { annotations } = listWorkspaces
    return { name, title, description, inputSchema: argumentsSchema(tool), annotations }
  }),
  listWorkspaces,
]

/**
 * Creates a server for one connection or one message.
 *
 * @param source called for every tool call, so that a new build is read as a whole
 */
export function createAgentServer(source: () => AgentSource): Server {
  const server = new Server(
    { name: 'quarry', version: source().build },
    {
      capabilities: { tools: {} },
      // The validator applies only to user input, which is never requested; by default the SDK creates one per
      // server.
      jsonSchemaValidator: noValidator,
      instructions:
        'Published posts, categories, tags and authors. Results are JSON; the content of posts is Markdown.',
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

/** @throws McpError for an unknown tool; an API error is a result, so that the agent can correct itself */
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
      `There is no tool ${hideClearKeys(name.slice(0, 64))}.`,
    )
  try {
    const reply = await source.get(workspaceOf(source, given), pathOfCall(tool, given))
    return resultOf(textOf(reply), reply.status !== 200)
  } catch (error) {
    if (error instanceof ApiError) return resultOf(errorJson('v2', error), true)
    throw error
  }
}

/** The workspace of a call: the named one, else the key's, else the only one. */
function workspaceOf({ workspaces, own }: AgentSource, { workspace }: ToolArguments): string {
  const only = workspaces.length === 1 ? workspaces[0] : undefined
  const id = workspace ?? own ?? only
  if (typeof id === 'string' && workspaces.includes(id)) return id
  if (typeof id === 'string') throw new ApiError(404, 'There is no such workspace.')
  const names = workspaces.map((known) => JSON.stringify(known)).join(', ')
  throw badArguments([{ field: 'workspace', message: `must be one of ${names}` }])
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
