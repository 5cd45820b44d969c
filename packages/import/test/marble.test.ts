import { describe, expect, it } from 'vitest'
import { emptyFolder } from '../../../test/support/empty-folder.ts'
import { zipOf } from '../../../test/support/zip-writer.ts'
import { importMarble } from '../src/marble/marble.ts'
import { imported, put } from './imported.ts'

type Row = Readonly<Record<string, unknown>>

const manifest: Row = {
  provider: 'marble',
  schemaVersion: 1,
  format: 'json',
  exportedAt: '2026-08-22T10:00:00.000Z',
  workspace: { id: 'w1', name: 'Acme', slug: 'acme' },
  resources: { posts: 1 },
  includesMediaFiles: false,
}

const category = { id: 'c1', name: 'News', slug: 'news', description: 'What is new.' }
const author = {
  id: 'a1',
  name: 'Ada',
  slug: 'ada',
  bio: 'Writes.',
  image: null,
  role: 'Editor',
  socials: [{ platform: 'x', url: 'https://x.com/ada' }],
}

const post: Row = {
  id: 'p1',
  title: 'Hello',
  slug: 'hello',
  description: 'Short.',
  status: 'published',
  featured: true,
  coverImage: 'https://media.example.com/a.png',
  content: '<h2>Hi</h2><p>Text <strong>bold</strong></p>',
  contentJson: { type: 'doc' },
  publishedAt: '2026-01-02T03:04:05.000Z',
  updatedAt: '2026-01-03T00:00:00.000Z',
  category,
  tags: [{ id: 't1', name: 'C#', slug: 'c-sharp', description: null }],
  authors: [author],
  fieldValues: [
    { value: '4.5', field: { id: 'f1', key: 'rating', type: 'number' } },
    { value: '["a","b"]', field: { id: 'f2', key: 'levels', type: 'multiselect' } },
    { value: '[many', field: { id: 'f3', key: 'levels', type: 'multiselect' } },
    { value: ['many'], field: { id: 'f4', key: 'count', type: 'number' } },
  ],
}

const fields: readonly Row[] = [
  { key: 'rating', type: 'number' },
  { key: 'levels', type: 'multiselect' },
  { key: 'count', type: 'number' },
  { key: 'map', type: 'geo' },
]

/** Imports an archive as Marble writes it: seven files, stored. */
function importFiles(files: Readonly<Record<string, unknown>> = {}) {
  const all = {
    manifest,
    posts: [post],
    categories: [category],
    tags: [],
    authors: [author],
    media: [],
    fields,
    ...files,
  }
  const entries = Object.entries(all).map(([name, value]) => [
    name.includes('.') ? name : `${name}.json`,
    typeof value === 'string' ? value : JSON.stringify(value, null, 2),
  ])
  const folder = emptyFolder()
  return imported(
    importMarble,
    folder,
    put(folder, 'export.zip', zipOf(Object.fromEntries(entries))),
  )
}

describe('an export of Marble', () => {
  it('keeps posts with their ids, terms, dates, cover and fields', async () => {
    const credit = { author: 'Ada', url: 'https://e.com' }
    const {
      post: written,
      read,
      files,
      entries,
    } = await importFiles({ posts: [{ ...post, attribution: credit, extra: [] }] })
    expect(written('hello')).toEqual({
      fields: {
        slug: 'hello',
        id: 'p1',
        title: 'Hello',
        description: 'Short.',
        category: 'news',
        tags: ['c-sharp'],
        authors: ['ada'],
        publishedAt: '2026-01-02T03:04:05.000Z',
        updatedAt: '2026-01-03T00:00:00.000Z',
        featured: true,
        coverImage: 'https://media.example.com/a.png',
        fields: { rating: 4.5, levels: ['a', 'b'] },
      },
      body: '## Hi\n\nText **bold**',
    })
    expect(files).toEqual([
      'authors/ada.md',
      'categories/news.md',
      'posts/hello.md',
      'tags/c-sharp.md',
      'workspace.yml',
    ])
    expect(read('authors/ada.md')).toBe(
      '---\nslug: ada\nid: a1\nname: Ada\nrole: Editor\nsocials:\n  - platform: x\n    url: https://x.com/ada\n---\n\nWrites.\n',
    )
    expect(read('workspace.yml')).toBe(
      'name: Acme\nfields:\n  count: number\n  levels: list\n  rating: number\n',
    )
    expect(entries('left')).toEqual({
      attribution: 1,
      'custom field "count": its value does not match its type': 1,
      'custom field "levels": its value does not match its type': 1,
      'custom field of an unknown type or name': 1,
    })
  })

  it.each([
    [{ status: 'draft' }, 'its status is "draft"'],
    [{ status: 'archived' }, 'its status is "archived"'],
    [{ visibility: 'private' }, '`visibility: private`'],
  ])('makes no post public with %j', async (values, reason) => {
    const { post: written, entries } = await importFiles({ posts: [{ ...post, ...values }] })
    expect(written('hello').fields['status']).toBe('draft')
    expect(entries('changed')).toEqual({ [`made a draft: ${reason}`]: 1 })
  })

  it('reports files that are no part of an export', async () => {
    const { entries } = await importFiles({ 'media/a.png': 'png', posts: [post] })
    expect(entries('left')).toMatchObject({ 'file that does not belong to an export': 1 })
  })

  it.each([
    ['another version', { manifest: { ...manifest, schemaVersion: 2 } }, /JSON format, version 1/],
    ['another provider', { manifest: { ...manifest, provider: 'other' } }, /Marble's JSON format/],
    ['a manifest that is no JSON', { manifest: 'no' }, /manifest.json is not JSON/],
    ['posts that are no JSON', { posts: '[{]' }, /posts.json is not JSON/],
  ])('with %s is refused before anything is written', async (_, files, reason) => {
    await expect(importFiles(files)).rejects.toThrow(reason)
  })

  it('without a manifest is refused', async () => {
    const folder = emptyFolder()
    const file = put(folder, 'x.zip', zipOf({ 'posts.json': '[]' }))
    await expect(imported(importMarble, folder, file)).rejects.toThrow(/no manifest.json/)
  })
})
