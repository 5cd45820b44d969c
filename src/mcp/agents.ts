// Agents over HTTP: each message gets its own server and response, so a function has no state between
// messages.
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js'
import type { Agents } from '../runtime/agents.ts'
import { corsHeaders, type Header, type HttpReply, type HttpRequest } from '../runtime/http.ts'
import { createAgentServer } from './agent-server.ts'

/** Maximum size of a message in bytes: the protocol's package takes 10 ms to parse a message of this size (2026-11). */
const messageBytesMax: number = 16 * 1024

/** Headers that the protocol reads, besides `accept`. */
const protocolHeaders = ['content-type', 'content-length', 'mcp-protocol-version']

/** Responds to one message (MCP, Streamable HTTP, without sessions). */
export const respondToAgent: Agents = async (request, source, earned) => {
  const parsedBody = await readMessage(request)
  if (parsedBody === undefined)
    return replyOf(refusal(413, `A message may have at most ${messageBytesMax} bytes.`), earned)
  if (Array.isArray(parsedBody))
    return replyOf(refusal(400, 'A message must be a single call.'), earned)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  const server = createAgentServer(() => source)
  await server.connect(transport)
  try {
    return await replyOf(await transport.handleRequest(messageOf(request), { parsedBody }), earned)
  } finally {
    await server.close()
  }
}

/** Reads a message; undefined if it is too long; null, which is not a message, if it is not JSON. */
async function readMessage({ header, readBody }: HttpRequest): Promise<unknown> {
  if (Number(header('content-length')) > messageBytesMax) return undefined
  try {
    const body = await readBody?.(messageBytesMax)
    return body === null ? undefined : JSON.parse(new TextDecoder().decode(body))
  } catch {
    return null
  }
}

function refusal(status: number, message: string): Response {
  const body = { jsonrpc: '2.0', error: { code: ErrorCode.InvalidRequest, message }, id: null }
  return Response.json(body, { status })
}

/** Returns the request without its body, which has been read. */
function messageOf({ header }: HttpRequest): Request {
  // The transport requires both types in `accept`, but its responses here are always JSON.
  const accept = header('accept') ?? '*/*'
  const isJson = /\*\/\*|application\/(?:\*|json)/i.test(accept)
  const accepted: [string, string] = ['accept', isJson ? bothTypes : accept]
  const sent = protocolHeaders.flatMap((name): [string, string][] => {
    const value = header(name)
    return value === null ? [] : [[name, value]]
  })
  return new Request('http://localhost/mcp', { method: 'POST', headers: [accepted, ...sent] })
}

const bothTypes = 'application/json, text/event-stream'

async function replyOf(response: Response, earned: readonly Header[]): Promise<HttpReply> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const type = response.headers.get('content-type')
  const headers: Header[] = [...corsHeaders, ...earned, ['cache-control', 'no-store']]
  if (type !== null) headers.push(['content-type', type])
  headers.push(['content-length', String(bytes.length)])
  const body = bytes.length === 0 ? null : bytes
  return { status: response.status, headers, body, source: 'none' }
}
