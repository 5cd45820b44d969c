// `quarry mcp`: a local MCP server for the build in the output folder, over stdin and stdout.
import { resolve } from 'node:path'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { defaultScopes } from '../api/keys.ts'
import { createAgentServer } from '../mcp/agent-server.ts'
import { type AgentSource, followOnce } from '../runtime/agents.ts'
import type { Keyring } from '../runtime/keys.ts'
import { createResponder } from '../runtime/responder.ts'
import { followBuilds } from './open-build.ts'
import { type CommonFlags, messageOf, readSettings } from './settings.ts'
import { createLog } from './terminal.ts'

/** Runs `quarry mcp` until stdin ends. Loads a new build as soon as it is published. */
export async function runMcp(flags: CommonFlags): Promise<void> {
  const settings = await readSettings(flags)
  const log = createLog(process.stderr)
  const report = (event: string) => (error: unknown) => log({ event, error: messageOf(error) })
  const onError = report('build-refused')
  const { current } = await followBuilds(resolve(settings.out), undefined, { onError })
  const respond = createResponder(current, { keyring: () => localKeys, onError: report('error') })
  const server = createAgentServer((): AgentSource => {
    const { build, workspaces } = current()
    const get = (workspace: string, path: string) => {
      const header = (name: string) => (name === 'authorization' ? workspace : null)
      const request = { method: 'GET', target: `/v2/${path}`, clientAddress: '', header }
      return followOnce(request, respond)
    }
    return { build, workspaces: [...workspaces.keys()].sort(), own: null, get }
  })
  server.onerror = report('protocol')
  await server.connect(new StdioServerTransport())
  process.stdin.once('end', () => void server.close())
}

/** A user who can read the folder needs no key. The id of a workspace serves as its key. */
const localKeys: Keyring = {
  find: (workspace) =>
    workspace === null ? null : { id: 'local', workspace, scopes: defaultScopes },
}
