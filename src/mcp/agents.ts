// Agents over HTTP: each message gets its own server and response, so that a function holds no state between
// messages.
import { readRequestBody } from '@modelcontextprotocol/sdk/server/requestBody.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js'
import { ApiError } from '../api/errors.ts'
import { nextTurn } from '../api/work.ts'
import type { AgentSource, Agents } from '../runtime/agents.ts'
import { corsHeaders } from '../runtime/headers.ts'
import type { Header, HttpReply, HttpRequest } from '../runtime/http.ts'
import { createAgentServer } from './agent-server.ts'

/** Maximum size of a message in bytes: a call with every parameter at its limit takes about 60,000. */
export const messageBytesMax: number = 128 * 1024

/** Maximum number of calls in a message. */
export const callsMax = 10

/** Maximum size of all API responses to the calls of a message, in bytes. */
export const responseBytesMax: number = 1024 * 1024

/** Headers that the protocol reads, besides `accept`. */
const protocolHeaders = ['content-type', 'content-length', 'mcp-protocol-version']

/** Responds to one message (MCP, Streamable HTTP, without sessions). */
export const respondToAgent: Agents = async (request, source, earned) => {
  const message = messageOf(request)
  const parsed = await readMessage(message)
  if (parsed === undefined) {
    return replyOf(refusal(413, `A message has at most ${messageBytesMax} bytes.`), earned)
  }
  if (Array.isArray(parsed) && parsed.length > callsMax) {
    return replyOf(refusal(400, `A message has at most ${callsMax} calls.`), earned)
  }
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  const bounded = boundedSource(source)
  const server = createAgentServer(() => bounded, callsInTurn())
  await server.connect(transport)
  try {
    return await replyOf(await transport.handleRequest(message, { parsedBody: parsed }), earned)
  } finally {
    await server.close()
  }
}

/** @returns undefined when the message is too long; null, which is no message, when it is no JSON */
async function readMessage(message: Request): Promise<unknown> {
  try {
    const body = await readRequestBody(message, messageBytesMax)
    return body.tooLarge ? undefined : JSON.parse(body.text)
  } catch {
    return null
  }
}

function refusal(status: number, message: string): Response {
  const body = { jsonrpc: '2.0', error: { code: ErrorCode.InvalidRequest, message }, id: null }
  return Response.json(body, { status })
}

/** Returns a function that runs the calls of a message one by one. The event loop turns after each. */
function callsInTurn(): <T>(call: () => T | Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return async (call) => {
    const result = last.then(call)
    last = result.then(nextTurn, nextTurn)
    return result
  }
}

/** Rejects the response with which all responses of a message become too long. */
function boundedSource(source: AgentSource): AgentSource {
  let left = responseBytesMax
  const get: AgentSource['get'] = async (workspace, path) => {
    const reply = await source.get(workspace, path)
    const length = reply.body instanceof Uint8Array ? reply.body.length : 0
    if (length > left) {
      throw new ApiError(
        400,
        `The responses to one message have at most ${responseBytesMax} bytes, and ${left} are left. Send this call alone.`,
      )
    }
    left -= length
    return reply
  }
  return { ...source, get }
}

function messageOf({ header, body = null }: HttpRequest): Request {
  // The transport wants both types to be named, but its responses here are always JSON.
  const accept = header('accept') ?? '*/*'
  const isJson = /\*\/\*|application\/(?:\*|json)/i.test(accept)
  const accepted: [string, string] = ['accept', isJson ? bothTypes : accept]
  const sent = protocolHeaders.flatMap((name): [string, string][] => {
    const value = header(name)
    return value === null ? [] : [[name, value]]
  })
  // Node sends a stream only with `duplex`: the response follows the request.
  const headers = [accepted, ...sent]
  const streamed = { method: 'POST', headers, body, duplex: 'half' as const }
  return new Request('http://localhost/mcp', streamed)
}

const bothTypes = 'application/json, text/event-stream'

async function replyOf(response: Response, earned: readonly Header[]): Promise<HttpReply> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const type = response.headers.get('content-type')
  const headers: Header[] = [...corsHeaders, ...earned, ['cache-control', 'no-store']]
  if (type !== null) headers.push(['content-type', type])
  headers.push(['content-length', String(bytes.length)])
  // The rest of the message stays unread.
  if (response.status === 413) headers.push(['connection', 'close'])
  const body = bytes.length === 0 ? null : bytes
  return { status: response.status, headers, body, source: 'none' }
}
