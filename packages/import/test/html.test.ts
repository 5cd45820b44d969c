// HTML of exports becomes Markdown with the same visible text, links and images.
import type { Element, Nodes, Root } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { sanitize } from 'hast-util-sanitize'
import { toHtml } from 'hast-util-to-html'
import { parseFragment } from 'parse5'
import { schema, visibleText } from 'quarry/authoring'
import { describe, expect, it } from 'vitest'
import { markdownDefaults } from '../../../src/markdown/options.ts'
import { renderMarkdown } from '../../../src/markdown/render.ts'
import fc from '../../../test/support/fast-check.ts'
import { documentsOf } from '../src/exports.ts'
import { Ledger } from '../src/ledger.ts'
import { Terms } from '../src/terms.ts'

const from = 'a post'

/** The Markdown of each document, and what the report says of all. */
async function convert(documents: readonly string[]) {
  const report = new Ledger()
  const posts = documents.map((html) => ({
    ...{ slug: 'a', fields: { publishedAt: '2020-01-02' }, from, withheld: undefined },
    body: { html },
  }))
  const bodies: string[] = []
  for await (const { body } of documentsOf(posts, new Terms(report), report)) bodies.push(body)
  return { bodies, report }
}

const youtube = 'https://www.youtube.com/watch?v=abcdefg'

