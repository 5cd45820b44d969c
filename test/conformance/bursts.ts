// Many requests at once to a function that has just started, while some clients leave: on no host does a request depend
// on another one that is gone.
import { expect, it } from 'vitest'
import type { ApiResponse, HostUnderTest } from './host.ts'
import { readResponse } from './host.ts'

const targets = [
  ...['/v1/acme/posts?categories=news', '/v1/acme/posts?limit=all&tags=alpha', '/v1/acme/tags'],
  ...[
    '/v1/acme/posts/post-1',
    '/v1/acme/posts/post-2?format=markdown&x=1',
    '/v1/acme/posts?limit=7',
  ],
  ...['/v1/acme/posts?query=post', '/v1/acme/posts?query=st%201', '/v1/acme/posts?query=of%20num'],
  ...['/v1/open/posts?query=e', '/v1/acme/posts?query=nowhere', '/v1/acme/posts/none'],
]

const starts = 3
const atOnce = 36
/** Of this many clients, one leaves. */
const leavers = 3

/** Defines the cases. */
export function defineBursts(hostOf: () => HostUnderTest | undefined): void {
  it('responds to many requests at once from its start on, while clients leave', async ({
    skip,
  }) => {
    const host = hostOf()
    if (host?.files === undefined) return skip('another host has these files')
    const { request } = host
    const plain = ({ status, text }: ApiResponse) => ({ status, text: withoutId(text) })
    const expected = new Map<string, ReturnType<typeof plain>>()
    for (const target of targets) {
      expected.set(target, plain(await readResponse(await request(target))))
    }
    const counts = { same: 0, left: 0 }
    const send = async (number: number) => {
      const target = targets[number % targets.length] ?? ''
      const leaves = number % leavers === 0 ? AbortSignal.timeout(1 + (number % 20)) : undefined
      try {
        const options = leaves === undefined ? {} : { signal: leaves }
        const response = await request(target, options).catch((error) => {
          // A connection to the process before the restart.
          if (error?.cause?.code !== 'ECONNRESET') throw error
          return request(target, options)
        })
        expect(plain(await readResponse(response)), target).toEqual(expected.get(target))
        counts.same += 1
      } catch (error) {
        if (leaves?.aborted !== true) throw error
        counts.left += 1
      }
    }
    for (let start = 0; start < starts; start++) {
      await host.files.restart()
      await Promise.all(Array.from({ length: atOnce }, (_, number) => send(number + start)))
    }
    expect(counts.same).toBeGreaterThanOrEqual(starts * (atOnce - atOnce / leavers))
  }, 120_000)
}

/** An error names its request. */
function withoutId(text: string): string {
  return text.replace(/"requestId":"[^"]*"/, '')
}
