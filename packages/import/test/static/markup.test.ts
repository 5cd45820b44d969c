// Translations of the markup of generators.
import { describe, expect, it, vi } from 'vitest'
import type { BodyContext } from '../../src/site.ts'
import { maskCode } from '../../src/static/code-mask.ts'
import { rewriteDestinations } from '../../src/static/destinations.ts'
import { admonitionsToAlerts, containersToAlerts, dialectOf } from '../../src/static/dialects.ts'
import { marksOf } from '../../src/static/extensions.ts'
import { mdxToMarkdown } from '../../src/static/mdx.ts'
import { withoutComments } from '../../src/static/steps.ts'
import { importSite } from '../imported.ts'

const context: BodyContext = {
  head: {
    ...{ file: { path: 'a.mdx' }, values: {}, typed: {}, notes: [] },
    ...{ slug: 'a', title: 'A', date: '2026-01-01', day: '2026-01-01' },
  },
  unknown: () => {},
  changed: () => {},
  stays: () => {},
  addressOf: () => undefined,
}

/** Texts with what a translation makes of them; a text alone stays. */
type Rows = readonly (readonly [string, string?])[]
const marks = marksOf('.keys .mark .caret .tilde')
const youtube = 'https://www.youtube.com/watch?v=abc'

const translations: readonly (readonly [string, (text: string) => string, Rows])[] = [
  [
    'the mask of code',
    (text) => maskCode(text).replaceAll('\uFDD0', '#'),
    [
      ['a `b` c', 'a ### c'],
      ['a `` b ` c `` d', 'a ########### d'],
      ['\\`a` b'],
      ['- a ` b\n- c ` d'],
      ['```js\na\n```\nb', '#####\n#\n###\nb'],
      ['> ```\n> a\nb', '> ###\n###\nb'],
      ['- x\n\n      a'],
      ['x\n\n    - a\n    b\nc', 'x\n\n#######\n#####\nc'],
      ['<pre>a</pre> b <!-- c -->', '<pre>#</pre> b ##########'],
      ['<pre>a\n```\n</pre>\n```\nb\n```', '<pre>#\n###\n</pre>\n###\n#\n###'],
      ['`<script>` a </script>', '########## a </script>'],
    ],
  ],
  [
    'destinations',
    (text) => rewriteDestinations(text, (url) => `X:${url}`),
    [
      ['[a](x.md "t")', '[a](X:x.md "t")'],
      ['![a](<x y.png>)', '![a](<X:x y.png>)'],
      ['[![a](i.png)](l)', '[![a](X:i.png)](X:l)'],
      ['[a](x_(y))', '[a](<X:x_(y)>)'],
      ['[a]: x.md\n[^1]: x.md', '[a]: X:x.md\n[^1]: x.md'],
      ["<a href='a&amp;b'>", "<a href='X:a&amp;b'>"],
      ['`[a](x)` src="x"'],
    ],
  ],
  [
    'containers',
    (text) => containersToAlerts(text, context),
    [
      ['::: warning Mind\na\n:::', '\n> [!WARNING]\n> **Mind**\n>\n> a\n'],
      ['::::note\n:::tip\na\n:::\n::::', '\n> [!NOTE]\n> > [!TIP]\n> > a\n'],
      [':::note[T] b\nend. :::\nc', '\n> [!NOTE]\n> **T**\n>\n> b\n>\n> end.\n\nc'],
      [':::note\nnever closed\n\na', '\n> [!NOTE]\n> never closed\n>\n> a\n'],
      ['::: is text\na'],
      ['```\n:::note\n```'],
      [':::columns\na\n:::', 'a'],
    ],
  ],
  [
    'admonitions',
    (text) => admonitionsToAlerts(text, context),
    [
      ['!!! tip "T"\n    a\n\n    b\nc', '\n> [!TIP]\n> **T**\n>\n> a\n>\n> b\n\nc'],
      ['=== "A"\n\n    b', '\n**A**\n\nb\n\n'],
      ['```\n!!! tip\n    a\n```'],
      [
        '!!! tip\n    ??? note "N"\n        a',
        '\n> [!TIP]\n> > [!NOTE]\n> > **N**\n> >\n> > a\n\n',
      ],
    ],
  ],
  [
    'kramdown',
    (text) => dialectOf('kramdown')(text, context),
    [
      ['![a](b){: .x width="1" }', '![a](b)'],
      ['![a](/b c.jpg)', '![a](</b c.jpg>)'],
      ['## A\n{: #b .c}', '## A {#b}'],
      ['## A {#b .c}\n{.d}\n![e](f){ width=3 } g { .h }', '## A {#b}\n\n![e](f) g '],
      ['$\\sum_{i=1}^n a_{.b}$ {a=1}'],
      ['* TOC\n{:toc}\n\na', '\n\na'],
      ['`{: .x}` {:b=>2} \\{: .x}'],
      ['> <i markdown>b</i>', '> \n> \n> <i>\n> \n> b\n> \n> </i>\n> \n> '],
      ['a\\\\\nb `c\\\\`', 'a\\\nb `c\\\\`'],
      [
        'T\n: D\n: `: e`\n\nU\n\n: *F*\n\n  g\nh',
        '\n<dl>\n<dt>T</dt>\n<dd>D</dd>\n<dd>\n\n`: e`\n\n</dd>\n<dt>U</dt>\n<dd>\n\n*F*\n\ng\nh\n\n</dd>\n</dl>\n',
      ],
      ['a: b\n::: c\n\n```\nT\n: D\n```'],
      [
        'An `A` A [A](A) [A] ![A](b) AB\n\n*[A]: B "c"',
        'An `A` <abbr title="B &quot;c&quot;">A</abbr> [<abbr title="B &quot;c&quot;">A</abbr>](A) [A] ![A](b) AB\n\n',
      ],
      ['`{: #c}`\n\n### D {: #e-1 .f}', '`{: #c}`\n\n### D {#e-1}'],
      ['<div markdown="1">\n*a*\n</div>', '\n\n<div>\n\n*a*\n\n\n</div>\n\n'],
      ['<img src="a">\n*b*\n\n<br>\n## c', '<img src="a">\n\n*b*\n\n<br>\n\n## c'],
      [
        '<div>\n<b>a</b>\n*b*\n</div>\n*c*\n\n  <p>d</p>\n      *e*',
        '<div>\n<b>a</b>\n*b*\n</div>\n\n*c*\n\n  <p>d</p>\n\n  *e*',
      ],
      [
        '<p>a</p> *b*\n\n<a>\n![c](d)\n</a>\n\n<a>\n<img>\n</a>\nc',
        '<p>a</p>\n\n*b*\n\n<a>\n\n![c](d)\n</a>\n\n<a>\n<img>\n</a>\n\nc',
      ],
      ['*a*<br>\n*b* <i>c</i>\n<img>\n*d*\n\n<p>a</p>\n<p>*b*</p>\n\n<img>\n<img>'],
      ['<i markdown>\n<img>\n*a*</i> <i>b</i>', '\n\n<i>\n\n<img>\n\n*a*\n\n</i>\n\n <i>b</i>'],
    ],
  ],
  [
    'Python-Markdown',
    (text) => dialectOf('python')(text, context),
    [
      ['##A\n# B\n#\n`#c`\n\n    ##d', '## A\n# B\n#\n`#c`\n\n    ##d'],
      ['<p>a</p>\n*b* | c', '<p>a</p>\n\n*b* | c'],
    ],
  ],
  [
    'single tildes',
    (text) => marksOf('kramdown').reduce((made, { run }) => run(made, context), text),
    [
      ['H~2~O <td>~a b~</td>', 'H&#126;2&#126;O <td>&#126;a b&#126;</td>'],
      ['~~a~~ (~1 or ~2) `~a~` $~a~$ <b title="~c~"> \\~d\\~ ~> e ~'],
    ],
  ],
  [
    'marks of plugins',
    (text) => marks.reduce((made, { run }) => run(made, context), text),
    [
      ['==c *d*\ne==', '<mark>c *d*\ne</mark>'],
      [
        '++ctrl+a++ ^^b^^ H~2~O 2^10^',
        '<kbd>ctrl+a</kbd> <ins>b</ins> H<sub>2</sub>O 2<sup>10</sup>',
      ],
      ['[==a==](/~b~) ==[c](d)==', '[<mark>a</mark>](/~b~) <mark>[c](d)</mark>'],
      ['`==a==` <a href="~b~"> https://c/~d~ ~~e~~ \\==f== == g == $x^2+y^2$ [^1][^2] C++ or g++'],
      [
        '$5 ==a== $6 [^1]: ==b==\n[c]: /~d~',
        '$5 <mark>a</mark> $6 [^1]: <mark>b</mark>\n[c]: /~d~',
      ],
    ],
  ],
  [
    'MDX',
    (text) => mdxToMarkdown(text, context),
    [
      ["import A from 'a'\nimport {\n B\n} from 'b'\n\na", '\n\n\na'],
      ['export const x = {\n a: 1\n}\n\nb', '\n\nb'],
      ['a <B c={{ d: `{` }} e={() => <F />}>g</B>', 'a g'],
      [
        "import i from './i.png'\n<Image src={i} alt='x' />",
        '\n\n\n<img src="./i.png" alt="x">\n\n',
      ],
      ['a {/* b */ false && "c"} d {/* truncate */}', 'a  d {/* truncate */}'],
      ['<YouTube id="abc" title="A talk" />', `<a href="${youtube}">A talk</a>`],
      ['A\\<T> <Link to="/b">c</Link>', 'A\\<T> <a href="/b">c</a>'],
      ['<CodeBlock language="js">{`\n# a\n`}</CodeBlock>', '\n\n```js\n# a\n```\n'],
      ['<TabItem value="v" label="L">a</TabItem>', '\n\n**L**\n\na'],
      ['a <Card title="T" /> b <Badge label="c" /> <D alt="d" />', 'a **T** b **c** d'],
      ['<Code code={`a`} lang="sh" />', '\n\n```sh\na\n```\n\n'],
      ['<Tabs>\n    - a\n      - b\n</Tabs>', '\n- a\n  - b\n'],
      ['<p style={{ a: 1 }} id="x">a</p>', '<p id="x">a</p>'],
      ['a {" "} {x.length}{{ y: 1 }} $\\frac{1}{2}$ \\{b}', 'a    $\\frac{1}{2}$ \\{b}'],
      ["Set {'{'}a{'}'} `{b}` <https://a.example>", 'Set {a} `{b}` <https://a.example>'],
      ['<div>\n    ![a](b)\n</div>', '\n<div>\n\n![a](b)\n\n</div>\n'],
      ['<div>\n  ```js\n  a\n    b\n  ```\n</div>', '\n<div>\n\n```js\na\n  b\n```\n\n</div>\n'],
      [
        '<details><summary>A **b**</summary>`<div>`</details>',
        '\n\n\n<details>\n\n\n\n\n\n<summary>\n\n\nA **b**\n\n\n</summary>\n\n\n`<div>`\n\n\n</details>\n\n\n',
      ],
      ['<Note title="T">a</Note> b', ':::::::note[T]\na\n:::::::\n b'],
      ['<Callout type="tip" description="D">\na\n</Callout>', ':::::::tip\nD\n\na\n:::::::'],
      ['- a\n\n  <Tip>\n  b\n  </Tip>', '- a\n\n  :::::::tip\n  b\n  :::::::'],
      ['{"\\u00e9a\\x41\\u{1F600}\\u{FFFFFF}\\n"}', 'éaA😀u{FFFFFF}\n'],
    ],
  ],
  [
    'comments',
    (text) => withoutComments(text, context, 'kramdown Liquid Nunjucks Handlebars JSX'),
    [
      ['a {::comment}S{:/comment} {# S #} {{! S }} b', 'a    b'],
      ['a {/* S */} <!-- S --> b {{/* c */}}', 'a   b {{/* c */}}'],
      ['a{%- comment %}{% comment %}S{% endcomment %}S{% endcomment -%} b', 'a b'],
      ['a\n\n    b {# S #} {/* S */} <pre>{/* S */}</pre>', 'a\n\n    b   <pre></pre>'],
      ['<!--\nS\n\n`S\n-->\nb', '\n\n\n\n\nb'],
      ['{# a ` b #} c {# ` S #} d', ' c  d'],
      ['[//]: # (S\n`S"\nS)\nb\n\n[comment]: <> "S)\nS"\nb', '\n\n\nb\n\n\n\nb'],
      ['{/* a */ false && "b"} c {/* S */}', '{/* a */ false && "b"} c '],
      ['{% tabs %}\n<!-- tab A b@x -->\nc\n<!-- endtab -->', '{% tabs %}\n**A b**\n\nc\n'],
      ['<!-- tab a -->b\n\n[^1]: c\n\n    <!-- d -->e', 'b\n\n[^1]: c\n\n    e'],
      ['a\n\n[//]: # (S)\n[//]: # "`S"\n[//]: # "S` {"\n\nb', 'a\n\n\n\n\n\nb'],
      ['{% highlight x %}<!-- a -->{# b #}{% endhighlight %}'],
      ['## A {/* #b-c */}\n{/* #d */}', '## A {#b-c}\n'],
      ["`{# a #}` `<!-- a -->` {'{/* b */}'}"],
      ['```\n{# a #}\n<!-- a -->\n```\n{% raw %}{# a #}{% endraw %} {{</* b */>}} {# open'],
      ['# A {#id}\n\n{/* truncate */} <!-- more --> $\\{#$'],
    ],
  ],
]

