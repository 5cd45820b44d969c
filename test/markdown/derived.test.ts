// Values that are computed from bodies: the functions alone, on HTML as the processor writes it.
import { describe, expect, it } from 'vitest'
import { countWords, excerptOf, headingsOf, ownText } from '../../src/markdown/derived.ts'
import { renderMarkdown } from './rendered.ts'

describe('an excerpt', () => {
  it.each([
    ['', ''],
    ['x'.repeat(200), 'x'.repeat(200)],
    [`${'x'.repeat(150)} ${'y'.repeat(49)}`, `${'x'.repeat(150)} ${'y'.repeat(49)}`],
    ['日'.repeat(300), '日'.repeat(200)],
    [`${'x'.repeat(199)} y`, 'x'.repeat(199)],
    [`one two ${'x'.repeat(300)}`, `one two ${'x'.repeat(192)}`],
    [`${'x'.repeat(101)} ${'y'.repeat(300)}`, 'x'.repeat(101)],
    [`Vue ${'日'.repeat(300)}`, `Vue ${'日'.repeat(196)}`],
    [`${'日'.repeat(199)}ab${'日'.repeat(9)}`, '日'.repeat(199)],
    ['กี'.repeat(150), 'กี'.repeat(100)],
    [`${'กี'.repeat(99)}กกี${'ก'.repeat(9)}`, `${'กี'.repeat(99)}กกี`.slice(0, -2)],
  ])('ends at a word: %#', (text, expected) => {
    expect(excerptOf(text)).toBe(expected)
  })

  it.each([
    ['One.\n\n<!-- more -->\n\nTwo.', 'One.'],
    ['One <!--MORE--> two.', 'One'],
    ['<!-- more -->\n\nOne.', ''],
    ['One.', null],
    ['`<!-- more -->` One.', null],
    ['```html\n<!-- more -->\n```\n\nOne<!-- more -->Two', '<!-- more --> One'],
    ['- a\n- b <!-- more -->\n- c', 'a b'],
    ['[a] b[^1]\n\n<!-- more -->\n\nc\n\n[a]: /a\n\n[^1]: d', 'a b'],
    ['<p>a</p><!-- more --><p>b</p>', 'a'],
  ])('ends before the first mark outside of code: %j', (body, expected) => {
    expect(renderMarkdown(body).excerpt).toBe(expected)
    expect(renderMarkdown(body, { mdx: true }).excerpt).toBe(expected)
  })
})

it('the own text of a body has no note, number, arrow or hidden heading', () => {
  const { html, text } = renderMarkdown(
    'Text.[^1]\n\n## Title[^1]\n\n[up](#title)\n\n[^1]: A note.',
  )
  expect(ownText(html)).toBe('Text. Title up')
  expect(text).toBe('Text. Title up A note.')
  expect(headingsOf(html)).toEqual([{ id: 'title', text: 'Title', depth: 2 }])
})

it.each([
  ['', 0],
  ['One two, three.', 3],
  ['It’s – a well-known fact & no more!', 6],
  ['日本語の文章。', 6],
  ['한국어는 띄어 씁니다', 3],
  ['… — * 3.14', 1],
  ['สวัสดีชาวโลก hello', 4],
])('words of %j are %i', (text, count) => {
  expect(countWords(text)).toBe(count)
})
