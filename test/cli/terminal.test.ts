import { expect, it } from 'vitest'
import { createProgress, progressText, terminalOf } from '../../src/cli/terminal.ts'

const clear = '\r\u001b[K'

/** What progress writes while bodies are rendered, at the times of a clock in milliseconds. */
function written(
  updates: readonly (readonly [time: number, done: number])[],
  environment: Readonly<Record<string, string>> = {},
  columns = 80,
): readonly string[] {
  const texts: string[] = []
  let time = 0
  const terminal = terminalOf(environment, { isTTY: true, columns })
  const progress = createProgress(
    terminal,
    (text) => texts.push(text),
    () => time,
  )
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
  [5, 5, 1000, 'Rendering 5 of 5 posts, 0 s left'],
])('says how many of how many, and how long: %j of %j', (done, total, time, text) => {
  expect(progressText(done, total, time)).toBe(text)
})

it('appears after a second, moves ten times a second, and removes itself', () => {
  expect(
    written([
      [100, 400],
      [899, 1000],
    ]),
  ).toEqual([])
  expect(
    written([
      [1000, 100],
      [1050, 110],
      [1100, 200],
    ]),
  ).toEqual([
    `${clear}Rendering 100 of 1,000 posts, 9 s left`,
    `${clear}Rendering 200 of 1,000 posts, 5 s left`,
    `${clear}Writing the index`,
    clear,
  ])
  expect(written([[1000, 100]], {}, 20)[0]).toBe(`${clear}Rendering 100 of 1,`)
})

it.each([{ NO_COLOR: '1' }, { CI: 'true' }, { TERM: 'dumb' }])(
  'is silent with %j',
  (environment) => {
    expect(
      written(
        [
          [1000, 100],
          [2000, 500],
        ],
        environment,
      ),
    ).toEqual([])
  },
)
