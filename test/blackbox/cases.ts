// Broken contents and wrong uses of the command.

import { png } from './site.ts'

/** Contents by path. */
export type Files = Readonly<Record<string, string | Uint8Array>>

/** Commands, one after the other, in a folder with files. */
export interface Case {
  readonly name: string
  readonly files: Files
  /** Without `quarry`; words end at spaces. */
  readonly commands: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
}

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

const good: Files = {
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
export const brokenFiles: Files = Object.fromEntries(
  Object.entries({
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
  }).filter(([, content]) => content !== ''),
)

const config = (text: string): Files => ({ ...good, 'quarry.config.json': text })

/** Each runs in a folder of its own. */
export const cases: readonly Case[] = [
  { name: 'no command', files: {}, commands: ['', '--version', 'nosuch', 'biuld', '--nosuch'] },
  { name: 'help', files: {}, commands: ['help check', 'help nosuch'] },
  {
    name: 'wrong flags',
    files: good,
    commands: [
      'build --nosuch',
      'build --now tomorrow',
      'build --for nosuch',
      'build extra',
      'check --format xml',
      'check --now 2026-01-01',
      'serve --port many',
      'serve --port 70000',
      'build --out',
      'keys',
      'keys create',
    ],
  },
  {
    name: 'a build',
    files: good,
    commands: [
      'build --now NOW',
      'build --now NOW',
      'build --now NOW --quiet',
      'build --now NOW --json',
    ],
  },
  {
    name: 'a check of a good site',
    files: good,
    commands: ['check', 'check --format json', 'check --format github'],
  },
  {
    name: 'no content',
    files: {},
    commands: [
      'build',
      'check',
      'serve',
      'build --content nosuch',
      'notify --url https://example.com',
    ],
  },
  {
    name: 'an empty content folder',
    files: { 'content/readme.txt': 'Nothing.\n' },
    commands: ['build', 'check --format json'],
  },
  {
    name: 'a build of broken content',
    files: {
      ...good,
      'content/acme/posts/bad.md': post([], 'Text.\n', 'title: T\ncategory: nwes\n'),
    },
    commands: ['build --now NOW', 'build --now NOW --json', 'build --now NOW --quiet', 'serve'],
  },
  {
    name: 'warnings',
    files: {
      ...good,
      'content/acme/posts/warned.md': post(['layout: post', 'auther: ada'], '<blink>x</blink>\n'),
    },
    commands: ['check', 'check --verbose', 'build --now NOW --quiet'],
  },
  {
    name: 'warnings that are ignored',
    files: {
      ...config('{"warnings":{"ignore":["unknown-key"]}}'),
      'content/acme/posts/warned.md': post(['layout: post']),
    },
    commands: ['check'],
  },
  { name: 'a configuration with a mistake', files: config('{ "content": '), commands: ['build'] },
  {
    name: 'a configuration with an unknown key',
    files: config('{"contnet":"content","port":"x","precompute":{"formats":["pdf"]}}'),
    commands: ['build', 'check'],
  },
  { name: 'a configuration that is a list', files: config('[]'), commands: ['build'] },
  {
    name: 'a configuration that is not there',
    files: good,
    commands: ['build --config nosuch.ts'],
  },
  {
    name: 'a wrong environment',
    files: good,
    commands: ['build'],
    environment: { QUARRY_WORKERS: 'many' },
  },
  {
    name: 'the environment and a flag',
    files: good,
    commands: ['build --out flag --now NOW'],
    environment: { QUARRY_OUT: 'environment' },
  },
  {
    name: 'a content folder in the output folder',
    files: good,
    commands: ['build --out .', 'build --out content'],
  },
  {
    name: 'a static host',
    files: {
      ...good,
      'content/acme/posts/soon.md': post(
        [],
        'Text.\n',
        'title: S\ncategory: news\ndate: 2026-12-01\n',
      ),
    },
    commands: ['build --now NOW --for static'],
  },
  {
    name: 'deployments',
    files: good,
    commands: [
      'build --now NOW --for vercel',
      'build --now NOW --for netlify',
      'build --now NOW --for cloudflare',
      'build --now NOW --for aws-lambda',
    ],
  },
  {
    name: 'keys',
    files: good,
    commands: [
      'keys create --workspace acme --name Web --scopes posts:read --expires 2027-01-01',
      'keys list',
      'keys list --workspace nosuch',
      'keys revoke --workspace acme Web',
      'keys revoke --workspace acme nosuch',
      'keys list --workspace acme',
      'keys create --workspace nosuch',
      'keys create --workspace acme --scopes all',
      'keys create --workspace acme --expires soon',
    ],
  },
  {
    name: 'a workspace that lost its posts',
    files: { ...good, 'lost/acme/workspace.yml': 'name: Acme\n' },
    commands: [
      'build --now NOW',
      'build --now NOW --content lost',
      'build --now NOW --content lost --allow-empty',
    ],
  },
  {
    name: 'a new project',
    files: {},
    commands: [
      'init site --yes',
      'init site --yes',
      'init other --template nosuch --yes',
      'build --content site/content --now NOW',
    ],
  },
  {
    name: 'explanations',
    files: good,
    commands: [
      'explain unknown-category',
      'explain nosuch-code',
      'build --now NOW --quiet',
      'explain /v1/acme/posts?tags=alpha',
      'explain /v1/acme/posts?limit=0 --expect 200',
    ],
  },
  {
    name: 'nothing to notify',
    files: good,
    commands: [
      'build --now NOW --quiet',
      'notify',
      'notify --url nosuch',
      'notify --url https://example.com/hook',
    ],
  },
  { name: 'an import', files: good, commands: ['import nosuch .', 'import jekyll nosuch'] },
]
