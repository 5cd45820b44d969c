// Destinations that mean files are found where they are written, and nothing else is touched.

import { expect, it } from 'vitest'
import { replaceInHtml, replaceInMarkdown } from '../../src/markdown/destinations.ts'
import fc from '../support/fast-check.ts'
import { renderMarkdown } from './rendered.ts'

const fragments = String.raw`![a](./a.png)|[x](b.md "T")|[x](<b c.md>)|![r][r]|[r]|![a][]|\n\n[r]: a.png\n\n|\n\n[r]: <b.md> 'T'\n\n
\n\n[a]:\n  c.webp\n\n|![a](a\\_\\(b.png)|[x](a&amp;b.md#c&copy;d)|[x](a%20b.md?q)|![n](/a.png)|[x](https://a.example/b.md)
~![a](a.png)~|\\![a](a.png)|\n\n    ![a](a.png)\n\n|<img src="a.png">|<b.md>|[![a](a.png)](b.md)|\n\n[^1]: ![a](a.png)\n\n|[^1]
> |- |\t|\n\n| |\0|日本|😀|*|_|[|]|(|)|!|![a](日本 b.png)|![a](<日本 b.png>)|![a](./ü.png)|[x]( ./b.md )|![a](a.png\n"T")`
const fragment = fc.constantFrom(
  ...fragments
    .split(/\||\n/)
    .map((text) => JSON.parse(`"${text.replaceAll('"', '\\"').replaceAll('\\0', '\\u0000')}"`)),
  '\n\n| a | b |\n|---|---|\n| ![a](a\\|b.png) | [x](b.md) |\n\n',
  '\n\n~~~\n[x](a.md)\n~~~\n\n',
  '\uD800',
)
const body = fc.array(fragment, { maxLength: 14 }).map((parts) => parts.join(''))

it('destinations that mean files are replaced in HTML as in Markdown, for any body', () => {
  fc.assert(
    fc.property(body, (markdown) => {
      const { html, files } = renderMarkdown(markdown)
      if (files === null) return
      const names = [...new Set(files.map(({ href }) => href))]
      const urls = files.map(({ href }) => `https://cdn.example/${names.indexOf(href)}?a=1&b=2`)
      const written = replaceInMarkdown(markdown, files, urls)
      // What was written reads as what is shown, and holds no more destinations of files.
      const again = renderMarkdown(written)
      expect(again.files).toBeNull()
      expect(again.html).toBe(replaceInHtml(html, files, urls))
      expect(
        replaceInMarkdown(
          markdown,
          files,
          files.map(() => null),
        ),
      ).toBe(markdown)
    }),
    { numRuns: 500 },
  )
})
