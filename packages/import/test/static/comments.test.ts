// Comments, which no site shows, are no text of a post; those in code are.
import { describe, expect, it } from 'vitest'
import { withoutComments } from '../../src/static/comments.ts'
import { importSite } from '../imported.ts'

const plain = (text: string) => withoutComments(text, { changed: () => {} })

describe('a comment', () => {
  it.each([
    ['a {::comment}S{:/comment} b', 'a  b'],
    ['a\n\n{::comment}\nS\n\nS\n{:/comment}\n\nb', 'a\n\n\n\n\n\n\n\nb'],
    ['{::comment}S{:/} b', ' b'],
    ['a {# S #} b', 'a  b'],
    ['a {#- S\nS -#} b', 'a  b'],
    ['{% comment %}S{% endcomment %}b', 'b'],
    ['{%- comment -%}S{%- endcomment -%}b', 'b'],
    ['a{% comment %}x{% comment %}y{% endcomment %}S{% endcomment %}b', 'ab'],
    ['a {% # S %} b', 'a  b'],
    ['a {%- # S\n # S -%} b', 'a  b'],
    ['a {{! S }} {{!-- S }} S --}} b', 'a   b'],
    ['a {{/* S */}} {{- /* S */ -}} b', 'a   b'],
    ['a {/* S */} { /* S\nS */ } b', 'a   b'],
    ['a <%# S %> <%-- S --%> b', 'a   b'],
    ['a <!-- S --> b', 'a  b'],
    ['a <!--- S ---> b', 'a  b'],
    ['<!--\nS\n\n`S\n-->\nb', '\n\n\n\n\nb'],
    ['{# a ` b #} c {# ` S #} d', ' c  d'],
    ['{# `{# #} c', ' c'],
    ['{% comment %}\n```\n{% endcomment %}\n{# S #}\nb', '\n\n\n\nb'],
    ['a\n\n[//]: # (S)\n\n[comment]: <> (S)\nb', 'a\n\n\n\n\nb'],
    [
      '{% highlight html %}{% comment %}S{% endcomment %}{% endhighlight %}',
      '{% highlight html %}{% endhighlight %}',
    ],
  ])('in %j leaves %j', (text, left) => {
    expect(plain(text)).toBe(left)
  })

  it.each([
    '`{# a #}` `<!-- a -->` `{% comment %}`',
    '```\n{# a #}\n{/* a */}\n<!-- a -->\n{::comment}a{:/comment}\n```',
    '    {# a #}\n    <%# a %>',
    '<pre>{# a #}</pre>',
    '{% raw %}{# a #}{% comment %}b{% endcomment %}{% endraw %}',
    '{% highlight jinja %}{# a #}{% endhighlight %}',
    '{{< highlight jinja >}}{# a #}{{< /highlight >}}',
    'a {{</* b */>}} {{%/* c */%}} d',
    '# A {#id}\n\nb {#c} d#}',
    '# A {/* id */}\n\n{/* truncate */}',
    'a <!-- more --> b <!-- truncate --> c <!--more-->',
    'a {# never closed',
    '- a\n\n<!-- -->\n\n- b',
    'C# {x} and F#} $\\{#$',
    '[//]: # [//] a',
  ])('is not in %j', (text) => {
    expect(plain(text)).toBe(text)
  })

  it('of kramdown is left out with its tags, and the report says so', async () => {
    const { post, entries } = await importSite('jekyll', {
      '_posts/2020-01-01-a.md':
        '---\ntitle: A\n---\nBefore\n\n{::comment}\nSECRET\n{:/comment}\n\nText {::comment}SECRET{:/comment} end.\n\n{::options parse_block_html="true" /}\n\n{::nomarkdown}\n<b>raw</b>\n{:/nomarkdown}\n',
    })
    expect(post('a').body.replace(/\n{2,}/g, '\n')).toBe('Before\nText  end.\n<b>raw</b>')
    expect(entries('changed')).toMatchObject({
      'kramdown comment → left out': 2,
      'kramdown attributes → left out': 3,
    })
  })

  it.each([
    ['eleventy', 'posts/a.md'],
    ['hugo', 'content/posts/a.md'],
    ['next', 'posts/a.md'],
    ['astro', 'src/content/blog/a.md'],
    ['vitepress', 'posts/a.md'],
    ['docusaurus', 'blog/a.md'],
  ] as const)('is left out by %s', async (name, path) => {
    const { post, entries } = await importSite(name, {
      [path]:
        '---\ntitle: A\ndate: 2020-01-01\n---\nG {# S #}{/* S */}<!-- S -->{% comment %}S{% endcomment %} end\n',
    })
    expect(post('a').body).toBe('G  end')
    expect(entries('changed')).toMatchObject({
      'template comment → left out': 1,
      'JSX comment → left out': 1,
    })
  })
})
