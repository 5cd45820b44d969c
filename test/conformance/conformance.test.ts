// The suite, on the handler in this process and on `quarry serve` as a process of its own.
import { start } from '../support/command-line.ts'
import type { HostUnderTest } from './host.ts'
import { buildFixture, openInProcess, requestAddress } from './hosts.ts'
import { defineConformance } from './suite.ts'

defineConformance('the handler in process', openInProcess, {
  'an image': 'the function knows of no images: its hosts give them',
})

defineConformance('quarry serve over HTTP', openServed)

async function openServed(): Promise<HostUnderTest> {
  const fixture = await buildFixture()
  const running = start(fixture.folder, ['serve', '--port', '0'], { QUARRY_RATE_LIMIT: 'off' })
  const [, url = ''] = await running.waitFor(/ at (\S+)/)
  return {
    request: requestAddress(url),
    site: fixture.site,
    close: async () => {
      running.stop('SIGTERM')
      await running.ended
      fixture.remove()
    },
  }
}
