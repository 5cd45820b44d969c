// The title of a post that states none.
import { describe, expect, it } from 'vitest'
import { firstHeading } from '../../src/model/post-title.ts'
import { temporarySite } from '../support/temporary-site.ts'

describe('the first heading', () => {
  it.each([
    ['# Hello\n', 'Hello'],
    ['Text.\n\n  # Hello, *you* #\n# Other\n', 'Hello, you'],
    ['# [A link](b.md) and `code`\n', 'A link and code'],
    ['Hello\n===\n', 'Hello'],
    ['```sh\n# no heading\n```\n\n# Yes\n', 'Yes'],
    ['~~~\n```\n# no\n~~~\n# Yes\n', 'Yes'],
    ['# One\u2028two\n', 'One\u2028two'],
    ['## Second level\n', undefined],
    ['#hashtag\n', undefined],
    ['#\n\n# Yes\n', 'Yes'],
    ['    # indented code\n', undefined],
    ['- item\n===\n', undefined],
    ['', undefined],
  ])('of %j is %j', (body, title) => {
    expect(firstHeading(body)).toBe(title)
  })
})

const front = '---\ncategory: news\ndate: 2026-01-02\n---\n'

describe('a post without a title', () => {
  it.each([
    ['2026-03-04-hello.md', '# Hi\n', 'Hi'],
    ['2026-03-04-hello.md', 'Text.\n', 'hello'],
    ['hello/index.md', 'Text.\n', 'hello'],
  ])('%s has one, with a warning', async (name, body, title) => {
    const site = temporarySite().write(`content/acme/posts/${name}`, front + body)
    expect(await site.problems()).toEqual([expect.stringContaining(':2:1 missing-title')])
    expect(site.json('public/v1/acme/posts/index.json').posts).toMatchObject([{ title }])
  })

  it('has another when its heading changes, and nothing else', async () => {
    const site = temporarySite({ cache: 'cache' })
    await site.write('content/acme/posts/a.md', `${front}# One\n`).build()
    await site.write('content/acme/posts/a.md', `${front}# Two\n`).build()
    expect(site.json('public/v1/acme/posts/a.json').post.title).toBe('Two')
  })
})

describe('a workspace that loses its posts', () => {
  it('is an error, unless that is allowed', async () => {
    const site = temporarySite().post('first')
    await site.build()
    site.remove('content/acme/posts')
    expect(await site.problems()).toEqual([
      expect.stringContaining('acme:1:1 no-posts The workspace "acme" has no posts, and had 1 in'),
    ])
    expect(site.json('public/v1/acme/posts/index.json').posts).toHaveLength(1)
    await site.build({ isEmptyAllowed: true })
    expect(site.json('public/v1/acme/posts/index.json').posts).toEqual([])
    expect(await site.problems()).toEqual([])
  })

  it('is an error when its folder is gone', async () => {
    const site = temporarySite().post('first').write('content/other/workspace.yml', '')
    await site.build()
    site.remove('content/acme')
    expect(await site.problems()).toEqual([expect.stringContaining('no-posts')])
  })
})
