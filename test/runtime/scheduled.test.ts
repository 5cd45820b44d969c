import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { createFileStorage } from '../../src/build/disk.ts'
import { deploy } from '../../src/hosts/deploy.ts'
import type { ContentOptions } from '../../src/runtime/content-reply.ts'
import { findStored } from '../../src/runtime/replies.ts'
import type { ResponderOptions } from '../../src/runtime/responder.ts'
import fc from '../support/fast-check.ts'
import {
  askHandler,
  type ReadReply,
  type ServedFolder,
  serveFolder,
} from '../support/served-site.ts'
import { TemporarySite } from '../support/temporary-site.ts'

const start = Date.UTC(2026, 5, 1, 12)
const minute = 60_000
/** `soon` appears with `at.soon`, its twin at the same moment, `later` an hour after. */
const at = { soon: start + 10 * minute, later: start + 70 * minute }
/** `brief`, in another workspace, expires then. */
const end = start + 40 * minute

const site = new TemporarySite()
let served: ServedFolder
let stored: ContentOptions

beforeAll(async () => {
  site
    .write('content/acme/categories/news.md', '---\nname: News\n---\n')
    .write('content/acme/tags.yml', '[{slug: hot, name: Hot}, {slug: cold, name: Cold}]')
    .write('content/acme/authors/ada.md', '---\nname: Ada\n---\n')
  const moments = { old: Date.UTC(2026, 0, 1), soon: at.soon, twin: at.soon, later: at.later }
  for (const [name, moment] of Object.entries(moments)) {
    const publishedAt = new Date(moment).toISOString()
    site.post(name, { tags: '[hot]', authors: '[ada]', publishedAt }, 'A needle.\n')
  }
  const body = (expiry: string) =>
    `---\ntitle: T\ncategory: news\npublishedAt: 2026-01-01\n${expiry}---\nA needle.\n`
  site
    .write('content/brief/workspace.yml', 'references: create\n')
    .write('content/brief/posts/brief.md', body(`expiresAt: ${new Date(end).toISOString()}\n`))
    .write('content/brief/posts/lasting.md', body(''))
  const { manifest } = await site.build({ now: start })
  const { folder } = deploy('aws-lambda', { out: site.out, manifest })
  const storage = createFileStorage(join(folder, 'function'))
  stored = { findStored: (...request) => findStored(storage, ...request) }
  served = await serveFolder(site.out)
})

/** Asks at an instant. */
function openClocked(options: ResponderOptions) {
  let instant = start
  const handler = served.handler({ ...options, now: () => instant })
  const headers = { authorization: `Bearer ${served.keyOf('acme')}` }
  return (target: string, now: number) => {
    instant = now
    return askHandler(handler, target, { headers })
  }
}

it('a response in memory equals one that was made at the instant, however the clock jumps', async () => {
  const caching = openClocked({ replyCacheBytes: 64 * 1024, ...stored })
  const making = openClocked({})
  const targets = fc.constantFrom(
    ...['/v1/acme/posts', '/v1/acme/posts?query=needle', '/v1/acme/posts/soon', '/v2/tags'],
    ...['/v1/brief/posts', '/v1/brief/posts/brief', '/v1/brief/posts/lasting', '/v1/brief/tags'],
    ...['/v2/posts?limit=2', '/v1/acme/tags/hot?include=posts', '/v1/acme/authors/ada'],
    ...['/v1/acme/posts?categories=news&tags=hot&excludeTags=cold', '/v2/posts?query=needle'],
  )
  const instants = fc.constantFrom(
    ...[start, at.soon, end, at.later].flatMap((time) => [time - 1, time, time + 1]),
    ...[start - 400 * 24 * 60 * minute, at.soon - 30_500, at.later + 60 * minute],
  )
  const essence = ({ status, text, header }: ReadReply) => ({
    ...{ status, text },
    headers: ['etag', 'cache-control', 'content-length'].map(header),
  })
  await fc.assert(
    fc.asyncProperty(targets, instants, async (target, now) => {
      expect(essence(await caching(target, now))).toEqual(essence(await making(target, now)))
    }),
    { numRuns: 1000 },
  )
})