describe('HTML of an export', () => {
  it('becomes Markdown, or stays where Markdown has nothing for it', async () => {
    const expected: readonly (readonly [string, string])[] = [
      ['<p>a <b>b</b> <i>c</i></p><p>d</p>', 'a **b** _c_\n\nd'],
      ['<p>a<strong> b </strong>c</p>', 'a **b** c'],
      ['<h2 id="x">a</h2><hr><blockquote>b</blockquote>', '## a {#x}\n\n---\n\n> b'],
      ['<ul><li>a<ol><li>b</li></ol></li></ul>', '- a\n  1. b'],
      ['<pre class="brush: php"><code>a\n\nb</code></pre>', '```php\na\n\nb\n```'],
      ['<a href="/x" title="t">a</a> <img src="b c.png" alt="d">', '[a](/x "t") ![d](<b c.png>)'],
      ['<p>1. *a* [b] &lt;c&gt; # d</p>', '1\\. \\*a\\* \\[b] \\<c> # d'],
      ['<table><tr><th>a<tr><td>c|d<br>f</table>', '| a |\n| - |\n| c\\|d<br>f |'],
      [`<iframe src="https://www.youtube.com/embed/abcdefg"></iframe>`, `[${youtube}](${youtube})`],
      ['a<!--more-->b', 'a\n\n<!-- more -->\n\nb'],
      ['<a href="/x"><h3>a</h3><p>b</p></a>', '### [a](/x)\n\n[b](/x)'],
      ['<p><span>a</span><font color="red">b</font></p>', 'ab'],
      ['H<sub>2</sub>O <kbd>c</kbd>', 'H<sub>2</sub>O <kbd>c</kbd>'],
      ['<p>本<strong>「語」</strong>は</p>', '&#x672C;**「語」**&#x306F;'],
      ['<details><pre>b\n\nc</pre></details>', '<details><pre>b&#10;&#10;c</pre></details>'],
      ['<ul><li>a<dl><dt>b</dl>d</ul>', '- a\n  <dl><dt>b</dt></dl>\n\n  d'],
      ['<table><tr id="r"><th>a</table><a href="#r">', '| <a id="r"></a>a |\n| - |'],
      ['<code>a <a href="/b">c</a></code>', '<code>a [c](/b)</code>'],
      ['<p>a</p><div style="color:red; Display: none">b<p>c</p></div><p hidden>d</p>', 'a'],
      ['<p id="n">a <a href="#n">b</a></p>', '<a id="n"></a>a [b](#n)'],
      ['<a name="é"></a>a<a href="#%C3%A9" id="x">b</a>', '<a id="é"></a>a[b](#%C3%A9)'],
      [
        '<ul id="u"><li id="i"> <p>a</ul><a href="#i">b</a><span id="s">c</span><a href="#u">d</a><a href="#s">e</a>',
        '<a id="u"></a>\n\n- <a id="i"></a>a\n\n[b](#i)<a id="s"></a>c[d](#u)[e](#s)',
      ],
      ['<p>a</p><dialog>b</dialog><template>c</template><dialog open>d</dialog>', 'a\n\nd'],
    ]
    const { bodies } = await convert(expected.map(([html]) => html))
    expect(bodies.map((body) => body.trimEnd())).toEqual(expected.map(([, markdown]) => markdown))
  })

  it('loses scripts and forms, and says what a reader could have used', async () => {
    const { bodies, report } = await convert([
      '<style>a{}</style><noscript>a</noscript><!--more b--><!--nextpage--><script>b()</script><p onclick="c()">d</p><math><mi>x</mi><annotation>y</annotation></math><select></select>',
      '<a href="javascript:x()">a</a><iframe src="javascript:x"></iframe>',
    ])
    expect(bodies[0]).toBe('<!-- more -->\n\nd\n\nx\n')
    expect(bodies[1]).not.toMatch(/\(javascript|"javascript/)
    expect(report.entries('left').map(({ text }) => text)).toEqual([
      ...['<!--more …-->', '<!--nextpage-->'],
      ...['<annotation>', '<noscript>', '<script>', '<select>'].map(
        (name) => `${name}: needs code that posts may not have`,
      ),
    ])
  })

  it('nested beyond the stack is reported', async () => {
    const { report } = await convert([`${'<div>'.repeat(20_000)}a`])
    expect(report.entries('failed')).toMatchObject([{ text: 'The HTML is nested too deeply.' }])
  })

  it('shows the same text, links and images when it is rendered, whatever it is', async () => {
    const numRuns = Number(process.env['QUARRY_IMPORT_RUNS'] ?? 120)
    const samples = fc.sample(fragment, { numRuns })
    const { bodies, report } = await convert(samples)
    expect(report.entries('failed')).toEqual([])
    for (const [index, html] of samples.entries()) {
      const { text, html: rendered } = renderMarkdown(bodies[index] ?? '', markdownDefaults)
      const source = sanitize(fromParse5(parseFragment(html)), schema) as Root
      const elements = elementsOf(source)
      expect(text, html).toBe(visibleText(toHtml(source)))
      const images = elements.filter(({ tagName }) => tagName === 'img')
      expect(rendered.match(/<img\s/g)?.length ?? 0, html).toBe(images.length)
      const links = elements.filter(isLinkToFollow)
      expect(rendered.match(/<a\s/g)?.length ?? 0, html).toBeGreaterThanOrEqual(links.length)
    }
  })
})

function elementsOf(node: Nodes): readonly Element[] {
  const below = 'children' in node ? node.children.flatMap(elementsOf) : []
  return node.type === 'element' ? [node, ...below] : below
}

/** Parsers repeat links that are not closed where they show nothing. */
function isLinkToFollow(node: Element): boolean {
  const isShown = visibleText(toHtml(node)).trim() !== ''
  const hasImage = elementsOf(node).some(({ tagName }) => tagName === 'img')
  return node.tagName === 'a' && node.properties.href !== undefined && (isShown || hasImage)
}

const word = fc.constantFrom(
  ...'a word * _x_ ` ``` ~~ | --- &lt;b&gt; &amp;amp; [x](y) ![ https://e.com/a_b me@e.com'.split(
    ' ',
  ),
  ...'\\ 「語」 語 é &nbsp; [^1] <!--c--> {#id} ::: %} ! = +++ \u2028'.split(' '),
  ...['two words', ' ', '# h', '1. n', '- l', '> q', '\n\n', '    ', '- [ ] t'],
)
const names = [
  'p div blockquote h1 h3 pre ul ol li section details summary figure figcaption dl dt dd table',
  'strong em b i del code sub sup mark kbd u q small span a abbr ins tt var samp center font',
].flatMap((list) => list.split(' '))
const media = ['<br>', '<hr>', '<img src="i.png" alt="*x*">', '<img src="https://e.com/a b.png?x">']

/** HTML as editors and people write it: blocks in blocks, marks in marks, and text that looks like Markdown. */
const fragment = fc.letrec<{ nodes: string; node: string }>((tie) => ({
  nodes: fc.array(tie('node'), { maxLength: 4 }).map((nodes) => nodes.join('')),
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    word,
    fc.constantFrom(...media),
    fc
      .tuple(fc.constantFrom(...names), tie('nodes'))
      .map(([name, content]) => `<${name}>${content}</${name}>`),
    tie('nodes').map((content) => `<a href="/x?a=1&amp;b=2" title="t">l${content}</a>`),
    fc.array(tie('nodes'), { minLength: 1, maxLength: 4 }).map((cells) => {
      const row = (tag: string) => cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')
      return `<table><tr>${row('th')}</tr><tr>${row('td')}</tr></table>`
    }),
  ),
})).nodes
