// Agents: what the protocol's own client gets is what HTTP gives, and nothing that HTTP does not give.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, it } from 'vitest'
import { contentTools, pathOfCall, type ToolArguments } from '../../src/mcp/agent-server.ts'
import type { FixtureKey } from './fixture.ts'
import type { Asking, RequestOptions } from './host.ts'

const messageHeaders = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
}

/** Calls a tool with every argument set: each lists or names something of the fixture. */
const calls: readonly (readonly [tool: string, given: ToolArguments])[] = [
  ['list_posts', { limit: 3, page: 2, order: 'asc', excludeContent: false, format: 'html' }],
  ['list_posts', { categories: ['news', 'fish'], tags: ['alpha'], featured: true }],
  ['list_posts', { limit: 'all', excludeTags: ['beta'], excludeCategories: ['tools'] }],
  ['search_posts', { query: 'été ist' }],
  ['get_post', { identifier: '日本語' }],
  ['list_categories', { include: ['posts'], limit: 2 }],
]

/** Defines the cases. Their names end in `an agent`. */
export function defineAgents(asking: () => Asking): void {
  describe('POST /mcp', () => {
    it("lists read-only tools to the protocol's own client: an agent", async () => {
      const client = await connect(asking())
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name).sort()).toEqual(
        [...contentTools.map(({ name }) => name), 'list_workspaces'].sort(),
      )
      expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true)
      const found = await call(client, 'list_workspaces')
      expect(JSON.parse(textOf(found))).toEqual({ workspaces: [{ id: 'acme' }, { id: 'beta' }] })
    })

    it.each(calls)('gives by %s %j the bytes of the request: an agent', async (name, given) => {
      const open = await connect(asking())
      const keyed = await connect(asking(), 'full')
      const path = pathOf(name, given)
      const v1 = await asking().ask(`/v1/acme/${path}`)
      const v2 = await asking().v2(`/${path}`)
      expect(v1.status).toBe(200)
      expect(textOf(await call(open, name, { workspace: 'acme', ...given }))).toBe(v1.text)
      expect(textOf(await call(keyed, name, given))).toBe(v2.text)
      expect(v1.text).not.toMatch(/scheduled-|a-draft|needle-/i)
    })

    it('gives no draft and no scheduled post, as if there were none: an agent', async () => {
      const { site } = asking()
      for (const client of [await connect(asking()), await connect(asking(), 'full')]) {
        const missing = await call(client, 'get_post', { workspace: 'acme', identifier: 'none' })
        for (const identifier of site.hidden) {
          expect(await call(client, 'get_post', { workspace: 'acme', identifier })).toEqual(missing)
        }
        expect(missing.isError).toBe(true)
      }
    })

    it('gives a closed workspace to its key alone, and to others as one that is not there: an agent', async () => {
      const names = contentTools.map(({ name }) => name)
      const given = { query: 'one', identifier: 'one' }
      for (const client of [await connect(asking()), await connect(asking(), 'full')]) {
        for (const name of names) {
          const [closed, none] = await Promise.all(
            ['secret', 'nowhere'].map((workspace) => call(client, name, { ...given, workspace })),
          )
          expect(closed).toEqual(none)
          expect(closed).toMatchObject({ isError: true })
        }
      }
      const owner = await connect(asking(), 'secret')
      const post = await call(owner, 'get_post', { identifier: 'one' })
      expect(JSON.parse(textOf(post)).post.slug).toBe('one')
      expect(textOf(await call(owner, 'list_workspaces'))).toContain('"secret"')
    })

    it.each<FixtureKey>(['unknown', 'expired', 'revoked'])(
      'is a 401 with the key %s: an agent',
      async (key) => {
        const authorization = `Bearer ${asking().site.keys[key]}`
        const refused = await asking().ask('/mcp', {
          ...message({ method: 'tools/list' }),
          headers: { ...messageHeaders, authorization },
        })
        expect(refused.status).toBe(401)
        expect(refused.header('www-authenticate')).toBe('Bearer')
      },
    )

    it.each<[string, RequestOptions, number, number]>([
      ['no JSON', { method: 'POST', headers: messageHeaders, body: '{"jsonrpc":' }, 400, -32700],
      ['no message', message({ jsonrpc: '1.0' }), 400, -32700],
      ['a method that there is not', message({ method: 'tools/drop' }), 200, -32601],
      [
        'a tool that there is not',
        message({ method: 'tools/call', params: { name: '__proto__' } }),
        200,
        -32602,
      ],
    ])("answers %s with the protocol's own error: an agent", async (_, options, status, code) => {
      const reply = await asking().request('/mcp', options)
      expect(reply.status).toBe(status)
      expect(JSON.parse(await reply.text()).error.code).toBe(code)
    })
  })
}

/** The protocol's own client, whose requests go to the host. */
async function connect({ request, site }: Asking, key?: FixtureKey): Promise<Client> {
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
  return client
}

async function call(
  client: Client,
  name: string,
  given: ToolArguments = {},
): Promise<CallToolResult> {
  return (await client.callTool({ name, arguments: { ...given } })) as CallToolResult
}

function textOf({ content }: CallToolResult): string {
  const [first] = content
  return first?.type === 'text' ? first.text : ''
}

function pathOf(name: string, given: ToolArguments): string {
  const tool = contentTools.find((known) => known.name === name)
  if (tool === undefined) throw new Error(`There is no tool ${name}.`)
  return pathOfCall(tool, given)
}

function message(fields: object): RequestOptions {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...fields })
  return { method: 'POST', headers: messageHeaders, body }
}
