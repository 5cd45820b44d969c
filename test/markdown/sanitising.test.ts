// Nothing dangerous comes out, whatever goes in.
import { describe, expect, it } from 'vitest'
import { imagesOf } from '../../src/markdown/derived.ts'
import { collectIds } from '../../src/markdown/destinations.ts'
import { hostileUrls, knownVectors } from './hostile-html.ts'
import { schemeOf, tagsOf, valuesOf } from './html.ts'
import { renderMarkdown } from './rendered.ts'

const dangerousTags =
  /^(?:script|style|iframe|object|embed|svg|math|form|button|base|link|meta|template|noscript|textarea|title|body|html|frame|video|audio|dialog|applet|area|map|select|x.*)$/
const dangerousAttributes =
  /^(?:on.*|style|ping|target|action|formaction|background|poster|srcdoc|data|is|xlink:href|http-equiv)$/
const linkSchemes = new Set([null, 'http', 'https', 'irc', 'ircs', 'mailto', 'xmpp'])
const imageSchemes = new Set([null, 'http', 'https'])

/** What a browser could run, load or be led to. */
function dangersIn(html: string): readonly string[] {
  return tagsOf(html).flatMap(({ name, attributes }) => {
    const names = [...attributes.keys()].filter((key) => dangerousAttributes.test(key))
    const link = linkSchemes.has(schemeOf(attributes.get('href') ?? '')) ? [] : ['href']
    const image = imageSchemes.has(schemeOf(attributes.get('src') ?? '')) ? [] : ['src']
    return [...(dangerousTags.test(name) ? [name] : []), ...names, ...link, ...image]
  })
}

it.each<[string, (url: string) => string]>([
  ['a link', (url) => `[x](<${url}>)`],
  ['a bare link', (url) => `[x](${url})`],
  ['an autolink', (url) => `<${url}>`],
  ['a reference', (url) => `[x][r] ![x][r]\n\n[r]: <${url}> "title"`],
  ['a linked image', (url) => `[![x](<${url}>)](<${url}>)`],
  ['a footnote', (url) => `x[^1]\n\n[^1]: [x](<${url}>)`],
  ['a table', (url) => `|[x](${url})|\n|-|\n|![x](${url})|`],
])('a hostile URL in %s is made harmless', (_, write) => {
  for (const url of hostileUrls) expect(dangersIn(renderMarkdown(write(url)).html)).toEqual([])
})

describe('hostile markup', () => {
  it.each([
    ...knownVectors,
    '[x](https://example.com "\\" onmouseover=\\"alert(1)")',
    '[x](https://example.com \'a" onmouseover="alert(1)\')',
    '![" onerror="alert(1)](x.png)',
    '![x](x.png?"onerror="alert(1))',
    '`<script>alert(1)</script>`',
    '```html onload=alert(1)\n<script>alert(1)</script>\n```',
    '```" onload="alert(1)\nx\n```',
    '&lt;script&gt;alert(1)&lt;/script&gt;',
    '\\<script>alert(1)\\</script>',
    '[^" onload="alert(1)]\n\n[^" onload="alert(1)]: x',
    '[x]: "onload=alert(1)\n[<script>alert(1)</script>][x]',
    '<https://example.com/"onmouseover="alert(1)>',
    'https://example.com/<script>alert(1)</script>',
    '[x](//example.com/%0ajavascript:alert(1))',
  ])('%j comes out without danger', (body) => {
    expect(dangersIn(renderMarkdown(body).html)).toEqual([])
  })

  it.each(['<p onclick=x>', '<script>', '<a href="java&#x9;script:x">', '<img src="data:x">'])(
    'would be seen in %j',
    (html) => {
      expect(dangersIn(html)).not.toEqual([])
    },
  )
})

it('attribute values mean the same as before', () => {
  const { html } = renderMarkdown(
    `![a \\<b> & "c"](https://x.example/ "</p>")\n\n<b id="d>e">f</b> [g](#d>e)`,
  )
  expect(imagesOf(html)).toEqual([{ src: 'https://x.example/', alt: 'a <b> & "c"' }])
  expect(valuesOf(html, 'title')).toEqual(['</p>'])
  expect(collectIds(html)).toEqual(new Set(['user-content-d>e']))
})

it('attributes that refer to an id have the prefix of ids', () => {
  const { html } = renderMarkdown('<p id="a" for="a" headers="a">b</p>')
  for (const name of ['id', 'for', 'headers'])
    expect(valuesOf(html, name), name).toEqual(['user-content-a'])
})
