import { describe, expect, it, onTestFinished } from 'vitest'
import { fold } from '../../src/search/fold.ts'
import { targetOf } from '../support/arbitraries.ts'
import { declarations } from '../support/declarations.ts'
import fc, { type Arbitrary } from '../support/fast-check.ts'
import { expectedResponse, type SampleRequest, withoutMessages } from '../support/oracle.ts'
import type { SamplePost } from '../support/sample-workspace.ts'
import { askHandler, serveFolder } from '../support/served-site.ts'
import { sampleOf } from '../support/site-sample.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const now = Date.UTC(2026, 10, 1)
const postsEach = 2
const paragraphsEach = 5

describe('texts of five hundred languages', () => {
  it('are found as a look at each of them finds them, with every filter', async () => {
    const site = temporarySite({ workers: 2 })
    site.write('content/acme/workspace.yml', 'name: Acme\nreferences: create\n')
    const texts = writeDeclarations(site)
    await site.build({ now })
    const [built] = (await site.load()).workspaces
    const { posts, ...terms } = await sampleOf(built ?? expect.unreachable('nothing was built'))
    // What was written, not what was made of it.
    const written = posts.map((post) => withText(post, texts.get(post.post.slug) ?? ''))
    const workspace = { ...terms, posts: written }
    const served = await serveFolder(site.out)
    onTestFinished(() => served.close())
    const handler = served.handler({ now: () => now })
    const headers = { authorization: `Bearer ${served.keyOf('acme')}` }
    let found = 0
    await fc.assert(
      fc.asyncProperty(requestsFor(written), async (request) => {
        const target = targetOf(request)
        const { status, text } = await askHandler(handler, target, { headers })
        const expected = expectedResponse(request, workspace, now)
        const given = status === 200 ? text : withoutMessages(text)
        expect({ target, status, text: given }).toEqual({ target, ...expected })
        if (status === 200 && !text.includes('"totalItems":0')) found += 1
      }),
      { numRuns: queries, seed: 7 },
    )
    expect(written.length).toBeGreaterThan(1000)
    expect(found).toBeGreaterThan(queries / 2)
  })
})

const queries = 2000

/** Some paragraphs of each language in each of some posts; what a reader sees of each, by slug. */
function writeDeclarations(site: TemporarySite): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  for (const [number, { code, direction, longitude, paragraphs }] of declarations().entries()) {
    for (let part = 0; part < postsEach; part++) {
      const start = (number * 7 + part * paragraphsEach) % Math.max(1, paragraphs.length)
      const [title = code, ...body] = paragraphs.slice(start, start + paragraphsEach)
      const slug = `${code.replaceAll('_', '-')}-${part}`.toLowerCase()
      texts.set(slug, body.join('\n'))
      const day = (number * 13 + part * 5) % 60
      site.post(
        slug,
        {
          title: inYaml(title),
          category: `region-${Math.floor((longitude + 180) / 60)}`,
          tags: `[${direction}, part-${part}${number % 3 === 0 ? ', third' : ''}]`,
          // Many on one day, so that their ids decide.
          publishedAt: new Date(Date.UTC(2026, 0, 1 + day)).toISOString(),
          featured: String(number % 11 === 0),
        },
        `${body.map(asMarkdown).join(number % 2 === 0 ? '\n\n' : '\n')}\n`,
      )
    }
  }
  return texts
}

/** JSON, but for control characters that YAML has only as escapes. */
function inYaml(text: string): string {
  return JSON.stringify(text).replace(
    /[\x7f-\x9f]/g,
    (sign) => `\\x${sign.charCodeAt(0).toString(16)}`,
  )
}

/** Every sign that could mean something stands for itself (CommonMark 0.31, 2.4). */
function asMarkdown(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, '\\$&')
}

function withText(sample: SamplePost, text: string): SamplePost {
  return { ...sample, text, folded: [sample.post.title, text].map(fold) }
}

/** Lists of posts that have something in them which stands in one of them, and pass filters. */
function requestsFor(posts: readonly SamplePost[]): Arbitrary<SampleRequest> {
  const distinct = (slugs: readonly string[]) => [...new Set(slugs), 'unknown']
  const categories = distinct(posts.map(({ post }) => post.category.slug))
  const tags = distinct(posts.flatMap(({ post }) => post.tags.map(({ slug }) => slug)))
  const some = (slugs: readonly string[]) =>
    fc.subarray([...slugs], { minLength: 1, maxLength: 3 }).map((all) => all.join(','))
  const filters = {
    categories: some(categories),
    excludeCategories: some(categories),
    tags: some(tags),
    excludeTags: some(tags),
    featured: fc.constantFrom('true', 'false'),
    order: fc.constantFrom('asc', 'desc'),
    page: fc.constantFrom('1', '2', '3'),
    limit: fc.constantFrom('1', '2', '7', '20'),
    format: fc.constantFrom('html', 'markdown'),
  }
  return fc
    .record({
      version: fc.constantFrom('v1', 'v2'),
      query: cutsOf(posts),
      given: fc.record(filters),
      // With all of them nothing is left.
      kept: fc.shuffledSubarray(Object.keys(filters), { maxLength: 4 }),
      isWhole: fc.nat({ max: 20 }).map((dice) => dice === 0),
    })
    .map(({ version, query, given, kept, isWhole }) => {
      const few = Object.entries(given).filter(([name]) => kept.includes(name))
      // All at once only without their texts: megabytes of JSON show nothing more.
      const whole: Record<string, string> = { limit: 'all', excludeContent: 'true' }
      const rest = isWhole ? few.filter(([name]) => !(name in whole)) : few
      const all: Record<string, string> = {
        query,
        ...Object.fromEntries(rest),
        ...(isWhole ? whole : {}),
      }
      const pairs = Object.entries(all)
      return { version, resource: 'posts', identifier: null, pairs }
    })
}

/** One or two characters, parts of words, phrases over what parts words; as they stand, or written otherwise. */
function cutsOf(posts: readonly SamplePost[]): Arbitrary<string> {
  const length = fc.oneof(
    fc.integer({ min: 1, max: 2 }),
    fc.integer({ min: 3, max: 9 }),
    fc.integer({ min: 10, max: 80 }),
  )
  const writings: readonly ((text: string) => string)[] = [
    (text) => text,
    (text) => text,
    (text) => text.toUpperCase(),
    (text) => text.normalize('NFD'),
    (text) => text.replaceAll(' ', '\u3000 '),
    (text) => `${text}${[...text][0] ?? ''}`,
  ]
  return fc
    .record({
      post: fc.constantFrom(...posts),
      at: fc.nat({ max: 10_000 }),
      length,
      isTitle: fc.boolean(),
      write: fc.constantFrom(...writings),
    })
    .map(({ post: { post, text }, at, length, isTitle, write }) => {
      const characters = [...(isTitle ? post.title : text)]
      const start = at % Math.max(1, characters.length - length + 1)
      return write(characters.slice(start, start + length).join(''))
    })
}
