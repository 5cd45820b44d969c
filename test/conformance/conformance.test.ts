// The suite, on the handler in this process and on `quarry serve` as a process of its own.
import { join } from 'node:path'
import { type Running, start } from '../support/command-line.ts'
import type { HostUnderTest } from './host.ts'
import { buildFixture, openInProcess, requestAddress } from './hosts.ts'
import { defineConformance } from './suite.ts'

defineConformance('the handler in process', openInProcess, {
  'an image': 'the function knows of no images: its hosts give them',
})

defineConformance('quarry serve over HTTP', openServed)

type Opened = {
  readonly running: Running
  readonly request: HostUnderTest['request']
}

async function openServed(): Promise<HostUnderTest> {
  const fixture = await buildFixture()
  const open = async () => {
    const environment = { QUARRY_RATE_LIMIT: 'off', QUARRY_MCP: 'on' }
    const running = start(fixture.folder, ['serve', '--port', '0'], environment)
    const [, url = ''] = await running.waitFor(/ at (\S+)/)
    return { running, request: requestAddress(url) }
  }
  const stop = async ({ running }: Opened) => {
    running.stop('SIGTERM')
    await running.ended
  }
  let opened = await open()
  return {
    request: (path, options) => opened.request(path, options),
    site: fixture.site,
    out: fixture.out,
    files: {
      folder: join(fixture.out, 'function'),
      restart: async () => {
        await stop(opened)
        opened = await open()
      },
    },
    close: async () => {
      await stop(opened)
      fixture.remove()
    },
  }
}
