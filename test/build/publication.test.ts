import { readdirSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { build } from '../../src/build/build.ts'
import { openOutput } from '../../src/build/output.ts'
import { resolveSettings } from '../../src/config.ts'
import { call } from '../support/command-call.ts'
import { temporarySite } from '../support/temporary-site.ts'

describe('a second build', () => {
  it('removes what is no longer there, with folders that are empty then', async () => {
    const site = temporarySite()
      .write('content/acme/tags.yml', '- { slug: gone, name: Gone }\n')
      .post('first', { tags: '[gone]' })
      .post('second')
    await site.build()
    site.remove('content/acme/tags.yml').post('first').remove('content/acme/posts/second.md')
    const { changes } = await site.build()
    expect(changes.removed).toBeGreaterThan(0)
    expect(site.files().filter((file) => /second|gone/.test(file))).toEqual([])
    expect(readdirSync(join(site.out, 'public/v1/acme/tags'))).toEqual(['_posts', 'index.json'])
  })

  it('leaves the last build whole when the content has errors', async () => {
    const site = temporarySite().post('first')
    await site.build()
    const before = site.files().map((file) => file + site.text(file))
    site.post('first', { category: 'nwes' }).post('second')
    await expect(site.build()).rejects.toThrow('The content has 1 error.')
    expect(site.files().map((file) => file + site.text(file))).toEqual(before)
  })
})

describe('two builds at once', () => {
  it('are one: the second ends at once with 2, and says who is at work', async () => {
    const site = temporarySite().post('first')
    await site.build()
    const before = site.files().map((file) => file + site.text(file))
    const folder = await openOutput(site.out, site.content)
    onTestFinished(() => folder.close())
    const second = await call(site.folder, ['build'])
    expect(second.exitCode).toBe(2)
    expect(second.stderr).toContain(`process ${process.pid} on ${hostname()} since 2`)
    expect(site.files().map((file) => file + site.text(file))).toEqual(before)
  })
})

describe('equal bytes', () => {
  it('are stored once: v2 is another name of v1', async () => {
    const site = temporarySite().post('first')
    await site.build()
    const [one, two] = ['public/v1', 'private/v2'].map(
      (root) => statSync(join(site.out, root, 'acme/posts/first.json')).ino,
    )
    expect(one).toBe(two)
  })
})

describe('the output folder', () => {
  it('is refused when it holds files that are not ours, and they stay', async () => {
    const site = temporarySite().post('first').write('dist/mine.txt', 'precious')
    await expect(site.build()).rejects.toThrow('files that quarry did not write')
    expect(site.files()).toEqual(['mine.txt'])
  })

  it('keeps files of others that were added beside ours', async () => {
    const site = temporarySite().post('first')
    await site.build()
    site.write('dist/public/robots.txt', 'x').post('second')
    await site.build()
    expect(site.text('public/robots.txt')).toBe('x')
  })

  it.each<[string, (site: ReturnType<typeof temporarySite>) => string, string]>([
    ['the root', () => '/', 'the root of the file system'],
    ['home', () => process.env['HOME'] ?? '/root', 'your home folder'],
    ['the working folder', () => process.cwd(), 'the working folder'],
    ['a parent of it', () => join(process.cwd(), '..'), 'the working folder'],
    ['the content', (site) => site.content, 'the content folder'],
    ['a parent of the content', (site) => site.folder, 'the content folder'],
    ['inside the content', (site) => join(site.content, 'acme/dist'), 'inside the content folder'],
  ])('is refused when it is %s', async (_, out, reason) => {
    const site = temporarySite().post('first')
    const settings = resolveSettings({ content: site.content, out: out(site), workers: 1 })
    await expect(build(settings)).rejects.toThrow(reason)
  })
})

describe('slugs that would be other files', () => {
  it.each(['index', 'Index', 'a.json', 'a.json.json', '1.json', 'manifest'])(
    'are served: %s',
    async (slug) => {
      const site = temporarySite({ precompute: { ids: true } })
        .write('content/acme/tags.yml', `- { slug: ${slug}, name: T }\n- { slug: a, name: A }\n`)
        .post('a', { tags: `[${slug}, a]` })
        .post('other', { slug })
      await site.build()
      expect(site.json('public/v1/acme/posts/index.json').posts).toHaveLength(2)
      const singles = site
        .files()
        .filter((file) => /^public\/v1\/acme\/posts\/[^/_]*_?\.json$/.test(file))
      expect(singles.map((file) => site.json(file).post?.slug)).toContain(slug)
    },
  )
})
