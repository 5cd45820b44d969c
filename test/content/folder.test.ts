import { readdirSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import fastGlob from 'fast-glob'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { RawContent } from '../../src/content/raw.ts'
import { makeFolder, places, plain, readContent } from './support.ts'

const post = '---\ntitle: a\n---\nbody\n'

describe('a content folder', () => {
  it('has posts at any depth, the other kinds at one, and data files', async () => {
    const root = await makeFolder({
      'acme/workspace.yml': 'name: Acme\n',
      'acme/posts/hello.md': post,
      'acme/posts/2024/05/deep.md': post,
      'acme/authors/jane.md': '---\nname: Jane\n---\nBio\n',
      'acme/tags.yml': '\uFEFF- slug: one\n- slug: two\n',
      ...Object.fromEntries(
        [
          'posts/.draft.md',
          'posts/.git/b.md',
          'posts/node_modules/c.md',
          'posts/a.txt',
          'README.md',
        ]
          .map((name) => [`acme/${name}`, 'x'])
          .concat([['.git/posts/a.md', 'x']]),
      ),
    })
    const content = await readContent(root)
    expect(content.diagnostics).toEqual([])
    const [acme] = content.workspaces
    expect(content.workspaces.map(({ id }) => id)).toEqual(['acme'])
    const yamlOf = (path: string) => acme?.files.find((file) => file.path === path)?.yaml?.value
    expect(plain(yamlOf('acme/workspace.yml'))).toEqual([['name', 'Acme']])
    expect(plain(yamlOf('acme/tags.yml'))).toEqual([[['slug', 'one']], [['slug', 'two']]])
    expect(filesOf(content)).toEqual([
      'acme/authors/jane.md',
      'acme/posts/2024/05/deep.md',
      'acme/posts/hello.md',
    ])
  })

  it.each([
    ['posts/a.MD', 'posts/a.MD:1:1 ignored-file'],
    ['Authors.YAML', 'Authors.YAML:1:1 ignored-file', 'Rename it to "authors.yml".'],
    ['post/a.md', 'post:1:1 unknown-entry', 'Did you mean "posts"?'],
    ['author.yml', 'author.yml:1:1 unknown-entry', 'Did you mean "authors.yml"?'],
    ['images/a.png', 'images:1:1 unknown-entry', expect.stringMatching(/^A workspace can contain/)],
    ['keys.yml/a.md', 'keys.yml:1:1 unknown-entry', 'It must be a file.'],
  ])('warns of %s and reads on', async (path, place, hint = expect.any(String)) => {
    const root = await makeFolder({ [`acme/${path}`]: post, 'acme/tags/t.md': post })
    const content = await readContent(root)
    expect(places(content.diagnostics)).toEqual([`acme/${place}`])
    expect(content.diagnostics[0]).toMatchObject({ severity: 'warning', hint })
    expect(filesOf(content)).toEqual(['acme/tags/t.md'])
  })

  it('without a workspace, or none at all, is an error', async () => {
    const root = await makeFolder({ 'hello.md': post })
    expect(places((await readContent(root)).diagnostics)).toEqual(['.:1:1 no-workspace'])
    for (const path of [join(root, 'missing'), join(root, 'hello.md')]) {
      await expect(readContent(path)).rejects.toThrow(`Expected a content folder at "${path}"`)
    }
  })

  it('may be a link, and follows none in it', async () => {
    const outside = await makeFolder({ 'posts/secret.md': post, 'w.yml': 'name: x\n' })
    const root = await makeFolder({ 'real/acme/posts/a.md': post })
    await symlink('real', join(root, 'content'))
    const links = {
      linked: outside,
      'acme/posts/loop': '..',
      'acme/posts/secret.md': join(outside, 'posts/secret.md'),
      'acme/workspace.yml': join(outside, 'w.yml'),
    }
    for (const [path, to] of Object.entries(links)) await symlink(to, join(root, 'real', path))
    const content = await readContent(join(root, 'content'))
    expect(filesOf(content)).toEqual(['acme/posts/a.md'])
    expect([...places(content.diagnostics)].sort()).toEqual(
      Object.keys(links)
        .map((path) => `${path}:1:1 ignored-link`)
        .sort(),
    )
  })

  it('with a folder that may not be listed is not read in part', async () => {
    const root = await makeFolder({ 'acme/posts/2024/a.md': post })
    const denied = (folder: string) => {
      if (basename(folder) !== '2024') return readdirSync(folder, { withFileTypes: true })
      throw Object.assign(new Error(`EACCES: ${folder}`), { code: 'EACCES', path: folder })
    }
    const sync = fastGlob.sync
    const fs = { readdirSync: denied as unknown as typeof readdirSync }
    const listing = vi.spyOn(fastGlob, 'sync')
    listing.mockImplementation((patterns, options) => sync(patterns, { ...options, fs }))
    onTestFinished(() => listing.mockRestore())
    const { workspaces, diagnostics } = await readContent(root)
    expect(workspaces).toEqual([])
    expect(places(diagnostics)).toEqual(['acme/posts/2024:1:1 unreadable-file'])
  })
})

function filesOf({ workspaces }: RawContent): readonly string[] {
  const files = workspaces.flatMap((workspace) => workspace.files)
  return files.flatMap(({ document }) => document?.file ?? [])
}
