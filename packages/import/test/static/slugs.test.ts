// Names that an import keeps: slugs of addresses, ids, dates in paths.
import { describe, expect, it } from 'vitest'
import { importSite } from '../imported.ts'

describe('a slug', () => {
  it.each([
    ['title', '', 'announcing-c-2.0-release'],
    ['title', 'slug: short', 'announcing-c-2.0-release'],
    ['slug', '', 'announcing-c-2.0-release'],
    ['slug', 'slug: short', 'short'],
    ['filename', '', '2020-01-02-file'],
  ])('of Hugo is what :%s makes of %j', async (place, more, slug) => {
    const { files } = await importSite('hugo', {
      'hugo.toml': `[permalinks]\nposts = "/:year/:${place}/"\n`,
      'content/posts/2020-01-02-file.md': `---\ntitle: "Announcing C  2.0: Release!"\ndate: 2020-01-02\n${more}\n---\nText.\n`,
    })
    expect(files.filter((path) => path.startsWith('posts/'))).toEqual([`posts/${slug}.md`])
  })

  it('of Hugo that a title makes is that of links, and the address of before an alias', async () => {
    const { post } = await importSite('hugo', {
      'hugo.toml': '[permalinks]\nposts = "/:year/:title/"\n',
      'content/posts/one.md':
        '---\ntitle: First Post\ndate: 2020-01-02\naliases: [/old/one.html]\n---\n[two](/2020/second-post/)\n',
      'content/posts/two.md':
        '---\ntitle: Second Post\ndate: 2020-01-02\n---\n[one]({{< ref "one.md" >}})\n',
    })
    expect(post('first-post').fields).toMatchObject({ aliases: ['one'] })
    expect(post('first-post').body).toBe('[two](./second-post.md)')
    expect(post('second-post').body).toBe('[one](./first-post.md)')
  })

  it('that a post states keeps its date', async () => {
    const { files } = await importSite('jekyll', {
      '_posts/2020-01-02-one.md': '---\ntitle: One\nslug: 2020-01-02-newsletter\n---\nText.\n',
      '_posts/2020-01-03-one.md': '---\ntitle: One\nslug: 2020-01-03-newsletter\n---\nText.\n',
    })
    expect(files.filter((path) => path.startsWith('posts/'))).toEqual([
      'posts/2020-01-02-newsletter.md',
      'posts/2020-01-03-newsletter.md',
    ])
  })

  it('and a date may be in a path that the front matter states', async () => {
    const { post } = await importSite('hugo', {
      'config.toml': 'base_url = "https://e.com"\n',
      'content/some file.md': '+++\npath = "2015/05/15/Rust-1.0"\ntitle = "One"\n+++\nText.\n',
    })
    expect(post('Rust-1.0').fields).toMatchObject({ publishedAt: '2015-05-15' })
  })
})

describe('an id', () => {
  it('is kept, unless it is taken or no identifier', async () => {
    const { post, entries } = await importSite('jekyll', {
      '_posts/2020-01-02-one.md': '---\ntitle: One\nid: 4711\n---\nText.\n',
      '_posts/2020-01-02-two.md': '---\ntitle: Two\nid: one\n---\nText.\n',
      '_posts/2020-01-02-three.md': '---\ntitle: Three\nid: a/b\n---\nText.\n',
    })
    expect(String(post('one').fields['id'])).toBe('4711')
    expect(post('two').fields).not.toHaveProperty('id')
    expect(post('three').fields).not.toHaveProperty('id')
    expect(entries('left')).toMatchObject({ 'id that is taken or not valid': 2 })
  })
})

describe('a site of Eleventy', () => {
  it('may have its pages at the root, and its includes and data in folders of other names', async () => {
    const { post } = await importSite('eleventy', {
      '.eleventy.js':
        "module.exports = () => ({ dir: { input: '.', includes: 'parts', data: 'data' } })\n",
      'data/site.json': '{"name":"Blog"}',
      'parts/note.md': 'A note.',
      'posts/2020-01-02-one.md': '---\ntitle: One\n---\n{{ site.name }}: {% include "note.md" %}\n',
    })
    expect(post('one').body).toBe('Blog: A note.')
  })
})

describe('the address of a site of Eleventy', () => {
  it.each([
    [{}, '/img/a.png'],
    [{ '_data/site.json': '{ "url": "https://e.com", "title": "T" }' }, 'https://e.com/img/a.png'],
  ])('with %j is that of %s', async (data: Record<string, string>, url) => {
    const { post } = await importSite('eleventy', {
      ...data,
      'blog/a.md':
        '---\ntitle: A\ndate: 2020-01-02\n---\n![A]({{ site.baseurl }}{{ site.url }}/img/a.png)\n',
    })
    expect(post('a').body).toBe(`![A](${url})`)
  })
})

