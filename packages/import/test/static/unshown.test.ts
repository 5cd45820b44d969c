// Text that the old site shows to nobody, or not to everybody, is left out, and the report says so.
import { describe, expect, it } from 'vitest'
import type { ImporterName } from '../../src/command.ts'
import { importSite } from '../imported.ts'

const front = '---\ntitle: A\ndate: 2020-01-02\n---\n'
const places: Readonly<Record<string, string>> = {
  hugo: 'content/posts/a.md',
  jekyll: '_posts/2020-01-02-a.md',
  eleventy: 'posts/a.md',
  vitepress: 'posts/a.md',
  docusaurus: 'blog/a.md',
  astro: 'src/content/blog/a.mdx',
  next: 'posts/a.md',
}

/** Imports one post. @returns its body without blanks, or `a draft` if it needs a look, and the reasons in the report */
async function bodyOf(name: string, body: string, more: Record<string, string> = {}) {
  const { post, entries } = await importSite(name as ImporterName, {
    [places[name] ?? '']: `${front}${body}\n`,
    ...more,
  })
  const isDraft =
    post('a').fields['status'] === 'draft' && Object.keys(entries('failed')).length > 0
  return {
    body: isDraft ? 'a draft' : post('a').body.replace(/\s+/g, ' ').trim(),
    changed: Object.keys(entries('changed')).filter((text) => / left out/.test(text)),
    failed: Object.keys(entries('failed')),
  }
}

describe('a hidden element', () => {
  it.each([
    ['hugo', '<div hidden>S</div>', 'element with `hidden`'],
    ['jekyll', '<p style="color: red; display: none">S</p>', 'element with `style`'],
    ['eleventy', '<template><p>S</p><template>S</template></template>', '`<template>`'],
    ['next', '<dialog id="x">S</dialog>', '`<dialog>`'],
    ['astro', '<div style={{ display: "none" }}>\n\nS\n\n</div>', 'element with `style`'],
    ['vitepress', '<div v-if="dev">\n\nS <div>S</div>\n\n</div>', 'element with `v-if`'],
    ['vitepress', '<p v-show="x" :class="y" @click="z">S</p>', 'element with `v-show`'],
    ['vitepress', '<li v-for="x in y" #slot>S</li>', 'element with `v-for`'],
    ['vitepress', '<MembersOnly tier="2">\n\nS\n\n</MembersOnly>', 'component MembersOnly'],
    ['astro', '<Draft>S</Draft>', 'component Draft'],
  ])('of %s, %j, is left out', async (name, markup, reason) => {
    const { body, changed } = await bodyOf(name, `Before\n\n${markup}\n\nAfter`)
    expect({ body, changed }).toEqual({ body: 'Before After', changed: [`${reason} → left out`] })
  })

  it('without an end fails the post', async () => {
    const { body, failed } = await bodyOf('hugo', 'Before\n\n<div hidden>\n\nS')
    expect({ body, failed }).toEqual({
      body: 'a draft',
      failed: ['element with `hidden` has no end'],
    })
  })

  it.each(['`<div hidden>a</div>`', '<dialog open>a</dialog>', '<p class="hide">a</p>'])(
    'is not %j',
    async (text) => {
      expect((await bodyOf('hugo', text)).body).toBe(text)
    },
  )
})

describe('a block whose name withholds', () => {
  it.each([
    ['hugo', '{{< encrypt "pw" >}}S{{< /encrypt >}}', 'shortcode encrypt'],
    ['hugo', '{{% if-dev %}}S{{% /if-dev %}}', 'shortcode if-dev'],
    [
      'hugo',
      '{{< tab >}}{{< members_only >}}S{{< /members_only >}}{{< /tab >}}',
      'shortcode members_only',
    ],
    ['jekyll', '{% premium %}S{% endpremium %}', 'Liquid block premium'],
    ['eleventy', '{% ifdev %}S{% endifdev %}', 'Liquid block ifdev'],
    ['docusaurus', ':::internal\nS\n:::', 'container internal'],
  ])('of %s, %j, is left out with its text', async (name, markup, reason) => {
    const { body, changed } = await bodyOf(name, `Before\n\n${markup}\n\nAfter`)
    expect({ body, changed }).toEqual({
      body: 'Before After',
      changed: [`${reason} → left out with its text`],
    })
  })
})

