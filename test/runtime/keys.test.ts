import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { allScopes, defaultScopes, type KeyRecord } from '../../src/api/keys.ts'
import {
  createKeyring,
  encodeKey,
  formatEnvironmentKey,
  hashKey,
  isKey,
  parseEnvironmentKeys,
} from '../../src/runtime/keys.ts'
import fc from '../support/fast-check.ts'

const now = Date.UTC(2026, 5, 1)
const key = encodeKey(new Uint8Array(32).fill(7))
const other = encodeKey(new Uint8Array(32).fill(8))

/** A key of `acme` that may read everything for ever. */
function record(fields: Partial<KeyRecord> = {}): KeyRecord {
  return {
    id: 'k1',
    workspace: 'acme',
    name: 'Web site',
    sha256: hashKey(key),
    scopes: defaultScopes,
    expiresAt: null,
    revoked: false,
    ...fields,
  }
}

describe('a keyring', () => {
  it('finds a key by what it is, with its workspace and scopes', () => {
    const keyring = createKeyring([record({ scopes: ['tags:read'] })])
    expect(keyring.find(`Bearer ${key}`, now)).toEqual({
      id: 'k1',
      workspace: 'acme',
      scopes: ['tags:read'],
    })
  })

  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('takes the scheme %s', (scheme) => {
    expect(createKeyring([record()]).find(`${scheme} ${key}`, now)?.id).toBe('k1')
  })

  it('takes several blanks', () => {
    expect(createKeyring([record()]).find(`Bearer    ${key}`, now)?.id).toBe('k1')
  })

  it.each([
    ['nothing', null],
    ['an empty header', ''],
    ['a scheme alone', 'Bearer'],
    ['a scheme and a blank', 'Bearer '],
    ['a key alone', key],
    ['no blank', `Bearer${key}`],
    ['another scheme', `Basic ${key}`],
    ['a scheme that ends like ours', `XBearer ${key}`],
    ['a scheme that begins like ours', `Bearers ${key}`],
    ['two schemes', `Bearer Bearer ${key}`],
    ['a colon', `Bearer: ${key}`],
    ['two headers', `Bearer ${key}, Bearer ${key}`],
    ['two keys', `Bearer ${key} ${key}`],
    ['two keys with a comma', `Bearer ${key},${key}`],
    ['a tab', `Bearer\t${key}`],
    ['a tab among blanks', `Bearer \t ${key}`],
    ['a tab behind', `Bearer ${key}\t`],
    ['a blank before', ` Bearer ${key}`],
    ['a blank behind', `Bearer ${key} `],
    ['a line break behind', `Bearer ${key}\n`],
    ['a carriage return behind', `Bearer ${key}\r`],
    ['a null character behind', `Bearer ${key}\0`],
    ['a null character before', `Bearer \0${key}`],
    ['quotes', `Bearer "${key}"`],
    ['a parameter', `Bearer token=${key}`],
    ['the prefix in capitals', `Bearer QK_${key.slice(3)}`],
    ['all in capitals', `Bearer ${key.toUpperCase()}`],
    ['all in small letters', `Bearer ${key.toLowerCase()}`],
    ['another prefix', `Bearer sk_${key.slice(3)}`],
    ['a character too few', `Bearer ${key.slice(0, -1)}`],
    ['a character too many', `Bearer ${key}0`],
    ['a wrong checksum', `Bearer ${key.slice(0, -6)}000000`],
    ['a key that is unknown', `Bearer ${other}`],
    ['the hash', `Bearer ${hashKey(key)}`],
    ['a percent escape', `Bearer %71${key.slice(1)}`],
    ['a full-width letter', `Bearer ｑ${key.slice(1)}`],
    ['a letter that folds into the scheme', `Bearer\u212a ${key}`],
    ['a non-breaking space', `Bearer\u00a0${key}`],
    ['a zero-width space', `Bearer \u200b${key}`],
    ['an emoji', `Bearer ${key.slice(0, -2)}😀`],
    ['more blanks than anybody types', `Bearer${' '.repeat(500)}${key}`],
    ['a very long header', `Bearer ${'a'.repeat(1_000_000)}`],
    ['a name that objects have', 'Bearer __proto__'],
  ])('refuses %s', (_, authorization) => {
    expect(createKeyring([record()]).find(authorization, now)).toBeNull()
  })

  it('finds nothing for any text', () => {
    const keyring = createKeyring([record()])
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(keyring.find(text, now)).toBeNull()
        expect(keyring.find(`Bearer ${text}`, now)).toBeNull()
      }),
    )
  })

  it('finds a key until the moment at which it expires', () => {
    const keyring = createKeyring([record({ expiresAt: now })])
    expect(keyring.find(`Bearer ${key}`, now - 1)?.id).toBe('k1')
    expect(keyring.find(`Bearer ${key}`, now)).toBeNull()
  })

  it('does not find a revoked key', () => {
    expect(createKeyring([record({ revoked: true })]).find(`Bearer ${key}`, now)).toBeNull()
  })

  it('holds several keys of a workspace, and of several workspaces', () => {
    const keyring = createKeyring([record(), record({ id: 'k2', sha256: hashKey(other) })])
    expect(keyring.find(`Bearer ${key}`, now)?.id).toBe('k1')
    expect(keyring.find(`Bearer ${other}`, now)?.id).toBe('k2')
  })

  it.each(['acme', 'globex'])('is refused when a hash stands twice: %s', (workspace) => {
    expect(() => createKeyring([record(), record({ id: 'k2', workspace })])).toThrow(
      `Two keys have the same hash: "k1" of the workspace "acme" and "k2" of the workspace "${workspace}".`,
    )
  })
})

