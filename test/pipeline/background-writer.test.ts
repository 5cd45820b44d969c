// What is written behind those who answer: the latest site, once, and whole before the end.
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { LockError } from '../../src/emit/file-lock.ts'
import { BackgroundWriter } from '../../src/pipeline/background-writer.ts'

describe('a background writer', () => {
  it('writes the latest of many sites alone', async () => {
    const { writer, written } = makeWriter()
    for (const site of ['a', 'b', 'c']) writer.write(site)
    await writer.close()
    expect(written).toEqual(['c'])
  })

  it('writes what was stopped once it may go on', async () => {
    const { writer, written } = makeWriter()
    writer.write('a')
    writer.stop()
    writer.resume()
    await writer.close()
    expect(written).toEqual(['a'])
  })

  it('writes nothing again that it has written', async () => {
    const { writer, written, next } = makeWriter()
    writer.write('a')
    await next()
    await turn()
    writer.stop()
    writer.resume()
    await writer.close()
    expect(written).toEqual(['a'])
  })

  it('ends what is out of date before it begins the next', async () => {
    const begun: string[] = []
    const ended: string[] = []
    const writer = new BackgroundWriter<string>({
      write: async (site, signal) => {
        begun.push(site)
        if (site === 'long') {
          const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve))
          writer.write('next')
          await aborted
          ended.push(site)
          signal.throwIfAborted()
        }
        expect(ended.length).toBe(begun.indexOf(site))
        ended.push(site)
      },
      onError: (error) => ended.push(String(error)),
    })
    writer.write('long')
    await writer.close()
    await writer.close()
    expect(ended).toEqual(['long', 'next'])
  })

  it('tries again where another one is at work, and tells of everything else', async () => {
    const errors: unknown[] = []
    let tries = 0
    const { writer, next } = makeWriter({
      before: () => {
        tries += 1
        if (tries === 1) throw new LockError('Another build is at work.')
        if (tries === 3) throw new Error('the disk is full')
      },
      onError: (error) => errors.push(error),
    })
    writer.write('a')
    await next()
    expect(tries).toBe(2)
    writer.write('b')
    await writer.close()
    expect(errors).toEqual([new Error('the disk is full')])
  })
})

function makeWriter(
  steps: { readonly before?: () => void; readonly onError?: (error: unknown) => void } = {},
) {
  const written: string[] = []
  let tell: () => void = () => {}
  const writer = new BackgroundWriter<string>({
    write: async (site) => {
      steps.before?.()
      written.push(site)
      tell()
    },
    onError: steps.onError ?? (() => {}),
  })
  const next = () =>
    new Promise<void>((resolve) => {
      tell = resolve
    })
  return { writer, written, next }
}
