import { describe, expect, it } from 'vitest'
import { defaultScopes, type KeyRecord } from '../../src/api/keys.ts'
import {
  createKeyring,
  encodeKey,
  hashKey,
  isKey,
  parseEnvironmentKeys,
} from '../../src/runtime/keys.ts'

const now = Date.UTC(2026, 0, 1)
const key = encodeKey(new Uint8Array(32).fill(1))
const other = encodeKey(new Uint8Array(32).fill(2))

function record(fields: Partial<KeyRecord> = {}): KeyRecord {
  return {
    ...{ id: 'k1', name: 'k1', workspace: 'acme', sha256: hashKey(key), scopes: defaultScopes },
    ...{ expiresAt: null, revoked: false, ...fields },
  }
}

const find = (records: readonly KeyRecord[], clear: string, environment: string) =>
  createKeyring(records, environment).find(`Bearer ${clear}`, now)

describe('a keyring', () => {
  it.each([
    [`Bearer Bearer ${key}`],
    [`Bearer ${key} `],
    [`Bearer QK_${key.slice(3)}`],
    [`Bearer ${key.toLowerCase()}`],
    [`Bearer ${key.slice(0, -1)}`],
    [`Bearer ${key.slice(0, -6)}000000`],
    [`Bearer ${hashKey(key)}`],
    [`Bearer ${'a'.repeat(1_000_000)}`],
  ])('refuses %.60j', (authorization) => {
    expect(createKeyring([record()]).find(authorization, now)).toBeNull()
  })

  it('has the keys of the environment, which revoke but never widen those of the build', () => {
    expect(find([record()], other, `acme:${hashKey(other)}`)?.workspace).toBe('acme')
    const expiring = `acme:${hashKey(other)}?expires=2025-12-31`
    expect(find([], other, expiring)).toBeNull()
    for (const text of [`!${hashKey(key)}`, `!${hashKey(key)} acme:${hashKey(key)}`])
      expect(find([record()], key, text)).toBeNull()
    const again = `acme:${hashKey(key)}`
    expect(find([record({ revoked: true })], key, again)).toBeNull()
    expect(find([record({ scopes: ['tags:read'] })], key, again)?.scopes).toEqual(['tags:read'])
  })
})

describe('a key', () => {
  it('is 52 characters of a fixed form that holds its bytes and a checksum', () => {
    const clear = encodeKey(new Uint8Array(32).map((_, index) => index))
    expect(clear).toMatch(/^qk_[0-9A-Za-z]{49}$/)
    expect(isKey(clear)).toBe(true)
    expect(hashKey(clear)).toMatch(/^[0-9a-f]{64}$/)
    for (const bytes of [0, 31, 33])
      expect(() => encodeKey(new Uint8Array(bytes))).toThrow(RangeError)
  })

  it('is refused with any one character changed, or two neighbours swapped', () => {
    for (let at = 0; at < key.length; at++) {
      const changed = key[at] === 'x' ? 'y' : 'x'
      expect(isKey(key.slice(0, at) + changed + key.slice(at + 1))).toBe(false)
      const [one = '', two = ''] = key.slice(at, at + 2)
      const swapped = key.slice(0, at) + two + one + key.slice(at + 2)
      if (swapped !== key) expect(isKey(swapped)).toBe(false)
    }
  })
})

const [a, b] = ['a'.repeat(64), 'b'.repeat(64)]

describe('QUARRY_KEYS', () => {
  it('adds and revokes keys, in entries separated by blanks and commas', () => {
    expect(parseEnvironmentKeys(' , \n').added).toEqual([])
    const { added, revoked } = parseEnvironmentKeys(`日本語.v-2:${a},\r\n!${b}`)
    const id = 'env-aaaaaaaa'
    expect(added).toEqual([record({ id, name: id, workspace: '日本語.v-2', sha256: a })])
    expect([...revoked]).toEqual([b])
  })

  it.each([
    [a, 'must be !SHA256 or WORKSPACE:SHA256'],
    [`acme:${a.toUpperCase()}`, 'must be'],
    [`!${a}?name=x`, 'must be'],
    [`acme:${a}?scope=posts:read`, 'must be'],
    [`acme:${a}?name=x&name=y`, 'must be'],
    [`acme:${a}?scopes=posts:read+posts:write`, 'must be'],
    [`acme:${a}?expires=2026-02-30`, 'must be'],
    [`acme:${a}?name=%ff`, 'must be'],
    [`acme:${b}`, 'repeats the hash of an earlier entry'],
    [`acme:${key}`, "looks like a key in plain text; it must be the key's SHA-256"],
    [key.slice(0, 40), 'looks like a key in plain text'],
  ])('is refused with the number of the entry, and repeats nothing of it: %s', (entry, reason) => {
    const parse = () => parseEnvironmentKeys(`acme:${b}, ${entry} !${a}`)
    expect(parse).toThrow(`QUARRY_KEYS: entry 2 ${reason}`)
    expect(parse).not.toThrow(/qk_|aaaaaaaaaa|bbbbbbbbbb|acme/)
  })
})
