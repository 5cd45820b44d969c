import { readdirSync, readFileSync, rmSync } from 'node:fs'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { parametersOf } from '../../src/api/parameter-table.ts'
import { createFileStorage } from '../../src/build/file-storage.ts'
import { loadAgents } from '../../src/hosts/function.ts'
import { argumentsSchema, contentTools, pathOfCall } from '../../src/mcp/agent-server.ts'
import {
  callsMax,
  messageBytesMax,
  respondToAgent,
  responseBytesMax,
  valuesMax,
} from '../../src/mcp/agents.ts'
import {
  createHandler,
  type Handler,
  type HandlerOptions,
  requestOf,
} from '../../src/runtime/handler.ts'
import type { HttpReply } from '../../src/runtime/http.ts'
import { encodeKey } from '../../src/runtime/keys.ts'
import { openBuild } from '../../src/runtime/open-build.ts'
import { buildFixture } from '../conformance/hosts.ts'
import fc from '../support/fast-check.ts'
import { containsKey } from '../support/spelled-key.ts'

const headers = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
}

let open: (options?: HandlerOptions) => Handler

beforeAll(async () => {
  const fixture = await buildFixture()
  const storage = createFileStorage(`${fixture.out}/function`)
  const bundle = { site: await openBuild(storage) }
  const options = { now: () => fixture.site.now, rateLimit: 'off', loadAgents }
  open = (more = {}) => createHandler(bundle, { ...options, ...more })
  return () => {
    fixture.remove()
  }
})

/** The fixture with changed content, and a handler over it. */
async function openFixture(
  change: (content: string, hidden: readonly string[]) => void = () => {},
) {
  const fixture = await buildFixture(change)
  const storage = createFileStorage(`${fixture.out}/function`)
  onTestFinished(() => {
    fixture.remove()
  })
  const options = { now: () => fixture.site.now, rateLimit: 'off', loadAgents }
  return { site: fixture.site, handler: createHandler({ site: await openBuild(storage) }, options) }
}

function removeHidden(content: string, hidden: readonly string[]): void {
  const folder = `${content}/acme/posts`
  const files = readdirSync(folder).filter((name) => {
    const text = readFileSync(`${folder}/${name}`, 'utf8')
    return hidden.some((slug) => text.includes(`slug: "${slug}"`))
  })
  expect(files).toHaveLength(hidden.length)
  for (const name of files) rmSync(`${folder}/${name}`)
}

function post(handler: Handler, body: string, more: Record<string, string> = {}) {
  const sent = { ...headers, ...more }
  return handler(new Request('http://host.invalid/mcp', { method: 'POST', headers: sent, body }))
}

function callOf(name: string, given: object, id = 1) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given } }
}

async function call(handler: Handler, name: string, given: object) {
  const response = await post(handler, JSON.stringify(callOf(name, given)))
  const { result, error } = JSON.parse(await response.text())
  return { status: response.status, error, isError: result?.isError, text: result?.content[0].text }
}

