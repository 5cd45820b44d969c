// Agents over HTTP: each message gets its own server and response, so that a function holds no state between
// messages.
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { Agents } from '../runtime/agents.ts'
import { corsHeaders } from '../runtime/headers.ts'
import type { Header, HttpReply, HttpRequest } from '../runtime/http.ts'
import { createAgentServer } from './agent-server.ts'

/** Maximum size of a message in bytes: a call with every parameter at its limit takes about 60,000. */
export const messageBytesMax: number = 128 * 1024

/** Headers that the protocol reads. */
const protocolHeaders = ['accept', 'content-type', 'content-length', 'mcp-protocol-version']

/** Responds to one message (MCP, Streamable HTTP, without sessions). */
export const respondToAgent: Agents = async (request, source, earned) => {
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: true,
    maxRequestBodySize: messageBytesMax,
  })
  const server = createAgentServer(() => source)
  await server.connect(transport)
  try {
    return await replyOf(await transport.handleRequest(messageOf(request)), earned)
  } finally {
    await server.close()
  }
}

function messageOf({ header, body = null }: HttpRequest): Request {
  const sent = protocolHeaders.flatMap((name): [string, string][] => {
    const value = header(name)
    return value === null ? [] : [[name, value]]
  })
  // Node sends a stream only with `duplex`: the response follows the request.
  const streamed = { method: 'POST', headers: sent, body, duplex: 'half' as const }
  return new Request('http://localhost/mcp', streamed)
}

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
