// Headings have ids that links lead to, and no two elements have the same one.
import { describe, expect, it } from 'vitest'
import { valuesOf } from './html.ts'
import { renderMarkdown } from './rendered.ts'

const ids = (body: string) => valuesOf(renderMarkdown(body).html, 'id')

describe('the id of a heading', () => {
  it.each([
    ['its text in small letters', '# Hello World', ['hello-world']],
    ['its visible text', '## A *b* `c` [d](/e) ![f](/g.png)', ['a-b-c-d-']],
    ['text without punctuation', "# What's new, in v1.2?", ['whats-new-in-v12']],
    ['numbered where it is repeated', '# A\n\n## A\n\n# A', ['a', 'a-1', 'a-2']],
    ['apart from one that ends with a number', '# A\n\n# A\n\n# A-1', ['a', 'a-1', 'a-1-1']],
    ['one of its own where the text has no letters', '# !?\n\n# 🎉', ['section', 'section-1']],
    ['none where there is no text', '# ![a](/b.png)', []],
    ['the written one, as it is', '# A {#B.c:d_é}', ['B.c:d_é']],
    ['the written one before one that is made', '# B\n\n# A {#b}', ['b-1', 'b']],
    ['numbered where it was written twice', '# A {#b}\n\n# C {#b}', ['b', 'b-1']],
    ['prefixed where raw HTML has one', '<h2 id="a">A</h2>\n\n# A', ['user-content-a', 'a']],
    [
      'apart from that of raw HTML',
      '<p id="a">A</p>\n\n# User content-a',
      ['user-content-a', 'user-content-a-1'],
    ],
    ['a name of every object', '# constructor\n\n# `__proto__`', ['constructor', '__proto__']],
  ])('is %s', (_, body, expected) => {
    expect(ids(body)).toEqual(expected)
  })

  it('is not that of a footnote', () => {
    const all = ids('# Footnote label\n\n# User-content-fn-1\n\na[^1]\n\n[^1]: b')
    expect(all.slice(0, 2)).toEqual(['footnote-label-1', 'user-content-fn-1-1'])
    expect(new Set(all).size).toBe(all.length)
  })

  it.each(['# A {#}', '# A {#b c}', '# {#b} a'])('is none that is written in %j', (body) => {
    expect(renderMarkdown(body, { headingIds: false }).html).not.toContain('id=')
    expect(ids(body)).not.toContain('b')
    expect(renderMarkdown(body).text).toContain('{#')
  })
})

it('a link leads to an id of raw HTML unless a heading has it', () => {
  const links = (body: string) => valuesOf(renderMarkdown(body).html, 'href')
  expect(links('<p id="a">b</p>\n\n[c](#a)')).toEqual(['#user-content-a'])
  expect(links('<p id="a">b</p>\n\n# A\n\n[c](#a)')).toEqual(['#a'])
})
