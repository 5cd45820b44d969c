import { describe, expect, it } from 'vitest'
import { RequestLog } from '../../src/runtime/rate-limit-log.ts'

function logOf(...instants: readonly number[]): RequestLog {
  const log = new RequestLog(1000)
  for (const instant of instants) log.add(instant)
  return log
}

describe('RequestLog', () => {
  it.each([
    { instants: [], now: 0, count: 0, roomInMs: 0 },
    { instants: [0], now: 0, count: 1, roomInMs: 1000 },
    { instants: [0], now: 999, count: 1, roomInMs: 1 },
    { instants: [0], now: 1000, count: 0, roomInMs: 0 },
    { instants: [0, 400, 800], now: 1100, count: 2, roomInMs: 300 },
    { instants: [0, 400, 800], now: 1400, count: 1, roomInMs: 400 },
    { instants: [0, 0, 0, 1], now: 1000, count: 1, roomInMs: 1 },
  ])('counts $count of $instants at $now, and has room in $roomInMs ms', (given) => {
    const log = logOf(...given.instants)
    log.forget(given.now)
    expect(log.count).toBe(given.count)
    expect(log.roomInMs(given.now)).toBe(given.roomInMs)
  })

  it('counts instants ahead of a clock that was set back a little', () => {
    const log = logOf(5000)
    log.forget(4500)
    expect(log.count).toBe(1)
    expect(log.roomInMs(4500)).toBe(1500)
  })

  it('forgets instants a window ahead of a clock that was set back far', () => {
    const log = logOf(9_000_000, 9_000_001)
    log.forget(5000)
    expect(log.count).toBe(0)
  })
})
