// `POST /mcp` in the runtime: admission, and the responses that the tools read. The protocol is a separate module,
// which is loaded with the first message.
import type { Awaitable } from '../api/snapshot.ts'
import { corsHeaders, type Header, type HttpReply, type HttpRequest } from './http.ts'
import type { ApiKey } from './keys.ts'
import type { ServedSite } from './open-build.ts'

/** The path for agents. */
export const agentPath = '/mcp'

/** Headers of the reply to OPTIONS. */
export const agentPreflight: readonly Header[] = [
  ...corsHeaders,
  ['access-control-allow-methods', 'POST, OPTIONS'],
  [
    'access-control-allow-headers',
    'Accept, Authorization, Content-Type, Mcp-Protocol-Version, Mcp-Session-Id, Last-Event-ID',
  ],
  ['access-control-max-age', '86400'],
  ['allow', 'POST, OPTIONS'],
]

/** The responses that the agent of a request may read. */
export interface AgentSource {
  readonly build: string
  /** Ids of the readable workspaces, sorted. */
  readonly workspaces: readonly string[]
  /** The workspace of the key; null without a key. */
  readonly own: string | null
  /** Returns the response to a path relative to a version and a workspace: `posts?limit=3`. */
  readonly get: (workspace: string, path: string) => Awaitable<HttpReply>
}

/** Responds to a message of an agent. @param earned headers of the reply that admission has added */
export type Agents = (
  request: HttpRequest,
  source: AgentSource,
  earned: readonly Header[],
) => Promise<HttpReply>

export type LoadAgents = () => Promise<Agents>

/**
 * Returns the responses for an agent: v2 in the workspace of its key, v1 in all others. Each is a response to a
 * request that is counted, and may be refused, as if the agent had sent it.
 */
export function agentSource(
  { build, workspaces }: ServedSite,
  { clientAddress, header }: HttpRequest,
  key: ApiKey | null,
  respond: (request: HttpRequest) => Awaitable<HttpReply>,
): AgentSource {
  const own = key?.workspace ?? null
  const open = [...workspaces].flatMap(([id, { isV1Private }]) => (isV1Private ? [] : [id]))
  const get = async (workspace: string, path: string) => {
    const base = workspace === own ? '/v2' : `/v1/${encodeURIComponent(workspace)}`
    // Headers for conditions and encodings belong to the message, not to the requests of its tools.
    const authorization = (name: string) => (name === 'authorization' ? header(name) : null)
    const request = { method: 'GET', clientAddress, header: authorization }
    return followOnce({ ...request, target: `${base}/${path}` }, respond)
  }
  return { build, workspaces: [...new Set(own === null ? open : [...open, own])].sort(), own, get }
}

/** Returns the response to a request. Follows one redirect, such as that of a former slug. */
export async function followOnce(
  request: HttpRequest,
  respond: (request: HttpRequest) => Awaitable<HttpReply>,
): Promise<HttpReply> {
  const reply = await respond(request)
  const location = reply.headers.find(([name]) => name === 'location')?.[1]
  return location === undefined ? reply : respond({ ...request, target: location })
}
