// Agents: what the protocol's own client gets is what HTTP gives, and nothing that HTTP does not give.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, it } from 'vitest'
import { contentTools, pathOfCall } from '../../src/mcp/agent-server.ts'
import type { FixtureKey } from './fixture.ts'
import type { Asking } from './host.ts'

/** Defines the cases. */
export function defineAgents(asking: () => Asking): void {
  describe('POST /mcp', () => {
    it("gives the protocol's own client read-only tools, and by them the bytes of requests", async () => {
      const { client, call } = await connect(asking(), 'full')
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name).sort()).toEqual(
        [...contentTools.map(({ name }) => name), 'list_workspaces'].sort(),
      )
      expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true)
      for (const [name, given] of [
        ['list_posts', { limit: 3, page: 2, order: 'asc', categories: ['news', 'fish'] }],
        ['search_posts', { query: 'été ist' }],
        ['get_post', { identifier: '日本語' }],
      ] as const) {
        const tool = contentTools.find((known) => known.name === name) ?? expect.unreachable()
        const expected = await asking().v2(`/${pathOfCall(tool, given)}`)
        expect(textOf(await call(name, given))).toBe(expected.text)
      }
    })

    it('gives no draft, no scheduled post and no closed workspace, as if there were none', async () => {
      const { hidden } = asking().site
      const { call } = await connect(asking())
      const missing = await call('get_post', { workspace: 'acme', identifier: 'none' })
      expect(missing.isError).toBe(true)
      for (const identifier of hidden)
        expect(await call('get_post', { workspace: 'acme', identifier })).toEqual(missing)
      const inWorkspace = (workspace: string) => call('get_post', { workspace, identifier: 'one' })
      expect(await inWorkspace('secret')).toEqual(await inWorkspace('nowhere'))
      const owner = await connect(asking(), 'secret')
      const post = await owner.call('get_post', { identifier: 'one' })
      expect(JSON.parse(textOf(post)).post.slug).toBe('one')
    })

    it('is a 401 with an expired key', async () => {
      const headers = {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        authorization: `Bearer ${asking().site.keys.expired}`,
      }
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
      const { status, header } = await asking().ask('/mcp', { method: 'POST', headers, body })
      expect([status, header('www-authenticate')]).toEqual([401, 'Bearer'])
    })
  })
}

/** The protocol's own client, whose requests go to the host. */
async function connect({ request, site }: Asking, key?: FixtureKey) {
  const headers: Record<string, string> =
    key === undefined ? {} : { authorization: `Bearer ${site.keys[key]}` }
  const transport = new StreamableHTTPClientTransport(new URL('http://host.invalid/mcp'), {
    requestInit: { headers },
    fetch: async (_, { method = 'GET', headers: sent, body = null } = {}) => {
      const options = { method, headers: Object.fromEntries(new Headers(sent)) }
      const withBody = body === null ? options : { ...options, body: String(body) }
      return (await request('/mcp', withBody)) as Response
    },
  })
  const client = new Client({ name: 'conformance', version: '1' })
  await client.connect(transport)
  const call = async (name: string, given: object) =>
    (await client.callTool({ name, arguments: { ...given } })) as CallToolResult
  return { client, call }
}

function textOf({ content }: CallToolResult): string {
  const [first] = content
  return first?.type === 'text' ? first.text : ''
}
