import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { run, start } from '../support/command-line.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const main = join(import.meta.dirname, '../../.lib/cli/main.js')

async function connect(site: TemporarySite): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, 'mcp'],
    cwd: site.folder,
    stderr: 'ignore',
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

async function call(client: Client, name: string, given: object = {}) {
  const result = (await client.callTool({ name, arguments: { ...given } })) as CallToolResult
  const [first] = result.content
  return { isError: result.isError === true, text: first?.type === 'text' ? first.text : '' }
}

describe('quarry mcp', () => {
  it('gives what was built to an agent on this machine, closed workspaces too', async () => {
    const site = temporarySite().post('first')
    site.write('content/closed/workspace.yml', 'v1: private\n')
    site.write(
      'content/closed/posts/one.md',
      '---\ntitle: One\ncategory: news\npublishedAt: 2025-01-01\naliases: [uno]\n---\nClosed **text**.\n',
    )
    site.write('content/closed/categories/news.md', '---\nname: News\n---\n')
    site.write(
      'content/closed/posts/draft.md',
      '---\ntitle: Draft\ncategory: news\npublishedAt: 2025-01-01\nstatus: draft\n---\nText.\n',
    )
    await site.build()
    const client = await connect(site)
    const { workspaces } = JSON.parse((await call(client, 'list_workspaces')).text)
    expect(workspaces).toContainEqual({ id: 'closed' })
    const post = await call(client, 'get_post', { workspace: 'closed', identifier: 'one' })
    expect(JSON.parse(post.text).post.content).toBe('Closed **text**.\n')
    const renamed = await call(client, 'get_post', { workspace: 'closed', identifier: 'uno' })
    expect(renamed).toEqual(post)
    const draft = await call(client, 'get_post', { workspace: 'closed', identifier: 'draft' })
    expect([draft.isError, JSON.parse(draft.text).error]).toEqual([true, 'Not Found'])
    const found = await call(client, 'search_posts', { workspace: 'closed', query: 'OSED te' })
    expect(JSON.parse(found.text).pagination.totalItems).toBe(1)
  })

  it('ends with stdin, and writes nothing but messages to stdout', async () => {
    const site = temporarySite().post('first')
    await site.build()
    const child = spawn(process.execPath, [main, 'mcp'], { cwd: site.folder })
    const texts: string[] = []
    child.stdout.setEncoding('utf8').on('data', (text) => texts.push(text))
    child.stdin.write('no message\n{"jsonrpc":"2.0","id":7,"method":"ping"}\n')
    await once(child.stdout, 'data')
    child.stdin.end()
    const [exitCode] = await once(child, 'close')
    expect([exitCode, texts.join('')]).toEqual([0, '{"result":{},"jsonrpc":"2.0","id":7}\n'])
  })

  it('ends with 2 where there is no build', async () => {
    const site = temporarySite().post('first')
    const { exitCode, stdout, stderr } = await run(site.folder, ['mcp'])
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/quarry build/)
  })
})

describe('quarry serve with QUARRY_MCP', () => {
  async function serve(site: TemporarySite, environment: Readonly<Record<string, string>>) {
    await site.build()
    const running = start(site.folder, ['serve', '--port', '0'], environment)
    onTestFinished(() => running.stop('SIGKILL'))
    return (await running.waitFor(/ at (\S+)/))[1] ?? ''
  }

  it('answers the client of the protocol, over one connection', async () => {
    const url = await serve(temporarySite().post('first'), { QUARRY_MCP: 'on' })
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)))
    onTestFinished(() => client.close())
    const { text } = await call(client, 'list_posts')
    expect(JSON.parse(text).posts[0].slug).toBe('first')
  })

  it('refuses a message that is too long, and goes on', async () => {
    const url = await serve(temporarySite().post('first'), { QUARRY_MCP: 'on' })
    const headers = {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    }
    const body = 'x'.repeat(2 ** 20)
    const statuses = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const response = await fetch(`${url}/mcp`, { method: 'POST', headers, body })
        return response.status
      }),
    )
    expect(statuses).toEqual([413, 413, 413, 413, 413])
    expect((await fetch(`${url}/status`)).status).toBe(200)
  })

  it.each(['off', ''])('has no such path where it is %j', async (value) => {
    const url = await serve(temporarySite().post('first'), { QUARRY_MCP: value })
    expect((await fetch(`${url}/mcp`, { method: 'POST', body: '{}' })).status).toBe(404)
  })

  it('ends with 2 for anything else', async () => {
    const site = temporarySite().post('first')
    await site.build()
    const { exitCode, stderr } = await run(site.folder, ['serve'], { QUARRY_MCP: 'yes' })
    expect(exitCode).toBe(2)
    expect(stderr).toContain('QUARRY_MCP is "yes". It must be "on" or "off".')
  })
})
