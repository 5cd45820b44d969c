// GitHub's alerts are quotes with a title.
import { describe, expect, it } from 'vitest'
import { renderMarkdown } from './rendered.ts'

describe('an alert', () => {
  it.each(['Note', 'Tip', 'Important', 'Warning', 'Caution'])(
    'of the kind %s has its title',
    (title) => {
      const { html, text } = renderMarkdown(
        `> [!${title.toUpperCase()}]\n> Some *text*.\n>\n> More.`,
      )
      expect(html).toBe(
        `<blockquote class="markdown-alert markdown-alert-${title.toLowerCase()}">\n<p class="markdown-alert-title">${title}</p>\n<p>Some <em>text</em>.</p>\n<p>More.</p>\n</blockquote>\n`,
      )
      expect(text).toBe(`${title} Some text. More.`)
    },
  )

  it.each([
    '> [!NOTE] a',
    '> [!OTHER]\n> a',
    '> a\n> [!NOTE]',
    '[!NOTE]\na',
    '> [!NOTE]**b**\n> a',
    '> `[!NOTE]`\n> a',
  ])('is not %j', (body) => {
    const { html } = renderMarkdown(body)
    expect(html).not.toContain('class')
    expect(html).toContain('[!')
  })

  it('is a quote where a site has none, and cannot be written in raw HTML', () => {
    const { html } = renderMarkdown('> [!NOTE]\n> a', { alerts: false })
    expect(html).toBe('<blockquote>\n<p>[!NOTE]\na</p>\n</blockquote>\n')
    const raw = renderMarkdown('<blockquote class="markdown-alert">a</blockquote>')
    expect(raw.html).toBe('<blockquote>a</blockquote>\n')
  })
})

it('a fence keeps what follows its language, which raw HTML cannot have', () => {
  const body = '```js title="a<b>.js" {1,3}\n1\n```\n\n<code data-meta="x">2</code>\n'
  expect(renderMarkdown(body).html).toBe(
    '<pre><code class="language-js" data-meta="title=&#x22;a&#x3C;b&#x3E;.js&#x22; {1,3}">1\n</code></pre>\n<p><code>2</code></p>\n',
  )
})

it.each([
  [true, '<p><del>a</del> <del>b</del></p>\n'],
  [false, '<p>~a~ <del>b</del></p>\n'],
])('with singleTilde %s, deleted text has one or two tildes', (singleTilde, html) => {
  expect(renderMarkdown('~a~ ~~b~~', { singleTilde }).html).toBe(html)
  expect(renderMarkdown('~a~ ~~b~~', { singleTilde, mdx: true }).html).toBe(html)
})

it.each([
  [true, '<p>So <span class="math math-inline">a_1 * b_2 &#x3C; \\\\c</span>.</p>\n'],
  [false, '<p>So $a_1 * b_2 &#x3C; \\c$.</p>\n'],
])('with math %s, TeX between dollars is a formula', (math, html) => {
  expect(renderMarkdown('So $a_1 * b_2 < \\\\c$.', { math }).html).toBe(html)
})

it('TeX on lines of its own is a block, and raw HTML makes no formula', () => {
  const body = '$$\nx^2\n<b>\n$$\n\n<div class="math">a</div> <span class="math">b</span>\n'
  expect(renderMarkdown(body, { math: true }).html).toBe(
    '<div class="math math-display">x^2\n&#x3C;b></div>\n<div>a</div> <span>b</span>\n',
  )
})
