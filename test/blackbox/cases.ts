// The contents that commands are run on, many of them broken.

import { png } from './site.ts'

/** Contents by path. */
export type Files = Readonly<Record<string, string | Uint8Array>>

/** A post with these lines of front matter after the required ones. */
function post(
  lines: readonly string[],
  body = 'Text.\n',
  required = 'title: T\ncategory: news\ndate: 2026-01-02\n',
): string {
  return `---\n${required}${lines.map((line) => `${line}\n`).join('')}---\n${body}`
}

const base: Files = {
  'content/acme/categories/news.md': '---\nname: News\n---\n',
  'content/acme/tags.yml': '- name: Alpha\n  slug: alpha\n- name: Beta\n  slug: beta\n',
  'content/acme/authors/ada.md': '---\nname: Ada\n---\n',
}

export const good: Files = {
  ...base,
  'content/acme/posts/hello.md': post(['tags: [alpha]', 'authors: ada'], '# Hello\n\nText.\n'),
}

const fields = `fields:
  rating: { type: number, required: true }
  level: { type: select, options: [easy, hard] }
  odd: { type: colour }
  "1st": text
`

/** A site with a file for each problem: what one run of \`check\` reports. */
export const brokenFiles: Files = {
  ...base,
  'content/fields/workspace.yml': fields,
  'content/fields/categories/news.md': '---\nname: News\n---\n',
  'content/fields/posts/missing.md': post([]),
  'content/fields/posts/wrong.md': post(['fields: { rating: many, level: medium, nosuch: 1 }']),
  'content/posts/posts/reserved.md': post([]),
  'content/empty/workspace.yml': 'name: Empty\nnosuch: 1\nv1: closed\nreferences: maybe\n',
  'content/vault/workspace.yml': 'v1: private\n',
  'content/vault/categories/news.md': '---\nname: News\n---\n',
  'content/vault/posts/pictured.md': post([], '![x](./p.png)\n'),
  'content/vault/posts/p.png': png(1, 1),
  'content/acme/posts/pictured.md': post([], '![x](./p.png)\n'),
  'content/acme/posts/p.png': 'no image',
  'content/vault/keys.yml':
    '- id: a\n  key: qk_00000000000000000000000000000000000000000011reiyo\n- id: a\n  sha256: short\n',
  'content/loose.md': 'Text.\n',
  'content/acme/nosuch/a.md': 'Text.\n',
  'content/acme/posts/a.mkd': 'Text.\n',
  'content/acme/posts/unclosed.md': '---\ntitle: A\n\nText.\n',
  'content/acme/posts/fence.md': '----\ntitle: A\n----\nText.\n',
  'content/acme/posts/language.md': '---js\n{}\n---\nText.\n',
  'content/acme/posts/list.md': '---\n- a\n---\nText.\n',
  'content/acme/posts/syntax.md': '---\ntitle: "A\ncategory: [news\n---\nText.\n',
  'content/acme/posts/indent.md': '---\ntitle: A\n  category: news\n---\nText.\n',
  'content/acme/posts/tab.md': '---\ntitle: A\ntags:\n\t- alpha\n---\nText.\n',
  'content/acme/posts/twice.md': post(['title: Again']),
  'content/acme/posts/forbidden.md': post(['__proto__: 1']),
  'content/acme/posts/alias.md': post(['description: *nosuch']),
  'content/acme/posts/tag.md': post(['description: !!binary aGk=']),
  'content/acme/posts/toml.md': '+++\ntitle = A\n+++\nText.\n',
  'content/acme/posts/json.md': '{ "title": "A", }\n\nText.\n',
  'content/acme/posts/bare.md': 'No front matter.\n',
  'content/acme/posts/2026-01-02-untitled.md': post([], 'Text.\n', 'category: news\n'),
  'content/acme/posts/dates.md': post(
    [],
    'Text.\n',
    'title: T\ncategory: news\ndate: 02.01.2026\nupdatedAt: 2026-02-30\n',
  ),
  'content/acme/posts/unknown.md': post([
    'category2: a',
    'layout: post',
    'tag: alpha',
    'published: false',
  ]),
  'content/acme/posts/types.md': post([
    'featured: maybe',
    'tags: { a: 1 }',
    'status: hidden',
    'coverImage: [1]',
  ]),
  'content/acme/posts/both.md': post([
    'draft: true',
    'status: published',
    'publishedAt: 2026-01-03',
  ]),
  'content/acme/posts/slug.md': post(['slug: a/b', 'id: con', 'aliases: [A..b, "", x]']),
  'content/acme/posts/one.md': post(['slug: same', 'id: the-id']),
  'content/acme/posts/two.md': post(['slug: Same', 'aliases: [the-id]']),
  'content/acme/posts/references.md': post(
    ['tags: [alhpa, alpha, alpha]', 'authors: [adda]'],
    'Text.\n',
    'title: T\ncategory: nwes\ndate: 2026-01-02\n',
  ),
  'content/acme/posts/categories.md': post(
    [],
    'Text.\n',
    'title: T\ncategory: [news, alpha]\ndate: 2026-01-02\n',
  ),
  'content/acme/posts/html.md': post(
    [],
    '<script>1</script>\n\n<b onclick="x" style="y">b</b>\n\n<marquee>m</marquee>\n',
  ),
  'content/acme/posts/liquid.md': post([], 'Text {% include a.html %} and {{ page.title }}.\n'),
  'content/acme/posts/nothing.md': post([], '<script>1</script>\n'),
  'content/acme/posts/component.mdx': post(
    [],
    "import A from './a'\n\n<A b={1}>text</A>\n\n{1 + 1}\n",
  ),
  'content/acme/posts/broken.mdx': post([], '<A>\n\nText {unclosed.\n'),
  'content/acme/posts/urls.md': post(
    [],
    '[a](javascript:1) [b](data:text/html,x) ![c](file:///etc/passwd)\n',
  ),
  'content/acme/posts/anchor.md': post([], '# Heading\n\n[a](#headng)\n'),
  'content/acme/posts/images.md': post(
    [],
    '![a](./nosuch.png) ![b](./drawing.svg) ![c](../../../out.png)\n',
  ),
  'content/acme/posts/drawing.svg': '<svg/>',
  'content/acme/posts/links.md': post(
    [],
    '[a](./dtaes.md) [b](../../other/posts/a.md) [c](./adraft.md)\n',
  ),
  'content/acme/posts/adraft.md': post(['draft: true']),
  'content/acme/posts/deep.md': post([], `${'> '.repeat(400)}deep\n`),
  'content/acme/posts/blank.md': post([], ''),
  'content/acme/posts/latin.md': Buffer.from('---\ntitle: Caf\xe9\n---\nText.\n', 'latin1'),
  'content/acme/posts/nul.md': post([], 'Text\0.\n'),
  'content/acme/authors/bad.md': '---\nrole: 1\nsocials: [1]\nemail: a@example.com\n---\n',
  'content/acme/categories/noname.md': '---\nslug: x\n---\n',
}