describe.each(translations)('%s', (_, translate, rows) => {
  it.each(rows)('of %j', (text = '', made = text) => {
    expect(translate(text)).toBe(made)
  })
})

it('ends soon for hostile texts: each translation is linear in the length of a text', () => {
  const units =
    '`|<!--| |{|<a |[[a|](|{%|{# |{:#|a\n: b\n|*[a]: b\n\na |# a {: #b|:::a\n|:::note\n|> ```\n|<A b={"|{++a|==a|~a|$a'.split(
      '|',
    )
  const start = process.cpuUsage()
  for (const unit of units)
    for (const [, translate] of translations) {
      const text = unit.repeat(Math.ceil(40_000 / unit.length))
      expect(typeof translate(text)).toBe('string')
    }
  expect(process.cpuUsage(start).user / 1e6).toBeLessThan(30)
}, 60_000)

/** Imports one post. @returns its body */
async function bodyOf(
  name: 'hugo' | 'jekyll' | 'zola',
  body: string,
  more: Record<string, string> = {},
) {
  const path = name === 'jekyll' ? '_posts/2020-01-02-a.md' : 'content/posts/a.md'
  const front =
    name === 'zola'
      ? '+++\ntitle = "A"\ndate = 2020-01-02\n+++\n'
      : '---\ntitle: A\ndate: 2020-01-02\n---\n'
  const { post } = await importSite(name, { ...more, [path]: `${front}${body}\n` })
  return post('a').body.trim()
}

