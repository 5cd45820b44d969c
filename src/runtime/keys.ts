// API keys: their format, those of a build and of `QUARRY_KEYS`, and the look-up. Keys are stored only as hashes; no
// message quotes a key or a part of one.
import { hex, sha256, utf8 } from '../api/bytes.ts'
import { parseDate } from '../api/dates.ts'
import {
  allScopes,
  areDefaultScopes,
  defaultScopes,
  holdsClearKey,
  type KeyRecord,
  type Scope,
} from '../api/keys.ts'
import type { ServedSite } from './open-build.ts'

/** The keys cannot be used; the message states the location and the expected form. */
export class KeyringError extends Error {
  override readonly name = 'KeyringError'
}

/** A valid key. */
export interface ApiKey {
  /** The key's public name, for limits and logs. */
  readonly id: string
  readonly workspace: string
  readonly scopes: readonly Scope[]
}

/** The keys of a site. */
export interface Keyring {
  /**
   * Finds the key in an `Authorization` header.
   *
   * @param authorization the header's value; null when absent
   * @param now milliseconds since 1970
   * @returns null for a key that is missing, malformed, unknown, expired or revoked
   */
  find(authorization: string | null, now: number): ApiKey | null
}

/**
 * Returns the keys of a build, plus those that `QUARRY_KEYS` adds, minus those that it revokes.
 *
 * The build takes precedence for a key in both, so that its limits and revocations are never widened.
 *
 * The time of a look-up reveals nothing about the keys. The input is hashed as a whole before any comparison, and an
 * attacker cannot construct hashes that share a prefix with a key's hash.
 *
 * @param records of all workspaces
 * @param environmentText the value of `QUARRY_KEYS`
 * @throws KeyringError when a hash occurs twice or an entry of `QUARRY_KEYS` is malformed
 */
export function createKeyring(records: readonly KeyRecord[], environmentText = ''): Keyring {
  const { added, revoked } = parseEnvironmentKeys(environmentText)
  const known = mergeKeys(records, added)
  const usable = [...known].filter(([sha256, key]) => !key.revoked && !revoked.has(sha256))
  const keys: ReadonlyMap<string, KeyRecord> = new Map(usable)
  return {
    find(authorization, now) {
      const key = bearerKey(authorization)
      const found = key === null ? undefined : keys.get(hashKey(key))
      return found === undefined || isExpired(found, now) ? null : apiKey(found)
    },
  }
}

/** Keys by hash. */
function mergeKeys(
  built: readonly KeyRecord[],
  added: readonly KeyRecord[],
): ReadonlyMap<string, KeyRecord> {
  const keys = new Map<string, KeyRecord>()
  for (const key of built) {
    const other = keys.get(key.sha256)
    if (other !== undefined) throw sharedHash(key, other)
    keys.set(key.sha256, key)
  }
  for (const key of added) {
    const other = keys.get(key.sha256)
    if (other === undefined) keys.set(key.sha256, key)
    else if (other.workspace !== key.workspace) throw sharedHash(key, other)
  }
  return keys
}

function sharedHash(key: KeyRecord, other: KeyRecord): KeyringError {
  const names = [other, key].map(({ workspace, id }) => `"${id}" of the workspace "${workspace}"`)
  return new KeyringError(
    `Two keys have the same hash: ${names.join(' and ')}. Replace one of them.`,
  )
}

/**
 * Parses an `Authorization` header: one scheme, spaces, one key (RFC 6750 §2.1). Returns null for everything else.
 */
export function bearerKey(authorization: string | null): string | null {
  const { scheme, token } =
    /^(?<scheme>[A-Za-z]+) +(?<token>\w+)$/.exec(authorization ?? '')?.groups ?? {}
  if (token === undefined || scheme?.toLowerCase() !== 'bearer') return null
  return isKey(token) ? token : null
}

function isExpired({ expiresAt }: KeyRecord, now: number): boolean {
  return expiresAt !== null && now >= expiresAt
}

function apiKey({ id, workspace, scopes }: KeyRecord): ApiKey {
  return { id, workspace, scopes }
}

/**
 * Returns a function that creates one keyring per build.
 *
 * @param environmentKeys the value of `QUARRY_KEYS`
 * @throws KeyringError at once when the value is malformed
 */
export function keyringOf(environmentKeys = ''): (site: ServedSite) => Keyring {
  createKeyring([], environmentKeys)
  const rings = new WeakMap<ServedSite, Keyring>()
  return (site) => {
    const known = rings.get(site)
    if (known !== undefined) return known
    const ring = createKeyring(site.keys, environmentKeys)
    rings.set(site, ring)
    return ring
  }
}

/** The content of `QUARRY_KEYS`. */
export interface EnvironmentKeys {
  readonly added: readonly KeyRecord[]
  /** Hashes in lower-case hexadecimal. */
  readonly revoked: ReadonlySet<string>
}

/**
 * Parses `QUARRY_KEYS`: entries separated by white space or commas.
 *
 * ```
 * WORKSPACE:SHA256                                     adds a key with the default scopes
 * WORKSPACE:SHA256?scopes=posts:read+tags:read&expires=2027-01-01&name=Web%20site
 * !SHA256                                              revokes a key, also one of the build
 * ```
 *
 * An added key's id is `env-` and the first 8 digits of its hash.
 *
 * @throws KeyringError with the number of the first malformed entry, counted from 1
 */
