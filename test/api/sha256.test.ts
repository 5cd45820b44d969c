import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../../src/api/sha256.ts'
import fc from '../support/fast-check.ts'

describe('a SHA-256 without Node', () => {
  it('is what Node makes of any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(sha256(bytes)).toEqual(new Uint8Array(createHash('sha256').update(bytes).digest()))
      }),
    )
  })
})