describe('a tool', () => {
  it('repeats no key of its call', async () => {
    const key = encodeKey(new Uint8Array(32).fill(202))
    const workspace = 'acme'
    for (const [name, given] of [
      [key, {}],
      ['list_posts', { workspace, [key]: '1' }],
      ['list_posts', { workspace, [key]: { a: 1 } }],
      ['list_posts', { workspace, include: [`%71${key.slice(1)}`] }],
      ['list_posts', { workspace: key }],
      ['get_post', { workspace, identifier: key }],
    ] as const) {
      const reply = await call(open(), name, given)
      expect(reply.error ?? reply.isError).toBeTruthy()
      expect(containsKey(JSON.stringify(reply), key)).toBe(false)
    }
  })

  it.each(contentTools)('takes the parameters of the table: $name', (tool) => {
    const { resource, isList } = tool
    const taken = parametersOf({ resource, identifier: isList ? null : '' })
    const own = isList ? ['workspace'] : ['workspace', 'identifier']
    const { properties } = argumentsSchema(tool)
    expect(Object.keys(properties).sort()).toEqual(
      [...own, ...taken.filter((name) => name !== 'strict')].sort(),
    )
  })

  it('gives, whatever its arguments are, what the request of them gives', async () => {
    const handler = open()
    const values = fc.oneof(
      fc.string(),
      fc.integer({ min: -1, max: 101 }),
      fc.boolean(),
      fc.array(fc.string(), { maxLength: 3 }),
      fc.constantFrom('news', 'alpha', 'asc', 'html', 'markdown', 'posts', 'true', 'all', 'index'),
    )
    const names = ['limit', 'page', 'order', 'tags', 'query', 'format', 'include', 'x']
    const cases = fc.record({
      tool: fc.constantFrom(...contentTools),
      given: fc.dictionary(fc.constantFrom(...names, 'identifier'), values),
    })
    await fc.assert(
      fc.asyncProperty(cases, async ({ tool, given }) => {
        const {
          status,
          text,
          isError = false,
        } = await call(handler, tool.name, {
          workspace: 'acme',
          ...given,
        })
        expect(status).toBe(200)
        let path = ''
        try {
          path = pathOfCall(tool, given)
        } catch {
          expect(isError).toBe(true)
          return
        }
        const direct = await handler(new Request(`http://host.invalid/v1/acme/${path}`))
        expect(text).toBe(await direct.text())
        expect(isError).toBe(direct.status !== 200)
      }),
      { numRuns: 200 },
    )
  })

  it.each([
    ['a workspace that is no text', { workspace: { id: 'acme' } }, 'workspace'],
    ['no workspace where there are several', {}, 'workspace'],
    ['an object', { workspace: 'acme', limit: { valueOf: 1 } }, 'limit'],
    ['a list with null', { workspace: 'acme', tags: [null] }, 'tags'],
    ['a list of lists', { workspace: 'acme', tags: [['alpha']] }, 'tags'],
    ['an unknown argument', { workspace: 'acme', limt: 3 }, 'limt'],
  ])('names the argument where it is given %s', async (_, given, field) => {
    const { isError, text } = await call(open(), 'list_posts', given)
    expect(isError).toBe(true)
    expect(JSON.parse(text).details[0].field).toBe(field)
  })

  it.each(contentTools)('takes null for what is not given: $name', async ({ name, isList }) => {
    const given = { workspace: 'acme', query: 'e', ...(isList ? {} : { identifier: 'index' }) }
    const { query: _, ...own } = given
    const sent = name === 'search_posts' ? given : own
    const names = parametersOf({
      resource: contentTools.find((tool) => tool.name === name)?.resource ?? 'posts',
      identifier: isList ? null : '',
    })
    const nulls = Object.fromEntries(names.map((parameter) => [parameter, null]))
    const [bare, withNulls] = [
      await call(open(), name, sent),
      await call(open(), name, { ...nulls, nothing: null, ...sent }),
    ]
    expect(bare.isError).toBeUndefined()
    expect(withNulls).toEqual(bare)
  })

  it('takes at most 100 arguments, and does not name any of more', async () => {
    const given = (count: number) => ({ workspace: 'acme', ...namesOf(count - 1) })
    const most = await call(open(), 'list_posts', given(100))
    expect(JSON.parse(most.text).details).toHaveLength(99)
    const many = await call(open(), 'list_posts', given(102))
    expect(many.isError).toBe(true)
    expect(JSON.parse(many.text).message).toBe('A call has at most 100 arguments.')
  })

  it('has a name that an error repeats in part', async () => {
    const { error } = await call(open(), 'x'.repeat(10_000), {})
    expect(error.message).toContain(`There is no tool ${'x'.repeat(64)}.`)
  })

  it('needs an argument that is required, and a workspace where there are several', async () => {
    const { text } = await call(open(), 'search_posts', { workspace: 'acme', query: null })
    expect(JSON.parse(text).details).toEqual([{ field: 'query', message: 'is missing' }])
    const none = await call(open(), 'list_posts', { workspace: null })
    expect(JSON.parse(none.text).details[0].field).toBe('workspace')
  })

  it.each(['..', '../acme', '%2e%2e', 'posts', 'acme/posts/index?', 'acme\0', '__proto__', ''])(
    'finds no workspace %j',
    async (workspace) => {
      const { isError, text } = await call(open(), 'list_posts', { workspace })
      expect(isError).toBe(true)
      expect(JSON.parse(text)).toEqual({
        error: 'Not Found',
        message: 'There is no such workspace.',
      })
    },
  )

  it.each(['../tags', 'index?format=html', 'index#', '%2e%2e%2ftags', 'a\r\nb: c', '\ud800'])(
    'finds no post %j, and asks for nothing else',
    async (identifier) => {
      const { isError, text } = await call(open(), 'get_post', { workspace: 'acme', identifier })
      expect(isError).toBe(true)
      expect(['Not Found', 'Bad Request']).toContain(JSON.parse(text).error)
    },
  )
})

