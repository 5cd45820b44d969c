import { mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { build } from '../../src/build/build.ts'
import { openOutput } from '../../src/build/output.ts'
import { resolveSettings } from '../../src/config.ts'
import { call } from '../support/command-call.ts'
import { killedAt } from '../support/disk-calls.ts'
import { temporarySite } from '../support/temporary-site.ts'

describe('a second build', () => {
  it('writes nothing when nothing changed', async () => {
    const site = temporarySite().posts(3)
    await site.build()
    const before = statSync(join(site.out, 'manifest.json')).mtimeMs
    const { changes } = await site.build()
    expect(changes).toEqual({ written: 0, unchanged: site.files().length - 1, removed: 0 })
    expect(statSync(join(site.out, 'manifest.json')).mtimeMs).toBe(before)
  })

  it('writes a post and the lists that show it, and no other post', async () => {
    const site = temporarySite().posts(30)
    await site.build()
    const inodes = new Map(site.files().map((file) => [file, statSync(join(site.out, file)).ino]))
    site.post('post-1', { publishedAt: '2026-01-01' }, 'Other text.\n')
    await site.build()
    const changed = site
      .files()
      .filter((file) => statSync(join(site.out, file)).ino !== inodes.get(file))
    const perFormat = [
      '_markdown/_page/3.json',
      '_markdown/post-1.json',
      '_page/3.json',
      'post-1.json',
    ]
    const isOfPosts = (file: string) => /^function\/data\//.test(file)
    // The words of the text changed: one part, its texts, its terms and the index.
    expect(changed.filter(isOfPosts)).toHaveLength(4)
    expect(changed.filter((file) => !isOfPosts(file))).toEqual([
      'function/root.json',
      'manifest.json',
      ...perFormat.map((path) => `private/v2/acme/posts/${path}`),
      ...perFormat.map((path) => `public/v1/acme/posts/${path}`),
    ])
  })

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

  it('writes once what two workspaces have in common', async () => {
    const site = temporarySite()
    // Posts of the same shape: the lists of their searches are the same bytes, which are named by them.
    for (const workspace of ['de', 'en']) {
      site.write(`content/${workspace}/workspace.yml`, 'references: create\n')
      for (const number of [1, 2, 3]) {
        const fields = `title: Post ${number}\ncategory: c\npublishedAt: 2026-01-0${number}`
        const text = `${workspace}${workspace} words`
        site.write(
          `content/${workspace}/posts/p${number}.md`,
          `---\n${fields}\n---\n${text} ${number}\n`,
        )
      }
    }
    const { changes } = await site.build()
    expect(changes.unchanged).toBe(0)
    expect(await site.build()).toMatchObject({ changes: { written: 0, removed: 0 } })
    const forced = await site.build({ isForced: true })
    expect(forced.changes).toMatchObject({ written: changes.written, removed: 0 })
  })

  it('puts back a file that somebody removed', async () => {
    const site = temporarySite().post('first')
    await site.build()
    site.remove('dist/public/v1/acme/posts/first.json')
    const { changes } = await site.build()
    expect(changes.written).toBe(1)
  })

  it('mends a file that somebody emptied or wrote over', async () => {
    const site = temporarySite().post('first')
    await site.build()
    site.write('dist/public/v1/acme/posts/first.json', 'hand')
    await site.build()
    expect(site.json('public/v1/acme/posts/first.json').post.slug).toBe('first')
    expect(site.json('private/v2/acme/posts/first.json').post.slug).toBe('first')
  })

  it('trusts nothing that a build left which was ended while it moved its files in', async () => {
    const site = temporarySite().post('first')
    await site.build()
    const clean = site.files().map((file) => file + site.text(file))
    // As after a kill between two renames: an embargoed post is there, another was changed, no manifest says so.
    site
      .write('dist/.unfinished', '')
      .write('dist/public/v1/acme/posts/oops.json', '{}')
      .write(
        'dist/public/v1/acme/posts/first.json',
        site.text('public/v1/acme/posts/first.json').replace('Text', 'Tuxt'),
      )
    await site.build()
    expect(site.files().map((file) => file + site.text(file))).toEqual(clean)
  })

  it('frees the folder of a withdrawn post, also after a build that was killed at its mark', async () => {
    const site = temporarySite().post('first')
    await site.build()
    const clean = site.files()
    const list = 'renameSync public/v1/acme/posts/index.json'
    site.post('secret')
    expect(await killedAt(list, site.out, () => site.build())).toBe(list)
    expect(site.files()).toContain('public/v1/acme/posts/secret.json')
    site.post('secret', { draft: 'true' })
    expect(await killedAt(1, site.out, () => site.build())).toBeDefined()
    await site.build()
    expect(site.files()).toEqual(clean)
  })

  it('writes everything again when it is forced to', async () => {
    const site = temporarySite().post('first')
    const first = await site.build()
    const { changes } = await site.build({ isForced: true })
    expect(changes).toEqual({ ...first.changes, unchanged: 0 })
  })

  it('leaves the last build whole when the content has errors', async () => {
    const site = temporarySite().post('first')
    await site.build()
    const before = site.files().map((file) => file + site.text(file))
    site.post('first', { category: 'nwes' }).post('second')
    await expect(site.build()).rejects.toThrow('The content has 1 error.')
    expect(site.files().map((file) => file + site.text(file))).toEqual(before)
  })

  it('leaves nothing beside the output folder', async () => {
    const site = temporarySite().post('first')
    await site.build()
    await site.build({ isForced: true })
    expect(readdirSync(site.folder).sort()).toEqual(['content', 'dist'])
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

  it('may exist and be empty', async () => {
    const site = temporarySite().post('first')
    mkdirSync(site.out)
    await site.build()
    expect(site.files()).toContain('manifest.json')
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

  it('is refused when it is the content by another name', async () => {
    const site = temporarySite().post('first')
    symlinkSync(site.content, join(site.folder, 'link'))
    const settings = resolveSettings({
      content: site.content,
      out: join(site.folder, 'link'),
      workers: 1,
    })
    await expect(build(settings)).rejects.toThrow('the content folder')
  })
})

describe('precompute', () => {
  it('writes page sizes, ids, formats and versions as it is told', async () => {
    const site = temporarySite({
      precompute: { versions: ['v1'], formats: ['markdown'], pageSizes: [2, 10], ids: true },
    })
      .post('first', { id: 'one' })
      .post('second', { id: 'two' })
      .post('third', { id: 'three' })
    await site.build()
    expect(site.files().filter((file) => file.includes('/posts/'))).toEqual([
      'public/v1/acme/posts/_markdown/_limit/2/_page/2.json',
      'public/v1/acme/posts/_markdown/_limit/2/index.json',
      'public/v1/acme/posts/_markdown/first.json',
      'public/v1/acme/posts/_markdown/index.json',
      'public/v1/acme/posts/_markdown/one.json',
      'public/v1/acme/posts/_markdown/second.json',
      'public/v1/acme/posts/_markdown/third.json',
      'public/v1/acme/posts/_markdown/three.json',
      'public/v1/acme/posts/_markdown/two.json',
    ])
    expect(site.files().filter((file) => file.startsWith('private'))).toEqual([])
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
