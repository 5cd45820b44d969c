// Values that are computed from bodies: the functions alone, on HTML as the processor writes it.
import { describe, expect, it } from 'vitest'
import {
  countWords,
  excerptMax,
  excerptOf,
  headingsOf,
  imagesOf,
  readingTimeSeconds,
  textBeforeMark,
  withMarkWords,
} from '../../src/markdown/derived.ts'
import fc from '../support/fast-check.ts'

describe('an excerpt', () => {
  it.each([
    ['', ''],
    ['Short.', 'Short.'],
    ['x'.repeat(200), 'x'.repeat(200)],
    ['x'.repeat(201), 'x'.repeat(200)],
    ['日'.repeat(300), '日'.repeat(200)],
    ['👩'.repeat(300), '👩'.repeat(200)],
    [`${'x'.repeat(200)} y`, 'x'.repeat(200)],
    [`${'x'.repeat(199)} y`, 'x'.repeat(199)],
    [`one two ${'x'.repeat(300)}`, 'one two'],
  ])('ends at a word: %#', (text, expected) => {
    expect(excerptOf(text)).toBe(expected)
  })

  it('is whole words from the start, the longest that has no more than 200 code points', () => {
    const words = fc.array(fc.stringMatching(/^[a-z日👩]{1,12}$/u), { maxLength: 120 })
    fc.assert(
      fc.property(words, (list) => {
        let expected = ''
        for (const word of list) {
          const longer = expected === '' ? word : `${expected} ${word}`
          if ([...longer].length > excerptMax) break
          expected = longer
        }
        expect(excerptOf(list.join(' '))).toBe(expected)
      }),
    )
  })

  it.each([
    ['<p>One.</p>\n<p>MARK</p>\n<p>Two.</p>', 'One.'],
    ['<p>One MARK two.</p>', 'One'],
    ['<p>MARK One.</p>', ''],
    ['<p>One.</p>', null],
    ['<p><code>MARK</code> One.</p>', null],
    ['<pre><code class="language-html">MARK\n</code></pre><p>One.</p>MARK<p>Two</p>', ''],
  ])('ends before the first mark outside of code: %s', (html, expected) => {
    const found = textBeforeMark(
      html.replaceAll('MARK', withMarkWords('<!-- more -->')),
      '<!-- more -->',
    )
    if (expected === '') expect(found).not.toContain('Two')
    else expect(found).toBe(expected)
  })
})

describe('words', () => {
  it.each([
    ['', 0],
    ['One two, three.', 3],
    ['It’s – a well-known fact & no more!', 6],
    ['日本語の文章。', 6],
    ['Quarry は速い', 4],
    ['한국어는 띄어 씁니다', 3],
    ['中文 and English 混合', 6],
    ['… — * 3.14', 1],
  ])('of %j are %i', (text, count) => {
    expect(countWords(text)).toBe(count)
  })

  it('take a 238th of a minute each, rounded up', () => {
    expect([0, 1, 238, 239, 1000].map(readingTimeSeconds)).toEqual([0, 1, 60, 61, 253])
  })
})

describe('headings and images', () => {
  it('are read from HTML as it is written', () => {
    const html =
      '<h1 id="a-b">A &#x26; <em>b</em></h1>\n<h3>No <code>id &#x3C;x></code></h3>\n<h2 class="sr-only" id="user-content-footnote-label">Footnotes</h2>'
    expect(headingsOf(html)).toEqual([
      { id: 'a-b', text: 'A & b', depth: 1 },
      { id: null, text: 'No id <x>', depth: 3 },
    ])
    const images =
      '<p><img src="a.png?x=1&#x26;y=2" alt="A &#x22;b&#x22; > c"><img alt="none"><img src="b.png"></p>'
    expect(imagesOf(images)).toEqual([
      { src: 'a.png?x=1&y=2', alt: 'A "b" > c' },
      { src: 'b.png', alt: '' },
    ])
  })
})