describe('keys of the environment', () => {
  it('are found beside those of the build', () => {
    const keyring = createKeyring([record()], `acme:${hashKey(other)}`)
    expect(keyring.find(`Bearer ${key}`, now)?.id).toBe('k1')
    expect(keyring.find(`Bearer ${other}`, now)).toEqual({
      id: `env-${hashKey(other).slice(0, 8)}`,
      workspace: 'acme',
      scopes: defaultScopes,
    })
  })

  it('expire', () => {
    const keyring = createKeyring([], `acme:${hashKey(key)}?expires=2026-06-01`)
    expect(keyring.find(`Bearer ${key}`, now - 1)).not.toBeNull()
    expect(keyring.find(`Bearer ${key}`, now)).toBeNull()
  })

  it('revoke a key of the build at once', () => {
    expect(createKeyring([record()], `!${hashKey(key)}`).find(`Bearer ${key}`, now)).toBeNull()
  })

  it('revoke a key that they add, whichever stands first', () => {
    const entries = [`acme:${hashKey(key)}`, `!${hashKey(key)}`]
    for (const text of [entries.join(' '), entries.reverse().join(' ')]) {
      expect(createKeyring([], text).find(`Bearer ${key}`, now)).toBeNull()
    }
  })

  it('may revoke a key that nobody knows', () => {
    expect(
      createKeyring([record()], `!${hashKey(other)}`).find(`Bearer ${key}`, now),
    ).not.toBeNull()
  })

  it.each([
    ['revoked', { revoked: true }],
    ['expired', { expiresAt: now }],
  ])('do not bring back a key that the build says is %s', (_, fields) => {
    const keyring = createKeyring([record(fields)], `acme:${hashKey(key)}`)
    expect(keyring.find(`Bearer ${key}`, now)).toBeNull()
  })

  it('do not widen what a key of the build may read', () => {
    const keyring = createKeyring([record({ scopes: ['tags:read'] })], `acme:${hashKey(key)}`)
    expect(keyring.find(`Bearer ${key}`, now)?.scopes).toEqual(['tags:read'])
  })

  it('do not move a key of the build to another workspace', () => {
    expect(() => createKeyring([record()], `globex:${hashKey(key)}`)).toThrow(
      'Two keys have the same hash',
    )
  })
})

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const random = fc.uint8Array({ minLength: 32, maxLength: 32 })

