// What a configuration may hold, and what is said of anything else.
import { describe, expect, it } from 'vitest'
import { checkConfig } from '../../src/config/schema.ts'
import { UseError } from '../../src/diagnostics.ts'

describe('frontMatter', () => {
  it.each([
    { tags: 'keywords', authors: { from: 'author', slugify: true }, aliases: 'redirect_from' },
    { posts: { title: 'heading' } },
    { authors: { image: 'avatar', role: ['occupation', 'job'] }, tags: { name: 'label' } },
    { posts: { authors: 'params.author' }, authors: { ignore: true } },
    {},
  ])('may be %j', (frontMatter) => {
    expect(checkConfig({ frontMatter }, 'f')).toEqual({ frontMatter })
  })

  it.each([
    [{ titel: 'x' }, 'frontMatter.titel is not a known setting. Did you mean "title"?'],
    [{ post: {} }, 'frontMatter.post is not a known setting. Did you mean "posts"?'],
    [
      { posts: { titel: 'x' } },
      'frontMatter.posts.titel is not a known setting. Did you mean "title"?',
    ],
    [
      { authors: { name: 'x', rule: 'y' } },
      'frontMatter.authors.rule is not a known setting. Did you mean "role"?',
    ],
    [{ tags: { form: 'x' } }, 'frontMatter.tags.form is not a known setting. Did you mean "from"?'],
    [
      { posts: { tags: { splitt: ',' } } },
      'frontMatter.posts.tags.splitt is not a known setting. Did you mean "split"?',
    ],
    [{ authors: { name: 3 } }, 'frontMatter.authors.name '],
    ...['title', 'slug', 'publishedAt'].map((field): [object, string] => [
      { posts: { [field]: { split: ',' } } },
      `frontMatter.posts.${field} is not a list: add \`take: "first"\``,
    ]),
  ])('may not be %j', (frontMatter, message) => {
    expect(() => checkConfig({ frontMatter }, 'f')).toThrow(message)
  })
})

it('may split a list, or a text of which one part is taken', () => {
  const frontMatter = {
    posts: { tags: { split: ',' }, title: { split: '|', take: 'last' }, category: { split: '/' } },
  }
  expect(checkConfig({ frontMatter }, 'f')).toEqual({ frontMatter })
})

describe('workspaces', () => {
  it('are none with the name of a prototype, which a map would leave out without a word', () => {
    const config: unknown = JSON.parse('{ "workspaces": { "__proto__": { "posts": "blog" } } }')
    expect(() => checkConfig(config, 'f')).toThrow('workspaces.__proto__ cannot be a workspace.')
  })
})

describe('port', () => {
  it.each([1e99, 1.5, -1, 65_536, '80'])('is refused once: %s', (port) => {
    const message = 'f is not a valid configuration:\n  port must be an integer from 0 to 65535'
    expect(() => checkConfig({ port }, 'f')).toThrow(new UseError(message))
  })
})
