// API keys: their format, the keys of a build and of `QUARRY_KEYS`, and the look-up. Keys are stored only as hashes. No
// message quotes a key or a part of a key.
import decode from 'fast-decode-uri-component'
import { hex, sha256, utf8 } from '../api/bytes.ts'
import { parseDate } from '../api/dates.ts'
import {
  allScopes,
  areDefaultScopes,
  defaultScopes,
  hasCleartextKey,
  type KeyRecord,
} from '../api/keys.ts'
import type { ServedSite } from './open-build.ts'

/** The keys cannot be used; the message states the location and the expected form. */
export class KeyringError extends Error {
  override readonly name = 'KeyringError'
}

/** A valid key: its public name, for limits and logs, its workspace, and its scopes. */
export type ApiKey = Pick<KeyRecord, 'id' | 'workspace' | 'scopes'>

/** The keys of a site. */
export interface Keyring {
  /** Finds the key in a header; null for one that is missing, malformed, unknown, expired or revoked. */
  find(authorization: string | null, now: number): ApiKey | null
}

/**
 * Returns the keys of a build and those of `QUARRY_KEYS`. If both have a key, the record of the build is used, so that
 * its rights are never extended. Input is hashed before it is compared, so the time of a look-up reveals no key.
 *
 * @throws KeyringError when a hash occurs twice or an entry of `QUARRY_KEYS` is malformed
 */
export function createKeyring(built: readonly KeyRecord[], environmentText = ''): Keyring {
  const { added, revoked } = parseEnvironmentKeys(environmentText)
  const keys = new Map<string, KeyRecord>()
  for (const [at, key] of [...built, ...added].entries()) {
    const other = keys.get(key.sha256)
    if (other !== undefined && (at < built.length || other.workspace !== key.workspace)) {
      const named = ({ workspace, id }: KeyRecord) => `"${id}" of the workspace "${workspace}"`
      throw new KeyringError(
        `Two keys have the same hash: ${named(other)} and ${named(key)}. Replace one of them.`,
      )
    }
    keys.set(key.sha256, other ?? key)
  }
  return {
    find(authorization, now) {
      const clear = bearerKey(authorization)
      const key = clear === null ? undefined : keys.get(hashKey(clear))
      if (key === undefined || key.revoked || revoked.has(key.sha256)) return null
      const { id, workspace, scopes, expiresAt } = key
      return expiresAt !== null && now >= expiresAt ? null : { id, workspace, scopes }
    },
  }
}

/** Returns the key in an `Authorization` header (RFC 6750 §2.1); null for everything else. */
export function bearerKey(authorization: string | null): string | null {
  const [, token] = /^bearer +(\w+)$/i.exec(authorization ?? '') ?? []
  return token !== undefined && isKey(token) ? token : null
}

/** Returns a function that creates one keyring per build. @throws KeyringError immediately for malformed entries */
export function keyringOf(environmentKeys = ''): (site: ServedSite) => Keyring {
  createKeyring([], environmentKeys)
  const rings = new WeakMap<ServedSite, Keyring>()
  return (site) => {
    const ring = rings.get(site) ?? createKeyring(site.keys, environmentKeys)
    rings.set(site, ring)
    return ring
  }
}

/**
 * Parses `QUARRY_KEYS` (`docs/keys.md`): entries separated by white space or commas.
 *
 * @returns added keys, each with an id made of `env-` and the first 8 digits of its hash; hashes of revoked keys
 * @throws KeyringError with the number of the first malformed entry, counted from 1
 */
export function parseEnvironmentKeys(text: string): {
  readonly added: readonly KeyRecord[]
  readonly revoked: ReadonlySet<string>
} {
  const added = new Map<string, KeyRecord>()
  const revoked = new Set<string>()
  const entries = text.split(/[\s,]+/u).filter((entry) => entry !== '')
  for (const [index, entry] of entries.entries()) {
    const malformed = (problem: string) =>
      new KeyringError(`QUARRY_KEYS: entry ${index + 1} ${problem}.`)
    if (hasCleartextKey(entry))
      throw malformed("looks like a key in plain text; it must be the key's SHA-256")
    const [, revocation] = /^!([0-9a-f]{64})$/.exec(entry) ?? []
    if (revocation !== undefined) {
      revoked.add(revocation)
      continue
    }
    const [, workspace = '', sha256, options] =
      /^([^:!?]+):([0-9a-f]{64})(?:\?(.*))?$/.exec(entry) ?? []
    const settings = keyOptions(options?.split('&') ?? [])
    if (sha256 === undefined || settings === null) throw malformed(`must be ${entrySyntax}`)
    if (added.has(sha256)) throw malformed('repeats the hash of an earlier entry')
    const id = `env-${sha256.slice(0, 8)}`
    added.set(sha256, { id, name: id, workspace, sha256, revoked: false, ...settings })
  }
  return { added: [...added.values()], revoked }
}

