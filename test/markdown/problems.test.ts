// What authors are told, and at which line and column.
import { expect, it } from 'vitest'
import { renderMarkdown } from './rendered.ts'

/** `line:column code` of each problem. */
function places(...given: Parameters<typeof renderMarkdown>): readonly string[] {
  const { problems } = renderMarkdown(...given)
  return problems.map(({ line, column, code }) => `${line}:${column} ${code}`)
}

/** Bodies without a problem. */
const harmless = [
  'a <!---> b\n\n<!-->',
  '`<b>`\n\n    <div>\n\n```\n<p>\n```',
  'H<sub>2</sub>O\n\n<figure><img src="/a.png" alt="b" width=3></figure>',
  'a </div> b',
  '[a](https://example.com) [b](http://example.com) [c](mailto:a@example.com) [d](irc:x)',
  'a\n\n[unused]: javascript:alert(1)',
  'a@example.com www.example.com https://example.com xmpp:a@example.com',
  'a[^1]\n\n[^1]: b',
  'a[^日本]\n\n[^日本]: b\n\n[c](#user-content-fn-日本) [d](#user-content-fn-%E6%97%A5%E6%9C%AC)',
  'a[^1] [b](#user-content-fnref-1)\n\n[^1]: [c](#footnote-label)',
  '[a](#) [b](#top) [c](/d#e) [f](https://example.com/#g)',
  '![a](#b)',
  ...['# A b\n\n[c](#a-b)', '# A {#b}\n\n[c](#b)', '# É\n\n[c](#%C3%A9)', '<h2>A</h2> [c](#a)'],
  '<b id="c"></b> [a](#c) <a href="#c">d</a>',
  '<a name="c"></a> [a](#c)',
  // Comments without end take no time.
  `${'<!-- a -->'.repeat(50_000)} kept`,
  ...['', ' \n\n', '![a](/b.png)', '<img src="/b.png">', '***', '- [ ]&nbsp;', 'a', '`<`'],
]

it.each<[string, string, readonly string[]]>([
  // Raw HTML and templates.
  ['an element', 'a\n\n<form>\ntext\n</form>\n', ['3:1 raw-html']],
  ['Liquid, once', 'a {% b %}\n*{{ c }}*\n\n{{- d -}}', ['1:3 template-tag']],
  ['shortcodes', '{{< a >}} {{% b %}} {{<figure>}}', ['1:1 template-tag']],
  ['no template in code', '`{{ a }}`\n\n    {% b %}\n\n```\n{{< c >}}\n```', []],
  ['no escaped template', '\\{{ a }} \\{% b %}', []],
  ['an element in a quote', '> a\n>\n> <div>\n>  <font>b</font></div>', ['4:4 raw-html']],
  ['an element in an element', '<div>\n<p><font>a</font>', ['2:4 raw-html']],
  ['a field that is no checkbox', 'a <input name="b">', ['1:3 raw-html']],
  ['a comment that never ends', 'a\n\n<!-- b\n\nlost', ['3:1 raw-html']],
  ['a tag without an end', 'a\n\n<div title="b\n\nc"', ['3:1 raw-html']],
  // URLs.
  ['a link', 'a [b](javascript:alert(1))', ['1:3 unsafe-url']],
  ['an image', '![a](data:image/png;base64,AAAA)', ['1:1 unsafe-url']],
  ['a scheme in capitals', '[a](HTTPS://example.com)', ['1:1 unsafe-url']],
  ['a definition, where it is written', '[a][b] [c][b]\n\n[b]: tel:+1', ['3:1 unsafe-url']],
  ['raw HTML', '<a href="javascript:x">a</a>', ['1:1 unsafe-url']],
  // Anchors.
  ['a heading in other letters', '# A\n\n[a](#A)', ['3:1 broken-anchor']],
  ['a reference', '[a]\n\n[a]: #b', ['3:1 broken-anchor']],
  [
    'an id of raw HTML that is left out',
    '<x-y id="c"></x-y>\n\n[a](#c)',
    ['1:1 raw-html', '3:1 broken-anchor'],
  ],
  ['an anchor that is not percent-encoded', '[a](#%)', ['1:1 broken-anchor']],
  ...harmless.map((body): [string, string, string[]] => ['nothing', body, []]),
])('reports %s: %.60j', (_, body, expected) => {
  expect(places(body)).toEqual(expected)
})

it.each([
  ['a <font>b</font>', 'The element <font> is left out, and its content is kept.'],
  ['a <script>b</script>', 'The element <script> is left out, with its content.'],
  ['a <b onclick="c">d</b>', 'The attribute "onclick" is left out.'],
  [
    'a <b data-c-d="e" style="f">',
    ' The attribute "data-c-d" is left out. The attribute "style" is left out.',
  ],
])('raw HTML of %j is named', (body, message) => {
  const { problems } = renderMarkdown(`a\n\n${body}`)
  expect(problems.map((problem) => problem.message).join(' ')).toBe(message.trim())
})

it.each([
  ['a block', 'a\n\n<div>\ntext\n</div>\n', ['3:1 raw-html']],
  ['a block and a tag', '<div></div>\n\na <b>c', ['1:1 raw-html', '3:3 raw-html']],
  ['no comment', 'a <!-- b -->\n\n<!-- c -->', []],
])('raw HTML that is left out warns of %s', (_, body, expected) => {
  expect(places(body, { html: 'omit' })).toEqual(expected)
})

it.each(['<!-- more -->', '<script>alert(1)</script>', '<!-- a', '<br>', '[a]: /b', '> ', '&#32;'])(
  'a body of which nothing is left is an error: %j',
  (body) => {
    const { html, problems } = renderMarkdown(body)
    expect(html).toBe('')
    expect(problems.at(-1)).toMatchObject({ code: 'empty-content', severity: 'error', line: 1 })
  },
)

it.each([
  ['quotes', 'a\n\n> '.concat('> '.repeat(100), 'b'), ['too-deep']],
  ['marks of quotes', '>'.repeat(3000), ['too-deep']],
  ['quotes up to the limit', `${'> '.repeat(90)}b`, []],
])('nesting of %s', (_, body, codes) => {
  expect(renderMarkdown(body).problems.map(({ code }) => code)).toEqual(codes)
})

it('reports all problems of a kind', () => {
  expect(renderMarkdown('[a](#b) [c](tel:1)\n\n'.repeat(500)).problems).toHaveLength(1000)
})
