import { describe, expect, it } from 'vitest'
import { allScopes, defaultScopes, type KeyRecord } from '../../src/api/key-record.ts'
import { formatEnvironmentKey, parseEnvironmentKeys } from '../../src/runtime/key-environment.ts'
import { encodeKey } from '../../src/runtime/key-format.ts'
import fc from '../support/fast-check.ts'

const a = 'a'.repeat(64)
const b = 'b'.repeat(64)
const clearKey = encodeKey(new Uint8Array(32).fill(9))

describe('QUARRY_KEYS', () => {
  it.each(['', ' ', ',', ' ,\n, '])('may be empty: %j', (text) => {
    expect(parseEnvironmentKeys(text)).toEqual({ added: [], revoked: new Set() })
  })

  it('adds a key with the default scopes, for ever', () => {
    expect(parseEnvironmentKeys(`acme:${a}`).added).toEqual([
      {
        id: 'env-aaaaaaaa',
        name: 'env-aaaaaaaa',
        workspace: 'acme',
        sha256: a,
        scopes: defaultScopes,
        expiresAt: null,
        revoked: false,
      },
    ])
  })

  it('adds a key with limits and a name', () => {
    const text = `acme:${a}?scopes=tags:read+posts:read&expires=2027-01-01T00:00:00+02:00&name=Web%20site%2C%20new`
    expect(parseEnvironmentKeys(text).added).toMatchObject([
      {
        scopes: ['posts:read', 'tags:read'],
        expiresAt: Date.UTC(2026, 11, 31, 22),
        name: 'Web site, new',
      },
    ])
  })

  it('takes workspaces of any script', () => {
    expect(parseEnvironmentKeys(`日本語.v-2:${a}`).added[0]?.workspace).toBe('日本語.v-2')
  })

  it.each([' ', ',', ', ', '\n', '\r\n\t', ' , ,'])('has entries separated by %j', (separator) => {
    const { added, revoked } = parseEnvironmentKeys([`acme:${a}`, `!${b}`].join(separator))
    expect([added.map(({ sha256 }) => sha256), [...revoked]]).toEqual([[a], [b]])
  })

  it.each([
    [a, 'is neither WORKSPACE:SHA256 nor !SHA256'],
    [`:${a}`, 'is neither'],
    [`acme:${a.toUpperCase()}`, 'is neither'],
    [`acme:${a}0`, 'is neither'],
    [`acme:${a.slice(1)}`, 'is neither'],
    [`acme:x:${a}`, 'is neither'],
    [`!acme:${a}`, 'is neither'],
    [`!!${a}`, 'is neither'],
    [`!${a}?name=x`, 'is neither'],
    [`!${a.slice(1)}`, 'is neither'],
    ['!', 'is neither'],
    [`acme:${a}?`, 'has an option other than'],
    [`acme:${a}?scope=posts:read`, 'has an option other than'],
    [`acme:${a}?scopes=`, 'has an option other than'],
    [`acme:${a}?name=x&name=y`, 'has an option other than'],
    [`acme:${a}?name=x&`, 'has an option other than'],
    [`acme:${a}?__proto__=x`, 'has an option other than'],
    [`acme:${a}?scopes=posts`, 'has a scope other than posts:read, categories:read'],
    [`acme:${a}?scopes=posts:read+`, 'has a scope other than'],
    [`acme:${a}?scopes=posts:read+posts:write`, 'has a scope other than'],
    [`acme:${a}?expires=tomorrow`, 'has an expiry that is no date of ISO 8601'],
    [`acme:${a}?expires=2026-02-30`, 'has an expiry that is no date of ISO 8601'],
    [`acme:${a}?name=%`, 'has an option with a % that begins no UTF-8'],
    [`acme:${a}?name=%ff`, 'has an option with a % that begins no UTF-8'],
    [`acme:${b}`, 'adds a hash that an entry before it adds'],
    [clearKey, "looks like a key in clear; the key's SHA-256 is wanted"],
    [`acme:${clearKey}`, 'looks like a key in clear'],
    [`!${clearKey}`, 'looks like a key in clear'],
    [`acme:${a}?name=${clearKey}`, 'looks like a key in clear'],
    [clearKey.slice(0, 40), 'looks like a key in clear'],
  ])('is refused with the number of the entry, and repeats nothing of it: %s', (entry, reason) => {
    const text = `acme:${b}, ${entry} !${a}`
    expect(() => parseEnvironmentKeys(text)).toThrow(`QUARRY_KEYS: entry 2 ${reason}`)
    const error = thrownBy(() => parseEnvironmentKeys(text))
    expect(error.name).toBe('KeyringError')
    for (const secret of ['qk_', a.slice(0, 10), b.slice(0, 10), 'acme']) {
      expect(`${error.message}${error.stack}${String(error.cause)}`).not.toContain(secret)
    }
  })

  it('reads what it writes', () => {
    const key = fc.record({
      workspace: fc.stringMatching(/^[a-z][a-z0-9._-]{0,20}$/),
      sha256: fc.stringMatching(/^[0-9a-f]{64}$/),
      scopes: fc.subarray([...allScopes], { minLength: 1 }),
      expiresAt: fc.option(fc.integer({ min: 0, max: 4e12 })),
      name: fc.string({ unit: 'grapheme', minLength: 1 }),
    })
    fc.assert(
      fc.property(key, (parts) => {
        const id = `env-${parts.sha256.slice(0, 8)}`
        const record: KeyRecord = { ...parts, id, revoked: false }
        const text = formatEnvironmentKey(record)
        expect(text).not.toMatch(/['\s,]/)
        expect(parseEnvironmentKeys(text).added).toEqual([record])
      }),
    )
  })
})

function thrownBy(work: () => unknown): Error {
  try {
    work()
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error('nothing was thrown')
}
