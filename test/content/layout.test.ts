// Names in a content folder that look like content and are not.
import { describe, expect, it } from 'vitest'
import { makeFolder, places, readContent } from './support.ts'

const POST = '---\ntitle: a\n---\nbody\n'

describe('names in a workspace', () => {
  it.each([
    ['posts/a.MD', 'posts/a.MD:1:1 ignored-file'],
    ['posts/deep/a.mkd', 'posts/deep/a.mkd:1:1 ignored-file'],
    ['posts/_index.md', 'posts/_index.md:1:1 ignored-file'],
    ['tags/a.MDX', 'tags/a.MDX:1:1 ignored-file'],
    ['workspace.yaml', 'workspace.yaml:1:1 ignored-file'],
    ['Authors.YAML', 'Authors.YAML:1:1 ignored-file'],
    ['keys.yaml', 'keys.yaml:1:1 ignored-file'],
    ['post/a.md', 'post:1:1 unknown-entry'],
    ['author.yml', 'author.yml:1:1 unknown-entry'],
    ['hello.md', 'hello.md:1:1 unknown-entry'],
    ['posts', 'posts:1:1 unknown-entry'],
    ['authors/more/a.md', 'authors/more:1:1 unknown-entry'],
    ['keys.yml/a.md', 'keys.yml:1:1 unknown-entry'],
  ])('warns of %s and reads on', async (path, place) => {
    const root = await makeFolder({ [`acme/${path}`]: POST, 'acme/tags/t.md': POST })
    const content = await readContent(root)
    expect(places(content.diagnostics)).toEqual([`acme/${place}`])
    expect(content.diagnostics[0]).toMatchObject({ severity: 'warning', hint: expect.any(String) })
    expect(content.workspaces[0]?.documents.get('tags')).toMatchObject([{ file: 'acme/tags/t.md' }])
  })

  it.each([
    ['post/a.md', 'Did you mean "posts"?'],
    ['Posts/a.md', 'Did you mean "posts"?'],
    ['author.yml', 'Did you mean "authors.yml"?'],
    ['tags.yaml', 'Rename it to "tags.yml".'],
    ['images/a.png', expect.stringMatching(/^A workspace can contain posts, /u)],
  ])('says of %s what was meant', async (path, hint) => {
    const root = await makeFolder({ [`acme/${path}`]: 'x' })
    expect((await readContent(root)).diagnostics).toMatchObject([{ hint }])
  })
})