const config = (text: string): Files => ({ ...good, 'quarry.config.json': text })
const warned = (...lines: readonly string[]): Files => ({
  'content/acme/posts/warned.md': post(lines, '<blink>x</blink>\n'),
})

/** The folder of a case of `golden/cli/messages.txt`; those of other cases have a good site. */
export const filesOfCases: Readonly<Record<string, Files>> = {
  'no content': {},
  'a new project': {},
  'an empty content folder': { 'content/readme.txt': 'Nothing.\n' },
  'a build of broken content': {
    ...good,
    'content/acme/posts/bad.md': post([], 'Text.\n', 'title: T\ncategory: nwes\n'),
  },
  warnings: { ...good, ...warned('layout: post', 'auther: ada') },
  'warnings that are ignored': {
    ...config('{"warnings":{"ignore":["unknown-key","raw-html"]}}'),
    ...warned('layout: post'),
  },
  'a configuration with a mistake': config('{ "content": '),
  'a configuration with an unknown key': config(
    '{"contnet":"content","port":"x","precompute":{"formats":["pdf"]}}',
  ),
  'a configuration that is a list': config('[]'),
  'a static host': {
    ...good,
    'content/acme/posts/soon.md': post([], '', 'title: S\ncategory: news\ndate: 2026-12-01\n'),
  },
  'a workspace that lost its posts': { ...good, 'lost/acme/workspace.yml': 'name: Acme\n' },
}