describe('posts that are not published', () => {
  it('change no byte of any result, whatever is called with whichever key', async () => {
    const [whole, without] = await Promise.all([openFixture(), openFixture(removeHidden)])
    const { hidden, keys } = whole.site
    const texts = [
      ...hidden,
      'needle',
      'Draft of',
      'Needle-scheduled',
      'Later',
      'r',
      '2999',
      '日本',
    ]
    const requests = contentTools.flatMap(({ name }) => [
      ...['acme', 'secret', undefined].map((workspace) => callOf(name, { workspace, limit: 100 })),
      ...texts.flatMap((text) => [
        callOf(name, { workspace: 'acme', query: text, identifier: text, excludeContent: false }),
        callOf(name, { workspace: 'acme', tags: [text], include: 'posts' }),
      ]),
    ])
    const senders = [undefined, keys.full, keys.other, keys.secret]
    for (const key of senders) {
      const more = key === undefined ? {} : { authorization: `Bearer ${key}` }
      for (let at = 0; at < requests.length; at += callsMax) {
        const batch = JSON.stringify(requests.slice(at, at + callsMax))
        const [one, other] = await Promise.all(
          [whole, without].map(async ({ handler }) => (await post(handler, batch, more)).text()),
        )
        expect(one).toBe(other)
        expect(one).toContain('"result"')
      }
    }
  })
})

function jsonOf(length: number): HttpReply {
  const body = new Uint8Array(length).fill(0x20)
  return { status: 200, headers: [], body, source: 'index' }
}

/** The results of one message whose calls get the given responses. */
async function callsOf(responses: readonly (() => Promise<HttpReply>)[]) {
  const left = [...responses]
  const source = {
    build: 'b',
    workspaces: ['acme'],
    own: null,
    get: () => left.shift()?.() ?? Promise.reject(new Error('too many')),
  }
  const body = JSON.stringify(responses.map((_, id) => callOf('list_tags', {}, id)))
  const request = requestOf(
    new Request('http://host.invalid/mcp', { method: 'POST', headers, body }),
    '',
  )
  const reply = await respondToAgent(request, source, [])
  const results: { readonly id: number; readonly result: CallToolResult }[] = JSON.parse(
    new TextDecoder().decode(reply.body as Uint8Array),
  )
  return results
    .toSorted((a, b) => a.id - b.id)
    .map(({ result: { isError, content } }) => {
      const [first] = content
      return { isError, text: first?.type === 'text' ? first.text : '' }
    })
}

describe('drafts', () => {
  it.each(['draft', 'all', 'published', ['draft']])(
    'are read by no tool with status %j, whichever key it has',
    async (status) => {
      const { site, handler } = await openFixture()
      const [draft] = site.drafts
      const authorization = `Bearer ${site.keys.drafts}`
      for (const [name, given] of [
        ['get_post', { identifier: draft?.slug }],
        ['list_posts', {}],
        ['search_posts', { query: 'e' }],
      ] as const) {
        const body = JSON.stringify(callOf(name, { ...given, status }))
        const response = await post(handler, body, { authorization })
        const { result } = JSON.parse(await response.text())
        expect(result.isError).toBe(true)
        expect(JSON.parse(result.content[0].text)).toMatchObject({
          details: [{ field: 'status', message: 'is not an argument of this tool' }],
        })
      }
      const v2 = await handler(
        new Request(`http://host.invalid/v2/posts/${draft?.slug}?status=draft`, {
          headers: { authorization },
        }),
      )
      expect(v2.status).toBe(200)
    },
  )
})

function namesOf(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`x${at}`, 0]))
}

/** A message with six values besides those in the given one. */
function listWith(_meta: object) {
  return { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } }
}

