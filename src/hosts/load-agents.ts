// Loads the responder for agents. It is a separate module next to a function, because the SDK of the protocol is
// several times as large as the function.
import { isAgentsOn, type LoadAgents } from '../runtime/agents.ts'

/** Loads the module with the first message. */
export const loadAgents: LoadAgents = async () => (await import('../mcp/agents.ts')).respondToAgent

/** Returns `loadAgents` when `QUARRY_MCP` is `on`, else undefined. */
export function agentsOf(environment: {
  readonly QUARRY_MCP?: string | undefined
}): LoadAgents | undefined {
  return isAgentsOn(environment.QUARRY_MCP) ? loadAgents : undefined
}
