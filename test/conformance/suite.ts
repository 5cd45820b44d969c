// The whole suite, for any host that can be asked.
import { afterAll, beforeAll, describe } from 'vitest'
import { defineCors } from './cors.ts'
import { defineErrors } from './errors.ts'
import { type Asking, type HostUnderTest, openAsking } from './host.ts'
import { defineHttp } from './http.ts'
import { defineKeys } from './keys.ts'
import { defineLists } from './lists.ts'
import { defineParameters } from './parameters.ts'
import { defineSearch } from './search.ts'
import { defineSingles } from './singles.ts'

/**
 * Defines the suite for a host.
 *
 * @param open starts the host with the fixture's content; asked once
 */
export function defineConformance(name: string, open: () => Promise<HostUnderTest>): void {
  describe(`the interface, by ${name}`, () => {
    let host: HostUnderTest | undefined
    let asking: Asking | undefined
    const opened = (): Asking => {
      if (asking === undefined) throw new Error('the host is not open')
      return asking
    }
    beforeAll(async () => {
      host = await open()
      asking = await openAsking(host)
    })
    afterAll(async () => {
      await host?.close?.()
    })
    defineLists(opened)
    defineSingles(opened)
    defineParameters(opened)
    defineSearch(opened)
    defineErrors(opened)
    defineHttp(opened)
    defineCors(opened)
    defineKeys(opened)
  })
}