describe('shortcodes', () => {
  const template = (text: string) => ({ 'layouts/shortcodes/own.html': text })
  const zola = { 'config.toml': 'base_url = "https://e.com"' }
  const zolaTemplate = (text: string) => ({ ...zola, 'templates/shortcodes/own.html': text })
  it.each<['hugo' | 'zola', string, Record<string, string>, string]>([
    ['hugo', '{{< youtube abc >}}', {}, `<a href="${youtube}">youtube.com/watch?v=abc</a>`],
    ['hugo', '- {{< highlight go >}}\n  b\n  {{< /highlight >}}', {}, '- \n\n```go\n  b\n```'],
    [
      'hugo',
      '- a\n  {{< highlight go >}}\n  b\n  {{< /highlight >}}',
      {},
      '- a\n  ```go\n  b\n  ```',
    ],
    [
      'hugo',
      '1. a\n\n   {{< notice tip >}}\n   b\n\n   c\n   {{< /notice >}}\n\n   d',
      {},
      '1. a\n\n   > [!TIP]\n   > b\n   >\n   > c\n\n\n   d',
    ],
    [
      'hugo',
      '{{< own >}}a{{< /own >}}',
      template('{{ if .x }}B{{ end }}{{ .Inner }}'),
      '{{< own >}}a{{< /own >}}',
    ],
    ['hugo', '{{< youtube-80 id="abc" title="A talk" >}}', {}, `<a href="${youtube}">A talk</a>`],
    [
      'hugo',
      '{{% alert title="T" color="warning" %}}\n  a\n{{% /alert %}}',
      {},
      '> [!WARNING]\n> **T**\n>\n> a',
    ],
    ['hugo', '{{< highlight go >}}\n{{< a >}}\n{{< /highlight >}}', {}, '```go\n{{< a >}}\n```'],
    [
      'hugo',
      '{{< own "p" k="v" >}}I{{< /own >}}',
      template('<b>{{ .Get "k" }} {{- .Get 0 -}} {{ .Inner | safeHTML }}</b>'),
      '<b>vpI</b>',
    ],
    [
      'hugo',
      '{{< own >}}a **b**{{< /own >}}',
      template('<div>{{ .Inner | markdownify }}</div>'),
      '<div>\n\n\na **b**\n\n\n</div>',
    ],
    ['hugo', '{{< own >}}', template('{{/* c */}}<script>{{ .Get 0 }}</script>'), ''],
    ['hugo', '{{< gone >}}', {}, '{{< gone >}}'],
    ['hugo', '| {{< tip >}}a{{< /tip >}} |', {}, '| a |'],
    ['hugo', '{{< tabpane >}}a{{< /tabpane >}}', {}, '{{< tabpane >}}a{{< /tabpane >}}'],
    [
      'hugo',
      'a <b>b</b> `<i>`\n\n{{< own "<b>" >}}<p>c</p>{{< /own >}}\n\n<div>\nS\n</div>\n\nd',
      { ...template('{{ .Inner }}'), 'hugo.yaml': 'title: T' },
      'a b `<i>`\n\n<p>c</p>\n\n\n\n\n\nd',
    ],
    [
      ...(['hugo', 'a <b>b</b>'] as const),
      { 'hugo.yaml': 'markup: {goldmark: {renderer: {unsafe: true}}}' },
      'a <b>b</b>',
    ],
    ['hugo', '{{< katex >}}a_b{{< /katex >}}', {}, '$a_b$'],
    [
      'hugo',
      '{{< figure src="/a.png" alt="a" caption="**C**" >}}',
      {},
      '<figure><img src="/a.png" alt="a"><figcaption>\n\n**C**\n\n</figcaption></figure>',
    ],
    ['hugo', '{{</* x */>}} `{{< param v >}}`', { 'hugo.yaml': 'params: {v: 1}' }, '{{< x >}} `1`'],
    ['hugo', '`{{< img a.png >}}`', {}, '`{{< img a.png >}}`'],
    ['hugo', '[]({{< ref path="a" lang="de" >}})', {}, '[](/de/posts/a/)'],
    ['hugo', '{{< cast src="https://a.b" >}}', {}, '<a href="https://a.b">a.b</a>'],
    ['zola', '{{ youtube(id="abc") }}', zola, `<a href="${youtube}">youtube.com/watch?v=abc</a>`],
    ['zola', '{{/* a() */}} `{%/* b() */%} {{ c(1) }}`', zola, '{{ a() }} `{% b() %} {{ c(1) }}`'],
    ['zola', '{{ gone(a="b", c=1) }}', zola, '{{ gone(a="b", c=1) }}'],
    ['zola', '{% note() %}a{% end %}', zola, '> [!NOTE]\n> a'],
    ['zola', '{{ tip(text="a") }}', zola, '> [!TIP]\n> a'],
    ['zola', '{% own() %}a{% end %}', zolaTemplate('{% if b %}{{ c }}{% endif %}{{ body }}'), 'a'],
  ])('of %s: %j, %j', async (name, body, more, made) => {
    expect(await bodyOf(name, body, more)).toBe(made)
  })
})

