// Loads what answers agents. It is a separate file next to a function, as the SDK of the protocol is several times as large
// as the function.
import { isAgentsOn, type LoadAgents } from '../runtime/agents.ts'

/** Loads it with the first message. */
export const loadAgents: LoadAgents = async () => (await import('../mcp/agents.ts')).respondToAgent

/** `loadAgents` where `QUARRY_MCP` is `on`; undefined elsewhere. */
export function agentsOf(environment: {
  readonly QUARRY_MCP?: string | undefined
}): LoadAgents | undefined {
  return isAgentsOn(environment.QUARRY_MCP) ? loadAgents : undefined
}