describe('a custom template of Hugo that cannot be run', () => {
  it.each([
    ['{{ if hugo.IsDevelopment }}{{ .Inner }}{{ end }}', 'a draft'],
    ['{{ if not .Site.Params.x }}{{ else }}{{ .Inner }}{{ end }}', 'a draft'],
    ['{{ with .Site.Params.x }}{{ $.Inner }}{{ end }}', 'a draft'],
    ['{{ range .Params }}{{ $.Inner }}{{ end }}', 'a draft'],
    ['{{ .Scratch.Set "x" .Inner }}{{ partial "x" . }}', 'a draft'],
    ['{{ partial "x" . }}<p style="display:none">{{ .Inner }}</p>', 'a draft'],
    ['<b class="x">{{ partial "x" . }}</b>{{ .Inner | markdownify }}', 'S'],
    ['{{ range .Params }}<i></i>{{ end }}{{- .Inner -}}', 'S'],
  ])('%j leaves a post that is %j', async (template, left) => {
    const { body, failed } = await bodyOf('hugo', '{{< own >}}S{{< /own >}}', {
      'layouts/shortcodes/own.html': template,
    })
    expect(body).toBe(left)
    expect(failed).toEqual(left === 'S' ? [] : ['shortcode "own" has no translation'])
  })
})

describe('a program in braces', () => {
  it.each([
    ['docusaurus', 'A {false && <p>S</p>} B'],
    ['docusaurus', 'A\n\n{process.env.X && (\n  <div>\n\n  S {"}"}\n\n  </div>\n)}\n\nB'],
    ['docusaurus', 'A\n\nexport const x = () => (\n  <p>S</p>\n)\n\nB'],
    ['astro', 'A\n\n{secret &&\n  <p>S</p>}\n\nB'],
  ])('of %s is left out of %j', async (name, text) => {
    expect((await bodyOf(name, text)).body).toBe('A B')
  })

  it.each([
    ['docusaurus', 'A {S', 'a draft'],
    ['next', 'A {S} B', 'A {S} B'],
  ])('of %s makes of %j %j', async (name, text, left) => {
    expect((await bodyOf(name, text)).body).toBe(left)
  })

  it('is text in Markdown that Docusaurus does not read as MDX', async () => {
    const config = { 'docusaurus.config.js': "module.exports = {markdown: {format: 'detect'}}" }
    expect((await bodyOf('docusaurus', 'A {b} C', config)).body).toBe('A {b} C')
  })
})

describe('shortcodes of Zola', () => {
  const config = { 'config.toml': 'base_url = "https://z.example"\n' }
  it.each([
    ['A {% comment() %}S{% end %} B', 'A B'],
    [
      '{{ youtube(id="x", autoplay=true) }}',
      '<a href="https://www.youtube.com/watch?v=x">https://www.youtube.com/watch?v=x</a>',
    ],
    ['{% own(author="V, W") %}A{% end %}', 'A'],
    ['`{{ x() }}` {% if %}', '`{{ x() }}` {% if %}'],
    ['{{ x(a=1) }}', 'a draft'],
  ])('%j becomes %j', async (text, left) => {
    expect((await bodyOf('hugo', text, config)).body).toBe(left)
  })
})

describe('a block of HTML from a shortcode', () => {
  it('ends before the Markdown on the next line', async () => {
    const { post } = await importSite('hugo', {
      'content/posts/a.md': `${front}{{< figure src="https://a.example/a.png" >}}\n*text*\n`,
    })
    expect(post('a').body).toBe(
      '<figure><img src="https://a.example/a.png" alt=""></figure>\n\n*text*',
    )
  })
})
