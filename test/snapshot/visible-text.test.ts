// The text that is searched is the text that is shown: no more, no less, nothing glued.
// Knows the syntax tree behind the HTML, which the code under test does not. Markdown is in test/fixtures/markdown.

import { describe, expect, it } from 'vitest'
import { visibleText } from '../../src/snapshot/visible-text.ts'
import { renderMarkdown } from '../markdown/rendered.ts'

describe('visible text', () => {
  it.each([
    [
      'what looks like markup',
      '`<b>` &lt;i&gt; &amp;amp; &amp;#x3C; [a](b "c > d")',
      '<b> <i> &amp; &#x3C; a',
    ],
    ['a non-breaking space as it is', '\u00a0a\u00a0b\u00a0', '\u00a0a\u00a0b\u00a0'],
    [
      'raw HTML as a browser shows it',
      '<div>kept</div>\n\nH<sub>2</sub>O <u>un</u>der one<br>two',
      'kept H2O under one two',
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
