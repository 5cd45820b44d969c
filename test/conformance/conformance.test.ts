import { join } from 'node:path'
import { start } from '../support/command-line.ts'
import type { HostUnderTest } from './host.ts'
import { buildFixture, requestAddress } from './hosts.ts'
import { defineConformance } from './suite.ts'

defineConformance('quarry serve over HTTP', openServed)

async function openServed(): Promise<HostUnderTest> {
  const fixture = await buildFixture()
  const open = async () => {
    const environment = { QUARRY_RATE_LIMIT: 'off', QUARRY_MCP: 'on' }
    const running = start(fixture.folder, ['serve', '--port', '0'], environment)
    const [, url = ''] = await running.waitFor(/ at (\S+)/)
    const stop = async () => {
      running.stop('SIGTERM')
      await running.ended
    }
    return { stop, request: requestAddress(url) }
  }
  let opened = await open()
  return {
    request: (path, options) => opened.request(path, options),
    site: fixture.site,
    out: fixture.out,
    files: {
      folder: join(fixture.out, 'function'),
      restart: async () => {
        await opened.stop()
        opened = await open()
      },
    },
    close: async () => {
      await opened.stop()
      fixture.remove()
    },
  }
}
