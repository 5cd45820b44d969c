import { beforeAll, describe, expect, it } from 'vitest'
import type { FunctionEnvironment, FunctionHandler } from '../../src/hosts/function.ts'
import { encodeKey } from '../../src/runtime/keys.ts'
import { keys } from '../blackbox/site.ts'
import { type BuiltSample, buildSample, handlerOf } from '../support/sample-site.ts'
import { containsKey } from '../support/spelled-key.ts'

const headers = { 'content-type': 'application/json' }

const open = ({ out }: BuiltSample, more: FunctionEnvironment = {}) =>
  handlerOf(out, { QUARRY_MCP: 'on', ...more })

let fixture: BuiltSample
let handler: FunctionHandler

beforeAll(async () => {
  fixture = await buildSample()
  handler = open(fixture)
})

function post(handler: FunctionHandler, body: string, more: Record<string, string> = {}) {
  const sent = { ...headers, ...more }
  const request = new Request('http://host.invalid/mcp', { method: 'POST', headers: sent, body })
  return handler(request, '192.0.2.1')
}

function callOf(name: string, given: object, id = 1) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given } }
}

async function call(name: string, given: object) {
  const response = await post(handler, JSON.stringify(callOf(name, given)))
  const { result, error } = JSON.parse(await response.text())
  return { status: response.status, error, isError: result?.isError, text: result?.content[0].text }
}

describe('a tool', () => {
  it('repeats no key of its call, and a long name only in part', async () => {
    const key = encodeKey(new Uint8Array(32).fill(202))
    const workspace = 'journal'
    for (const [name, given] of [
      [key, {}],
      ['list_posts', { workspace, [key]: { a: 1 } }],
      ['list_posts', { workspace, include: [`%71${key.slice(1)}`] }],
      ['list_posts', { workspace: key }],
      ['get_post', { workspace, identifier: key }],
    ] as const) {
      const reply = await call(name, given)
      expect(reply.error ?? reply.isError).toBeTruthy()
      expect(containsKey(JSON.stringify(reply), key)).toBe(false)
    }
    const { error } = await call('x'.repeat(10_000), {})
    expect(error.message).toContain(`There is no tool ${'x'.repeat(64)}.`)
  })

  it.each([
    [{ workspace: { id: 'journal' } }, 'workspace'],
    [{ workspace: null }, 'workspace'],
    [{ workspace: 'journal', limit: { valueOf: 1 } }, 'limit'],
    [{ workspace: 'journal', tags: [['alpha']] }, 'tags'],
    [{ workspace: 'journal', limt: 3 }, 'limt'],
    [{ workspace: 'journal', query: null }, 'query'],
  ])('names the wrong argument of %j', async (given, field) => {
    const { isError, text } = await call(field === 'query' ? 'search_posts' : 'list_posts', given)
    expect([isError, JSON.parse(text).details[0].field]).toEqual([true, field])
  })
})

it('an argument of null counts as omitted, so that its default applies', async () => {
  const workspace = 'journal'
  const omitted = await call('list_posts', { workspace })
  expect(await call('list_posts', { workspace, tags: null, excludeContent: null })).toEqual(omitted)
})

it('drafts are read by no tool with a status, whatever its key', async () => {
  const authorization = `Bearer ${keys['drafts']}`
  const identifier = 'post-17'
  for (const name of ['get_post', 'list_posts', 'search_posts']) {
    const body = JSON.stringify(callOf(name, { query: 'e', identifier, status: 'draft' }))
    const text = await (await post(handler, body, { authorization })).text()
    expect(text).toContain('is not an argument of this tool')
  }
})

function listWith(_meta: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } })
}

describe('a message', () => {
  it('counts for the rate limit, and so does each of its calls and each failed key', async () => {
    const limited = open(fixture, { QUARRY_RATE_LIMIT: '5/10' })
    const message = JSON.stringify(callOf('list_tags', { workspace: 'journal' }))
    const left: unknown[] = []
    for (let sent = 0; sent < 6; sent++) {
      const { status, headers } = await post(limited, message)
      left.push([status, headers.get('ratelimit-remaining')])
    }
    expect(left).toEqual([
      ...['4', '3', '2', '1', '0'].map((remaining) => [200, remaining]),
      [429, '0'],
    ])
    const keyed = open(fixture, { QUARRY_RATE_LIMIT: '200/10' })
    const statuses = new Set<number>()
    for (let sent = 0; sent < 22; sent++)
      statuses.add((await post(keyed, '{}', { authorization: `Bearer qk_${sent}` })).status)
    expect([...statuses]).toEqual([401, 429])
  })

  it.each([
    ['more than one', `[${listWith({})}]`, {}, 400],
    ['no JSON', '{"jsonrpc":', {}, 400],
    ['nothing', '', {}, 400],
    ['of another type', '{}', { 'content-type': 'text/plain' }, 415],
    ['for a client that takes no JSON', '{}', { accept: 'text/html' }, 406],
    ['of an unknown version', listWith({}), { 'mcp-protocol-version': '1999-01-01' }, 400],
  ])('is rejected if it is %s', async (_, body, more, status) => {
    const response = await post(handler, body, more)
    expect(response.status).toBe(status)
    expect(JSON.parse(await response.text()).jsonrpc).toBe('2.0')
  })
})
