// What GitHub has and CommonMark has not: alerts, which are quotes with a title, deleted text, formulas and titles of code.
import { describe, expect, it } from 'vitest'
import type { MarkdownOptions } from '../../src/markdown/options.ts'
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
})

const titled = '```js title="a<b>.js" {1,3}\n1\n```\n\n<code data-meta="x">2</code>\n'
const tex = '$$\nx^2\n<b>\n$$\n\n<div class="math">a</div> <span class="math">b</span>\n'

it.each<[string, Partial<MarkdownOptions>, string]>([
  ['> [!NOTE]\n> a', { alerts: false }, '<blockquote>\n<p>[!NOTE]\na</p>\n</blockquote>\n'],
  ['<blockquote class="markdown-alert">a</blockquote>', {}, '<blockquote>a</blockquote>\n'],
  // A fence keeps what follows its language, which raw HTML cannot have.
  [
    titled,
    {},
    '<pre><code class="language-js" data-meta="title=&#x22;a&#x3C;b&#x3E;.js&#x22; {1,3}">1\n</code></pre>\n<p><code>2</code></p>\n',
  ],
  ['~a~ ~~b~~', { singleTilde: true }, '<p><del>a</del> <del>b</del></p>\n'],
  ['~a~ ~~b~~', { singleTilde: true, mdx: true }, '<p><del>a</del> <del>b</del></p>\n'],
  ['~a~ ~~b~~', { singleTilde: false }, '<p>~a~ <del>b</del></p>\n'],
  ['~a~ ~~b~~', { singleTilde: false, mdx: true }, '<p>~a~ <del>b</del></p>\n'],
  ['So $a_1 * b_2 < \\\\c$.', { math: false }, '<p>So $a_1 * b_2 &#x3C; \\c$.</p>\n'],
  [
    'So $a_1 * b_2 < \\\\c$.',
    { math: true },
    '<p>So <span class="math math-inline">a_1 * b_2 &#x3C; \\\\c</span>.</p>\n',
  ],
  // TeX on lines of its own is a block, and raw HTML makes no formula.
  [
    tex,
    { math: true },
    '<div class="math math-display">x^2\n&#x3C;b></div>\n<div>a</div> <span>b</span>\n',
  ],
])('%j with %j is %j', (body, options, html) => {
  expect(renderMarkdown(body, options).html).toBe(html)
})
