import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { call } from '../support/command-call.ts'
import { run } from '../support/command-line.ts'
import { temporarySite } from '../support/temporary-site.ts'

describe('quarry check', () => {
  it('says that there are no problems, and writes nothing', async () => {
    const site = temporarySite().post('first')
    const { exitCode, stdout } = await run(site.folder, ['check'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'No problems in content.\n' })
    expect(existsSync(site.out)).toBe(false)
  })

  it('shows warnings that say the same as one, and every one when asked to', async () => {
    const site = temporarySite().post('i', { place: 'y' })
    for (const name of 'abcdefgh') site.post(name, { mood: 'x' })
    const { exitCode, stdout } = await call(site.folder, ['check'])
    expect(exitCode).toBe(0)
    expect(stdout.match(/warning unknown-key/g)).toHaveLength(2)
    expect(stdout).toContain(
      'content/acme/posts/a.md:5:1 warning unknown-key\n  in 8 files, first here: "mood" is not a known key; it is ignored.',
    )
    expect(stdout).toContain("frontMatter: { posts: { ignore: ['mood'] } }")
    expect(stdout).toContain('  "place" is not a known key')
    expect(stdout).toContain(
      "9 warnings\n`warnings: { ignore: ['unknown-key'] }` in the configuration turns these warnings off.\n",
    )
    const all = await call(site.folder, ['check', '--verbose'])
    expect(all.stdout.match(/warning unknown-key/g)).toHaveLength(9)
    expect(all.stdout).not.toContain('files')
  })

  it('fails with more warnings than it is given, and says both numbers', async () => {
    const site = temporarySite().post('a', { mood: 'x' }).post('b', { mood: 'x' })
    const check = (max: string, ...rest: string[]) =>
      call(site.folder, ['check', '--max-warnings', max, ...rest])
    const below = await check('1')
    expect(below).toMatchObject({ exitCode: 1 })
    expect(below.stderr).toContain('The content has 2 warnings; --max-warnings allows 1.\n')
    const none = await check('0', '--format', 'json')
    expect(none).toMatchObject({ exitCode: 1 })
    expect(JSON.parse(none.stdout)).toMatchObject({ errors: 0, warnings: 2 })
    expect(await check('2')).toMatchObject({ exitCode: 0, stderr: '' })
    expect(await check('-1')).toMatchObject({ exitCode: 2 })
    expect(await check('x')).toMatchObject({ exitCode: 2 })
    site.write('quarry.config.json', '{ "warnings": { "ignore": ["unknown-key"] } }')
    expect(await check('0')).toMatchObject({ exitCode: 0 })
  })

  it('shows an attribute that many bodies lose as one, however often each has it', async () => {
    const site = temporarySite()
    for (const times of [1, 2, 3])
      site.post(`post-${times}`, {}, '<b class="x">y</b>\n\n'.repeat(times))
    const { stdout } = await call(site.folder, ['check'])
    expect(stdout).toContain('in 3 files, first here: The attribute "class" is left out.')
    expect(stdout.match(/warning raw-html/g)).toHaveLength(1)
  })

  it('leaves out warnings that the configuration names, also behind a build that reported them', async () => {
    const site = temporarySite().post('a', { mood: 'x' }, '<b class="x">y</b>')
    expect((await call(site.folder, ['build'])).stderr).toContain('2 warnings')
    site.write('quarry.config.json', '{ "warnings": { "ignore": ["raw-html", "unknown-key"] } }')
    expect((await call(site.folder, ['build'])).stderr).not.toContain('warning')
    expect((await call(site.folder, ['check'])).stdout).toContain('No problems')
    site.post('b', { draft: 'maybe' }, '<b class="x">y</b>')
    expect((await call(site.folder, ['check'])).stdout).toMatch(/\n1 error\n/)
    site.write('quarry.config.json', '{ "warnings": { "ignore": ["raw"] } }')
    expect((await call(site.folder, ['check'])).stderr).toContain('must be warning codes')
  })

  it('shows names that are not read as one, but for those that mean another', async () => {
    const site = temporarySite().post('first')
    for (const name of ['a.txt', 'b.txt', 'c/d.txt', 'psots/e.md'])
      site.write(`content/acme/${name}`, '')
    const { stdout } = await call(site.folder, ['check'])
    expect(stdout).toContain(
      'acme/a.txt:1:1 warning unknown-entry\n  in 3 files, first here: This is not part',
    )
    expect(stdout).toContain(
      'acme/psots:1:1 warning unknown-entry\n  This is not part of a workspace and is ignored. Did you mean "posts"?',
    )
  })

  it('shows a thousand errors of a kind and counts the others, and every one when asked to', async () => {
    const site = temporarySite().post('good')
    for (let post = 0; post < 51; post++) {
      const links = Array.from({ length: 20 }, (_, link) => `[x](./gone-${post}-${link}.md)`)
      site.post(`p${post}`, { draft: 'false' }, links.join(' '))
    }
    const { exitCode, stdout } = await call(site.folder, ['check'])
    expect(exitCode).toBe(1)
    expect(stdout.match(/error broken-link/g)).toHaveLength(1_000)
    expect(stdout).toMatch(/… and 20 more broken-link errors\n1,020 errors/)
    const all = await call(site.folder, ['check', '--verbose'])
    expect(all.stdout.match(/error broken-link/g)).toHaveLength(1_020)
  })

  it('prints problems as JSON', async () => {
    const site = temporarySite().post('first', { category: 'nwes', mood: 'x' })
    const { exitCode, stdout } = await call(site.folder, ['check', '--format', 'json'])
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toEqual({
      diagnostics: [
        {
          code: 'unknown-category',
          severity: 'error',
          file: 'content/acme/posts/first.md',
          line: 3,
          column: 11,
          message: '"nwes" is not a category.',
          hint: 'Did you mean "news"?',
          lineText: 'category: nwes',
        },
        expect.objectContaining({ code: 'unknown-key', severity: 'warning', line: 5, column: 1 }),
      ],
      errors: 1,
      warnings: 1,
    })
  })

  it('prints problems as workflow commands, with paths from the working folder', async () => {
    const site = temporarySite().post('first', { category: 'a%b' })
    const { exitCode, stdout } = await call(site.folder, ['check', '--format', 'github'])
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(
      /^::error file=content\/acme\/posts\/first\.md,line=3,col=11,title=unknown-category::"a%25b" is not a category\. .*\n$/,
    )
  })

  it('refuses a form that it does not know', async () => {
    const { exitCode, stderr } = await call(temporarySite().folder, ['check', '--format', 'xml'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('Allowed choices are text, json, github')
  })
})