describe('a message', () => {
  it('may have many values with long names', async () => {
    const most = { ...namesOf(valuesMax - 7), ['x'.repeat(256)]: 0 }
    const response = await post(open(), JSON.stringify(listWith(most)))
    expect(response.status).toBe(200)
    expect(JSON.parse(await response.text()).result.tools).toHaveLength(contentTools.length + 1)
  })

  it('finds no path where agents are off', async () => {
    const off = await post(open({ loadAgents: undefined }), '{}')
    const none = await post(open({ loadAgents: undefined }), '{}')
    expect([off.status, none.status]).toEqual([404, 404])
  })

  it('is counted, and so is each request of its tools', async () => {
    const handler = open({ rateLimit: '5/10', clientAddress: () => '192.0.2.1' })
    const batch = Array.from({ length: 10 }, (_, id) =>
      callOf('list_tags', { workspace: 'acme' }, id),
    )
    const response = await post(handler, JSON.stringify(batch))
    const results: { readonly result: { readonly isError?: boolean } }[] = JSON.parse(
      await response.text(),
    )
    expect(response.headers.get('ratelimit-remaining')).toBe('4')
    expect(results.filter(({ result }) => result.isError === true)).toHaveLength(5)
    const statuses: number[] = []
    for (let sent = 0; sent < 5; sent++) statuses.push((await post(handler, '{}')).status)
    expect(statuses).toEqual([400, 400, 400, 400, 429])
  })

  it('counts failed keys as v2 does', async () => {
    const handler = open({ rateLimit: '200/10', clientAddress: () => '192.0.2.1' })
    const statuses: number[] = []
    for (let sent = 0; sent < 22; sent++) {
      const response = await post(handler, '{}', { authorization: `Bearer qk_${sent}` })
      statuses.push(response.status)
    }
    expect([...new Set(statuses)]).toEqual([401, 429])
  })

  it.each([
    ['too long', JSON.stringify({ x: 'x'.repeat(messageBytesMax) }), {}, 413],
    [
      'more than ten in one',
      JSON.stringify(Array.from({ length: 11 }, () => callOf('list_tags', {}))),
      {},
      400,
    ],
    ['more than ten that call nothing', `[${'{},'.repeat(10)}{}]`, {}, 400],
    ['no JSON', '{"jsonrpc":', {}, 400],
    ['nothing', '', {}, 400],
    ['of another type', '{}', { 'content-type': 'text/plain' }, 415],
    ['for a client that takes no JSON', '{}', { accept: 'text/html' }, 406],
    ['deep', '['.repeat(30_000) + ']'.repeat(30_000), {}, 400],
    ['a list of many values', JSON.stringify(listWith(namesOf(valuesMax - 5))), {}, 400],
    ['a long name', JSON.stringify(listWith({ ['x'.repeat(257)]: 0 })), {}, 400],
    ['many lists', `[${JSON.stringify(listWith(Array(995).fill([[[]]])))}]`, {}, 400],
    [
      'of an unknown version',
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      { 'mcp-protocol-version': '1999-01-01' },
      400,
    ],
  ])('is refused when it is %s', async (_, body, more, status) => {
    const response = await post(open(), body, more)
    expect(response.status).toBe(status)
    expect(JSON.parse(await response.text()).jsonrpc).toBe('2.0')
  })

  it.each([null, '*/*', 'application/json', 'APPLICATION/*;q=0.5', 'text/html, */*;q=0.1'])(
    'is answered in JSON for a client that accepts %j',
    async (accept) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
      const sent: Record<string, string> = { 'content-type': 'application/json' }
      const response = await open()(
        new Request('http://host.invalid/mcp', {
          method: 'POST',
          headers: accept === null ? sent : { ...sent, accept },
          body,
        }),
      )
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('application/json')
      expect(JSON.parse(await response.text()).result.tools).toHaveLength(contentTools.length + 1)
    },
  )

  it('gets responses of at most 1 MiB, and a 400 for each call whose response is too much', async () => {
    const lengths = [600_000, 500_000, 400_000, 40_000, 0]
    const responses = await callsOf(lengths.map((length) => async () => jsonOf(length)))
    expect(responses.map(({ isError = false }) => isError)).toEqual([
      false,
      true,
      false,
      false,
      false,
    ])
    const sizes = responses.map(({ text }) => text.length)
    expect(sizes.filter((_, at) => at !== 1)).toEqual([600_000, 400_000, 40_000, 0])
    expect(JSON.parse(responses[1]?.text ?? '')).toMatchObject({
      error: 'Bad Request',
      message: `The responses to one message have at most ${responseBytesMax} bytes, and 448576 are left. Send this call alone.`,
    })
  })

  it('makes its calls one by one, and others are answered between them', async () => {
    const order: string[] = []
    let others = 0
    const other = setInterval(() => others++, 0)
    onTestFinished(() => clearInterval(other))
    const turns: number[] = []
    await callsOf(
      Array.from({ length: callsMax }, (_, at) => async () => {
        order.push(`begin ${at}`)
        // Longer than the interval: it is due whenever the event loop turns.
        for (const end = performance.now() + 5; performance.now() < end; );
        await undefined
        turns.push(others)
        order.push(`end ${at}`)
        return jsonOf(0)
      }),
    )
    expect(order).toEqual(
      Array.from({ length: callsMax }, (_, at) => [`begin ${at}`, `end ${at}`]).flat(),
    )
    expect(turns.every((count, at) => at === 0 || count > (turns[at - 1] ?? 0))).toBe(true)
  })

  it('may come from a page of any origin', async () => {
    const request = new Request('http://host.invalid/mcp', { method: 'OPTIONS' })
    const { status, headers: allowed } = await open()(request)
    expect([status, allowed.get('access-control-allow-methods')]).toEqual([204, 'POST, OPTIONS'])
    expect(allowed.get('access-control-allow-headers')).toContain('Mcp-Protocol-Version')
  })

  it('is never cached', async () => {
    const response = await post(open(), JSON.stringify(callOf('list_tags', {})))
    expect(response.headers.get('cache-control')).toBe('no-store')
  })
})