describe('Liquid of Eleventy', () => {
  it('has front matter as variables, and arguments of includes as Liquid has them', async () => {
    const { post, entries } = await importSite('eleventy', {
      '_includes/box.html': '<b>{{ text }}</b>{% if more %}{{ more }}{% endif %}',
      'blog/a.md':
        '---\ntitle: A\ndate: 2020-01-02\nshot: img/a.png\n---\n![A]({{ shot | url }})\n\n{% include "box.html", text: "B" %}\n',
      'blog/b.md':
        '---\ntitle: B\ndate: 2020-01-02\n---\n{% image_with_class "img/a.png" "wide" "An image" %}\n',
    })
    expect(post('a').body).toBe('![A](/img/a.png)\n\n<b>B</b>')
    expect(post('b').body).toBe('<img src="/img/a.png" alt="An image">')
    expect(entries('failed')).toEqual({})
  })
})

it('keeps an undefined variable of Eleventy as text, and evaluates the rest of the post', async () => {
  const head = '---\ntitle: A\ndate: 2020-01-02\n---\n'
  const { post } = await importSite(
    'eleventy',
    { 'blog/a.md': `${head}A {{ "x" | upcase }}\n\nB {{ missing }} z\n` },
    { keepUnknown: true },
  )
  expect(post('a').body).toBe('A X\n\nB {{ missing }} z')
})

describe('a filter of a program', () => {
  const site = {
    '_data/team.yml': 'ada: Ada L.\n',
    'blog/a.md':
      '---\ntitle: A\ndate: 2020-01-02\n---\nBy {{ "ada" | member: "x" }}{{ page.gone }}.\n',
    'blog/b.md': '---\ntitle: B\ndate: 2020-01-02\n---\nText.\n',
  }
  it('is run from its template, over its input, its arguments and the data of the site', async () => {
    const template = '<i>{{ team[value] }}</i>{{ arguments[0] }}'
    const { post } = await importSite('eleventy', site, {
      templates: new Map([['member', template]]),
    })
    expect(post('a').body).toBe('By <i>Ada L.</i>x.')
  })

  it('is an error with its place without one, and a template with an error is refused', async () => {
    const { report } = await importSite('eleventy', site)
    expect(report.entries('failed')).toMatchObject([
      { text: 'Liquid: undefined filter: member', places: ['blog/a.md:5:4'] },
    ])
    const templates = new Map([['member', '{{ value | gone }}']])
    await expect(importSite('eleventy', site, { templates })).rejects.toThrow(
      '--template member is no Liquid: undefined filter: gone',
    )
  })
})

describe('a shortcode of the site', () => {
  const site = {
    'layouts/shortcodes/label.html':
      '{{ $colours := dict "a" "b" }}<b class="bg-{{ index $colours (.Get "name") }}">{{ .Get "name" }}</b>',
    'layouts/shortcodes/toot.html':
      '{{ $src := .Get 0 }}<iframe src="{{ $src }}/embed"></iframe><script src="{{ $src | replaceRE "a" "b" }}"></script>',
    'layouts/shortcodes/list.html':
      '{{ $names := split (.Get 0) "," }}By {{ delimit $names " and " }}',
    'content/blog/a.md':
      '---\ntitle: A\ndate: 2020-01-02\n---\n{{< label name="api" >}} {{< toot "https://e.com/1" >}}\n',
    'content/blog/b.md': '---\ntitle: B\ndate: 2020-01-02\n---\n{{< list "ada,eve" >}}\n',
  }

  it('is run from a template of the command line', async () => {
    const templates = new Map([['list', 'By <i>{{ .Get 0 }}</i>']])
    const { post } = await importSite('hugo', site, { templates })
    expect(post('b').body).toBe('By <i>ada,eve</i>')
  })
})

describe('a post without a text', () => {
  it.each([
    ['layout: list', 'draft'],
    ['description: A photo', undefined],
    ['image: https://e.com/a.png', undefined],
    ['link: https://e.com/', undefined],
  ])('with %s has the status %s', async (line, status) => {
    const { post } = await importSite('jekyll', {
      '_posts/2020-01-02-one.md': `---\ntitle: One\n${line}\n---\n<!-- nothing -->\n`,
    })
    expect(post('one').fields['status']).toBe(status)
  })
})

