// Keys in texts that are logged or printed.
import { expect, it } from 'vitest'
import { hideClearKeys } from '../../src/api/keys.ts'
import { encodeKey } from '../../src/runtime/keys.ts'
import fc from '../support/fast-check.ts'
import { containsKey, spellings } from '../support/spelled-key.ts'

const key = encodeKey(new Uint8Array(32).fill(42))

it('truncates a key in every percent-encoded spelling, and changes nothing else', () => {
  const around = fc.constantFrom('', '/', '&a=', '%', '%2', '%C3%A4', '\u{1F600}', '.qk_ab.', '"')
  fc.assert(
    fc.property(spellings(key), around, around, (spelled, before, after) => {
      const hidden = hideClearKeys(`${before}${spelled}${after}`)
      expect(containsKey(hidden, key)).toBe(false)
      expect(hidden).toBe(`${before}qk_…${after}`)
    }),
    { numRuns: 500 },
  )
  const nested = `%${'25'.repeat(4000)}71${key.slice(1)}`
  expect(hideClearKeys(`/v1/a?b=${nested}&c=%C3%A4`)).toBe('/v1/a?b=qk_…&c=%C3%A4')
})

it('leaves every other text alone', () => {
  const part = fc.constantFrom('%', '%25', '%71', 'q', 'k', '_', '%5f', 'qk_', 'a1', 'é', ' ', '/')
  const text = fc.array(part, { maxLength: 15 }).map((parts) => parts.join(''))
  fc.assert(fc.property(text, (given) => hideClearKeys(given) === given))
})