/** Formats an entry of `QUARRY_KEYS` that adds a key. It is safe between single quotes, and omits revocation. */
export function formatEnvironmentKey(key: KeyRecord): string {
  const { workspace, sha256, scopes, expiresAt, name } = key
  const options = [
    ...(areDefaultScopes(scopes) ? [] : [`scopes=${scopes.join('+')}`]),
    ...(expiresAt === null ? [] : [`expires=${new Date(expiresAt).toISOString()}`]),
    `name=${encodeURIComponent(name).replaceAll("'", '%27')}`,
  ]
  return `${workspace}:${sha256}?${options.join('&')}`
}

const entrySyntax =
  '!SHA256 or WORKSPACE:SHA256, with the SHA-256 as 64 hexadecimal digits in lower case; the latter may have options: ?scopes=posts:read+tags:read&expires=2027-01-01&name=Web%20site'

/** Parses the options of an entry; returns null if one is unknown, malformed, empty or repeated. */
function keyOptions(
  options: readonly string[],
): (Pick<KeyRecord, 'scopes' | 'expiresAt'> & { readonly name?: string }) | null {
  const given = new Map<string, string>()
  for (const option of options) {
    const [, name = '', text = ''] = /^(scopes|expires|name)=(.+)$/.exec(option) ?? []
    const value = decode(text)
    if (!value || given.has(name)) return null
    given.set(name, value)
  }
  const names = given.get('scopes')?.split('+') ?? defaultScopes
  const scopes = allScopes.filter((scope) => names.includes(scope))
  const [expires, name] = [given.get('expires'), given.get('name')]
  const date = expires === undefined ? undefined : parseDate(expires)
  if (scopes.length < new Set(names).size || date === null) return null
  const expiresAt = date === undefined ? null : Date.parse(date)
  return { scopes, expiresAt, ...(name !== undefined && { name }) }
}

/** Number of random bytes in a key. */
export const keyBytes = 32

/**
 * Encodes a key as text: `qk_`, then the bytes as a number and the CRC-32 of both, in base 62.
 *
 * @param random 32 bytes from a cryptographic source
 * @throws RangeError for any other number of bytes
 */
export function encodeKey(random: Uint8Array): string {
  if (random.length !== keyBytes) {
    throw new RangeError(`A key is made of ${keyBytes} bytes, not of ${random.length}.`)
  }
  const number = random.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  const body = `${prefix}${base62(number, 43)}`
  return `${body}${checksum(body)}`
}

/** Reports whether a text is a well-formed key with a valid checksum. The key may not exist. */
export function isKey(text: string): boolean {
  return form.test(text) && checksum(text.slice(0, -checksumDigits)) === text.slice(-checksumDigits)
}

/** Returns the SHA-256 of the whole key as 64 hexadecimal digits in lower case. */
export function hashKey(key: string): string {
  return hex(sha256(utf8(key)))
}

const prefix = 'qk_'
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
// 43 digits can represent 2^256 values, and six digits 2^32.
const checksumDigits = 6
const form = /^qk_[0-9A-Za-z]{49}$/

function checksum(text: string): string {
  return base62(BigInt(crc32(text)), checksumDigits)
}

function base62(number: bigint, width: number): string {
  let text = ''
  for (let rest = number; text.length < width; rest /= 62n) {
    text = digits.charAt(Number(rest % 62n)) + text
  }
  return text
}

/** Returns the CRC-32 of ASCII text, as in ISO 3309 and gzip. A text of 46 characters needs no table. */
function crc32(text: string): number {
  let crc = 0xffff_ffff
  for (let index = 0; index < text.length; index++) {
    crc ^= text.charCodeAt(index)
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb8_8320 : 0)
  }
  return ~crc >>> 0
}
