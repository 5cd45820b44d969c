// A content folder read whole: what is found, in which order, and what is warned of.
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RawContent } from '../../src/content/raw.ts'
import { ContentFolderError } from '../../src/content/tree.ts'
import { makeFifo, makeFolder, places, plain, readContent } from './support.ts'

const POST = '---\ntitle: a\n---\nbody\n'

describe('readContent', () => {
  it('reads posts at any depth, the other kinds at one, and YAML files', async () => {
    const root = await makeFolder({
      'acme/workspace.yml': 'name: Acme\n',
      'acme/posts/hello.md': '---\ntitle: Hello\n---\nWorld\n',
      'acme/posts/2024/05/deep.md': POST,
      'acme/authors/jane.md': '---\nname: Jane\n---\nBio\n',
      'acme/categories/news.md': POST,
      'acme/tags.yml': '\uFEFF- slug: one\n- slug: two\n',
    })
    const { workspaces, diagnostics } = await readContent(root)
    expect(diagnostics).toEqual([])
    const [acme] = workspaces
    expect(acme?.id).toBe('acme')
    expect(plain(acme?.settings?.value)).toEqual([['name', 'Acme']])
    expect(acme?.settings).toMatchObject({ file: 'acme/workspace.yml', source: 'name: Acme\n' })
    expect(plain(acme?.lists.get('tags')?.[0]?.value)).toEqual([
      [['slug', 'one']],
      [['slug', 'two']],
    ])
    expect(acme?.documents.get('posts')).toMatchObject([
      { file: 'acme/posts/2024/05/deep.md', body: 'body\n' },
      { file: 'acme/posts/hello.md', body: 'World\n' },
    ])
    expect(filesOf({ workspaces, diagnostics })).toEqual([
      'acme/posts/2024/05/deep.md',
      'acme/posts/hello.md',
      'acme/authors/jane.md',
      'acme/categories/news.md',
    ])
  })

  it('has an entry for every kind, and no settings where there are none', async () => {
    const root = await makeFolder({ 'acme/posts/a.md': POST })
    const [acme] = (await readContent(root)).workspaces
    expect(acme).not.toHaveProperty('settings')
    expect(acme?.lists.get('tags')).toEqual([])
    expect(acme?.documents.get('tags')).toEqual([])
  })

  it('sorts workspaces and documents by code unit, not as a locale would', async () => {
    const names = ['b', 'a', 'B', 'ä', 'z', 'a-b', 'a.b', 'é']
    const root = await makeFolder(
      Object.fromEntries(
        names.flatMap((name) => [
          [`${name}/posts/x.md`, POST],
          [`w/posts/${name}.md`, POST],
        ]),
      ),
    )
    const { workspaces } = await readContent(root)
    expect(workspaces.map(({ id }) => id)).toEqual([...names, 'w'].sort())
    const files = workspaces
      .find(({ id }) => id === 'w')
      ?.documents.get('posts')
      ?.map((it) => it.file)
    expect(files).toEqual(names.map((name) => `w/posts/${name}.md`).sort())
  })

  it('passes over dot files, dot folders, node_modules, READMEs and assets', async () => {
    const root = await makeFolder({
      'acme/posts/a.md': POST,
      'acme/posts/.draft.md': 'x',
      'acme/posts/.git/b.md': 'x',
      'acme/posts/node_modules/c.md': 'x',
      'acme/posts/cover.png': 'x',
      'acme/authors/jane.jpg': 'x',
      'acme/README.md': 'x',
      '.git/posts/a.md': 'x',
      'node_modules/posts/a.md': 'x',
      'README.md': 'x',
    })
    const content = await readContent(root)
    expect(content.diagnostics).toEqual([])
    expect(filesOf(content)).toEqual(['acme/posts/a.md'])
    expect(content.workspaces.map(({ id }) => id)).toEqual(['acme'])
  })

  it('collects the problems of all files', async () => {
    const root = await makeFolder({
      'acme/workspace.yml': 'a: *b\n',
      'acme/posts/a.md': '---js\n---\n',
      'acme/posts/b.md': Buffer.from('ok\nno: \xff', 'latin1'),
      'acme/posts/c.md': '---\n---\n\0',
      'acme/tags/t.md': POST,
    })
    const content = await readContent(root)
    expect([...places(content.diagnostics)].sort()).toEqual([
      'acme/posts/a.md:1:1 front-matter-language',
      'acme/posts/b.md:2:5 invalid-utf8',
      'acme/posts/c.md:3:1 nul-character',
      'acme/workspace.yml:1:4 yaml-alias',
    ])
    expect(filesOf(content)).toEqual(['acme/posts/c.md', 'acme/tags/t.md'])
  })

  it.skipIf(process.platform === 'win32')('tells of FIFOs where content should be', async () => {
    const root = await makeFolder({ 'acme/posts/a.md': POST })
    for (const name of ['posts/b.md', 'posts/pipe', 'workspace.yml']) {
      makeFifo(join(root, 'acme', name))
    }
    const content = await readContent(root)
    expect(places(content.diagnostics)).toEqual([
      'acme/posts/b.md:1:1 unreadable-file',
      'acme/workspace.yml:1:1 unreadable-file',
    ])
    expect(filesOf(content)).toEqual(['acme/posts/a.md'])
  })

  it('tells of a folder with no workspace in it', async () => {
    const root = await makeFolder({ 'hello.md': POST })
    const { workspaces, diagnostics } = await readContent(root)
    expect(workspaces).toEqual([])
    expect(places(diagnostics)).toEqual(['.:1:1 no-workspace'])
  })

  it('throws ContentFolderError when there is no folder, naming the path', async () => {
    const root = await makeFolder({ file: 'x' })
    for (const path of [join(root, 'missing'), join(root, 'file'), join(root, 'file/below'), '']) {
      const error = await readContent(path).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(ContentFolderError)
      expect(error).toMatchObject({ name: 'ContentFolderError', path })
      expect(String(error)).toContain(`"${path}"`)
    }
  })
})

