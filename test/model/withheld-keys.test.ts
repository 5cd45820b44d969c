// Keys by which other tools keep something from readers: each is an error, not a post that is published by mistake.
import { describe, expect, it } from 'vitest'
import { judgeKey } from '../../src/authoring.ts'
import type { QuarryConfig } from '../../src/config.ts'
import { temporarySite } from '../support/temporary-site.ts'

/** Lines of a verdict, names, and values that each name has. */
const judged = `
hidden published = False|no|n|OFF|0|never|maybe
hidden private = TRUE|yes|Y|on|1|members
hidden unlisted hide isHidden is_private is-draft DRAFT _draft unpublished headless = true
hidden eleventyExcludeFromCollections drafts draf drfat privat unlsited wip exclude = true
hidden post_password membersOnly not_published notPublic work_in_progress removed = true
hidden members subscribers_only premium private_post pageHidden restricted trash = yes
hidden public is_published isPublished pubished published visible dg-publish = no
hidden permalink render enabled live active post_visible approved ready = false
hidden deleted_at archivedOn retracted = 2020-01-02
hidden visibility availability post_status privacy = private
hidden Status state stage type = draft
hidden workflow_state STATUS work_state = in review
hidden status = pending|hidden|unlisted|unpublished|not_published|future|scheduled|trashed|deleted
hidden status = archived
hidden visibility = retracted|withdrawn|expired|embargoed|inactive|internal|restricted|protected
hidden visibility = members-only|paid
publication publishDate publish-date pubDate published_at Date scheduled go_live = 2030-01-02
publication embargo_until visibleFrom published publish releaseDate not_before = 2030-01-02
publication postDate validFrom available live_from = 2999-01-02
publication posted = 2020-01-02
expiry expiryDate expires Expires expiration-date unpublish_on expired = 2020-01-02
expiry validUntil expires_in end_date validTo show_until publish_down = 2020-01-02
harmless published active showToc math sticky hide_toc privacy = true
harmless private archived trash members hide toc comments share sidebar index = false
harmless published password private =
harmless lastmod created startDate pinned_until = 2999-01-02
harmless visibility access = public
harmless permalink = /draft/
`
const rows = judged.split('\n').flatMap((line) => {
  const [, verdict, names = '', values = ''] = /^(\w+) (.+) =(?: (.+))?$/.exec(line) ?? []
  return names
    .split(' ')
    .flatMap((name) => values.split('|').map((value) => [verdict, name, value]))
})

it.each<readonly unknown[]>([
  ...rows.filter(([verdict]) => verdict !== undefined),
  ['hidden', 'private', ['feed', 'home']],
  ['hidden', 'params', { toc: true, draft: true }],
  ['hidden', '_build', { list: 'never', render: 'never' }],
  ['publication', 'params', { publishDate: '2999-01-02' }],
  ['expiry', 'expires', new Date('2020-01-02')],
  ['harmless', 'password', null],
  ['harmless', 'access', ['public', 'members']],
  ['harmless', 'params', { draft: 'false', toc: 'true' }],
])('a key in other tools is %s: %s, %j', (verdict, name, value) => {
  expect(judgeKey(String(name), value) ?? 'harmless').toBe(verdict)
})

/** The problems of a post with some lines of front matter. */
function problemsOf(lines: string, config: QuarryConfig = {}, settings = '') {
  return temporarySite(config)
    .write('content/acme/workspace.yml', `references: create\n${settings}`)
    .write(
      'content/acme/posts/a.md',
      `---\ntitle: T\ncategory: news\ndate: 2026-01-02\n${lines}\n---\nText\n`,
    )
    .diagnostics()
}

const codes = (problems: Awaited<ReturnType<typeof problemsOf>>) =>
  problems.map(({ severity, code, line, column }) => `${line}:${column} ${severity} ${code}`)

describe('a key that judgeKey', () => {
  it.each([
    ['private: true', '5:1 error withheld-key', '`status: draft`'],
    ['publishDate: 2030-01-02', '5:1 error withheld-key', '`publishedAt: …`'],
    ['expires: 2020-01-02', '5:1 error withheld-key', '`expiresAt: …`'],
    ['expiresAt: 2026-01-02', '5:12 error invalid-field', '`status: draft`'],
    ['draft: yes', '5:8 error invalid-field', '`true`'],
  ])('is an error with the key to write: %s', async (line, expected, hint) => {
    const problems = await problemsOf(line)
    expect(codes(problems)).toEqual([expected])
    expect(problems[0]?.hint).toContain(hint)
  })

  it('is no error in a draft', async () => {
    const problems = await problemsOf('draft: true\npublished: false\nexpiryDate: 2020-01-01')
    expect(codes(problems)).toEqual(['6:1 warning unknown-key', '7:1 warning unknown-key'])
  })

  it('is accepted where the mapping ignores or reads it by name, and only there', async () => {
    const lines = 'published: false\nlayout: x'
    const draft = { from: 'published', not: true }
    const of = async (frontMatter: QuarryConfig['frontMatter']) =>
      codes(await problemsOf(lines, { frontMatter }))
    expect(await of({ ignore: ['published', 'layout'] })).toEqual([])
    expect(await of({ draft, ignore: true })).toEqual([])
    expect(await of({ ignore: true })).toEqual(['5:1 error withheld-key'])
  })

  it('is accepted as a custom field that the workspace defines, and only there', async () => {
    const lines = 'fields: { private: true }'
    expect(codes(await problemsOf(lines, {}, 'fields: { private: boolean }'))).toEqual([])
    expect(codes(await problemsOf(lines))).toEqual(['5:11 error withheld-key'])
  })

  const key = `id: a, name: A, sha256: ${'0'.repeat(64)}, created: 2026-01-01`
  it.each([
    ['authors/ada.md', '---\nname: Ada\nhidden: true\n---\n', '3:1 error withheld-key'],
    ['tags.yml', '- { slug: a, name: A, draft: yes }\n', '1:23 error withheld-key'],
    ['workspace.yml', 'references: create\nprivate: true\n', '2:1 error withheld-key'],
    ['keys.yml', `- { ${key}, expiresAt: 2020-01-01 }\n`, '1:116 error unknown-key'],
  ])('is an error in %s: %j', async (file, text, expected) => {
    const problems = await temporarySite()
      .write('content/acme/workspace.yml', 'references: create')
      .write(`content/acme/${file}`, text)
      .post('a')
      .diagnostics()
    expect(codes(problems).join()).toBe(expected)
  })

  it.each([
    ['_drafts/a.md', 1],
    ['drafting/a.md', 0],
  ])('may be the name of a folder: %s', async (path, count) => {
    const head = 'title: T\ncategory: news\ndate: 2026-01-02\n'
    const site = temporarySite()
      .post('b')
      .write(`content/acme/posts/${path}`, `---\n${head}---\nText\n`)
    const expected = Array.from({ length: count }, () => '2:1 error withheld-key')
    expect(codes(await site.diagnostics())).toEqual(expected)
    site.write(`content/acme/posts/${path}`, `---\n${head}status: draft\n---\nText\n`)
    expect(codes(await site.diagnostics())).toEqual([])
  })
})
