import { readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emptyFolder } from '../../../test/support/empty-folder.ts'
import { Ledger } from '../src/ledger.ts'
import type { ImportedDocument, ImportedSettings } from '../src/site.ts'
import { Slugs } from '../src/terms.ts'
import { writeSite } from '../src/write-site.ts'

const post = (slug: string, more: Partial<ImportedDocument> = {}): ImportedDocument => ({
  kind: 'posts',
  slug,
  fields: { title: slug, category: 'news', publishedAt: '2026-01-01' },
  body: 'Text.\n',
  from: `${slug}.md`,
  ...more,
})

async function write(
  content: string,
  documents: Iterable<ImportedDocument> | AsyncIterable<ImportedDocument>,
  settings: ImportedSettings = {},
): Promise<Ledger> {
  const report = new Ledger()
  const site = { documents, settings: () => settings }
  await writeSite(site, { report, slugs: new Slugs(report) }, { content, workspace: 'acme' })
  return report
}

describe('an imported site', () => {
  it('is written as Markdown with front matter, images and settings', async () => {
    const content = join(emptyFolder(), 'content')
    const image = { path: 'media/2024/lock.png', bytes: () => Buffer.from('png') }
    const report = await write(
      content,
      [
        post('hello', { images: [image], redirects: ['/old/hi.html', '/2024/hello/'] }),
        { kind: 'tags', slug: 'c-sharp', fields: { name: 'C#' }, body: '', from: 'tags' },
      ],
      { name: 'Acme', defaultCategory: 'news', fields: new Map([['rating', 'number']]) },
    )
    const read = (path: string) => readFileSync(join(content, 'acme', path), 'utf8')
    expect(read('posts/hello.md')).toBe(
      '---\nslug: hello\ntitle: hello\ncategory: news\npublishedAt: 2026-01-01\naliases:\n  - hi\n---\n\nText.\n',
    )
    expect(read('tags/c-sharp.md')).toBe('---\nslug: c-sharp\nname: C#\n---\n')
    expect(read('media/2024/lock.png')).toBe('png')
    expect(read('workspace.yml')).toBe(
      'name: Acme\ndefaults:\n  category: news\nfields:\n  rating: number\n',
    )
    expect(report.files('posts', 'written')).toBe(1)
    expect(readdirSync(content)).toEqual(['acme'])
    expect(readdirSync(join(content, 'acme')).sort()).toEqual([
      'media',
      'posts',
      'tags',
      'workspace.yml',
    ])
  })

  it('continues after an interruption, and does nothing when it is complete', async () => {
    const content = join(emptyFolder(), 'content')
    async function* broken() {
      yield post('one')
      throw new Error('power cut')
    }
    await expect(write(content, broken())).rejects.toThrow('power cut')
    const second = await write(content, [post('one'), post('two')])
    expect([second.files('posts', 'present'), second.files('posts', 'written')]).toEqual([1, 1])
    const third = await write(content, [post('one'), post('two')])
    expect([third.files('posts', 'present'), third.files('posts', 'written')]).toEqual([2, 0])
  })

  it('never replaces a file, and reports it', async () => {
    const content = emptyFolder({
      'acme/posts/one.md': 'mine',
      'acme/workspace.yml': 'name: Mine\n',
    })
    const report = await write(content, [post('one')], { name: 'Acme' })
    expect(readFileSync(join(content, 'acme/posts/one.md'), 'utf8')).toBe('mine')
    expect(readFileSync(join(content, 'acme/workspace.yml'), 'utf8')).toBe('name: Mine\n')
    expect(report.entries('left').map(({ text, places }) => [text, places])).toEqual([
      ['not replaced: the file exists with different content', ['posts/one.md']],
      ['workspace.yml was there; it needs: name: Acme', ['workspace.yml']],
    ])
  })

  it('refuses a folder that is a link', async () => {
    const outside = emptyFolder()
    const content = emptyFolder({ 'acme/workspace.yml': '' })
    symlinkSync(outside, join(content, 'acme/posts'))
    await expect(write(content, [post('one')])).rejects.toThrow('link')
    expect(readdirSync(outside)).toEqual([])
  })
})
