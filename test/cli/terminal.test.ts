// Progress of long work on a terminal.
import { expect, it } from 'vitest'
import { createProgress, progressText, terminalOf } from '../../src/cli/terminal.ts'

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
  progress.step('Writing the index')
  progress.end()
  return texts
}

it.each([
  [0, 1, 100, 'Rendering 0 of 1 post'],
  [1200, 3000, 6000, 'Rendering 1,200 of 3,000 posts, 9 s left'],
  [10, 410, 5000, 'Rendering 10 of 410 posts, 3 min 20 s left'],
])('counts posts and the time that is left: %j of %j', (done, total, time, text) => {
  expect(progressText(done, total, time)).toBe(text)
})

it('appears after a second, moves ten times a second, and removes itself', () => {
  const early = [100, 400] as const
  const [first, soon, next] = [[1000, 100] as const, [1050, 110] as const, [1100, 200] as const]
  expect(written([early, [899, 1000]])).toEqual([])
  expect(written([first, soon, next])).toEqual([
    `${clear}Rendering 100 of 1,000 posts, 9 s left`,
    `${clear}Rendering 200 of 1,000 posts, 5 s left`,
    `${clear}Writing the index`,
    clear,
  ])
  expect(written([first], {}, 20)[0]).toBe(`${clear}Rendering 100 of 1,`)
  for (const environment of [{ NO_COLOR: '1' }, { CI: 'true' }, { TERM: 'dumb' }])
    expect(written([first, next], environment as Record<string, string>)).toEqual([])
})
