// The matches of a text in a post, found by folding every part of a text that may be one. Slow, and without a line of the
// code under test but the fold.
import { fold } from '../../src/search/fold.ts'

interface ExpectedMatch {
  readonly field: string
  readonly text: string
  readonly ranges: readonly (readonly [number, number])[]
}

/** @param patterns folded, not empty */
export function expectedMatches(
  patterns: readonly string[],
  title: string,
  text: string,
): readonly ExpectedMatch[] {
  return [...parts('title', title, patterns), ...parts('content', text, patterns)].slice(0, 3)
}

function parts(field: string, text: string, patterns: readonly string[]): readonly ExpectedMatch[] {
  const found: ExpectedMatch[] = []
  let ranges = expectedRanges(patterns, text)
  let from = 0
  for (let first = ranges[0]; first !== undefined && found.length < 3; first = ranges[0]) {
    const [start, most] = partAround(text, first, from)
    const whole = ranges.filter(([, end], at) => at === 0 || end <= most)
    ranges = ranges.filter((range) => !whole.includes(range))
    const end = Math.min(most, ranges[0]?.[0] ?? most)
    const moved = whole.map(([a, b]) => [a - start, Math.min(b, end) - start] as const)
    found.push({ field, text: text.slice(start, end), ranges: moved })
    from = end
  }
  return found
}

/** Where one can cut a text without parting a character from its marks. */
function cutsOf(text: string): readonly number[] {
  const joined =
    /^[\p{M}\p{Default_Ignorable_Code_Point}\u0640\u1160-\u11ff\ud7b0-\ud7ff\uff9e\uff9f]/u
  const cuts = [0]
  for (const character of text) cuts.push((cuts.at(-1) ?? 0) + character.length)
  return cuts.filter((at) => at === 0 || !joined.test(text.slice(at)))
}

/** Every match from the left: the smallest parts between two cuts whose fold reaches over it. */
function expectedRanges(patterns: readonly string[], text: string): readonly [number, number][] {
  const folded = fold(text)
  const cuts = cutsOf(text)
  // What is folded before a cut; letters around it keep its white space.
  const lead = fold(`x${text}x`).indexOf(`${folded}`, 1) - 1
  const before = cuts.map((at) => fold(`x${text.slice(0, at)}x`).length - 2 - lead)
  const found = patterns.flatMap((pattern) => {
    const ranges: [number, number][] = []
    for (let at = folded.indexOf(pattern); at !== -1; ) {
      const start = cuts[before.findLastIndex((length) => length <= at)] ?? 0
      const end = cuts[before.findIndex((length) => length >= at + pattern.length)] ?? text.length
      ranges.push([start, end])
      at = folded.indexOf(pattern, at + pattern.length)
    }
    return ranges
  })
  const ranges: [number, number][] = []
  for (const [start, end] of found.sort((a, b) => a[0] - b[0])) {
    const last = ranges.at(-1)
    if (last !== undefined && start < last[1]) last[1] = Math.max(end, last[1])
    else ranges.push([start, end])
  }
  return ranges
}

/** 160 code points around a range, the range in the middle where there is room on both sides. */
function partAround(
  text: string,
  [start, end]: readonly [number, number],
  from: number,
): readonly [number, number] {
  const inside = [...text.slice(start, end)]
  const room = 160 - inside.length
  if (room <= 0) return [start, start + inside.slice(0, 160).join('').length]
  const [left, right] = [[...text.slice(from, start)], [...text.slice(end)]]
  const half = Math.min(left.length, Math.floor(room / 2))
  const after = Math.min(right.length, room - half)
  const before = Math.min(left.length, room - after)
  const leftText = left.slice(left.length - before).join('')
  return [start - leftText.length, end + right.slice(0, after).join('').length]
}
