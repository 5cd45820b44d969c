// Interleaves long bodies with short responses: each turn of the event loop produces one fragment.
import { whenReady } from '../../api/awaitable.ts'
import type { Responder } from '../../runtime/responder.ts'

/**
 * Wraps a responder: long bodies take turns, so that a new request waits for one fragment at most.
 *
 * A socket that accepts every write never yields to the event loop, so one body would be written to its end first. A
 * waiting body holds no fragment in memory. A turn is one pass of the event loop, whether or not the fragment is
 * read. Slow readers therefore hold no turn and cannot starve others.
 */
export function yieldBetweenChunks(responder: Responder): Responder {
  const turns = new Yielder()
  return (request) =>
    whenReady(responder(request), (reply) =>
      reply.body === null || reply.body instanceof Uint8Array
        ? reply
        : { ...reply, body: inTurn(reply.body, turns) },
    )
}

async function* inTurn(
  body: AsyncIterable<Uint8Array>,
  turns: Yielder,
): AsyncGenerator<Uint8Array, void, undefined> {
  const fragments = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      await turns.wait()
      const { done, value } = await fragments.next()
      if (done === true) return
      yield value
    }
  } finally {
    await fragments.return?.()
  }
}

/** Bodies waiting for a turn, in FIFO order. */
class Yielder {
  readonly #waiting: (() => void)[] = []

  wait(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#waiting.push(resolve) === 1) setImmediate(this.#next)
    })
  }

  readonly #next = (): void => {
    this.#waiting.shift()?.()
    if (this.#waiting.length > 0) setImmediate(this.#next)
  }
}
