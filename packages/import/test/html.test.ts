import type { Element, Nodes, Root } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { sanitize } from 'hast-util-sanitize'
import { toHtml } from 'hast-util-to-html'
import { parseFragment } from 'parse5'
import { createRenderPool } from 'quarry/authoring'
import { afterAll, describe, expect, it } from 'vitest'
import { markdownDefaults } from '../../../src/markdown/options.ts'
import { renderMarkdown } from '../../../src/markdown/render.ts'
import { schema } from '../../../src/markdown/schema.ts'
import { visibleText } from '../../../src/snapshot/visible-text.ts'
import fc from '../../../test/support/fast-check.ts'
import { type Checked, checkDrafts, draftOf, type Failed } from '../src/html/convert.ts'

/** The parser would make 250 elements for each paragraph. */
const marksAndParagraphs = Array.from({ length: 250 }, (_, index) => `<b title="${index}">`)
  .concat('<p>a'.repeat(100_000))
  .join('')

const pool = createRenderPool({ workers: 1 })

afterAll(() => pool.close())

/** The Markdown of some HTML, checked, or why there is none. */
async function convert(html: string): Promise<Checked | Failed> {
  const draft = draftOf({ html })
  if (draft.kind === 'failed') return draft
  const [checked] = await checkDrafts([draft], pool)
  return checked ?? { kind: 'failed', message: 'lost' }
}

async function markdownOf(html: string): Promise<string> {
  const result = await convert(html)
  if (result.kind === 'failed') return result.message
  return `${result.isRaw ? '(raw) ' : ''}${result.markdown.trimEnd()}`
}

describe('HTML of an export', () => {
  it.each([
    ['paragraphs and marks', '<p>a <b>b</b> <i>c</i></p><p>d</p>', 'a **b** _c_\n\nd'],
    ['white space inside marks', '<p>a<strong> b </strong>c</p>', 'a **b** c'],
    ['headings, rules, quotes', '<h2>a</h2><hr><blockquote>b</blockquote>', '## a\n\n---\n\n> b'],
    ['lists', '<ul><li>a<ol><li>b</li></ol></li></ul>', '- a\n  1. b'],
    ['line breaks', '<p>a<br>b</p>', 'a\\\nb'],
    [
      'code with its language',
      '<pre class="brush: php"><code>a\n\nb</code></pre>',
      '```php\na\n\nb\n```',
    ],
    [
      'links and images',
      '<a href="/x" title="t">a</a> <img src="b c.png" alt="d">',
      '[a](/x "t") ![d](<b c.png>)',
    ],
    [
      'characters that are marks in Markdown',
      '<p>1. *a* [b] &lt;c&gt; # d</p>',
      '1\\. \\*a\\* \\[b] \\<c> # d',
    ],
    [
      'tables of headings and plain cells',
      '<table><tr><th>a<th>b<tr><td>c|d<td>e<br>f</table>',
      '| a | b |\n| - | - |\n| c\\|d | e<br>f |',
    ],
    [
      'a player',
      '<iframe src="https://www.youtube.com/embed/abcdefg"></iframe>',
      '[https://www.youtube.com/watch?v=abcdefg](https://www.youtube.com/watch?v=abcdefg)',
    ],
    ['the end of the excerpt', 'a<!--more-->b', 'a\n\n<!-- more -->\n\nb'],
    ['a link around blocks', '<a href="/x"><h3>a</h3><p>b</p></a>', '### [a](/x)\n\n[b](/x)'],
    ['marks without a meaning', '<p><span>a</span><font color="red">b</font></p>', 'ab'],
  ])('becomes Markdown: %s', async (_, html, markdown) => {
    expect(await markdownOf(html)).toBe(markdown)
  })

  it.each([
    [
      'tags in a line',
      'H<sub>2</sub>O <mark>b</mark> <kbd>c</kbd>',
      'H<sub>2</sub>O <mark>b</mark> <kbd>c</kbd>',
    ],
    [
      'marks that Markdown would not see',
      '<p>本<strong>「語」</strong>は</p>',
      '本<strong>「語」</strong>は',
    ],
    [
      'a figure with a caption',
      '<figure><img src="a.png"><figcaption>b</figcaption></figure>',
      '<figure><img src="a.png"><figcaption>b</figcaption></figure>',
    ],
    [
      'cells that span',
      '<table><tr><td colspan="2">a</table>',
      '<table><tbody><tr><td colspan="2">a</td></tr></tbody></table>',
    ],
    [
      'blank lines in code',
      '<details><summary>a</summary><pre>b\n\nc</pre></details>',
      '<details><summary>a</summary><pre>b&#10;&#10;c</pre></details>',
    ],
    [
      'a block in a list',
      '<ul><li>a<dl><dt>b<dd>c</dl>d</ul>',
      '- a\n\n  <dl><dt>b</dt><dd>c</dd></dl>\n\n  d',
    ],
    ['code with a link', '<code>a <a href="/b">c</a></code>', '<code>a [c](/b)</code>'],
  ])('stays HTML where Markdown has nothing for it: %s', async (_, html, markdown) => {
    expect(await markdownOf(html)).toBe(markdown)
  })

  it('loses scripts, styles and forms, and says what a reader could have used', () => {
    const result = draftOf({
      html: '<style>a{}</style><script>b()</script><p onclick="c()">d</p><select><option>e</select><svg><text>f</text></svg>',
    })
    expect(result).toMatchObject({ kind: 'draft', markdown: 'd\n' })
    if (result.kind === 'draft')
      expect([...result.removed]).toEqual([
        ['script', 1],
        ['select', 1],
        ['svg', 1],
      ])
  })

  it('has no address that runs code', async () => {
    const html =
      '<a href="javascript:alert(1)">a</a><img src="data:text/html,x" alt="b"><iframe src="javascript:x"></iframe>'
    expect(await markdownOf(html)).not.toMatch(/javascript:[^"]*"|\(javascript|data:/)
  })

  it.each([
    ['nested beyond the stack', `${'<div>'.repeat(20_000)}a`],
    ['a square of open elements', '<div>'.repeat(50_000) + '<p>'.repeat(200_000)],
    ['marks opened again in each of many paragraphs', marksAndParagraphs],
    ['larger than a post', `<p>${'a'.repeat(2 * 1024 * 1024)}</p>`],
  ])('%s is an error', (_, html) => {
    expect(draftOf({ html })).toMatchObject({ kind: 'failed' })
  })

  it('shows the same text, links and images when it is rendered, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(fragment, async (html) => {
        const result = await convert(html)
        if (result.kind === 'failed') return
        const { text, html: rendered } = renderMarkdown(result.markdown, markdownDefaults)
        const source = sanitize(fromParse5(parseFragment(html)), schema) as Root
        expect(text).toBe(visibleText(toHtml(source)))
        const images = elementsOf(source).filter(({ tagName }) => tagName === 'img')
        expect(rendered.match(/<img\s/g)?.length ?? 0).toBe(images.length)
        const links = elementsOf(source).filter(isLinkToFollow)
        expect(rendered.match(/<a\s/g)?.length ?? 0).toBeGreaterThanOrEqual(links.length)
      }),
      { numRuns: Number(process.env['QUARRY_IMPORT_RUNS'] ?? 120) },
    )
  })

  it('may have a thousand paragraphs, and marks that are not closed', () => {
    const html = `${'<font size="2">'.repeat(100)}${'<p>a <b>b</b> <a href="/c">d</a></p>'.repeat(1000)}`
    expect(draftOf({ html }).kind).toBe('draft')
  })

  it('is hardly ever refused', async () => {
    const samples = fc.sample(fragment, { numRuns: 120, seed: 1 })
    const drafts = samples
      .map((html) => draftOf({ html }))
      .filter((draft) => draft.kind === 'draft')
    const checked = await checkDrafts(drafts, pool)
    const refused = samples.filter((_, index) => checked[index]?.kind !== 'checked')
    expect(refused).toEqual([])
  })
})

