// `quarry mcp`: a local MCP server for the build in the output folder, over stdin and stdout.
import { resolve } from 'node:path'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { Scope } from '../api/key-record.ts'
import { resourceKinds } from '../api/resources.ts'
import { createAgentServer } from '../mcp/agent-server.ts'
import { type AgentSource, followOnce } from '../runtime/agents.ts'
import type { Keyring } from '../runtime/keys.ts'
import { createResponder } from '../runtime/responder.ts'
import type { ServedSite } from '../runtime/site.ts'
import { createLog } from './log.ts'
import { openBuild } from './open-build.ts'
import { type CommonFlags, readSettings } from './options.ts'

/** Serves until stdin ends. Loads a new build as soon as it is published. */
export async function runMcp(flags: CommonFlags): Promise<void> {
  const settings = await readSettings(flags)
  const log = createLog(process.stderr)
  const report = (event: string) => (error: unknown) =>
    log({ event, error: error instanceof Error ? error.message : String(error) })
  const live = await openBuild(resolve(settings.out), { onError: report('build-refused') })
  const respond = createResponder(live.current, {
    keyring: () => localKeys,
    onError: report('error'),
  })
  const sourceOf = ({ build, workspaces }: ServedSite): AgentSource => ({
    build,
    workspaces: [...workspaces.keys()].sort(),
    own: null,
    get: (workspace, path) =>
      followOnce(
        {
          method: 'GET',
          target: `/v2/${path}`,
          clientAddress: '',
          header: (name) => (name === 'authorization' ? workspace : null),
        },
        respond,
      ),
  })
  const server = createAgentServer(() => sourceOf(live.current()))
  server.onerror = report('protocol')
  await server.connect(new StdioServerTransport())
  process.stdin.once('end', () => {
    live.close()
    void server.close()
  })
}

/** A reader of the folder needs no key: the id of a workspace is its key. */
const localKeys: Keyring = {
  find: (workspace) =>
    workspace === null ? null : { id: 'local', workspace, scopes: localScopes },
}

const localScopes: readonly Scope[] = resourceKinds.map((kind): Scope => `${kind}:read`)
