// Images beside posts and links between them: what is published, where it leads, and what is told of the rest.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { decodeManifest } from '../../src/build/manifest.ts'
import { call } from '../support/command-call.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const other = Buffer.concat([png, Buffer.from('other')])

function media(site: TemporarySite): readonly string[] {
  return site.files().filter((file) => file.startsWith('public/media/'))
}

function contents(site: TemporarySite, slug = 'first'): { html: string; markdown: string } {
  const at = (tree: string) => site.json(`public/v1/acme/posts/${tree}${slug}.json`).post.content
  return { html: at(''), markdown: at('_markdown/') }
}

describe('an image beside a post', () => {
  it('is published once under the name of its bytes, and shown from there in both formats', async () => {
    const site = temporarySite({ baseUrl: 'https://cdn.example.com/api/' })
      .write('content/acme/posts/a.png', png)
      .write('content/acme/posts/2024/same.PNG', png)
      .write('content/acme/media/deep/b.jpeg', Buffer.from('ffd8ffe0', 'hex'))
      .post(
        'first',
        { coverImage: './a.png' },
        '![A](./a.png "T")\n\n![B](<../media/deep/b.jpeg>)\n',
      )
      .post('2024/second', {}, '![S][s] ![up](../a.png) [big](same.PNG?x#y)\n\n[s]: same.PNG\n')
    await site.build()
    const [image = ''] = media(site).filter((file) => file.endsWith('.png'))
    const [jpg = ''] = media(site).filter((file) => file.endsWith('.jpg'))
    expect(image).toMatch(/^public\/media\/acme\/[0-9a-f]{32}\.png$/)
    expect(jpg).toMatch(/^public\/media\/acme\/[0-9a-f]{32}\.jpg$/)
    expect(media(site)).toHaveLength(2)
    expect(readFileSync(join(site.out, image))).toEqual(png)
    const url = `https://cdn.example.com/api/${image.slice('public/'.length)}`
    const jpgUrl = `https://cdn.example.com/api/${jpg.slice('public/'.length)}`
    expect(site.json('public/v1/acme/posts/first.json').post.coverImage).toBe(url)
    expect(contents(site)).toEqual({
      html: `<p><img src="${url}" alt="A" title="T"></p>\n<p><img src="${jpgUrl}" alt="B"></p>\n`,
      markdown: `![A](${url} "T")\n\n![B](<${jpgUrl}>)\n`,
    })
    expect(contents(site, 'second').markdown).toBe(
      `![S][s] ![up](${url}) [big](${url})\n\n[s]: ${url}\n`,
    )
    const manifest = decodeManifest(Buffer.from(site.text('manifest.json')))
    expect(manifest?.files.get(image)).toMatchObject({ stage: 'data', bytes: png.length })
  })

  it('has an address from the root where no base is set; a workspace sets its own', async () => {
    const site = temporarySite()
      .write('content/acme/posts/a.png', png)
      .post('first', {}, '![](a.png)\n')
    await site.build()
    expect(contents(site).markdown).toMatch(/^!\[\]\(\/media\/acme\/[0-9a-f]{32}\.png\)\n$/)
    site.write('content/acme/workspace.yml', 'baseUrl: https://own.example.com\n')
    await site.build()
    expect(contents(site).markdown).toContain('(https://own.example.com/media/acme/')
  })

  it('stays where nobody shows it: of a draft, in code, behind an escape, in a comment', async () => {
    const body = [
      '`![](a.png)` \\![](a.png) ![](https://example.com/a.png) ![](/a.png) [a](#a) [b](b) [c](b/c.html)',
      '',
      '    ![](a.png)',
      '',
      '```',
      '![](a.png)',
      '[x](./first.md)',
      '```',
      '',
      '[unused]: a.png',
      '',
    ].join('\n')
    const site = temporarySite({ links: { post: '/x/{slug}' } })
      .write('content/acme/posts/a.png', png)
      .post('draft', { draft: 'true', coverImage: 'a.png' }, '![](a.png)\n')
      .post('first', {}, body.replace('\\![](a.png)', '\\!\\[](a.png)'))
      .post('second', {}, 'Text <!-- <img src="a.png"> -->\n')
    await site.build()
    expect(media(site)).toEqual([])
    expect(contents(site).markdown).toBe(body.replace('\\![](a.png)', '\\!\\[](a.png)'))
  })

  it.each([
    ['a b.png', '![](<a b.png>) ![](a%20b.png)'],
    ['100%.png', '![](100%.png) ![](100%25.png)'],
    ['it\'s "(so)".png', '![](<it\'s "(so)".png>) ![](it\'s%20%22%28so%29%22.png)'],
    ['日本 é.png', '![](<日本 é.png>) ![](%E6%97%A5%E6%9C%AC%20e%CC%81.png)'],
    ['e\u0301.png', '![](e\u0301.png) ![](\u00E9.png) ![](%C3%A9.png)'],
    ['a&amp;b.png', '![](a&amp;amp;b.png)'],
    ['a*_`b.png', '![](a*_`b.png) ![](a\\*\\_\\`b.png)'],
  ])('may be called %s', async (name, body) => {
    const site = temporarySite()
      .write(`content/acme/posts/${name}`, png)
      .post('first', {}, `${body}\n`)
    await site.build()
    expect(contents(site).markdown).toMatch(
      /^(!\[\]\(<?\/media\/acme\/[0-9a-f]{32}\.png>?\) ?)+\n$/,
    )
    expect(media(site)).toHaveLength(1)
  })

  it.each([
    ['![](./b.png)', '5', 'missing-image There is no image "./b.png". Did you mean "./a.png"?'],
    ['![](../x/a.png)', '5', 'outside-workspace "../x/a.png" leads out of the posts and images'],
    [
      '![](media/A.PNG)',
      '5',
      'missing-image There is no image "media/A.PNG". Did you mean "./a.png"?',
    ],
    [
      '![](zebra.png)',
      '5',
      'missing-image There is no image "zebra.png". Put it next to this file, or in "media".',
    ],
    ['![](a.svg)', '5', 'unsupported-image "a.svg" is not an image that quarry publishes'],
    ['![](a.txt)', '5', 'unsupported-image "a.txt" is not an image'],
    ['![](./link.png)', '5', 'missing-image There is no image "./link.png"'],
    ['![](linked/secret.png)', '5', 'missing-image There is no image "linked/secret.png"'],
    ['![](../../../secret.png)', '5', 'outside-workspace'],
    ['![](%2e%2e/%2e%2e/%2E%2E/secret.png)', '5', 'outside-workspace'],
    ['![](..%2f..%2f..%2fsecret.png)', '5', 'outside-workspace'],
    ['![](..%5c..%5csecret.png)', '5', 'outside-workspace'],
    ['![](a.png%00.png)', '5', 'outside-workspace'],
    ['![](../../beta/posts/a.png)', '5', 'outside-workspace'],
    ['![](%2fetc/passwd.png)', '5', 'outside-workspace'],
    ['![](../authors/a.png)', '5', 'missing-image'],
    [
      '![](huge.png)',
      '5',
      'file-too-large The file is 10485761 bytes long; at most 10485760 are read.',
    ],
    [`![](${'x'.repeat(100_000)}.png)`, '5', 'missing-image'],
    [
      '[x](./secnod.md)',
      '5',
      'broken-link There is no post "./secnod.md". Did you mean "./second.md"?',
    ],
    ['[x](../authors/ada.md)', '5', 'broken-link'],
    [
      '[x](2024/second.md#part)',
      '5',
      'broken-link There is no post "2024/second.md#part". Did you mean "./second.md"?',
    ],
  ])('is refused with its place: %.60s', async (text, column, told) => {
    const outer = Buffer.from('top secret')
    const site = temporarySite()
      .write('secret.png', outer)
      .write('outer/secret.png', outer)
      .write('content/acme/posts/a.png', png)
      .write('content/acme/posts/huge.png', Buffer.alloc(10 * 1024 * 1024 + 1))
      .write('content/beta/posts/a.png', outer)
      .post('second')
      .post('first', {}, `Line.\n\n> ${text}\n`)
    symlinkSync(join(site.folder, 'secret.png'), join(site.content, 'acme/posts/link.png'))
    symlinkSync(join(site.folder, 'outer'), join(site.content, 'acme/posts/linked'))
    const problems = await site.problems()
    const own = problems.filter((problem) => !problem.includes(' ignored-link '))
    const at = Number(column) + text.indexOf('](')
    expect(own).toHaveLength(1)
    expect(own[0]).toContain(`acme/posts/first.md:8:${at} ${told}`)
  })

  it('is a warning where the settings say so, and stays as it is written', async () => {
    const body = '![a b](<./b c.png> "T") [x](nowhere.md?a&b#ü)\n'
    const site = temporarySite({ links: { broken: 'warning', post: '/{slug}' } }).post(
      'first',
      { coverImage: 'x.png' },
      body,
    )
    const { diagnostics } = await site.build()
    expect(diagnostics.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
      'warning missing-image',
      'warning missing-image',
      'warning broken-link',
    ])
    expect(contents(site)).toEqual({
      html: '<p><img src="./b%20c.png" alt="a b" title="T"> <a href="nowhere.md?a&#x26;b#%C3%BC">x</a></p>\n',
      markdown: body,
    })
    expect(site.json('public/v1/acme/posts/first.json').post.coverImage).toBe('x.png')
  })

  it('is not published by a private workspace', async () => {
    const site = temporarySite()
      .write('content/acme/workspace.yml', 'v1: private\n')
      .write('content/acme/posts/a.png', png)
      .post('first', { coverImage: 'a.png' }, '![](a.png)\n')
    const problems = await site.problems()
    expect(problems.map((problem) => problem.split(' ')[1])).toEqual([
      'private-image',
      'private-image',
    ])
  })

  it('is taken away with the last post that shows it, and comes before those that do', async () => {
    const site = temporarySite()
      .write('content/acme/posts/a.png', png)
      .post('first', {}, '![](a.png)\n')
    await site.build()
    expect(media(site)).toHaveLength(1)
    const paths = [...(decodeManifest(Buffer.from(site.text('manifest.json')))?.files.keys() ?? [])]
    const isPost = (path: string) => path.endsWith('first.json')
    expect(paths.findIndex((path) => path.includes('/media/'))).toBeLessThan(
      paths.findIndex(isPost),
    )
    site.post('first', { draft: 'true' }, '![](a.png)\n')
    await site.build({ isEmptyAllowed: true })
    expect(site.files().filter((file) => file.includes('media'))).toEqual([])
  })

  it('that a build left which was killed goes with the next one', async () => {
    const site = temporarySite().post('first')
    await site.build()
    const stray = `dist/public/media/acme/${'a'.repeat(32)}.png`
    site
      .write(stray, png)
      .write('dist/public/media/acme/kept.png', png)
      .write('dist/.unfinished', '')
    await site.build()
    expect(existsSync(join(site.folder, stray))).toBe(false)
    // Not one of ours: no build writes such a name.
    expect(existsSync(join(site.out, 'public/media/acme/kept.png'))).toBe(true)
  })

  it('goes along to a host that gives it, and the build says so', async () => {
    const site = temporarySite()
      .write('content/acme/posts/a.png', png)
      .post('first', { coverImage: 'a.png' })
    const told = await call(site.folder, ['build', '--for', 'bun'])
    expect(told.stdout).toContain('With 1 image, ')
    const without = await call(site.folder, ['build', '--for', 'aws-lambda'])
    expect(without.stdout).toContain('Left out: 1 image, ')
  })

  it('takes the base of the environment', async () => {
    const site = temporarySite()
      .write('content/acme/posts/a.png', png)
      .post('first', { coverImage: 'a.png' })
    const environment = { QUARRY_BASE_URL: 'http://127.0.0.1:4321' }
    expect((await call(site.folder, ['build'], environment)).exitCode).toBe(0)
    const { coverImage } = site.json('public/v1/acme/posts/first.json').post
    expect(coverImage).toMatch(/^http:\/\/127\.0\.0\.1:4321\/media\/acme\//)
    const wrong = await call(site.folder, ['build'], { QUARRY_BASE_URL: 'content' })
    expect(wrong.exitCode).toBe(2)
    expect(wrong.stderr).toContain('QUARRY_BASE_URL is "content". It must be a URL')
  })

  it('makes only the posts anew that show it when its bytes change', async () => {
    const site = temporarySite({ cache: 'cache' }).write('content/acme/posts/a.png', png)
    for (let number = 1; number <= 25; number++) site.post(`p${number}`, {}, `Text ${number}.\n`)
    site.post('shows', { publishedAt: '2025-01-01' }, '![](a.png)\n')
    await site.build()
    const before = new Map(site.files().map((file) => [file, site.text(file)]))
    site.write('content/acme/posts/a.png', other)
    const { rendered, changes } = await site.build()
    expect(rendered).toBe(0)
    const changed = site.files().filter((file) => site.text(file) !== before.get(file))
    const responses = changed.filter((file) => /^(public\/v1|private)/.test(file))
    // Itself in two formats and versions, and the one page of each list that it stands on.
    expect(responses).toEqual(
      ['private/v2', 'public/v1'].flatMap((tree) => [
        `${tree}/acme/posts/_markdown/_page/3.json`,
        `${tree}/acme/posts/_markdown/shows.json`,
        `${tree}/acme/posts/_page/3.json`,
        `${tree}/acme/posts/shows.json`,
      ]),
    )
    expect(changes.removed).toBeGreaterThan(0)
    expect(media(site)).toHaveLength(1)
    expect(before.has(media(site)[0] ?? '')).toBe(false)
    expect((await site.build()).changes.written).toBe(0)
  })

  it('that changes while it is published ends the build, which leaves the last one', async () => {
    const site = temporarySite()
      .write('content/acme/posts/a.png', png)
      .post('first', {}, '![](a.png)\n')
    await site.build()
    const loaded = await site.load()
    writeFileSync(join(site.content, 'acme/posts/a.png'), other)
    const [file] = loaded.media
    expect(file && (() => loaded.images.read(file))).toThrow('The content has 1 error.')
  })

  it('that quarry does not know stays beside the posts without a word', async () => {
    const site = temporarySite().write('content/acme/posts/notes.txt', 'x').post('first')
    mkdirSync(join(site.content, 'acme/media'))
    expect(await site.problems()).toEqual([])
  })
})

