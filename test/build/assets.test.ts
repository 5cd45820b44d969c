// Images and custom fields of a workspace, and that neither reveals a post that is not published.
import { describe, expect, it } from 'vitest'
import { pictureBytes } from '../conformance/picture.ts'
import { askHandler, serveFolder } from '../support/served-site.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

/** A GIF of 3 × 2 pixels, of which there is no more than the header. */
const gif = Buffer.from('GIF89a\x03\0\x02\0\0\0\0', 'latin1')
const august = Date.parse('2026-08-01T00:00:00Z')
const september = Date.parse('2026-09-01T00:00:00Z')

/** An image of two posts, one of a post that is scheduled, one of a draft, and a file that only begins like an image. */
function site(): TemporarySite {
  const at = (publishedAt: string, more: Readonly<Record<string, string>> = {}) => ({
    publishedAt,
    ...more,
  })
  return temporarySite()
    .write('content/acme/posts/shared.png', pictureBytes)
    .write('content/acme/posts/secret-name.png', pictureBytes)
    .write('content/acme/posts/later.gif', gif)
    .write('content/acme/posts/draft.png', Buffer.concat([pictureBytes, Buffer.from('draft')]))
    .write('content/acme/posts/broken.webp', Buffer.from('RIFF0000WEBP'))
    .post('first', at('2026-03-01', { coverImage: 'shared.png' }), '![x](broken.webp)')
    .post('second', at('2026-05-01'), '![a](shared.png) ![b](broken.webp)')
    .post('scheduled', at('2026-08-15'), '![a](secret-name.png) ![b](later.gif)')
    .post('draft', at('2026-01-01', { status: 'draft' }), '![a](draft.png)')
}

async function open(built: TemporarySite, now: number) {
  const served = await serveFolder(built.out)
  const handler = served.handler({ now: () => now })
  const headers = { authorization: served.keyOf('acme') }
  return {
    close: () => served.close(),
    get: async (path: string) => JSON.parse((await askHandler(handler, path, { headers })).text),
  }
}

const names = (body: { media: { name: string }[] }) => body.media.map(({ name }) => name)

describe('images', () => {
  it('are listed from the publication of the first post that shows them', async () => {
    const built = site()
    await built.build({ now: august })
    const before = await open(built, august)
    const { media, pagination } = await before.get('/v1/media')
    expect(names({ media }).toSorted()).toEqual(['broken.webp', 'shared.png'])
    expect(pagination.totalItems).toBe(2)
    for (const { createdAt } of media) expect(createdAt).toBe('2026-03-01T00:00:00.000Z')
    expect(media.find(({ name }: { name: string }) => name === 'broken.webp')).toMatchObject({
      ...{ size: 12, width: null, height: null },
    })
    before.close()
    // The same build, when the post is out.
    const after = await open(built, september)
    const list = await after.get('/v1/media')
    expect(names(list)[0]).toBe('later.gif')
    expect(list.media[0]).toMatchObject({ width: 3, height: 2, mimeType: 'image/gif' })
    expect(names(await after.get('/v1/media?order=asc'))).toEqual(names(list).toReversed())
    expect(names(await after.get('/v1/media?limit=1&page=2'))).toEqual(names(list).slice(1, 2))
    const { id } = list.media[0]
    expect((await after.get(`/v1/media/${id}`)).media.name).toBe('later.gif')
    after.close()
    const again = await open(built, august)
    expect((await again.get(`/v1/media/${id}`)).error).toBe('Not Found')
    again.close()
  })
})

describe('custom fields', () => {
  it('are listed in the order of their definitions', async () => {
    const built = temporarySite()
      .write(
        'content/acme/workspace.yml',
        'fields:\n  level: { type: select, options: [low, high], label: Level }\n  topics: list\n',
      )
      .post('first')
    await built.build()
    const { get, close } = await open(built, august)
    const { fields } = await get('/v1/fields')
    expect(fields).toEqual([
      {
        ...{ id: 'level', key: 'level', name: 'Level', description: null, type: 'select' },
        ...{ required: false, position: 0 },
        options: [
          { id: 'low', value: 'low', label: 'low', position: 0 },
          { id: 'high', value: 'high', label: 'high', position: 1 },
        ],
      },
      {
        ...{ id: 'topics', key: 'topics', name: 'topics', description: null, type: 'multiselect' },
        ...{ required: false, position: 1, options: [] },
      },
    ])
    expect(await get('/v1/fields/topics')).toEqual({ field: fields[1] })
    close()
  })
})