describe('links to headings', () => {
  it.each([
    ['#contributors-to-1-31-0', '## Contributors to 1.31.0', '#contributors-to-1310'],
    ['#whats_new', "## What's *new*?", '#whats-new'],
    ['#a', '## A', '#a'],
    ['#gone', '## Other', '#gone'],
    ['#ab', '## A b\n\n## A_B', '#ab'],
    ['#fn-1', '<a id="fn-1"></a>\n\n## FN 1.', '#fn-1'],
    ['#in-code', '```\n## In.code\n```', '#in-code'],
    ['#own-id', '## Text {#own_id}', '#own_id'],
  ])('%s, with %j, become %s', async (link, text, expected) => {
    const { post } = await importSite('jekyll', {
      '_posts/2020-01-02-one.md': `---\ntitle: One\n---\n[x](${link})\n\n${text}\n`,
    })
    expect(post('one').body).toContain(`[x](${expected})`)
  })
})

describe('a collection of Jekyll', () => {
  it('is reported where a post uses it', async () => {
    const { post, entries } = await importSite('jekyll', {
      '_config.yml': 'collections: [topics]\n',
      '_posts/2020-01-02-one.md':
        '---\ntitle: One\n---\n{% for topic in site.topics %}{{ topic.title }}{% endfor %}\n',
    })
    expect(post('one').body).toContain('site.topics')
    expect(Object.keys(entries('failed')).join()).toContain('collection "topics" is not read')
  })
})

describe('terms of Jekyll', () => {
  it.each([
    ['category: Elixir in Production', 'elixir-in-production'],
    ['categories: news events', 'news'],
  ])('of %j', async (line, category) => {
    const { post } = await importSite('jekyll', {
      '_posts/2020-01-02-one.md': `---\ntitle: One\n${line}\n---\nText.\n`,
    })
    expect(post('one').fields).toMatchObject({ category })
  })
})

describe('front matter', () => {
  it('fills a field by the first key whose value fits, and keeps the others', async () => {
    const head = 'date: 2024-01-02\nteaser: About Example.com\nbanner: x\nimage: b.png'
    const { post } = await importSite('eleventy', {
      'blog/a.md': `---\ntitle: A\n${head}\n---\nText.\n`,
      'blog/b.md': '---\ntitle: B\ndate: 2024-01-02\nteaser: b.png\n---\nText.\n',
      'assets/covers/b.png': 'b',
    })
    const coverImage = '../media/assets/covers/b.png'
    const description = 'About Example.com'
    expect(post('a').fields).toMatchObject({ description, coverImage, fields: { banner: 'x' } })
    expect(post('b').fields).toMatchObject({ coverImage })
    expect(post('b').fields).not.toHaveProperty('description')
  })
})

describe('a translation', () => {
  const site = {
    'hugo.toml': '',
    'content/blog/a/index.md': '---\ntitle: A\ndate: 2024-01-02\n---\nText.\n',
    'content/blog/a/index.es.md': '---\ntitle: Uno\ndate: 2024-01-02\n---\nTexto.\n',
    'content/blog/b/index.en.md': '---\ntitle: B\ndate: 2024-01-02\n---\nText.\n',
    'content/blog/b/index.knit.md': '---\ntitle: B\ndate: 2024-01-02\n---\n',
  }

  it('is left out, and reported with the flag that imports it', async () => {
    const { files, entries } = await importSite('hugo', site)
    expect(files.filter((path) => path.startsWith('posts/'))).toEqual(['posts/a.md', 'posts/b.md'])
    expect(entries('files')).toMatchObject({
      'skipped: posts in the language es: import them with --language es into a workspace of their own': 1,
    })
  })

  it('is imported by its language', async () => {
    const { post, files } = await importSite('hugo', site, { language: 'es' })
    expect(files.filter((path) => path.startsWith('posts/'))).toEqual(['posts/a.md'])
    expect(post('a').fields['title']).toBe('Uno')
    await expect(importSite('hugo', site, { language: 'fr' })).rejects.toThrow(
      'No posts are in the language fr. There are en, es.',
    )
  })
})

describe('the mark of an excerpt', () => {
  it('leaves the text behind it Markdown', async () => {
    const { post } = await importSite('jekyll', {
      '_posts/2020-01-02-one.md': '---\ntitle: One\n---\nA.\n\n<!--more--> *B*\n',
    })
    expect(post('one').body).toBe('A.\n\n<!-- more -->\n\n*B*')
  })
})