describe('a link to the file of another post', () => {
  const template = '/blog/{workspace}/{year}/{month}/{day}/{slug}~{id}'

  it('leads to its address, with its query and fragment', async () => {
    const site = temporarySite({ links: { post: template } })
      .post(
        '2024/日本語',
        { id: 'id-1', publishedAt: '2024-03-05' },
        '[back](../first.md#a"b\'c)\n',
      )
      .post(
        'first',
        { id: 'id-2' },
        '[x](2024/%E6%97%A5本語.md?q=1#part "T") [y]\n\n[y]: <./first.md>\n',
      )
    await site.build()
    const there = '/blog/acme/2024/03/05/%E6%97%A5%E6%9C%AC%E8%AA%9E~id-1'
    const here = '/blog/acme/2026/01/02/first~id-2'
    expect(contents(site)).toEqual({
      html: `<p><a href="${there}?q=1#part" title="T">x</a> <a href="${here}">y</a></p>\n`,
      markdown: `[x](${there}?q=1#part "T") [y]\n\n[y]: <${here}>\n`,
    })
    expect(contents(site, '日本語').markdown).toBe(`[back](${here}#a%22b%27c)\n`)
  })

  it('follows the slug of that post, which is not rendered for it', async () => {
    const site = temporarySite({ cache: 'cache', links: { post: '/{slug}' } })
      .post('first', {}, '[x](second.md)\n')
      .post('second')
    await site.build()
    site.post('second', { slug: 'renamed' })
    expect((await site.build()).rendered).toBe(0)
    expect(contents(site).html).toBe('<p><a href="/renamed">x</a></p>\n')
  })

  it('stays as it is written where no address is set', async () => {
    const site = temporarySite().post('first', {}, '[x](second.md#a)\n').post('second')
    await site.build()
    expect(contents(site)).toEqual({
      html: '<p><a href="second.md#a">x</a></p>\n',
      markdown: '[x](second.md#a)\n',
    })
  })

  it('to a draft is a warning, and tells nothing of it', async () => {
    const site = temporarySite({ links: { post: '/{slug}' } })
      .post('first', {}, '[x](second.md)\n')
      .post('second', { draft: 'true', slug: 'hush' })
    const { diagnostics } = await site.build()
    expect(diagnostics).toMatchObject([
      { code: 'draft-link', severity: 'warning', line: 6, column: 5 },
    ])
    expect(contents(site).html).toBe('<p><a href="second.md">x</a></p>\n')
  })

  it('is the same for equal bodies in different folders', async () => {
    const site = temporarySite({ links: { post: '/{slug}' } })
      .post('first', {}, '[x](a.md)\n')
      .post('2024/second', {}, '[x](a.md)\n')
      .post('a', { slug: 'one' })
      .post('2024/a', { slug: 'two' })
    await site.build()
    expect(contents(site).html).toContain('"/one"')
    expect(contents(site, 'second').html).toContain('"/two"')
  })
})

