import { expect, it, onTestFinished } from 'vitest'
import { createDevPage, type DevPage } from '../../src/hosts/dev-page.ts'
import type { Responder } from '../../src/runtime/responder.ts'
import { askHandler } from '../support/served-site.ts'

const own = { host: '127.0.0.1:4321', 'sec-fetch-site': 'same-origin' }

/** Answers what the page leaves to others. */
const behind: Responder = async () => ({ status: 204, headers: [], body: null, source: 'none' })

function openPage(host = '127.0.0.1'): DevPage {
  const project = {
    root: '/project',
    folder: 'content',
    explain: async () => '{}',
    at: () => behind,
  }
  const page = createDevPage(host, project)
  onTestFinished(() => page.close())
  return page
}

it.each<[object, string, number, string?]>([
  [own, 'content', 200],
  [{ host: '[::1]:4321' }, 'content', 200],
  [{ ...own, 'sec-fetch-site': 'none' }, 'explain?target=/', 200],
  [{ host: 'Laptop.lan:4321' }, 'content', 200, 'laptop.lan'],
  [{ ...own, 'sec-fetch-site': 'cross-site' }, 'content', 403],
  [{ ...own, 'sec-fetch-site': 'same-site' }, 'explain?target=/', 403],
  [{ ...own, host: 'rebound.example:4321' }, 'content', 403],
  [{}, 'content', 403],
  [own, 'at/2999-01-01/v1/acme/posts', 204],
  [{ ...own, 'sec-fetch-site': 'cross-site' }, 'at/2999-01-01/v1/acme/posts', 403],
  [own, 'content/', 204],
  [own, '../v1/acme/posts', 204],
])(
  'content with drafts is for the page of this server alone: %o, %s, %i',
  async (headers, path, status, host) => {
    const sent = { headers: headers as Record<string, string> }
    const reply = await askHandler(openPage(host).before(behind), `/_quarry/${path}`, sent)
    expect(reply.status).toBe(status)
    if (status === 200 && path === 'content')
      expect(JSON.parse(reply.text)).toEqual({ root: '/project', workspaces: [] })
    if (status === 200) expect(reply.header('access-control-allow-origin')).toBe(null)
  },
)
