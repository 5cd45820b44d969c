// Nothing dangerous comes out, whatever goes in.
// Knows the danger, not how it is averted.
import { describe, expect, it } from 'vitest'
import { imagesOf } from '../../src/markdown/derived.ts'
import { idsIn } from '../../src/markdown/links.ts'
import { knownVectors } from './hostile-html.ts'
import { schemeOf, tagsOf, valuesOf } from './html.ts'
import { renderMarkdown } from './rendered.ts'

const harmlessTags = new Set(
  'a blockquote br code del em h1 h2 h3 h4 h5 h6 hr img input li ol p pre section strong sup table tbody td th thead tr ul'.split(
    ' ',
  ),
)
const harmlessAttributes = new Set(
  'align alt aria-describedby aria-label checked class data-footnote-backref data-footnote-ref data-footnotes disabled href id src start title type'.split(
    ' ',
  ),
)
const linkSchemes = new Set([null, 'http', 'https', 'irc', 'ircs', 'mailto', 'xmpp'])
const imageSchemes = new Set([null, 'http', 'https'])

/** What a browser could run, load or be led to. */
function dangersIn(html: string): readonly string[] {
  return tagsOf(html).flatMap(({ name, attributes }) => {
    const badNames = [...attributes.keys()].filter((key) => !harmlessAttributes.has(key))
    const badLink = linkSchemes.has(schemeOf(attributes.get('href') ?? '')) ? [] : ['href']
    const badImage = imageSchemes.has(schemeOf(attributes.get('src') ?? '')) ? [] : ['src']
    return [...(harmlessTags.has(name) ? [] : [name]), ...badNames, ...badLink, ...badImage]
  })
}

const hostileUrls = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'javascript&colon;alert(1)',
  'javascript&#58;alert(1)',
  'javascript&#x3a;alert(1)',
  '&#106;avascript:alert(1)',
  'java&Tab;script:alert(1)',
  'java&NewLine;script:alert(1)',
  'java\u0001script:alert(1)',
  '\u0001javascript:alert(1)',
  '\u00a0javascript:alert(1)',
  'javascript\\:alert(1)',
  'javascript:https://example.com',
  'vbscript:msgbox(1)',
  'livescript:x',
  'data:text/html,<script>alert(1)</script>',
  'data:text/html;base64,PHNjcmlwdD4=',
  'DATA:image/svg+xml,<svg/onload=alert(1)>',
  'file:///etc/passwd',
  'blob:https://example.com/1',
  'about:blank',
  'filesystem:x',
  'tel:+123',
  'sms:+123',
]

const urlPlaces: readonly (readonly [string, (url: string) => string])[] = [
  ['a link', (url) => `[x](<${url}>)`],
  ['a bare link', (url) => `[x](${url})`],
  ['an image', (url) => `![x](<${url}>)`],
  ['an autolink', (url) => `<${url}>`],
  ['a reference', (url) => `[x][r]\n\n[r]: <${url}>`],
  ['an image reference', (url) => `![x][r]\n\n[r]: <${url}> "title"`],
  ['a linked image', (url) => `[![x](<${url}>)](<${url}>)`],
  ['a footnote', (url) => `x[^1]\n\n[^1]: [x](<${url}>)`],
  ['a table', (url) => `|[x](${url})|\n|-|\n|![x](${url})|`],
]

describe.each(urlPlaces)('a hostile URL in %s', (_, write) => {
  it.each(hostileUrls)('%j is made harmless', (url) => {
    expect(dangersIn(renderMarkdown(write(url)).html)).toEqual([])
  })
})

describe('hostile markup', () => {
  it.each([
    '<script>alert(1)</script>',
    'a <script>alert(1)</script> b',
    '<SCRIPT SRC=https://example.com/x.js></SCRIPT>',
    '<scr<script>ipt>alert(1)</scr</script>ipt>',
    '<img src=x onerror=alert(1)>',
    'a <img src="x" onerror="alert(1)"> b',
    '<svg onload=alert(1)>',
    '<svg><script>alert(1)</script></svg>',
    '<math><mtext></p><img src=x onerror=alert(1)>',
    '<iframe src="https://example.com"></iframe>',
    '<object data="x"></object><embed src="x">',
    '<style>*{display:none}</style>',
    '<p style="position:fixed">x</p>',
    '<link rel=stylesheet href=x><meta http-equiv=refresh content=0>',
    '<form action="https://example.com"><input name=x><button>x</button></form>',
    '<base href="https://example.com">',
    '<template><script>alert(1)</script></template>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '<!--><script>alert(1)</script>-->',
    '<![CDATA[<script>alert(1)</script>]]>',
    '<?php echo 1 ?><script>alert(1)</script>',
    '<a href="javascript:alert(1)" onclick="alert(1)">x</a>',
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
    '- [x] <input type=image src=x onerror=alert(1)>',
    '[x](//example.com/%0ajavascript:alert(1))',
  ])('%j comes out without danger', (body) => {
    expect(dangersIn(renderMarkdown(body).html)).toEqual([])
  })
})

describe('attribute values', () => {
  const end = '</script></textarea><!--<img src=y onerror=alert(1)>'
  const places: readonly (readonly [string, string])[] = [
    ['the title of a link', `[a](x "${end}")`],
    ['the title of a definition', `[a][r]\n\n[r]: x "${end}"`],
    ['the title of an image', `![a](x.png "${end}")`],
    ['an alternative text', `![${end.replaceAll('<', '\\<')}](x.png)`],
    ['an authored title', `<p title="${end}">a</p>`],
    ['an authored alternative text', `<img src=x.png alt="${end}">`],
    ['an authored URL', `<a href="/x?${end}">a</a>`],
    ['an authored URL of a file', `<a href="../x<b>.md">a</a> <img src="./<b>.png">`],
    ['an authored id', `<b id="${end}">a</b>`],
    ['a language', `\`\`\`${end}\nx\n\`\`\``],
    ['a label', `[^${end}]\n\n[^${end}]: x`],
  ]

  it.each([...places, ...knownVectors.map((body) => ['a known trick', body] as const)])(
    'contain no angle bracket in %s: %j',
    (_, body) => {
      const { html } = renderMarkdown(body)
      const withoutTags = html.replace(/<\/?[a-z][a-z0-9]*(?: [a-z-]+(?:="[^"<>]*")?)*>/g, '')
      expect(withoutTags).not.toContain('<')
    },
  )

  it('mean the same as before', () => {
    const { html } = renderMarkdown(
      `![a \\<b> & "c"](https://x.example/ "</p>")\n\n<b id="d>e">f</b> [g](#d>e)`,
      {
        html: 'sanitize',
      },
    )
    expect(imagesOf(html)).toEqual([{ src: 'https://x.example/', alt: 'a <b> & "c"' }])
    expect(valuesOf(html, 'title')).toEqual(['</p>'])
    expect(idsIn(html)).toEqual(new Set(['user-content-d>e']))
  })
})

describe('the test itself', () => {
  it.each([
    '<p onclick=x>',
    '<script>',
    '<a href="java&#x9;script:x">',
    '<img src="data:x">',
    '<svg/onload=x>',
    "<a href='JAVASCRIPT:x'>",
  ])('sees the danger in %j', (html) => {
    expect(dangersIn(html)).not.toEqual([])
  })
})
