// Many requests at once to a function that has just started, while some clients leave: on no host does a request depend
// on another one that is gone.
import { expect, it } from 'vitest'
import { type ApiResponse, type HostUnderTest, readResponse } from './host.ts'

const targets = [
  ...['/v1/acme/posts?categories=news', '/v1/acme/posts?limit=all&tags=alpha', '/v1/acme/tags'],
  ...['/v1/acme/posts/post-2?format=markdown&x=1', '/v1/acme/posts?limit=7'],
  ...['/v1/acme/posts?query=st%201', '/v1/acme/posts?query=nowhere', '/v1/acme/posts/none'],
]

/** Of this many clients, one leaves. */
const leavers = 3

/** Defines the case. */
export function defineBursts(hostOf: () => HostUnderTest | undefined): void {
  it('responds to many requests at once from its start on, while clients leave', async ({
    skip,
  }) => {
    const host = hostOf()
    if (host?.files === undefined) return skip('another host has these files')
    const { request, files } = host
    const plain = ({ status, text }: ApiResponse) => ({ status, text })
    const expected = new Map<string, ReturnType<typeof plain>>()
    for (const target of targets)
      expected.set(target, plain(await readResponse(await request(target))))
    const send = async (number: number) => {
      const target = targets[number % targets.length] ?? ''
      const leaves = number % leavers === 0 ? AbortSignal.timeout(1 + (number % 20)) : null
      try {
        const options = leaves === null ? {} : { signal: leaves }
        const response = await request(target, options).catch((error) => {
          // A connection to the process before the restart.
          if (error?.cause?.code !== 'ECONNRESET') throw error
          return request(target, options)
        })
        expect(plain(await readResponse(response)), target).toEqual(expected.get(target))
      } catch (error) {
        if (leaves?.aborted !== true) throw error
      }
    }
    for (let start = 0; start < 3; start++) {
      await files.restart()
      await Promise.all(Array.from({ length: 36 }, (_, number) => send(number + start)))
    }
  }, 120_000)
}