describe('a key', () => {
  it('is 52 characters of a fixed form that holds its bytes and a checksum', () => {
    fc.assert(
      fc.property(random, (bytes) => {
        const key = encodeKey(bytes)
        expect(key).toMatch(/^qk_[0-9A-Za-z]{49}$/)
        expect(numberOf(key.slice(3, 46))).toBe(BigInt(`0x${Buffer.from(bytes).toString('hex')}`))
        expect(numberOf(key.slice(46))).toBe(BigInt(crc32(key.slice(0, 46))))
        expect(isKey(key)).toBe(true)
      }),
    )
  })

  it.each([
    [0x00, 0n],
    [0xff, 2n ** 256n - 1n],
  ])('has one width for the lowest and the highest bytes: %i', (byte, number) => {
    const key = encodeKey(new Uint8Array(32).fill(byte))
    expect([key.length, numberOf(key.slice(3, 46))]).toEqual([52, number])
  })

  it('is refused with any one character changed', () => {
    const change = fc.record({ bytes: random, at: fc.nat(51), to: fc.constantFrom(...digits, '_') })
    fc.assert(
      fc.property(change, ({ bytes, at, to }) => {
        const key = encodeKey(bytes)
        const changed = key.slice(0, at) + to + key.slice(at + 1)
        expect(isKey(changed)).toBe(changed === key)
      }),
      { numRuns: 1000 },
    )
  })

  it('is refused with two neighbours swapped', () => {
    fc.assert(
      fc.property(random, fc.nat(50), (bytes, at) => {
        const key = encodeKey(bytes)
        const swapped = key.slice(0, at) + key.charAt(at + 1) + key.charAt(at) + key.slice(at + 2)
        expect(isKey(swapped)).toBe(swapped === key)
      }),
    )
  })

  it.each([0, 31, 33])('is not made of %i bytes', (length) => {
    expect(() => encodeKey(new Uint8Array(length))).toThrow(RangeError)
  })

  it('is hashed as the text that it is', () => {
    const key = encodeKey(new Uint8Array(32).fill(1))
    expect(hashKey(key)).toBe(createHash('sha256').update(key).digest('hex'))
  })
})

function numberOf(text: string): bigint {
  return Array.from(text).reduce((sum, digit) => sum * 62n + BigInt(digits.indexOf(digit)), 0n)
}

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
    [`acme:${a}?`, 'has an unknown, repeated or empty option'],
    [`acme:${a}?scope=posts:read`, 'has an unknown, repeated or empty option'],
    [`acme:${a}?scopes=`, 'has an unknown, repeated or empty option'],
    [`acme:${a}?name=x&name=y`, 'has an unknown, repeated or empty option'],
    [`acme:${a}?name=x&`, 'has an unknown, repeated or empty option'],
    [`acme:${a}?__proto__=x`, 'has an unknown, repeated or empty option'],
    [`acme:${a}?scopes=posts`, 'has a scope other than posts:read, categories:read'],
    [`acme:${a}?scopes=posts:read+`, 'has a scope other than'],
    [`acme:${a}?scopes=posts:read+posts:write`, 'has a scope other than'],
    [`acme:${a}?expires=tomorrow`, 'has an expiry that is not an ISO 8601 date'],
    [`acme:${a}?expires=2026-02-30`, 'has an expiry that is not an ISO 8601 date'],
    [`acme:${a}?name=%`, 'has an option that is not percent-encoded UTF-8'],
    [`acme:${a}?name=%ff`, 'has an option that is not percent-encoded UTF-8'],
    [`acme:${b}`, 'adds a hash that an earlier entry adds'],
    [clearKey, "looks like a key in plain text; it must be the key's SHA-256"],
    [`acme:${clearKey}`, 'looks like a key in plain text'],
    [`!${clearKey}`, 'looks like a key in plain text'],
    [`acme:${a}?name=${clearKey}`, 'looks like a key in plain text'],
    [clearKey.slice(0, 40), 'looks like a key in plain text'],
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