describe('settings of links', () => {
  it.each([
    ['baseUrl: ftp://x', '1:10 invalid-field `baseUrl` "ftp://x" must be a URL'],
    ['baseUrl: https://x/?a', '1:10 invalid-field'],
    ['baseUrl: "https://x/\\" onerror"', '1:10 invalid-field'],
    ['links: { post: "{slug}" }', '1:16 invalid-field `links.post` "{slug}" must be a path'],
    ['links: { post: "//x/{slug}" }', '1:16 invalid-field'],
    ['links: { post: "javascript:x" }', '1:16 invalid-field'],
    ['links: { post: "/a b/{slug}" }', '1:16 invalid-field'],
    ['links: { post: "/(/{slug}" }', '1:16 invalid-field'],
    [
      'links: { post: "/{slgu}" }',
      '1:16 invalid-field `links.post` "/{slgu}" has an unknown placeholder "{slgu}"; the placeholders are {slug}, {id}',
    ],
    [
      'links: { post: "/{toString}" }',
      '1:16 invalid-field `links.post` "/{toString}" has an unknown placeholder',
    ],
    ['links: { post: "/{__proto__}" }', '1:16 invalid-field'],
    [
      'links: { broken: no }',
      '1:18 invalid-field `links.broken` "no" must be "error", "warning" or "ignore".',
    ],
    ['links: { posts: /x }', 'invalid-field `links`'],
  ])('are checked: %s', async (settings, told) => {
    const site = temporarySite().write('content/acme/workspace.yml', `${settings}\n`)
    const problems = await site.problems()
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(`acme/workspace.yml:`)
    expect(problems[0]).toContain(told)
  })
})
