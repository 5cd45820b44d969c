// Agents with the protocol's own client: `quarry mcp` over stdin and stdout, `quarry serve` over HTTP.
import { spawn } from 'node:child_process'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { expect, it, onTestFinished } from 'vitest'
import { follow, main, serve } from '../support/command-line.ts'
import { temporarySite } from '../support/temporary-site.ts'

async function connect(
  transport: StdioClientTransport | StreamableHTTPClientTransport,
): Promise<(name: string, given?: object) => Promise<[isError: boolean, body: unknown]>> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport as StdioClientTransport)
  onTestFinished(() => client.close())
  return async (name, given = {}) => {
    const result = (await client.callTool({ name, arguments: { ...given } })) as CallToolResult
    const [first] = result.content
    return [result.isError === true, JSON.parse(first?.type === 'text' ? first.text : '')]
  }
}

it('gives an agent on this machine the last build, closed workspaces too, and no drafts', async () => {
  const site = temporarySite()
    .write('content/acme/workspace.yml', 'collections: { guides: { folder: guides } }\n')
    .write('content/acme/guides/drafts.md', '---\ntitle: Drafts\nstatus: draft\n---\nNo.\n')
    .post('first')
  site.write('content/closed/workspace.yml', 'v1: private\nreferences: create\n')
  site.post('one', { aliases: '[uno]' }, 'Closed **text**.\n', 'closed')
  site.post('draft', { status: 'draft' }, 'Closed **text**.\n', 'closed')
  await site.build()
  const call = await connect(
    new StdioClientTransport({
      ...{ command: process.execPath, args: [main, 'mcp'], cwd: site.folder, stderr: 'ignore' },
    }),
  )
  const [, all] = await call('list_workspaces')
  expect(all).toEqual({ workspaces: [{ id: 'acme' }, { id: 'closed' }] })
  const get = (identifier: string) => call('get_post', { workspace: 'closed', identifier })
  const found = await get('one')
  expect(found).toMatchObject([false, { post: { content: 'Closed **text**.\n' } }])
  expect(await get('uno')).toEqual(found)
  expect(await get('draft')).toMatchObject([true, { error: 'Not Found' }])
  const [, search] = await call('search_posts', { workspace: 'closed', query: 'OSED te' })
  expect(search).toMatchObject({ pagination: { totalItems: 1 } })
  const draft = { workspace: 'acme', collection: 'guides', identifier: 'drafts' }
  expect(await call('get_item', draft)).toMatchObject([true, { error: 'Not Found' }])
})

it('ends with stdin, and writes only messages to stdout', async () => {
  const site = temporarySite().post('first')
  await site.build()
  const child = spawn(process.execPath, [main, 'mcp'], { cwd: site.folder })
  const { waitFor, ended } = follow(child)
  child.stdin.write('no message\n{"jsonrpc":"2.0","id":7,"method":"ping"}\n')
  await waitFor(/\n/)
  child.stdin.end()
  const stdout = '{"result":{},"jsonrpc":"2.0","id":7}\n'
  expect(await ended).toMatchObject({ exitCode: 0, stdout })
})

it('serves agents over HTTP, and rejects a long message', async () => {
  const site = temporarySite().post('first')
  await site.build()
  const { url } = await serve(site.folder, { QUARRY_MCP: 'on' })
  const call = await connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)))
  expect(await call('list_posts')).toMatchObject([false, { posts: [{ slug: 'first' }] }])
  const headers = { 'content-type': 'application/json' }
  const long = { method: 'POST', headers, body: 'x'.repeat(2 ** 20) }
  const sent = await Promise.all([1, 2, 3].map(() => fetch(`${url}/mcp`, long)))
  expect(sent.map(({ status }) => status)).toEqual([413, 413, 413])
  expect((await fetch(`${url}/status`)).status).toBe(200)
})
