// The text that is searched is the text that is shown: no more, no less, nothing glued.
// Knows the syntax tree behind the HTML, which the code under test does not.

import { sanitize } from 'hast-util-sanitize'
import { describe, expect, it } from 'vitest'
import { pageOf } from '../../src/markdown/authored-html.ts'
import { parseMarkdown } from '../../src/markdown/processor.ts'
import { schema } from '../../src/markdown/schema.ts'
import { surveyTree } from '../../src/markdown/survey.ts'
import { visibleText } from '../../src/snapshot/visible-text.ts'
import { renderMarkdown } from '../markdown/rendered.ts'
import fc from '../support/fast-check.ts'

describe('visible text', () => {
  it.each([
    ['paragraphs apart', 'one\n\ntwo', 'one two'],
    ['lines apart', 'one\ntwo', 'one two'],
    ['hard breaks apart', 'one\\\ntwo  \nthree', 'one two three'],
    ['list items apart', '- one\n- two\n  1. three', 'one two three'],
    ['cells apart', '|a|b|\n|-|-|\n|c|d|', 'a b c d'],
    ['a heading apart', '# one\ntwo', 'one two'],
    ['what stands around a rule apart', 'one\n***\ntwo', 'one two'],
    ['what stands around an image apart', 'one![x](y)two', 'one two'],
    ['words whole across emphasis', '*un*believ**able**', 'unbelievable'],
    ['words whole across links and code', 'a[b](c)d`e`~~f~~', 'abdef'],
    ['code, with its blanks run together', '```\na  b\n\tc\n```', 'a b c'],
    ['the text of a link, not its target', '[text](https://example.com "title")', 'text'],
    ['no alternative text of an image', '![alternative](x.png "title")', ''],
    ['footnotes, without their marks', 'a[^1]\n\n[^1]: note', 'a note'],
    ['what looks like markup', '`<b>` &lt;i&gt; &amp;amp; &amp;#x3C;', '<b> <i> &amp; &#x3C;'],
    ['no tag out of a title with ">"', '[a](b "c > d")', 'a'],
    ['a non-breaking blank as it is', '\u00a0a\u00a0b\u00a0', '\u00a0a\u00a0b\u00a0'],
    ['the text of raw HTML', '<div>kept</div>\n\na<b>c</b>', 'kept ac'],
    ['nothing of scripts and styles', 'a<script>b</script><style>c</style>', 'a'],
    ['words whole in raw HTML', 'H<sub>2</sub>O <u>un</u>der<kbd>line</kbd>', 'H2O underline'],
    ['cells of raw HTML apart', '<table><tr><td>a<td>b</table>', 'a b'],
    ['the reading of a character apart', '<ruby>漢<rt>kan</rt></ruby>', '漢 kan'],
    ['nothing of an empty body', '', ''],
  ])('keeps %s', (_, body, text) => {
    expect(renderMarkdown(body).text).toBe(text)
  })

  it('does not overflow on a URL of a megabyte', () => {
    const html = `<a href="${'>'.repeat(1_000_000)}">x</a>`
    expect(visibleText(html)).toBe('x')
  })

  it('equals the text of the sanitised tree, for any Markdown', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (samples) => {
        const body = samples.join('')
        expect(renderMarkdown(body).text).toBe(textOfTree(body))
      }),
      { numRuns: 500 },
    )
  })
})

const part = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 4 }),
  fc.constantFrom(
    ...[
      'word',
      ' ',
      '\n',
      '\n\n',
      '  \n',
      '\\\n',
      '*',
      '**',
      '_',
      '~~',
      '`',
      '```\n',
      '> ',
      '- ',
      '1. ',
    ],
    ...[
      '# ',
      '[',
      ']',
      '](',
      ')',
      '![',
      '[^1]',
      '[^1]: ',
      '|',
      '|-|-|\n',
      '|a|b|\n',
      '- [x] ',
      '    ',
    ],
    ...[
      '<',
      '>',
      '&',
      '"',
      "'",
      '&lt;',
      '&amp;',
      '&#x3C;',
      '&nbsp;',
      '<b>',
      '</b>',
      '<!-- -->',
      '<br>',
    ],
    ...[
      'https://example.com/?a&b',
      '[a](b "c > \\" d")',
      '![a](b "c > d")',
      '***\n',
      '\t',
      '\r',
      '\u2028',
    ],
  ),
)

/** The same text by another way: from the tree that is serialised, not from the serialised text. */
function textOfTree(body: string): string {
  const tree = parseMarkdown(body)
  const nodes = surveyTree(tree).html.map(({ node }) => node)
  const html = pageOf(tree, nodes, [], body).tree
  const parts = partsOf(sanitize(html, schema))
  return parts
    .join('')
    .split(/[ \t\n\f\r]+/)
    .filter((word) => word !== '')
    .join(' ')
}

interface TreeNode {
  readonly type: string
  readonly value?: string
  readonly tagName?: string
  readonly children?: readonly TreeNode[]
}

function partsOf(node: TreeNode): readonly string[] {
  if (node.type === 'text') return [node.value ?? '']
  const inner = (node.children ?? []).flatMap(partsOf)
  const isInline = ['a', 'b', 'code', 'del', 'em', 'strong', 'sup'].includes(node.tagName ?? '')
  return isInline ? inner : [' ', ...inner, ' ']
}

it.each([
  'a <a href="#user-content-fn-1" data-footnote-ref>1',
  'a <h2 class="sr-only" id="footnote-label">',
])('ends with a text that is cut in a mark of a footnote: %s', (html) =>
  expect(visibleText(html)).toBe('a'),
)
