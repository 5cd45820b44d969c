// `quarry mcp`: tools for an agent on this machine, over the build in the output folder, by stdin and stdout.
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

/** Answers until stdin ends. A new build is read as soon as it is there. */
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

/** Who can read the folder needs no key: the key of a workspace is its id. */
const localKeys: Keyring = {
  find: (workspace) =>
    workspace === null ? null : { id: 'local', workspace, scopes: localScopes },
}

const localScopes: readonly Scope[] = resourceKinds.map((kind): Scope => `${kind}:read`)
