// The text that is searched is the text that is shown: no more, no less, nothing glued.
// Knows the syntax tree behind the HTML, which the code under test does not.

import { describe, expect, it } from 'vitest'
import { visibleText } from '../../src/snapshot/visible-text.ts'
import { renderMarkdown } from '../markdown/rendered.ts'

describe('visible text', () => {
  it.each([
    [
      'blocks, lines and hard breaks apart',
      '# one\ntwo\nthree\\\nfour\n\nfive',
      'one two three four five',
    ],
    [
      'list items and cells apart',
      '- one\n- two\n  1. three\n\n|a|b|\n|-|-|\n|c|d|',
      'one two three a b c d',
    ],
    ['what stands around a rule or an image apart', 'one\n***\ntwo![x](y)three', 'one two three'],
    [
      'words whole across marks, links and code',
      '*un*believ**able** a[b](c)d`e`~~f~~',
      'unbelievable abdef',
    ],
    ['code, with its white space run together', '```\na  b\n\tc\n```', 'a b c'],
    [
      'the text of a link or an image, and nothing else',
      '[text](https://e.com "title") ![alternative](x.png "t")',
      'text',
    ],
    ['footnotes, without their marks', 'a[^1]\n\n[^1]: note', 'a note'],
    [
      'what looks like markup',
      '`<b>` &lt;i&gt; &amp;amp; &amp;#x3C; [a](b "c > d")',
      '<b> <i> &amp; &#x3C; a',
    ],
    ['a non-breaking space as it is', '\u00a0a\u00a0b\u00a0', '\u00a0a\u00a0b\u00a0'],
    [
      'raw HTML as a browser shows it',
      '<div>kept</div>\n\nH<sub>2</sub>O <u>un</u>der',
      'kept H2O under',
    ],
    [
      'cells and readings of raw HTML apart',
      '<table><tr><td>a<td>b</table>\n\n<ruby>漢<rt>kan</rt></ruby>',
      'a b 漢 kan',
    ],
    ['nothing of scripts and styles', 'a<script>b</script><style>c</style>', 'a'],
  ])('has %s', (_, body, text) => {
    expect(renderMarkdown(body).text).toBe(text)
  })

  it.each([
    ['a URL of a megabyte', `<a href="${'>'.repeat(1_000_000)}">x</a>`, 'x'],
    [
      'a text that is cut in a mark of a footnote',
      'a <a href="#user-content-fn-1" data-footnote-ref>1',
      'a',
    ],
    ['one that is cut in their heading', 'a <h2 class="sr-only" id="footnote-label">', 'a'],
  ])('ends for %s', (_, html, text) => {
    expect(visibleText(html)).toBe(text)
  })
})
