import { describe, expect, it, onTestFinished } from 'vitest'
import { yieldBetweenChunks } from '../../src/hosts/node/long-bodies.ts'
import type { HttpReply, HttpRequest } from '../../src/runtime/http.ts'

const request: HttpRequest = { method: 'GET', target: '/', clientAddress: '', header: () => null }

/** A responder of long bodies, and what was produced of each. */
function longBodies(fragments: number) {
  const produced: number[] = []
  let ended = 0
  const respond = yieldBetweenChunks((): HttpReply => {
    const number = produced.push(0) - 1
    const body = async function* () {
      try {
        for (let at = 0; at < fragments; at++) {
          produced[number] = at + 1
          yield new Uint8Array([at])
        }
      } finally {
        ended += 1
      }
    }
    return { status: 200, headers: [], body: body(), source: 'index' }
  })
  const open = async () => (await respond(request)).body as AsyncGenerator<Uint8Array>
  return { open, produced, ended: () => ended }
}

/** Counts how often the event loop comes round. */
function countTurns(): () => number {
  let turns = 0
  let timer = setImmediate(function again() {
    turns += 1
    timer = setImmediate(again)
  })
  onTestFinished(() => clearImmediate(timer))
  return () => turns
}

describe('takingTurns', () => {
  it('gives every fragment in order, and ends', async () => {
    const { open, ended } = longBodies(30)
    const read = await readAll(await open())
    expect(read).toEqual(Array.from({ length: 30 }, (_, at) => at))
    expect(ended()).toBe(1)
  })

  it('returns to the event loop after each fragment, of all bodies together', async () => {
    const { open } = longBodies(100)
    const turns = countTurns()
    const bodies = await Promise.all(Array.from({ length: 20 }, open))
    await Promise.all(bodies.map((body) => readAll(body)))
    expect(turns()).toBeGreaterThanOrEqual(20 * 100)
  })

  it('lets bodies take turns: none is far ahead of another', async () => {
    const { open, produced } = longBodies(50)
    const bodies = await Promise.all(Array.from({ length: 20 }, open))
    const [first, ...others] = bodies
    const reading = others.map((body) => readAll(body))
    if (first !== undefined) await readAll(first)
    expect(Math.min(...produced)).toBeGreaterThanOrEqual(48)
    await Promise.all(reading)
  })

  it('goes on beside any number of readers that stopped', async () => {
    const { open, produced } = longBodies(50)
    const stalled = await Promise.all(Array.from({ length: 40 }, open))
    await Promise.all(stalled.map((body) => body.next()))
    expect(await readAll(await open())).toHaveLength(50)
    expect(produced.slice(0, stalled.length)).toEqual(stalled.map(() => 1))
  })

  it('ends a body whose reader has gone, and keeps none of its turns', async () => {
    const { open, ended } = longBodies(50)
    for (let number = 0; number < 10; number++) {
      const body = await open()
      await body.next()
      await body.return(undefined)
    }
    expect(ended()).toBe(10)
    expect(await readAll(await open())).toHaveLength(50)
  })

  it('does not wait for a body whose next fragment is slow to come', async () => {
    const slow = yieldBetweenChunks(() => ({
      status: 200,
      headers: [],
      body: never(),
      source: 'index',
    }))
    const { open } = longBodies(50)
    void ((await slow(request)).body as AsyncGenerator).next()
    expect(await readAll(await open())).toHaveLength(50)
  })

  it('hands on that a body fails, and goes on with others', async () => {
    const failing = yieldBetweenChunks(() => ({
      status: 200,
      headers: [],
      body: broken(),
      source: 'index',
    }))
    await expect(((await failing(request)).body as AsyncGenerator).next()).rejects.toThrow('unread')
    expect(await readAll(await longBodies(50).open())).toHaveLength(50)
  })
})

/** The fragments of a body: their first bytes. */
async function readAll(body: AsyncIterable<Uint8Array>): Promise<readonly number[]> {
  const read: number[] = []
  for await (const [at = -1] of body) read.push(at)
  return read
}

async function* never(): AsyncGenerator<Uint8Array> {
  yield await new Promise<Uint8Array>(() => {})
}

async function* broken(): AsyncGenerator<Uint8Array> {
  yield await Promise.reject(new Error('unreadable'))
}