function elementsOf(node: Nodes): readonly Element[] {
  const below = 'children' in node ? node.children.flatMap(elementsOf) : []
  return node.type === 'element' ? [node, ...below] : below
}

/** Parsers repeat links that are not closed where they show nothing. */
function isLinkToFollow(node: Element): boolean {
  const isLink = node.tagName === 'a' && node.properties.href !== undefined
  return (
    isLink && (/\S/.test(textOf(node)) || elementsOf(node).some(({ tagName }) => tagName === 'img'))
  )
}

function textOf(node: Nodes): string {
  if (node.type === 'text') return node.value
  return 'children' in node ? node.children.map(textOf).join('') : ''
}

const word = fc.constantFrom(
  ...[
    'a',
    'word',
    'two words',
    ' ',
    '*',
    '_x_',
    '# h',
    '1. n',
    '- l',
    '> q',
    '`',
    '```',
    '~~',
    '|',
    '---',
  ],
  ...[
    '&lt;b&gt;',
    '&amp;amp;',
    '[x](y)',
    '![',
    'https://example.com/a_b',
    'me@example.com',
    '\n\n',
    '    ',
    '\\',
  ],
  ...[
    '「語」',
    '語',
    'é',
    '&nbsp;',
    '[^1]',
    '- [ ] t',
    '<!--c-->',
    '{#id}',
    ':::',
    '%}',
    '!',
    '=',
    '+++',
    '\u2028',
  ],
)

/** HTML as editors and people write it: blocks in blocks, marks in marks, and text that looks like Markdown. */
const fragment = fc.letrec<{ nodes: string; node: string }>((tie) => ({
  nodes: fc.array(tie('node'), { maxLength: 4 }).map((nodes) => nodes.join('')),
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    word,
    fc.constantFrom(
      '<br>',
      '<hr>',
      '<img src="i.png" alt="*alt*">',
      '<img src="https://e.com/a b.png?x=1&amp;y">',
    ),
    fc
      .tuple(
        fc.constantFrom(
          ...'p div blockquote h1 h3 pre ul ol li section details summary figure figcaption dl dt dd table'.split(
            ' ',
          ),
          ...'strong em b i del code sub sup mark kbd u q small span a abbr ins tt var samp center font'.split(
            ' ',
          ),
        ),
        tie('nodes'),
      )
      .map(([name, content]) => `<${name}>${content}</${name}>`),
    tie('nodes').map((content) => `<a href="/x?a=1&amp;b=2" title="t">l${content}</a>`),
    fc
      .array(tie('nodes'), { minLength: 1, maxLength: 4 })
      .map(
        (cells) =>
          `<table><tr>${cells.map((cell) => `<th>${cell}</th>`).join('')}</tr><tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr></table>`,
      ),
  ),
})).nodes
