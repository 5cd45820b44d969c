import { describe, expect, it } from 'vitest'
import { defaultScopes, type KeyRecord } from '../../src/api/key-record.ts'
import { encodeKey, hashKey } from '../../src/runtime/key-format.ts'
import { createKeyring } from '../../src/runtime/keys.ts'
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
