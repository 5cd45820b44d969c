// `POST /mcp` as the runtime has it: admission, and the responses that tools are made of. The protocol is a module of its
// own, which is loaded with the first message.
import type { Awaitable } from '../api/snapshot.ts'
import { corsHeaders } from './headers.ts'
import type { Header, HttpReply, HttpRequest } from './http.ts'
import type { ApiKey } from './keys.ts'
import type { SiteHead } from './site.ts'

/** The path of agents. */
export const agentPath = '/mcp'

/** On the reply to OPTIONS. */
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

/** The responses that an agent may have. */
export interface AgentSource {
  readonly build: string
  /** Ids of the workspaces that may be read, sorted. */
  readonly workspaces: readonly string[]
  /** The workspace of the key; null without a key. */
  readonly own: string | null
  /** The response to a path below a version and a workspace: `posts?limit=3`. */
  readonly get: (workspace: string, path: string) => Awaitable<HttpReply>
}

/**
 * Answers a message of an agent.
 *
 * @param earned headers that the reply has whatever it is
 */
export type Agents = (
  request: HttpRequest,
  source: AgentSource,
  earned: readonly Header[],
) => Promise<HttpReply>

/** Loads what answers agents. */
export type LoadAgents = () => Promise<Agents>

/** `POST /mcp` is answered where the variable `QUARRY_MCP` is `on`. */
export function isAgentsOn(value: string | undefined): boolean {
  return value === 'on'
}

/**
 * The responses for an agent: those of v2 in the workspace of its key, those of v1 in all others. Each is a request that is
 * counted, and refused, as if the agent had sent it.
 *
 * @param respond answers a request for content
 */
export function agentSource(
  { build, workspaces }: SiteHead,
  { clientAddress, header }: HttpRequest,
  key: ApiKey | null,
  respond: (request: HttpRequest) => Awaitable<HttpReply>,
): AgentSource {
  const own = key?.workspace ?? null
  const open = [...workspaces].flatMap(([id, { isV1Private }]) => (isV1Private ? [] : [id]))
  const get = async (workspace: string, path: string) => {
    const base = workspace === own ? '/v2' : `/v1/${encodeURIComponent(workspace)}`
    const request = { method: 'GET', clientAddress, header: onlyAuthorization(header) }
    return followOnce({ ...request, target: `${base}/${path}` }, respond)
  }
  return { build, workspaces: [...new Set(own === null ? open : [...open, own])].sort(), own, get }
}

/** Conditions and encodings are those of the message, and not of the request that it makes. */
function onlyAuthorization(header: HttpRequest['header']): HttpRequest['header'] {
  return (name) => (name === 'authorization' ? header(name) : null)
}

/** The response to a request, or to the place that it redirects to: a post under a former name. */
export async function followOnce(
  request: HttpRequest,
  respond: (request: HttpRequest) => Awaitable<HttpReply>,
): Promise<HttpReply> {
  const reply = await respond(request)
  const location = reply.headers.find(([name]) => name === 'location')?.[1]
  return location === undefined ? reply : respond({ ...request, target: location })
}
