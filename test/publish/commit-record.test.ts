import { describe, expect, it } from 'vitest'
import { type CommitRecord, decodeCommit, encodeCommit } from '../../src/publish/commit-record.ts'
import fc from '../support/fast-check.ts'

const record: CommitRecord = {
  quarry: 1,
  sequence: 42,
  build: '0123456789abcdef',
  manifest: 'a'.repeat(64),
  manifestBytes: 1234,
  source: null,
  collection: 7,
  writer: '00000000-0000-4000-8000-000000000000',
}

describe('a commit', () => {
  it('is read as it was written', () => {
    expect(decodeCommit(encodeCommit(record), 42)).toEqual(record)
  })

  it('is none under another number', () => {
    expect(decodeCommit(encodeCommit(record), 41)).toBeNull()
  })

  it('is none, or the same, when a byte is another one or its end is missing', () => {
    const bytes = encodeCommit(record)
    const place = fc.nat({ max: bytes.length - 1 })
    fc.assert(
      fc.property(place, fc.integer({ min: 1, max: 255 }), fc.boolean(), (at, bits, isCut) => {
        const damaged = Buffer.from(isCut ? bytes.subarray(0, at) : bytes)
        if (!isCut) damaged[at] = (damaged[at] ?? 0) ^ bits
        const decoded = decodeCommit(damaged, 42)
        if (decoded !== null) expect(decoded).toEqual(record)
      }),
    )
  })
})
