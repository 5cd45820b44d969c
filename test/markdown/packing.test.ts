// What is packed in one thread is unpacked in another.
// Knows nothing of threads.

import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../src/markdown/job.ts'
import { pack, unpack } from '../../src/markdown/packing.ts'
import fc, { type Arbitrary } from '../support/fast-check.ts'

const bytes = fc.uint8Array({ maxLength: 40 })
const digest = fc.uint8Array({ minLength: 16, maxLength: 16 })
const part = fc.record({ bytes, digest })
const diagnostics = fc.constantFrom(
  [],
  [{ code: 'raw-html', severity: 'error' as const, file: 'f', line: 1, column: 1, message: 'm' }],
)
const target = { start: 4, end: 9, line: 1, column: 5, url: 'a.png', href: 'a.png' }
const files = fc.constantFrom(null, {
  mark: '/file-0/',
  targets: [{ ...target, kind: 'image' as const }],
})
const outcome: Arbitrary<Outcome> = fc.oneof(
  fc.record({ key: fc.nat(), diagnostics }),
  fc.record({
    key: fc.nat(),
    diagnostics,
    body: fc.record({ html: part, markdown: part, text: part, files }),
  }),
)

describe('packing', () => {
  it('is undone by unpacking', () => {
    fc.assert(
      fc.property(fc.array(outcome), (outcomes) => {
        expect(unpack(structuredClone(pack(outcomes)))).toEqual(outcomes)
      }),
    )
  })

  it('takes exactly the bytes of the bodies', () => {
    const body = {
      html: { bytes: new Uint8Array(3), digest: new Uint8Array(16) },
      markdown: { bytes: new Uint8Array(4), digest: new Uint8Array(16) },
      text: { bytes: new Uint8Array(5), digest: new Uint8Array(16) },
      files: null,
    }
    expect(pack([{ key: 1, diagnostics: [], body }]).buffer.byteLength).toBe(3 + 4 + 5 + 48)
  })
})
