import { PassThrough } from 'node:stream'
import type { ReadStream } from 'node:tty'
import { expect, it } from 'vitest'
import { listenForKeys } from '../../src/cli/shortcuts.ts'

it('runs the action of a key, and leaves the terminal as it was', async () => {
  const raw: boolean[] = []
  const input = Object.assign(new PassThrough(), {
    setRawMode(isRaw: boolean) {
      raw.push(isRaw)
      return input
    },
  })
  const pressed: string[] = []
  const close = listenForKeys(input as unknown as ReadStream, { o: () => pressed.push('o') })
  for (const key of ['o', 'x', 'constructor', 'o']) {
    input.write(key)
    await new Promise((resolve) => setImmediate(resolve))
  }
  close()
  input.write('o')
  await new Promise((resolve) => setImmediate(resolve))
  expect(pressed).toEqual(['o', 'o'])
  expect(raw).toEqual([true, false])
})
