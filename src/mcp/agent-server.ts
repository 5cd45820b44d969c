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
import { hideClearKeys } from '../api/clear-key.ts'
import { ApiError, errorJson } from '../api/errors.ts'
import type { AgentSource } from '../runtime/agents.ts'
import type { HttpReply } from '../runtime/http.ts'
import {
  argumentsSchema,
  badArguments,
  contentTools,
  pathOfCall,
  type ToolArguments,
} from './tools.ts'

/** The tool that lists the workspaces. */
const listWorkspaces: Tool = {
  name: 'list_workspaces',
  title: 'List workspaces',
  description: 'Lists the ids of the workspaces that can be read here.',
  inputSchema: { type: 'object', properties: {} },
  annotations: { readOnlyHint: true, openWorldHint: false },
}

const tools: readonly Tool[] = [
  ...contentTools.map(
    (tool): Tool => ({
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: argumentsSchema(tool),
      annotations: { readOnlyHint: true, openWorldHint: false },
    }),
  ),
  listWorkspaces,
]

/**
 * Creates a server for one connection or one message.
 *
 * @param source called for every tool call, so that a new build is read as a whole
 * @param run runs each call; may throw an McpError instead. @default at once
 */
export function createAgentServer(
  source: () => AgentSource,
  run: <T>(call: () => T | Promise<T>) => Promise<T> = async (call) => call(),
): Server {
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
  server.setRequestHandler(ListToolsRequestSchema, () => run(() => ({ tools: [...tools] })))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    run(() => callTool(source(), params.name, params.arguments ?? {})),
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