export function parseEnvironmentKeys(text: string): EnvironmentKeys {
  const added = new Map<string, KeyRecord>()
  const revoked = new Set<string>()
  const entries = text.split(/[\s,]+/u).filter((entry) => entry !== '')
  for (const [index, entry] of entries.entries()) {
    const parsed = parseEntry(entry, index + 1)
    if (typeof parsed === 'string') revoked.add(parsed)
    else if (!added.has(parsed.sha256)) added.set(parsed.sha256, parsed)
    else throw malformed(index + 1, 'adds a hash that an earlier entry adds')
  }
  return { added: [...added.values()], revoked }
}

/** Formats an entry of `QUARRY_KEYS` that adds a key; safe between single quotes. Omits revocation. */
export function formatEnvironmentKey(key: KeyRecord): string {
  const { workspace, sha256, scopes, expiresAt, name } = key
  const isDefault = areDefaultScopes(scopes)
  const options = [
    ...(isDefault ? [] : [`scopes=${scopes.join('+')}`]),
    ...(expiresAt === null ? [] : [`expires=${new Date(expiresAt).toISOString()}`]),
    `name=${encodeURIComponent(name).replaceAll("'", '%27')}`,
  ]
  return `${workspace}:${sha256}?${options.join('&')}`
}

/** Returns a key to add, or the hash of a key to revoke. */
function parseEntry(entry: string, number: number): KeyRecord | string {
  if (holdsClearKey(entry)) {
    throw malformed(number, "looks like a key in plain text; it must be the key's SHA-256")
  }
  const revoked = /^!([0-9a-f]{64})$/.exec(entry)?.[1]
  if (revoked !== undefined) return revoked
  const [, workspace, sha256, options] = /^([^:!?]+):([0-9a-f]{64})(?:\?(.*))?$/.exec(entry) ?? []
  if (workspace === undefined || sha256 === undefined) {
    const digits = '64 hexadecimal digits in lower case'
    throw malformed(
      number,
      `is neither WORKSPACE:SHA256 nor !SHA256, with the SHA-256 as ${digits}`,
    )
  }
  const id = `env-${sha256.slice(0, 8)}`
  return { id, name: id, workspace, sha256, revoked: false, ...parseOptions(options, number) }
}

type KeyOptions = Pick<KeyRecord, 'scopes' | 'expiresAt'> & { readonly name?: string }

function parseOptions(text: string | undefined, number: number): KeyOptions {
  const options = new Map<string, string>()
  for (const option of text?.split('&') ?? []) {
    const [, name, value] = /^(scopes|expires|name)=(.+)$/.exec(option) ?? []
    if (name === undefined || value === undefined || options.has(name)) {
      throw malformed(
        number,
        'has an unknown, repeated or empty option; the options are scopes=…, expires=… and name=…',
      )
    }
    options.set(name, decode(value, number))
  }
  const name = options.get('name')
  return {
    scopes: parseScopes(options.get('scopes'), number),
    expiresAt: parseExpiry(options.get('expires'), number),
    ...(name === undefined ? {} : { name }),
  }
}

function decode(value: string, number: number): string {
  try {
    return decodeURIComponent(value)
  } catch {
    throw malformed(number, 'has an option that is not percent-encoded UTF-8')
  }
}

function parseScopes(text: string | undefined, number: number): readonly Scope[] {
  if (text === undefined) return defaultScopes
  const names = text.split('+')
  const scopes = allScopes.filter((scope) => names.includes(scope))
  if (scopes.length === new Set(names).size) return scopes
  throw malformed(number, `has a scope other than ${allScopes.join(', ')}`)
}

function parseExpiry(text: string | undefined, number: number): number | null {
  if (text === undefined) return null
  const date = parseDate(text)
  if (date !== null) return Date.parse(date)
  throw malformed(
    number,
    'has an expiry that is not an ISO 8601 date, such as 2027-01-01T00:00:00Z',
  )
}

function malformed(number: number, what: string): KeyringError {
  return new KeyringError(`QUARRY_KEYS: entry ${number} ${what}.`)
}

/** Number of random bytes in a key. */
export const keyBytes = 32

/**
 * Encodes a key in clear, 52 ASCII characters.
 *
 * ```
 * qk_ 0000000000000000000000000000000000000000001 4Yi02k
 *     the bytes as one big-endian number,         CRC-32 of all before it,
 *     43 digits of base 62                        6 digits of base 62
 * ```
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

/** True for a well-formed key with a valid checksum, whether or not it was ever issued. */
export function isKey(text: string): boolean {
  return form.test(text) && checksum(text.slice(0, -checksumDigits)) === text.slice(-checksumDigits)
}

/** The SHA-256 of the whole key, 64 hexadecimal digits in lower case. */
export function hashKey(key: string): string {
  return hex(sha256(utf8(key)))
}

const prefix = 'qk_'
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
// 43 digits hold 2^256, and six 2^32.
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

/** CRC-32 of ASCII text, as in ISO 3309 and gzip. No table: the text has 46 characters. */
function crc32(text: string): number {
  let crc = 0xffff_ffff
  for (let index = 0; index < text.length; index++) {
    crc ^= text.charCodeAt(index)
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb8_8320 : 0)
  }
  return ~crc >>> 0
}
