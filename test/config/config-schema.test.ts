// What a configuration may hold, and what is said of anything else.
import { describe, expect, it } from 'vitest'
import { checkConfig } from '../../src/config/config-schema.ts'

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
  ])('may not be %j', (frontMatter, message) => {
    expect(() => checkConfig({ frontMatter }, 'f')).toThrow(message)
  })
})

describe('ownerOnly', () => {
  it('is true or false', () => {
    expect(checkConfig({ ownerOnly: true }, 'f')).toEqual({ ownerOnly: true })
    expect(() => checkConfig({ ownerOnly: 'yes' }, 'f')).toThrow('ownerOnly must be true or false')
  })
})
