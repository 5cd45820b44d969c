// MDX is read as Markdown: nothing is evaluated, and no text is lost but that of JavaScript.
import { describe, expect, it } from 'vitest'
import { renderMarkdown } from './rendered.ts'

const mdx = (body: string) => renderMarkdown(body, { mdx: true })

describe('MDX', () => {
  it.each([
    [
      'what is Markdown',
      '# A\n\n*b* `{c}`\n',
      '<h1 id="a">A</h1>\n<p><em>b</em> <code>{c}</code></p>\n',
    ],
    [
      'no statements',
      "import A from 'a'\nimport { B } from 'b'\n\nText.\n\nexport const c = {\n  d: 1,\n\n  e: [2],\n}\n\nMore.",
      '<p>Text.</p>\n<p>More.</p>\n',
    ],
    [
      'the children of a component',
      '<Tabs a={b}>\n\n**c**\n\n<Tab.Item>d</Tab.Item>\n\n</Tabs>',
      '<p><strong>c</strong></p>\n<p>d</p>\n',
    ],
    [
      'elements of HTML',
      'H<sub>2</sub>O <br/> <kbd>a</kbd>',
      '<p>H<sub>2</sub>O <br> <kbd>a</kbd></p>\n',
    ],
    [
      'Markdown in elements of HTML',
      '<details>\n<summary>a</summary>\n\n*b*\n\n</details>',
      '<details><summary>a</summary><p><em>b</em></p></details>\n',
    ],
    [
      'attributes that HTML has',
      '<a href="/b" title={"c"}>d</a> <td colSpan={2}>e</td>',
      '<p><a href="/b" title="c">d</a> e</p>\n',
    ],
    ['no comments', 'a {/* b */} c <!-- d --> e {/*f*/}', '<p>a  c            e </p>\n'],
    ['literals', 'a{" "}b {\'c\'} {`d`} {42} {"\\u0041\\n"}', '<p>a b c d 42 A\n</p>\n'],
    ['no expressions', 'a {b.c} {`\u0024{d}`} e', '<p>a   e</p>\n'],
    ['ids of headings', '## A {/*b*/}\n\n## C {#d}', '<h2 id="b">A</h2>\n<h2 id="d">C</h2>\n'],
  ])('keeps %s', (_, body, html) => {
    expect(mdx(body).html).toBe(html)
  })

  it('names what was left out in one warning, at its first place', () => {
    const { problems } = mdx(
      "Text.\n\nimport A from 'a'\n\n<A b={c} />\n\n<A>d</A> {e} <b style={{ f: 1 }} key={g}>h</b>",
    )
    expect(problems).toMatchObject([
      { code: 'mdx-left-out', severity: 'warning', line: 3, column: 1 },
    ])
    expect(problems[0]?.message).toBe(
      'MDX is read as Markdown. Left out: import and export statements, <A> (2), "{e}", the attribute style.',
    )
  })

  it.each([
    ['<A>\n\ntext', 1],
    ['text\n\nexport it', 3],
    ['text\n\na < b {c', 3],
    ['text {c', 1],
    ['a <b>c</i>', 1],
  ])('that breaks its rules is read as Markdown: %j', (body, line) => {
    const { html, problems } = mdx(`import a from 'b'\n\n${body}`)
    expect(problems).toMatchObject([{ code: 'mdx-syntax', severity: 'warning', line: line + 2 }])
    expect(html).toMatch(/text|a /)
    expect(html).not.toContain('import')
  })

  it.each([
    '<a href="javascript:alert(1)">x</a>',
    '<a href={"javascript:alert(1)"}>x</a>',
    '<a {...{ href: "javascript:alert(1)" }}>x</a>',
    '<b onClick="alert(1)" onclick={"alert(1)"}>x</b>',
    'x <img src="x" onError={() => alert(1)} />',
    'x {"<img src=x onerror=alert(1)>"}',
    'x <div dangerouslySetInnerHTML={{ __html: "<script>alert(1)</script>" }} />',
  ])('is as harmless as raw HTML: %j', (body) => {
    const { html } = mdx(body)
    expect(html).toContain('x')
    expect(html).not.toMatch(/<[^>]*(?:javascript:|on\w+=|script)/i)
  })

  it('has images and links at their places', () => {
    const { files } = mdx(
      '<figure>\n  <img src="./a.png" alt={"b"} />\n</figure>\n\n![c](d.png) <a href="e.md">f</a>',
    )
    expect(files).toMatchObject([
      { kind: 'image', url: 'd.png', start: 59 },
      { kind: 'image', url: './a.png', start: 21, end: 28 },
      { kind: 'link', url: 'e.md', start: 75 },
    ])
  })
})