describe('links', () => {
  it('are warned of and never followed', async () => {
    const outside = await makeFolder({
      'posts/secret.md': POST,
      'secret.md': POST,
      'w.yml': 'name: x\n',
    })
    const root = await makeFolder({ 'acme/posts/a.md': POST })
    await symlink(outside, join(root, 'linked'))
    await symlink(join(outside, 'posts'), join(root, 'acme/posts/more'))
    await symlink(join(outside, 'secret.md'), join(root, 'acme/posts/secret.md'))
    await symlink(join(outside, 'w.yml'), join(root, 'acme/workspace.yml'))
    await symlink(join(outside, 'posts'), join(root, 'acme/tags'))
    await symlink('nowhere', join(root, 'acme/posts/broken.md'))
    const content = await readContent(root)
    expect(filesOf(content)).toEqual(['acme/posts/a.md'])
    expect(content.workspaces).toHaveLength(1)
    expect(places(content.diagnostics)).toEqual([
      'acme/posts/broken.md:1:1 ignored-link',
      'acme/posts/more:1:1 ignored-link',
      'acme/posts/secret.md:1:1 ignored-link',
      'acme/tags:1:1 ignored-link',
      'acme/workspace.yml:1:1 ignored-link',
      'linked:1:1 ignored-link',
    ])
  })

  it('may lead to the content folder itself', async () => {
    const root = await makeFolder({ 'real/acme/posts/a.md': POST })
    await symlink('real', join(root, 'content'))
    expect(filesOf(await readContent(join(root, 'content')))).toEqual(['acme/posts/a.md'])
  })
})

function filesOf({ workspaces }: RawContent): readonly string[] {
  return workspaces.flatMap(({ documents }) => {
    const kinds = ['posts', 'authors', 'categories', 'tags'] as const
    return kinds.flatMap((kind) => documents.get(kind)?.map(({ file }) => file) ?? [])
  })
}

// Files of this process that stand open below a folder; descriptors may be closed meanwhile.
