// Random requests through `quarry serve`, over connections that are kept. QUARRY_SERVED_RUNS=100000 sends that many.
import { expect, it } from 'vitest'
import { requests, targetOf } from '../support/arbitraries.ts'
import { start } from '../support/command-line.ts'
import fc from '../support/fast-check.ts'
import { expectedResponse, withoutMessages } from '../support/oracle.ts'
import { sampleOf } from '../support/site-sample.ts'
import { temporarySite } from '../support/temporary-site.ts'

const runs = Number(process.env['QUARRY_SERVED_RUNS'] ?? 300)

const settings = `references: create
fields:
  rating: { type: number, index: true }
  day: { type: date, index: true }
  is-new: { type: boolean, index: true }
  level: { type: text, index: true }
  parts: { type: list, index: true }
  note: { type: text, index: true }
  hidden: number
`

it(
  'are answered by a server as by a plain reading of the interface',
  async () => {
    const site = temporarySite().write('content/acme/workspace.yml', settings)
    const words = ['Straße', 'ﬁn', 'ガス', 'plain &amp; simple', '👩‍💻', 'E\u0301te\u0301']
    for (let post = 0; post < 60; post++) {
      const word = words[post % words.length] ?? ''
      const fields = [
        `rating: ${(post % 7) - 3}`,
        ...(post % 3 === 0 ? [`day: 2026-01-0${1 + (post % 8)}`] : []),
        `is-new: ${post % 2 === 0}`,
        ...(post % 5 === 0 ? [] : [`level: ${post % 4 === 0 ? 'Straße' : 'a'}`]),
        `parts: [a, "${post % 4}"]`,
      ]
      site.post(
        `post-${post}`,
        {
          title: JSON.stringify(`${word} ${post}`),
          category: `c-${post % 3}`,
          tags: `[t-${post % 4}, t-${post % 5}]`.replace(/\[(t-\d), \1\]/, '[$1]'),
          authors: `[a-${post % 2}]`,
          publishedAt: `2026-01-${String(1 + (post % 8)).padStart(2, '0')}`,
          updatedAt: `2026-02-${String(1 + (post % 9)).padStart(2, '0')}`,
          featured: String(post % 6 === 0),
          fields: `{ ${fields.join(', ')} }`,
        },
        `Text of *${word}* ${words[post % 4]}.\n`.repeat(1 + (post % 9) * 4),
      )
    }
    await site.build()
    const built = (await site.load()).workspaces[0] ?? expect.unreachable()
    const { workspace } = built
    const sample = {
      ...(await sampleOf(built)),
      created: new Set(Object.values(workspace.created).flat()),
      indexed: workspace.fields.filter(({ isIndexed }) => isIndexed),
    }
    const server = start(site.folder, ['serve', '--port', '0'], { QUARRY_RATE_LIMIT: 'off' })
    const [, url = ''] = await server.waitFor(/(http:\/\/[\d.:]+)/)
    const asked = fc.record({ request: requests(sample), style: fc.nat({ max: 2 }) })
    const now = Date.now()
    await fc.assert(
      fc.asyncProperty(asked, async ({ request, style }) => {
        const open = { ...request, version: 'v1' as const }
        const target = targetOf(open, style)
        // A URL resolves `..`: such names are those of no test here.
        if (new URL(url + target).pathname !== target.split('?')[0]) return
        const response = await fetch(url + target)
        const body = await response.text()
        const text = response.status === 200 ? body : withoutMessages(body)
        expect({ target, status: response.status, text }).toEqual({
          target,
          ...expectedResponse(open, sample, now),
        })
      }),
      { numRuns: runs },
    )
    server.stop('SIGTERM')
    await server.ended
  },
  30_000 + runs * 20,
)
