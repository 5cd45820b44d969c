// The whole suite, for any host that can be asked.
import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { defineAgents } from './agents.ts'
import { defineBursts } from './bursts.ts'
import { type Asking, type HostUnderTest, openAsking } from './host.ts'
import { defineMedia } from './media.ts'
import { defineResponses } from './responses.ts'

/**
 * Defines the suite for a host.
 *
 * @param open starts the host with the fixture's content; asked once
 * @param skips reasons why a host cannot pass a case, by the end of the case's name
 */
export function defineConformance(
  name: string,
  open: () => Promise<HostUnderTest>,
  skips: Readonly<Record<string, string>> = {},
): void {
  describe(`the interface, by ${name}`, () => {
    beforeEach(({ task, skip }) => {
      const found = Object.entries(skips).find(([end]) => task.name.endsWith(end))
      if (found !== undefined) skip(found[1])
    })
    let host: HostUnderTest
    let asking: Asking
    beforeAll(async () => {
      host = await open()
      asking = await openAsking(host)
    })
    afterAll(async () => {
      await host?.close?.()
    })
    defineResponses(() => host)
    defineMedia(() => asking)
    defineAgents(() => asking)
    // Last, because the host is started again and again.
    defineBursts(() => host)
  })
}
