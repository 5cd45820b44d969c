// No HTML of any body runs a script or names what is not its own, in a real browser and after it is written out again.
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInChromium, openPage } from '../support/chromium.ts'
import { knownVectors } from './hostile-html.ts'
import { renderMarkdown } from './rendered.ts'

const tags =
  'a abbr b blockquote br code dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ol p picture pre q rp rt ruby s samp section small source span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var'.split(
    ' ',
  )
const attributes =
  'align alt aria-describedby aria-label aria-labelledby axis border cellpadding cellspacing checked cite class colspan datetime dir disabled data-footnote-backref data-footnote-ref data-footnotes headers height href hreflang id itemprop itemscope itemtype label lang longdesc media name open rel rowspan rows span src srcset start summary tabindex title type usemap valign value width accept action color content hspace method size'.split(
    ' ',
  )
const classes =
  /^(?:markdown-alert(?:-\w+)?|language-\S+|footnotes|sr-only|data-footnote-backref|contains-task-list|task-list-item)$/

describeInChromium('hostile bodies', (browser) => {
  let page: Page

  beforeAll(async () => {
    page = (await openPage(browser())).page
    await page.addScriptTag({ content: watcher })
  })

  it('are harmless in a browser, also after they are written out twice', async () => {
    const bodies = knownVectors.flatMap(inPlaces)
    const found = await dangersIn(
      page,
      bodies.map((body) => renderMarkdown(`x\n\n${body}`).html),
    )
    expect(found.map(({ index, ...danger }) => ({ ...danger, body: bodies[index] }))).toEqual([])
    expect(await ran(page)).toBe(0)
    expect(bodies.length).toBeGreaterThan(500)
  }, 600_000)

  it('would be found out', async () => {
    const found = await dangersIn(page, [
      '<img src=x onerror=alert(1)>',
      '<a href="java&#9;script:x">y</a>',
      '<source srcset="a 1x, data:b 2x">',
      '<p id="body">x</p>',
      '<b class="x">y</b>',
    ])
    expect(found.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4])
    expect(await ran(page)).toBeGreaterThan(0)
  })
})

/** A trick as a block, in a line, and in other constructs of Markdown. */
function inPlaces(vector: string): readonly string[] {
  return [vector, `a ${vector} b`, `> ${vector}`, `- ${vector}\n\n  b`, `|a|\n|-|\n|${vector}|`]
}

interface Danger {
  readonly index: number
  readonly html: string
  readonly dangers: readonly string[]
}

/** What is wrong with HTML that a page shows, each by itself. */
async function dangersIn(page: Page, documents: readonly string[]): Promise<readonly Danger[]> {
  const found: Danger[] = []
  for (let from = 0; from < documents.length; from += 200) {
    const batch = documents.slice(from, from + 200)
    const dangers: readonly (readonly string[])[] = await page.evaluate(
      `look(${JSON.stringify(batch)}, ${JSON.stringify({ tags, attributes })})`,
    )
    for (const [at, some] of dangers.entries()) {
      if (some.length > 0) found.push({ index: from + at, html: batch[at] ?? '', dangers: some })
    }
    // Events of what was shown arrive later.
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 20))')
  }
  return found
}

function ran(page: Page): Promise<number> {
  return page.evaluate('ran')
}

/** In the page: shows each document three times, each time as the browser writes out the last one. */
const watcher = `
var ran = 0
var alert = () => { ran++ }
const classes = ${classes}
function look(documents, allowed) {
  return documents.map((html) => {
    const dangers = new Set()
    let text = html
    for (let round = 0; round < 3; round++) {
      const place = document.createElement('div')
      document.body.replaceChildren(place)
      place.innerHTML = text
      for (const element of place.querySelectorAll('*')) judge(element, allowed, dangers)
      for (const element of place.querySelectorAll('*')) element.dispatchEvent(new MouseEvent('click', { cancelable: true, bubbles: false }))
      text = place.innerHTML
    }
    return [...dangers]
  })
}
function judge(element, allowed, dangers) {
  if (element.namespaceURI !== 'http://www.w3.org/1999/xhtml') dangers.add(element.namespaceURI)
  if (!allowed.tags.includes(element.localName)) dangers.add(element.localName)
  for (const { name, value } of element.attributes) {
    if (!allowed.attributes.includes(name)) dangers.add(name)
    if (['href', 'src', 'cite', 'longdesc'].includes(name)) judgeUrl(name, value, dangers)
    if (name === 'srcset') for (const one of value.split(',')) judgeUrl(name, one.trim().split(/\\s/)[0], dangers)
    if (name === 'id' && /^h[1-6]$/.test(element.localName)) continue
    if (['id', 'name'].includes(name) && !/^(?:user-content-.*|footnote-label)$/s.test(value)) dangers.add(name + '=' + value)
  }
  for (const name of element.classList) if (!classes.test(name)) dangers.add('.' + name)
}
function judgeUrl(name, value, dangers) {
  let url
  try { url = new URL(value, 'https://base.example/') } catch { return }
  const schemes = name === 'href' ? ['http:', 'https:', 'mailto:', 'irc:', 'ircs:', 'xmpp:'] : ['http:', 'https:']
  if (!schemes.includes(url.protocol)) dangers.add(name + '=' + value)
}
document.addEventListener('click', (event) => event.preventDefault(), true)
`
