// Progress of long work on a terminal.
import { expect, it } from 'vitest'
import { createProgress, terminalOf } from '../../src/cli/terminal.ts'

const clear = '\r\u001b[K'

/** Returns what progress writes for updates at the times of a clock in milliseconds. */
function written(
  updates: readonly (readonly [time: number, done: number])[],
  environment: Readonly<Record<string, string>> = {},
  columns = 80,
): readonly string[] {
  const texts: string[] = []
  let time = 0
  const terminal = terminalOf(environment, { isTTY: true, columns })
  const write = (text: string) => void texts.push(text)
  const progress = createProgress(terminal, write, () => time)
  for (const [at, done] of updates) {
    time = at
    progress.update(done, 1000)
  }
  progress.end()
  return texts
}

it('appears after a second, moves ten times a second, and removes itself', () => {
  const early = [100, 400] as const
  const [first, soon, next] = [[1000, 100] as const, [1050, 110] as const, [1100, 200] as const]
  expect(written([early, [899, 1000]])).toEqual([])
  expect(written([first, soon, next])).toEqual([
    `${clear}Rendering 100 of 1,000 posts`,
    `${clear}Rendering 200 of 1,000 posts`,
    clear,
  ])
  expect(written([first], {}, 20)[0]).toBe(`${clear}Rendering 100 of 1,`)
  for (const environment of [{ NO_COLOR: '1' }, { CI: 'true' }, { TERM: 'dumb' }])
    expect(written([first, next], environment as Record<string, string>)).toEqual([])
})