describe('Liquid', () => {
  it.each([
    [
      '{% highlight c %}\n{{ "a" }}{% raw %}{{ b }}{% endraw %}{% endhighlight %}',
      '```c\na{{ b }}\n```',
    ],
    [
      '{% codeblock A b lang:js https://c.d e %}\nf\n{% endcodeblock %}',
      'A b https://c.d e\n\n```js\nf\n```',
    ],
    ['{% blockquote A, B %}\nc\n{% endblockquote %}', '> c\n> \n> — A B'],
    ['{% link A b https://c.d true %}', '<a href="https://c.d">A b</a>'],
    ['{% raw %}{{ a }}{% endraw %} `{{ page.title }}`', '{{ a }} `A`'],
    ['{{ page.date | date: "%F %z" }} {{ page.tags | join: "+" }}', '2020-01-02 +0900 x+y'],
    [
      '{% tabs x %}{% tab y %}One {% include a.md n="1" %}{% endtab %}{% endtabs %}',
      '**y**\n\nOne B1',
    ],
    [
      '{% note warning "A **b**" %}c{% endnote %}{% fold green, D e %}f{% endfold %}{% katex %}g_h{% endkatex %}',
      '> [!WARNING]\n> **A b**\n>\n> c\n\n\n\n<details>\n<summary>D e</summary>\n\nf\n\n</details>\n\n$g_h$',
    ],
    ['{% img f /g.png 300 "H i" %}', '<img src="/g.png" alt="H i">'],
    ['{% css %}a{% endcss %}b', 'b'],
    ['{% note default flat %}a{% endnote %}{% cq 3 %}b{% endcq %}', '> [!NOTE]\n> a\n\nb'],
    ['{% mermaid %}\na-->b\n{% endmermaid %}', '```mermaid\na-->b\n```'],
    ['{% post_url 2020-01-03-b.0 %} {% link about.md %}', '/2020/01/03/b.0.html /about/'],
    ['{{ site.time }} {{ page.title }}', '{{ site.time }} A'],
    [
      '{% if page.next %}{{ page.next.title }} {{ a }}{% endif %}',
      '{% if page.next %}{{ page.next.title }} {{ a }}{% endif %}',
    ],
    ['{{ site.data.team.ada }} {{ "x y" | slugify }}{% set a = 1 %}', 'Ada L. x-y'],
  ])('%s', async (body, made) => {
    const more = {
      ...{
        '_includes/a.md': '{% tabs %}B{{ include.n }}{% endtabs %}',
        '_data/team.yml': 'ada: Ada L.',
      },
      '_config.yml': 'timezone: Asia/Tokyo\ndefaults: [{values: {tags: x y}}]',
      '_posts/2020-01-03-b.0.md': '---\ntitle: B\n---\nText.\n',
      'about.md': '---\npermalink: /about/\n---\n',
    }
    expect(await bodyOf('jekyll', body, more)).toBe(
      made
        .replace('/2020/01/03/b.0.html', './b.0.md')
        .replace('./b.0.md /', '/2020/01/03/b.0.html /'),
    )
  })

  it('that reaches the limit of time fails its post alone', async () => {
    let time = 0
    const now = vi.spyOn(performance, 'now').mockImplementation(() => (time += 1e4))
    expect(await bodyOf('jekyll', '{{ "a" }}')).toBe('{{ "a" }}')
    now.mockRestore()
  })
})
