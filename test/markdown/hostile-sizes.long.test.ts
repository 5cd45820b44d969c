// Bodies that are hostile by their size: each stays within the budgets, and has the diagnostics of what is wrong.
// QUARRY_HOSTILE=all renders bodies of up to a mebibyte.
import { describe, expect, it } from 'vitest'
import { render } from './pools.ts'

const isLong = process.env['QUARRY_HOSTILE'] === 'all'
const sizes = isLong ? [2_000, 20_000, 100_000] : [2_000]
const budgets = { workers: 1, secondsPerBody: 5, heapLimitMb: 400 }

type Codes = readonly (readonly string[])[]

const nothing: Codes = [[]]
/** Elements nest as deep as the parsers can recurse. */
const deep: Codes = [[], ['too-deep']]
const removed: Codes = [['raw-html']]
/** What is left of it is nothing, and a warning says why. */
const empty: Codes = [['empty-content'], ['too-deep'], ['empty-content', 'raw-html']]

/** The body of a size, and the codes that it may have; a larger one may be over a budget instead. */
const bodies: readonly (readonly [name: string, make: (size: number) => string, codes: Codes])[] = [
  ['open elements', (size) => '<div>'.repeat(size), empty],
  ['closed elements', (size) => `x${'</div>'.repeat(size)}`, nothing],
  ['nested elements', (size) => `${'<div>'.repeat(size)}x${'</div>'.repeat(size)}`, deep],
  ['nested elements in a line', (size) => `a ${'<span>'.repeat(size)}x`, deep],
  ['elements that overlap', (size) => '<b><i>x</b></i>'.repeat(size / 4), nothing],
  ['links in links', (size) => `x${'<a href="x">'.repeat(size / 2)}`, nothing],
  ['breaks', (size) => `x${'<br>'.repeat(size)}`, nothing],
  ['paragraphs', (size) => '<p>a'.repeat(size), nothing],
  ['elements of as many names', (size) => each(size / 4, (at) => `<x${at}>a</x${at}>`), removed],
  ['attributes', (size) => `<p ${each(size, (at) => `a${at}=1 `)}>x</p>`, removed],
  ['handlers', (size) => `<p ${each(size / 4, (at) => `onx${at}="alert(1)" `)}>x</p>`, removed],
  ['a long attribute', (size) => `<p title="${'a'.repeat(9 * size)}">x</p>`, nothing],
  ['a long address', (size) => `<a href="${'a/'.repeat(4 * size)}">x</a>`, nothing],
  ['a long style', (size) => `<p style="${'color:red;'.repeat(size)}">x</p>`, removed],
  ['a wide table of HTML', (size) => `<table><tr>${'<td>a'.repeat(size)}</table>`, nothing],
  ['a long table of HTML', (size) => `<table>${'<tr><td>a'.repeat(size / 2)}</table>`, nothing],
  ['tables in tables', (size) => `${'<table><tr><td>'.repeat(size / 4)}x`, deep],
  ['text that a table puts out', (size) => `<table>${'a<p>b'.repeat(size / 2)}`, nothing],
  ['a wide table', (size) => `|${'a|'.repeat(size / 4)}\n|${'-|'.repeat(size / 4)}\n`, nothing],
  ['a long table', (size) => `|a|b|\n|-|-|\n${'|c|d|\n'.repeat(size / 4)}`, nothing],
  ['comments', (size) => `x\n\n${'<!-- '.repeat(size)}`, removed],
  ['templates', (size) => '<template>'.repeat(size), empty],
  ['unsafe addresses', (size) => '<a href="javascript:x">a</a>'.repeat(size / 8), [['unsafe-url']]],
  ['instructions', (size) => '<![CDATA[x]]>'.repeat(size / 4), empty],
  ['character references', (size) => 'a &amp; '.repeat(size), nothing],
  ['open images', (size) => '!['.repeat(size), nothing],
  ['fonts', (size) => `x${'<font><p>'.repeat(size / 8)}`, removed],
]

describe.each(sizes)('%i', (size) => {
  it.for(bodies)('%s', { timeout: 60_000 }, async ([, make, allowed]) => {
    const body = make(size)
    expect(body.length).toBeLessThan(2 ** 20 + 2 ** 17)
    const [outcome] = await render([{ key: 0, file: 'a.md', body, bodyLine: 1 }], budgets)
    const codes = [...new Set(outcome?.diagnostics.map(({ code }) => code))]
    const over = [['render-timeout'], ['render-out-of-memory'], ['html-too-large'], ['too-deep']]
    expect(size <= 2_000 ? allowed : [...allowed, ...over]).toContainEqual(codes)
  })
})

function each(count: number, make: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => make(at)).join('')
}
