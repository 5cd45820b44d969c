import { describe, expect, it } from 'vitest'
import { authorJson, postItemJson, postJson, termJson } from '../../src/api/resources.ts'
import { sampleAuthor, samplePost, sampleTerm } from '../support/sample-workspace.ts'

// Fields in an order of their own, and some that are none of the interface's.
const secret = { secret: 'x', count: 1, content: 'x' }
const socials = [{ ...secret, platform: 'github', url: 'https://example.org/ada' }]
const ada = { ...secret, ...sampleAuthor('ada', { role: 'Writer' }), socials }
const fields = {
  tags: [{ ...secret, ...sampleTerm('css') }],
  authors: [ada],
  coverImage: 'https://example.org/a.png',
  description: 'A "short" summary',
}
const full = { ...secret, ...samplePost('hello', fields).post }

describe('postJson', () => {
  it('has the fields of the specification in their order, with room for the content', () => {
    const { head, tail } = postJson(full)
    expect(keysOf(`${head},"content":"…"${tail}`)).toEqual([
      ...['id', 'slug', 'title', 'content', 'featured', 'coverImage', 'description'],
      ...['publishedAt', 'updatedAt', 'attribution', 'authors', 'category', 'tags'],
    ])
    expect(head + tail).not.toMatch(/content|secret/)
  })

  it('has authors and terms with the fields of the specification in their order', () => {
    const { head, tail } = postJson(full)
    const { authors, category, tags } = JSON.parse(head + tail)
    expect(Object.keys(authors[0])).toEqual([
      ...['id', 'name', 'image', 'bio', 'role', 'slug', 'socials'],
    ])
    expect(Object.keys(authors[0].socials[0])).toEqual(['url', 'platform'])
    expect(Object.keys(category)).toEqual(['id', 'name', 'slug', 'description'])
    expect(Object.keys(tags[0])).toEqual(['id', 'name', 'slug', 'description'])
  })

  it('says null for what is absent, and leaves nothing out', () => {
    const { head, tail } = postJson(samplePost('bare', { authors: [sampleAuthor('bob')] }).post)
    expect(JSON.parse(head + tail)).toMatchObject({
      coverImage: null,
      description: '',
      attribution: null,
      authors: [{ image: null, bio: null, role: null, socials: [] }],
      category: { description: null },
      tags: [],
    })
  })

  it.each(['"', '\\', '\n', '\u2028', '\0', '</script>', '{}', '},{', '😀', '\ud800'])(
    'is JSON with %j anywhere',
    (text) => {
      const post = { ...full, title: text, description: text, attribution: text }
      const { head, tail } = postJson(post)
      expect(JSON.parse(head + tail)).toMatchObject({ title: text, description: text })
    },
  )
})

describe('postItemJson', () => {
  it('has the fields of the specification in their order', () => {
    expect(keysOf(postItemJson(full))).toEqual([
      ...['id', 'title', 'slug', 'description', 'coverImage', 'publishedAt'],
    ])
  })
})

describe('termJson', () => {
  it('is open, for a count and posts', () => {
    expect(termJson(sampleTerm('css', { description: 'Style' }))).toBe(
      '{"id":"css-id","name":"css","slug":"css","description":"Style"',
    )
  })
})

describe('authorJson', () => {
  it('is open, for posts, its slug before the biography', () => {
    expect(
      authorJson(sampleAuthor('ada', { bio: 'B', role: 'R', image: 'https://example.org/' })),
    ).toBe(
      '{"id":"ada-id","name":"ada","image":"https://example.org/","slug":"ada","bio":"B","role":"R","socials":[]',
    )
  })

  it('has links of an address and a platform', () => {
    expect(authorJson(ada)).toMatch(
      /,"socials":\[\{"url":"https:\/\/example\.org\/ada","platform":"github"\}\]$/,
    )
    expect(authorJson(ada)).not.toContain('secret')
  })
})

function keysOf(json: string): readonly string[] {
  return Object.keys(JSON.parse(json))
}
