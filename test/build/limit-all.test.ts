import { describe, expect, it } from 'vitest'
import { resolveSettings } from '../../src/config.ts'
import { call } from '../support/command-call.ts'
import { start } from '../support/command-line.ts'
import { askHandler, serveFolder } from '../support/served-site.ts'
import { temporarySite } from '../support/temporary-site.ts'

describe('a site with limitAll: false', () => {
  it('refuses limit=all as it refuses other bad limits, and says so in its document', async () => {
    const site = temporarySite({ limitAll: false }).posts(12)
    await site.build()
    const served = await serveFolder(site.out)
    const handler = served.handler()
    const refused = await askHandler(handler, '/v1/acme/posts?limit=all&page=0')
    expect([refused.status, JSON.parse(refused.text).details]).toEqual([
      400,
      [
        { field: 'limit', message: 'must be an integer from 1 to 100: "all" is switched off here' },
        { field: 'page', message: 'must be an integer from 1' },
      ],
    ])
    expect((await askHandler(handler, '/v1/acme/posts?limit=100')).status).toBe(200)
    const { paths } = site.json('public/openapi.json')
    const limitOf = (path: string) =>
      paths[path].get.parameters.find(({ name }: { name: string }) => name === 'limit')
    expect(limitOf('/v1/{workspaceId}/posts')).toEqual(limitOf('/v1/{workspaceId}/tags'))
    served.close()
  })

  it('is built again when it is switched on', async () => {
    const site = temporarySite({ limitAll: false, cache: '.cache' }).posts(2)
    await site.build()
    site.write('quarry.config.json', '{"limitAll": true, "cache": ".cache"}')
    const { exitCode } = await call(site.folder, ['build'])
    expect(exitCode).toBe(0)
    const explained = await call(site.folder, ['explain', '/v1/acme/posts?limit=all', '--json'])
    expect(JSON.parse(explained.stdout).status).toBe(200)
  })

  it('writes no such list for a static host, and refuses one that is named', () => {
    const { lists } = resolveSettings({ platform: 'static', limitAll: false }).precompute
    expect(lists).toEqual(['default', 'excludeContent'])
    expect(() => resolveSettings({ limitAll: false, precompute: { lists: ['asc+all'] } })).toThrow(
      '`limitAll` is false, and `precompute.lists` names a list with "all".',
    )
  })

  it('is what quarry dev serves too', async () => {
    const site = temporarySite().posts(2)
    site.write('quarry.config.json', '{"limitAll": false}')
    const dev = start(site.folder, ['dev', '--port', '0'])
    const [, url = ''] = await dev.waitFor(/Serving.*?(http:\/\/[\d.:]+)/)
    expect((await fetch(`${url}/v1/acme/posts?limit=all`)).status).toBe(400)
    dev.stop('SIGTERM')
    await dev.ended
  })
})
