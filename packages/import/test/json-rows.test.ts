import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { type JsonRow, jsonRows } from '../src/json-rows.ts'

async function rowsOf(
  text: string,
  paths: readonly string[],
  chunk = 7,
): Promise<readonly JsonRow[]> {
  const bytes = Buffer.from(text)
  const parts = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, index) =>
    bytes.subarray(index * chunk, (index + 1) * chunk),
  )
  const rows: JsonRow[] = []
  for await (const row of jsonRows(Readable.from(parts), paths, 'x.json')) rows.push(row)
  return rows
}

describe('rows of a JSON document', () => {
  it('come one by one with their list and index, whatever parts the bytes come in', async () => {
    const text = JSON.stringify({ db: [{ data: { posts: [{ a: 'ü "\n' }, null], tags: [1] } }] })
    for (const chunk of [1, 3, 1000])
      expect(await rowsOf(text, ['$.db.*.data.*.*'], chunk)).toEqual([
        { list: 'posts', index: 0, value: { a: 'ü "\n' } },
        { list: 'posts', index: 1, value: null },
        { list: 'tags', index: 0, value: 1 },
      ])
  })

  it('keep no key for the prototype of an object', async () => {
    const [row] = await rowsOf('[{"__proto__": {"polluted": true}}]', ['$.*'])
    expect(Object.getPrototypeOf(row?.value)).toBe(Object.prototype)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it.each([
    ['a broken document', '{"a": [1, }', /is not JSON after byte \d+/],
    ['half a document', '[{"a": 1}, {"a"', /is not JSON after byte 15/],
    ['two documents', '[1] [2]', /is not JSON/],
    ['deep nesting', '['.repeat(300), /nesting of more than 200 levels/],
    ['a row of countless values', `[[${'0,'.repeat(200_001)}0]]`, /more than 200000 values/],
  ])('are refused for %s', async (_, text, reason) => {
    await expect(rowsOf(text, ['$.*'], 1000)).rejects.toThrow(reason)
  })

  it('are refused for a text without an end, before it fills the memory', async () => {
    let chunks = 0
    async function* endless() {
      yield Buffer.from('["')
      for (;;) {
        chunks += 1
        yield Buffer.alloc(1024 * 1024, 0x61)
      }
    }
    const read = async () => {
      for await (const row of jsonRows(endless(), ['$.*'], 'x.json')) expect(row).toBeUndefined()
    }
    await expect(read()).rejects.toThrow(/a value of more than 33554432 bytes/)
    expect(chunks).toBe(32)
  })
})
