import { describe, expect, it } from 'vitest'
import { createProgress, progressText } from '../../src/cli/progress.ts'
import { terminalOf } from '../../src/cli/terminal.ts'

const screen = terminalOf({}, { isTTY: true, columns: 80 })
const clear = '\r\u001b[K'

describe('the text of progress', () => {
  it.each([
    [
      { done: 1200, total: 3000, perSecond: 205 },
      'Rendering 1,200 of 3,000 posts, 205/s, 9 s left',
    ],
    [{ done: 0, total: 1, perSecond: 0 }, 'Rendering 0 of 1 post'],
    [{ done: 10, total: 410, perSecond: 2 }, 'Rendering 10 of 410 posts, 2.0/s, 3 min 20 s left'],
    [
      { done: 0, total: 150_000, perSecond: 20 },
      'Rendering 0 of 150,000 posts, 20/s, 2 h 5 min left',
    ],
    [{ done: 5, total: 5, perSecond: 1 }, 'Rendering 5 of 5 posts, 1.0/s, 0 s left'],
  ])('says how many, how fast and how long: %j', (state, text) => {
    expect(progressText(state)).toBe(text)
  })
})

describe('progress', () => {
  /** What is written while bodies are rendered at the times of a clock, in milliseconds. */
  function written(
    updates: readonly (readonly [time: number, done: number])[],
    terminal = screen,
  ): readonly string[] {
    const texts: string[] = []
    let time = 0
    const progress = createProgress(
      terminal,
      (text) => texts.push(text),
      () => time,
    )
    for (const [at, done] of updates) {
      time = at
      progress.update(done, 1000)
    }
    progress.afterStage('responses')
    progress.end()
    return texts
  }

  it('shows nothing of work that is done within a second', () => {
    expect(
      written([
        [100, 400],
        [899, 1000],
      ]),
    ).toEqual([])
  })

  it('moves ten times a second, says what comes next, and takes itself away', () => {
    expect(
      written([
        [1000, 100],
        [1050, 110],
        [1100, 200],
      ]),
    ).toEqual([
      `${clear}Rendering 100 of 1,000 posts, 100/s, 9 s left`,
      `${clear}Rendering 200 of 1,000 posts, 182/s, 5 s left`,
      `${clear}Making the index`,
      clear,
    ])
  })

  it('goes by the rate of the last seconds, not by that of the start', () => {
    const lines = written([
      [4000, 4],
      [5000, 104],
      [9900, 594],
    ])
    expect(lines[2]).toBe(`${clear}Rendering 594 of 1,000 posts, 100/s, 5 s left`)
  })

  it('is cut where the terminal would break it', () => {
    const narrow = terminalOf({}, { isTTY: true, columns: 20 })
    expect(written([[1000, 100]], narrow)[0]).toBe(`${clear}Rendering 100 of 1,`)
  })

  it.each([
    [{}, {}],
    [{ NO_COLOR: '1' }, { isTTY: true }],
    [{ CI: 'true' }, { isTTY: true }],
    [{ TERM: 'dumb' }, { isTTY: true }],
  ])('is silent with %j on %j', (environment, stream) => {
    expect(
      written(
        [
          [1000, 100],
          [2000, 500],
        ],
        terminalOf(environment, stream),
      ),
    ).toEqual([])
  })
})
