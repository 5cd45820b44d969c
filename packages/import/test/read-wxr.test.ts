import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emptyFolder } from '../../../test/support/empty-folder.ts'
import { type WxrRecord, wxrRecords } from '../src/wordpress/read-wxr.ts'

async function recordsOf(text: string | Uint8Array, onDropped?: (count: number) => void) {
  const file = join(emptyFolder(), 'export.xml')
  writeFileSync(file, text)
  const records: WxrRecord[] = []
  for await (const record of wxrRecords(file, onDropped)) records.push(record)
  return records
}

const channel = (content: string) =>
  `<?xml version="1.0"?>\n<rss><channel>${content}</channel></rss>`

describe('records of a WordPress export', () => {
  it('hold texts, terms, meta and the number of comments', async () => {
    const [title, item] = await recordsOf(
      channel(`<title>Blog</title>
<item><title>A &amp; <![CDATA[B]]></title><title>again</title>
<content:encoded><![CDATA[<p>x</p>]]]]><![CDATA[>]]></content:encoded>
<category domain="post_tag" nicename="c-d"><![CDATA[C D]]></category>
<wp:postmeta><wp:meta_key>k</wp:meta_key><wp:meta_value>1</wp:meta_value></wp:postmeta>
<wp:postmeta><wp:meta_key>k</wp:meta_key><wp:meta_value>2</wp:meta_value></wp:postmeta>
<wp:comment><wp:comment_content>hi</wp:comment_content></wp:comment></item>`),
    )
    expect(title?.texts.get('')).toBe('Blog')
    expect(item).toMatchObject({ name: 'item', line: 3, contentLine: 4, comments: 1 })
    expect(item?.texts.get('title')).toBe('A & B')
    expect(item?.texts.get('content:encoded')).toBe('<p>x</p>]]>')
    expect(item?.terms).toEqual([{ domain: 'post_tag', slug: 'c-d', name: 'C D' }])
    expect(item?.meta.get('k')).toEqual(['1', '2'])
  })

  it('are read without control characters, which are counted', async () => {
    let dropped = 0
    const [title] = await recordsOf(channel('<title>a\u0008b\u000B</title>'), (count) => {
      dropped += count
    })
    expect([title?.texts.get(''), dropped]).toEqual(['ab', 2])
  })

  it.each([
    ['a DTD', '<!DOCTYPE rss [<!ENTITY a "b">]><rss/>', /:1:\d+: a document type \(DTD\)/],
    ['an external entity', '<!DOCTYPE r SYSTEM "file:///etc/passwd"><rss/>', /\(DTD\) is not read/],
    ['an unknown entity', channel('<title>&nope;</title>'), /:2:\d+: undefined entity/],
    ['another root', '<feed/>', /<feed> is not the <rss>/],
    ['no channel', '<rss/>', /no <channel>/],
    ['half a document', '<rss><channel><item>', /unclosed tag/],
    ['crossed tags', channel('<item><a></item></a>'), /unexpected close tag/],
    ['deep nesting', channel('<a>'.repeat(40)), /more than 32 levels/],
    ['no XML', 'hello', /text data outside of root node/],
  ])('are refused for %s, with line and column', async (_, text, reason) => {
    await expect(recordsOf(text)).rejects.toThrow(reason)
  })

  it('are refused where the bytes are not UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from('<rss><channel><title>'), Buffer.from([0xc3, 0x28])])
    await expect(recordsOf(bytes)).rejects.toThrow(/is not UTF-8/)
  })

  it('are refused for a record without an end', async () => {
    const text = channel(`<item><content:encoded>${'a'.repeat(34 * 1024 * 1024)}`)
    await expect(recordsOf(text)).rejects.toThrow(/more than 33554432 characters/)
  })
})
