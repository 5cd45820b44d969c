import { describe, expect, it } from 'vitest'
import { maskCode } from '../../src/static/code-mask.ts'
import { containersToAlerts } from '../../src/static/containers.ts'
import { rewriteDestinations } from '../../src/static/destinations.ts'
import type { BodyContext } from '../../src/static/generator.ts'
import { withoutKramdown } from '../../src/static/kramdown.ts'
import { mdxToMarkdown } from '../../src/static/mdx.ts'

const context: BodyContext = {
  head: {
    ...{ file: { path: 'a.mdx' }, values: {}, typed: {}, repeated: [], notes: [] },
    ...{ slug: 'a', title: 'A', date: '2026-01-01', day: '2026-01-01' },
  },
  bodyLine: 1,
  unknown: () => {},
  changed: () => {},
  addressOf: () => undefined,
}

describe('the mask of code', () => {
  it.each([
    ['a `b` c', 'a ### c'],
    ['a `` b ` c `` d', 'a ########### d'],
    ['\\`a` b', '\\`a` b'],
    ['- a ` b\n- c ` d', '- a ` b\n- c ` d'],
    ['```js\na\n```\nb', '#####\n#\n###\nb'],
    ['> ```\n> a\nb', '> ###\n###\nb'],
    ['- x\n\n      a', '- x\n\n      a'],
    ['x\n\n    a\nb', 'x\n\n#####\nb'],
    ['<pre>a</pre> b <!-- c -->', '<pre>#</pre> b ##########'],
    ['<pre>a\n```\n</pre>\n```\nb\n```', '<pre>#\n###\n</pre>\n###\n#\n###'],
    ['<pre>\n\n`a`', '<pre>\n\n###'],
    ['~~~\n```\n~~~\na', '###\n###\n###\na'],
  ])('of %j is %j', (text, masked) => {
    expect(maskCode(text).replaceAll('\uFDD0', '#')).toBe(masked)
  })

  it('has the length and the lines of the text', () => {
    const text = '# a\n\n```\nx `y`\n\n> `z\n~~~\n<pre>\n'.repeat(50)
    const masked = maskCode(text)
    expect(masked.split('\n').map(({ length }) => length)).toEqual(
      text.split('\n').map(({ length }) => length),
    )
  })
})

describe('destinations', () => {
  it.each([
    ['[a](x.md "t")', '[a](X:x.md "t")'],
    ['![a](<x y.png>)', '![a](<X:x y.png>)'],
    ['[![a](i.png)](l)', '[![a](X:i.png)](X:l)'],
    ['[a](x_(y))', '[a](<X:x_(y)>)'],
    ['[a]: x.md\n[^1]: x.md', '[a]: X:x.md\n[^1]: x.md'],
    ['<img alt="x.png" src="x.png">', '<img alt="x.png" src="X:x.png">'],
    ["<a href='a&amp;b'>", "<a href='X:a&amp;b'>"],
    ['<video poster="p" src="s">', '<video poster="X:p" src="X:s">'],
    ['`[a](x)` src="x"', '`[a](x)` src="x"'],
  ])('of %j become those of %j', (text, rewritten) => {
    expect(rewriteDestinations(text, (url) => `X:${url}`)).toBe(rewritten)
  })
})

describe('containers', () => {
  it.each([
    [':::tip\na\n:::', '\n> [!TIP]\n> a\n'],
    ['::: warning Mind\na\n:::', '\n> [!WARNING]\n> **Mind**\n>\n> a\n'],
    ['::::note\n:::tip\na\n:::\n::::', '\n> [!NOTE]\n> > [!TIP]\n> > a\n'],
    [
      ':::note[T] one paragraph\nend. :::\nb',
      '\n> [!NOTE]\n> **T**\n>\n> one paragraph\n>\n> end.\n\nb',
    ],
    [':::note\nnever closed\n\na', '\n> [!NOTE]\n> never closed\n\n\na'],
    [':::box\nnever closed', 'never closed'],
    ['::: is text\na', '::: is text\na'],
    ['```\n:::note\n```', '```\n:::note\n```'],
    [':::columns\na\n:::', 'a'],
  ])('%j becomes %j', (text, made) => {
    expect(containersToAlerts(text, context)).toBe(made)
  })
})

describe('kramdown', () => {
  it.each([
    ['![a](b){: .x width="1" }', '![a](b)'],
    ['![a](b){:\n.icon width="1"} c', '![a](b) c'],
    ['## A\n{: #b .c}', '## A {#b}'],
    ['* TOC\n{:toc}\n\na', '\n\na'],
    ['`{: .x}` {:b=>2}', '`{: .x}` {:b=>2}'],
    ['<div markdown="1">\n*a*\n</div>', '<div>\n\n\n*a*\n\n</div>\n'],
  ])('%j becomes %j', (text, made) => {
    expect(withoutKramdown(text, context)).toBe(made)
  })
})

describe('MDX', () => {
  it.each([
    ["import A from 'a'\nimport {\n B\n} from 'b'\n\na", '\n\n\na'],
    ['export const x = {\n a: 1\n}\n\nb', '\n\nb'],
    ['a <B c={{ d: `{` }} e={() => <F />}>g</B>', 'a g'],
    ["import i from './i.png'\n<Image src={i} alt='x' />", '\n<img src="./i.png" alt="x">'],
    [
      '<YouTube id="abc" />',
      '<a href="https://www.youtube.com/watch?v=abc">https://www.youtube.com/watch?v=abc</a>',
    ],
    ['<Tab label="L">\n\na\n\n</Tab>', '<p><strong>L</strong></p>\n\na\n\n'],
    ['<TabItem value="V">\n\na\n\n</TabItem>', '<p><strong>V</strong></p>\n\na\n\n'],
    ['<TabItem value="v" label="L">a</TabItem>', '<p><strong>L</strong></p>a'],
    ['<Tabs defaultValue="v" value="w">a</Tabs>', 'a'],
    ['<p style={{ a: 1 }} id="x">a</p>', '<p id="x">a</p>'],
    ['# A {/*b*/}\nc', '# A {#b}\nc'],
    ['a {" "} {x.length} $\\frac{1}{2}$ \\{b}', 'a    $\\frac{1}{2}$ \\{b}'],
    ['`{a}` <https://a.example> 1 < 2', '`{a}` <https://a.example> 1 < 2'],
    ['<div>\n    ![a](b)\n</div>', '\n<div>\n\n![a](b)\n\n</div>\n'],
    ['<Note title="T">\na\n</Note>', ':::::::note[T]\na\n:::::::'],
  ])('%j becomes %j', (text, made) => {
    expect(mdxToMarkdown(text, context)).toBe(made)
  })

  it('is read in linear time, whatever it holds', () => {
    const texts = [
      '<a '.repeat(20_000),
      '{'.repeat(50_000),
      '<A b={'.repeat(10_000),
      '`'.repeat(50_000),
    ]
    for (const text of texts) expect(mdxToMarkdown(text, context).length).toBeGreaterThan(0)
  })
})
