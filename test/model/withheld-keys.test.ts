import { describe, expect, it } from 'vitest'
import { withholds } from '../../src/authoring.ts'
import type { QuarryConfig } from '../../src/config.ts'
import { temporarySite } from '../support/temporary-site.ts'

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

describe('a key that withholds a post in other tools', () => {
  it.each([
    ...[
      'false',
      'False',
      'no',
      'No',
      'n',
      'off',
      'OFF',
      '0',
      '"false"',
      "'no'",
      'never',
      'maybe',
      '{ a: b }',
    ].map((value) => `published: ${value}`),
    ...['true', 'TRUE', 'yes', 'Y', 'on', '1', '"true"', 'members', '[feed, home]'].map(
      (value) => `private: ${value}`,
    ),
    ...[
      'unlisted',
      'hidden',
      'hide',
      'Hidden',
      'isHidden',
      'is_private',
      'is-draft',
      'Draft',
      'DRAFT',
      '_draft',
      'unpublished',
      'secret',
      'internal',
      'headless',
      'eleventyExcludeFromCollections',
      'drafts',
      'draf',
      'drfat',
      'privat',
      'unlsited',
      'disabled',
      'wip',
      'password',
      'post_password',
    ].map((name) => `${name}: true`),
    ...[
      'public',
      'visible',
      'listed',
      'publish',
      'Published',
      'PUBLISHED',
      'is_published',
      'isPublished',
      'pubished',
      'published ',
    ].map((name) => `${name}: no`),
    ...['permalink', 'render', 'enabled', 'live'].map((name) => `${name}: false`),
    'visibility: private',
    'visibility: members',
    'confidential: true',
    'removed: yes',
    'exclude: true',
    'membersOnly: true',
    'online: false',
    'ready: no',
    'approved: false',
    'availability: private',
    'Visibility: Hidden',
    'post_status: private',
    'Status: draft',
    'STATUS: pending',
    'state: draft',
    'workflow_state: in review',
    'type: draft',
    'access: members',
    'stage: Draft',
    ...['trash', 'archived', 'retracted', 'not_published', 'notPublic', 'work_in_progress'].map(
      (name) => `${name}: true`,
    ),
    ...['members', 'subscribers_only', 'premium', 'private_post', 'pageHidden', 'restricted'].map(
      (name) => `${name}: yes`,
    ),
    ...['active', 'enable', 'dg-publish', 'post_visible'].map((name) => `${name}: false`),
    ...['deleted_at', 'archivedOn', 'retracted'].map((name) => `${name}: 2020-01-02`),
    'privacy: private',
    'access: [members]',
    'audience: [Subscribers-only, staff]',
    'work_state: work in progress',
    ...['params', 'extra', 'meta', 'data'].map((name) => `${name}: { a: b, draft: true }`),
    'params: { visible: no }',
    'extra: { status: draft }',
    '_build: { list: never, render: never }',
    'build: { render: false }',
  ])('is an error: %s', async (line) => {
    const [problem, ...others] = await problemsOf(line)
    expect(others).toEqual([])
    expect(problem).toMatchObject({ code: 'withheld-key', severity: 'error', line: 5, column: 1 })
    expect(problem?.hint).toContain('`status: draft`')
  })

  it.each([
    ...[
      'publishDate',
      'publish_date',
      'publish-date',
      'PublishDate',
      'pubDate',
      'published_at',
      'publishedOn',
      'publication_date',
      'Date',
      'scheduled',
      'go_live',
      'embargo',
      'embargo_until',
      'visibleFrom',
      'published',
      'publish',
      'releaseDate',
      'publishAfter',
      'not_before',
      'datePublished',
      'embargoDate',
      'embargo_date',
      'embargoed_until',
      'hidden_until',
      'draft_until',
      'publish_up',
      'scheduledPublishAt',
    ].map((name) => [`${name}: 2030-01-02`, '`publishedAt: …`']),
    ...['postDate', 'posted', 'validFrom', 'available', 'available_on', 'live_from'].map((name) => [
      `${name}: 2999-01-02`,
      '`publishedAt: …`',
    ]),
    ['posted: 2999', '`publishedAt: …`'],
    ['params: { publishDate: 2999-01-02 }', '`publishedAt: …`'],
    ...[
      'expiryDate',
      'expiry_date',
      'expires',
      'expire',
      'expiresAt',
      'Expires',
      'expiration',
      'expiration-date',
      'unpublishDate',
      'unpublish_on',
      'expired',
      'validUntil',
      'expires_in',
      'unpublishedAt',
      'end_date',
      'validTo',
      'validThrough',
      'show_until',
      'publish_end',
      'publish_down',
      'date_expires',
    ].map((name) => [`${name}: 2020-01-02`, '`status: draft`']),
  ])('is an error with the key to write: %s', async (line, key) => {
    const [problem, ...others] = await problemsOf(String(line))
    expect(others).toEqual([])
    expect(problem).toMatchObject({ code: 'withheld-key', severity: 'error', line: 5, column: 1 })
    expect(problem?.hint).toContain(key)
  })

  it.each([
    ['draft: yes', '5:8 error invalid-field'],
    ['draft: y', '5:8 error invalid-field'],
    ['draft: 1', '5:8 error invalid-field'],
    ['draft: on', '5:8 error invalid-field'],
    ['status: private', '5:9 error invalid-field'],
    ['status: pending', '5:9 error invalid-field'],
    ['status: Draft', '5:9 error invalid-field'],
  ])('is an error in a key of quarry: %s', async (line, expected) => {
    const problems = await problemsOf(line)
    expect(codes(problems)).toEqual([expected])
    expect(problems[0]?.hint).toMatch(/^Write `(true|status: draft)`/)
  })

  it.each([
    'published: true',
    'published: yes',
    'published: ',
    'private: false',
    'private: no',
    'hidden: 0',
    'unlisted: ""',
    'hidden: []',
    'visibility: public',
    'password: ""',
    'expiryDate:',
    'publishDate: ~',
    'permalink: /a/b',
    'render: always',
    'state: CA',
    'access: wheelchair',
    'craft: beer',
    'layout: post',
    'stage: 3',
    'build: { list: always }',
    'publisher: ACME',
    'ready: when you are',
    'exclude: []',
    'privacy: true',
    'visited: false',
    'rating: 1',
    'hide_toc: true',
    ...['archived', 'retracted', 'trash', 'members', 'hide'].map((name) => `${name}: false`),
    ...['toc', 'comments', 'sitemap', 'share', 'sidebar', 'index'].map((name) => `${name}: false`),
    ...['math', 'hero', 'sticky', 'pinned', 'showToc', 'hideMeta', 'disableShare'].map(
      (name) => `${name}: true`,
    ),
    ...['lastmod', 'created', 'startDate', 'modified_at', 'pinned_until'].map(
      (name) => `${name}: 2999-01-02`,
    ),
    'premium: no',
    'active: true',
    'available: true',
    'available: false',
    'members: [a, b]',
    'access: public',
    'access: [public, members]',
    'hide: [navigation, toc]',
    'estate: private',
    'weight: 1',
    'lang: en',
    'translationKey: draft-horses',
    'permalink: /draft/',
    'robots: noindex',
    'readingTime: 3',
    'endTime: late',
    'visible_to: everyone',
    'published_to: [blog]',
    'params: { draft: false, toc: true }',
    'meta: { date: 2020-01-02 }',
    'extra: { nested: { draft: true } }',
    'data: [draft, b]',
  ])('is a warning with a value that withholds nothing: %s', async (line) => {
    const problems = await problemsOf(line)
    expect(codes(problems)).toEqual(['5:1 warning unknown-key'])
  })

  it('is named with the map around it', async () => {
    const [problem] = await problemsOf('params: { toc: true, draft: true }')
    expect(problem?.message).toContain('"params.draft" hides the post')
  })

  it('is suggested nothing that it does not mean', async () => {
    const [problem] = await problemsOf('published: true')
    expect(problem?.hint).not.toContain('publishedAt')
  })

  it.each(['draft: true', 'status: draft', 'draft: "true"'])(
    'is no error in a draft: %s',
    async (draft) => {
      expect(codes(await problemsOf(`${draft}\npublished: false\nexpiryDate: 2020-01-01`))).toEqual(
        ['6:1 warning unknown-key', '7:1 warning unknown-key'],
      )
    },
  )

  it('is accepted where the mapping ignores or reads it by name, and only there', async () => {
    const lines = 'published: false\nlayout: x'
    const ignored = await problemsOf(lines, { frontMatter: { ignore: ['published', 'layout'] } })
    const read = await problemsOf(lines, {
      frontMatter: { draft: { from: 'published', not: true }, ignore: true },
    })
    const allIgnored = await problemsOf(lines, { frontMatter: { ignore: true } })
    expect([codes(ignored), codes(read), codes(allIgnored)]).toEqual([
      [],
      [],
      ['5:1 error withheld-key'],
    ])
  })

  it('is accepted as a custom field that the workspace defines, and only there', async () => {
    const lines = 'fields: { private: true }'
    expect(codes(await problemsOf(lines, {}, 'fields: { private: boolean }'))).toEqual([])
    expect(codes(await problemsOf(lines))).toEqual(['5:11 error withheld-key'])
  })

  it('has its place in TOML and JSON', async () => {
    const problems = await temporarySite()
      .write('content/acme/workspace.yml', 'references: create')
      .write(
        'content/acme/posts/a.md',
        '+++\ntitle = "T"\ncategory = "news"\ndate = 2026-01-02\n  published = false\nexpiryDate = 2020-01-01\n+++\nText\n',
      )
      .write(
        'content/acme/posts/b.md',
        '{\n  "title": "T", "category": "news", "date": "2026-01-02",\n  "private": true,\n  "published": true, "hidden": null\n}\nText\n',
      )
      .diagnostics()
    expect(
      problems
        .filter(({ severity }) => severity === 'error')
        .map(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`),
    ).toEqual([
      'acme/posts/a.md:5:3 withheld-key',
      'acme/posts/a.md:6:1 withheld-key',
      'acme/posts/b.md:3:3 withheld-key',
    ])
  })

  it.each([
    ['authors/ada.md', '---\nname: Ada\nhidden: true\n---\n', '3:1 error withheld-key'],
    ['authors.yml', '- { slug: ada, name: Ada, draft: yes }\n', '1:27 error withheld-key'],
    ['tags/a.md', '---\nname: A\npublished: false\n---\n', '3:1 error withheld-key'],
    ['categories/news.md', '---\nname: News\nstatus: private\n---\n', '3:1 error withheld-key'],
    [
      'authors/ada.md',
      '---\nname: Ada\nactive: false\nstatus: away\ndate: 2020-01-01\n---\n',
      '3:1 warning unknown-key,4:1 warning unknown-key,5:1 warning unknown-key',
    ],
    ['workspace.yml', 'references: create\nprivate: true\n', '2:1 error withheld-key'],
    ['workspace.yml', 'references: create\nvisibility: private\n', '2:1 error withheld-key'],
    [
      'keys.yml',
      `- { id: a, name: A, sha256: ${'0'.repeat(64)}, created: 2026-01-01, expiresAt: 2020-01-01 }\n`,
      '1:116 error withheld-key',
    ],
    [
      'keys.yml',
      `- { id: a, name: A, sha256: ${'0'.repeat(64)}, created: 2026-01-01, revoked_at: 2020-01-01 }\n`,
      '1:116 error withheld-key',
    ],
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
    ['2026/Drafts/a.md', 1],
    ['unpublished/a/index.md', 1],
    ['drafts.md', 0],
    ['drafting/a.md', 0],
  ])('may be the name of a folder: %s', async (path, count) => {
    const head = 'title: T\ncategory: news\ndate: 2026-01-02\n'
    const site = temporarySite()
      .post('b')
      .write(`content/acme/posts/${path}`, `---\n${head}---\nText\n`)
    expect(codes(await site.diagnostics())).toEqual(
      Array.from({ length: count }, () => '2:1 error withheld-key'),
    )
    site.write(`content/acme/posts/${path}`, `---\n${head}status: draft\n---\nText\n`)
    expect(codes(await site.diagnostics())).toEqual([])
  })

  it('cannot be outvoted by a mapped key', async () => {
    const lines = (own: string) =>
      problemsOf(`published: true\n${own}`, {
        frontMatter: { draft: { from: ['published'], not: true } },
      })
    expect(codes(await lines('draft: yes'))).toEqual(['6:8 error invalid-field'])
    const both = await problemsOf('a: false\nb: true\npublished: false', {
      frontMatter: { draft: { from: ['a', 'b'] } },
    })
    expect(codes(both)).toEqual(['7:1 warning unknown-key'])
  })
})

describe('the decision for other programs', () => {
  it.each([
    ['draft', true, 'hidden'],
    ['draft', false, 'harmless'],
    ['published', false, 'hidden'],
    ['active', 0, 'hidden'],
    ['expires', new Date('2020-01-02'), 'expiry'],
    ['end_date', new Date('2020-01-02'), 'expiry'],
    ['embargo', '2030-01-02', 'publication'],
    ['posted', 2999, 'publication'],
    // The same at any time.
    ['posted', '2020-01-02', 'publication'],
    ['access', ['members'], 'hidden'],
    ['params', { draft: true }, 'hidden'],
    ['params', null, undefined],
    ['password', null, 'harmless'],
    ['private', [], 'harmless'],
    ['layout', 'post', undefined],
  ])('takes plain values: %s, %j', (name, value, expected) => {
    expect(withholds(name, value)).toBe(expected)
  })
})
