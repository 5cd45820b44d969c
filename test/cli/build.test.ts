import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pictureBytes, pictureHash } from '../conformance/picture.ts'
import { call } from '../support/command-call.ts'
import { run } from '../support/command-line.ts'
import { temporarySite } from '../support/temporary-site.ts'

describe('quarry build', () => {
  it('says what it built, how long it took and what to do next', async () => {
    const site = temporarySite().post('first').post('later', { publishedAt: '2999-01-01' })
    const { exitCode, stdout, stderr } = await run(site.folder, ['build'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toMatch(
      /^ {2}acme: 1 post \(1 more scheduled\), 1 category, 0 tags, 0 authors\nBuilt dist in \d+\.\d\d s: \d+ files, \d+\.\d kB \(\d+ written, 0 unchanged, 0 removed\)\nThe next scheduled post appears at 2999-01-01T00:00:00\.000Z\.\nNext: .+\n$/,
    )
  })

  it('warns of drafts for a host without a function', async () => {
    const site = temporarySite().post('first').post('closed', { status: 'draft' })
    const built = await call(site.folder, ['build', '--drafts', '--for', 'static'])
    expect(built.exitCode).toBe(0)
    expect(built.stderr).toMatch(/^warning: The host static has no function, so --drafts adds/m)
    expect((await call(site.folder, ['build', '--for', 'static'])).stderr).toBe('')
  })

  it('says what becomes of images in a deployment, which loses those that no post shows', async () => {
    const site = temporarySite().post('one', {}, '![](a.png)\n')
    site.write('content/acme/posts/a.png', pictureBytes)
    const image = join(site.folder, `deploy/deno/media/acme/${pictureHash}.png`)
    const lambda = await call(site.folder, ['build', '--for', 'aws-lambda'])
    expect(lambda.stdout).toMatch(/^Left out: 1 image, 70 B\. Upload public\/media to a bucket/m)
    expect((await call(site.folder, ['build', '--for', 'deno'])).stdout).toContain('With 1 image, ')
    expect(existsSync(image)).toBe(true)
    const { stdout } = await call(site.post('one').folder, ['build', '--for', 'aws-lambda'])
    expect(stdout).toContain('Updated deploy/deno for deno, which held an older build.')
    expect(stdout).not.toMatch(/\bimages?\b/)
    expect(existsSync(image)).toBe(false)
  })

  it('prints one JSON object with --json', async () => {
    const site = temporarySite().post('first')
    const { stdout } = await call(site.folder, ['build', '--json', '--now', '2026-06-01'])
    const result = JSON.parse(stdout)
    expect(result).toMatchObject({
      build: expect.stringMatching(/^[0-9a-f]{16}$/),
      rendered: 1,
      warnings: 0,
      files: { total: site.files().length - 1, unchanged: 0, removed: 0 },
      workspaces: { acme: { posts: 1 } },
    })
    expect(site.json('manifest.json').build).toBe(result.build)
  })

  it('prints nothing but problems with --quiet', async () => {
    const site = temporarySite().post('first', { mood: 'good' })
    const { stdout, stderr } = await call(site.folder, ['build', '--quiet'])
    expect(stdout).toBe('')
    expect(stderr).toContain('content/acme/posts/first.md:5:1 warning unknown-key')
  })

  it('ends with 1, prints every error with its line and writes nothing', async () => {
    const site = temporarySite().post('a', { category: 'nwes' }).post('b', { featured: 'x' })
    const { exitCode, stdout, stderr } = await call(site.folder, ['build'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toBe(
      [
        'content/acme/posts/a.md:3:11 error unknown-category',
        '  "nwes" is not a category. Did you mean "news"?',
        '  3 | category: nwes',
        '    |           ^',
        '',
        'content/acme/posts/b.md:5:11 error invalid-field',
        '  `featured` "x" must be true or false.',
        '  5 | featured: x',
        '    |           ^',
        '',
        '2 errors',
        'More: npx quarry explain unknown-category',
        '',
      ].join('\n'),
    )
    expect(existsSync(site.out)).toBe(false)
  })

  it('shows a few warnings of a kind and counts the others', async () => {
    const site = temporarySite()
    for (const name of 'abcdefgh') site.post(name, { [`my-${name}`]: 'x' })
    const { stderr } = await call(site.folder, ['build'])
    expect(stderr.match(/warning unknown-key/g)).toHaveLength(5)
    expect(stderr).toContain('… and 3 more unknown-key warnings')
    expect(stderr).toContain('8 warnings')
  })

  it('does not move the cursor and prints no colour where the output is no terminal', async () => {
    const site = temporarySite().post('first', { category: 'nwes' })
    const { stderr } = await call(site.folder, ['build'], { FORCE_COLOR: '1' })
    expect(['\u001b', '\r'].filter((control) => stderr.includes(control))).toEqual([])
  })

  it.each([
    [['build', '--out='], 'must not be empty'],
    [['build', '--now', 'soon'], 'must be an ISO 8601 date'],
    [['build', '--contnet', 'x'], "unknown option '--contnet'"],
    [['build', 'extra'], 'too many arguments'],
    [['build', '--content', 'missing'], 'missing'],
    [['build', '--config', 'missing.ts'], 'There is no configuration file'],
    [['build', '--out', '.'], 'the working folder'],
    [['build', '--out', 'content'], 'the content folder'],
    [['bulid'], "unknown command 'bulid'"],
  ])('ends with 2 and says why for wrong use: %j', async (args, reason) => {
    const site = temporarySite().post('first')
    const { exitCode, stdout, stderr } = await call(site.folder, args)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain(reason)
    expect(stderr).not.toContain('    at ')
  })
})

describe('settings', () => {
  it('come from flags before the environment, the file and the defaults', async () => {
    const site = temporarySite().post('first')
    site.write('quarry.config.json', '{ "out": "from-file" }')
    await call(site.folder, ['build'])
    await call(site.folder, ['build'], { QUARRY_OUT: 'from-environment' })
    await call(site.folder, ['build', '--out', 'from-flag'], { QUARRY_OUT: 'ignored' })
    const built = ['from-file', 'from-environment', 'from-flag', 'ignored', 'dist'].filter(
      (folder) => existsSync(join(site.folder, folder, 'manifest.json')),
    )
    expect(built).toEqual(['from-file', 'from-environment', 'from-flag'])
  })

  it('may be written in TypeScript', async () => {
    const site = temporarySite()
      .post('first')
      .write('quarry.config.ts', "const out: string = 'typed'\nexport default { out }\n")
    const { exitCode } = await call(site.folder, ['build'])
    expect(exitCode).toBe(0)
    expect(existsSync(join(site.folder, 'typed/manifest.json'))).toBe(true)
  })

  it.each([
    [
      'quarry.config.json',
      '{ "contnet": "x" }',
      'contnet is not a known setting. Did you mean "content"?',
    ],
    ['quarry.config.json', '{ "port": "80" }', 'port must be an integer from 0 to 65535'],
    [
      'quarry.config.json',
      '{ "precompute": { "pageSizes": [0] } }',
      'precompute.pageSizes.0 must be an integer from 1 to 100',
    ],
    ['quarry.config.json', '{ "precompute": { "format": [] } }', 'Did you mean "formats"?'],
    [
      'quarry.config.json',
      '{ "frontMatter": { "tags": { "spilt": "," } } }',
      'frontMatter.tags.spilt is not a known setting. Did you mean "split"?',
    ],
    ['quarry.config.json', '{ "out": ', 'quarry.config.json:1:9 Unexpected end of the file.'],
    ['quarry.config.json', '{ "\\u001b[31mX": 1 }', '\ufffd[31mX is not a known setting.'],
    ['quarry.config.ts', 'export default 7', 'must export an object'],
    ['quarry.config.ts', 'throw new Error("broken")', 'cannot be loaded: broken'],
  ])('are refused with the reason: %s %s', async (file, text, reason) => {
    const site = temporarySite().post('first').write(file, text)
    const { exitCode, stderr } = await call(site.folder, ['build'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain(reason)
  })

  it.each([
    [{ QUARRY_PORT: '80x' }, 'QUARRY_PORT is "80x"'],
    [{ QUARRY_WORKERS: '0' }, 'QUARRY_WORKERS is "0"'],
  ])('are refused from the environment too: %j', async (environment, reason) => {
    const site = temporarySite().post('first')
    const { exitCode, stderr } = await call(site.folder, ['build'], environment)
    expect(exitCode).toBe(2)
    expect(stderr).toContain(reason)
  })
})