describe('blank lines before front matter', () => {
  it('are passed over, and counted in locations', async () => {
    const { post, report } = await importSite('jekyll', {
      '_posts/2020-01-02-one.md': '\n \n---\ntitle: One\n---\nText.\n',
      '_posts/2020-01-02-two.md': '\n\n---\ntitle: "Two\n---\nText.\n',
      '_posts/2020-01-02-three.md': '\n---\ntitle: Three\n---\n{% unknown %}\n',
    })
    expect(post('one').fields['title']).toBe('One')
    expect(report.entries('failed').flatMap(({ places }) => places)).toEqual([
      '_posts/2020-01-02-three.md:5:1',
      '_posts/2020-01-02-two.md:4:8',
    ])
  })
})

describe('details of an author', () => {
  it('in front matter are those of its record', async () => {
    const { read } = await importSite('docusaurus', {
      'blog/2020-01-02-one.md':
        '---\ntitle: One\nauthor: Ada Lovelace\nauthorTitle: Engineer\nauthorTwitter: ada\nauthor_image: https://e.com/a.png\n---\nText.\n',
    })
    expect(read('authors/ada-lovelace.md')).toContain('role: Engineer')
    expect(read('authors/ada-lovelace.md')).toContain('https://twitter.com/ada')
    expect(read('authors/ada-lovelace.md')).toContain('image: https://e.com/a.png')
  })
})

describe('the folder of posts', () => {
  it('is all content where one file alone is in a folder of the name of a blog', async () => {
    const page = (title: string, date = '') => `---\ntitle: ${title}\n${date}---\nText.\n`
    const { files } = await importSite('hugo', {
      'content/releases/latest.md': page('Latest'),
      'content/one.md': page('One', 'date: 2020-01-02\n'),
      'content/two.md': page('Two', 'date: 2020-01-02\n'),
    })
    expect(files.filter((path) => path.startsWith('posts/'))).toEqual([
      'posts/one.md',
      'posts/two.md',
    ])
  })
})

describe('a block of a plugin', () => {
  it('leaves its text, in an include too', async () => {
    const { post, entries } = await importSite('jekyll', {
      '_includes/a.md': '{% boxed x %}\nBox.\n{% endboxed %}',
      '_posts/2020-01-02-one.md':
        '---\ntitle: One\n---\n{% tabs a %}{% tab b %}One {{ page.title }}.{% endtab %}{% endtabs %}{% include a.md %}\n',
    })
    expect(post('one').body).toBe('One One.\nBox.')
    expect(entries('changed')).toMatchObject({ 'Liquid block tabs → its text': 1 })
  })
})

describe('a tag of an image', () => {
  it.each([
    ['{% image "img/a.png" "A cat" %}', '<img src="/img/a.png" alt="A cat">'],
    ['{% image "/a.png", "Cat", "100vw" %}', '<img src="/a.png" alt="Cat">'],
    ['{% img left /a.png 300 200 "It\'s" %}', '<img src="/a.png" alt="It\'s">'],
    ['{% img https://e.com/a.png %}', '<img src="https://e.com/a.png" alt="">'],
  ])('%s is an image', async (tag, expected) => {
    const { post } = await importSite('jekyll', {
      '_posts/2020-01-02-one.md': `---\ntitle: One\n---\n${tag}\n`,
    })
    expect(post('one').body).toBe(expected)
  })
})

describe('Liquid of Ruby', () => {
  it('may have a dot before brackets', async () => {
    const { post } = await importSite('jekyll', {
      '_posts/2020-01-02-one.md':
        '---\ntitle: One\nmood: good\n---\n{% assign key = "mood" %}{{ page.[key] }}\n',
    })
    expect(post('one').body).toBe('good')
  })

  it('is an error at its place in an include', async () => {
    const { report } = await importSite('jekyll', {
      '_includes/a.md': 'One.\n{% nonsense %}',
      '_posts/2020-01-02-one.md': '---\ntitle: One\n---\nText. {% include a.md %}\n',
    })
    expect(report.entries('failed')).toMatchObject([
      {
        text: 'Liquid: tag "nonsense" not found in _includes/a.md:2',
        places: ['_posts/2020-01-02-one.md:4:1'],
      },
    ])
  })

  it('takes the first name of a capture', async () => {
    const { post } = await importSite('jekyll', {
      '_includes/links.md': '{% capture /dev/null %}gone{% endcapture %}Kept.',
      '_posts/2020-01-02-one.md':
        '---\ntitle: One\n---\n{% include links.md %}{% capture /x %}y{% endcapture %}{{ x }}\n',
    })
    expect(post('one').body).toBe('Kept.y')
  })
})
