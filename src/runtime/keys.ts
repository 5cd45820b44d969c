// API keys in a function: hashes with scopes and expiry dates. A key in clear is held only during one look-up.
import type { KeyRecord, Scope } from '../api/key-record.ts'
import { parseEnvironmentKeys } from './key-environment.ts'
import { KeyringError } from './key-error.ts'
import { hashKey, isKey } from './key-format.ts'

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
    `Two keys have the same hash: ${names.join(' and ')}. Make one of them anew.`,
  )
}

/**
 * Parses an `Authorization` header: one scheme, spaces, one key (RFC 6750 §2.1). Returns null for everything else.
 */
export function bearerKey(authorization: string | null): string | null {
  if (authorization === null || authorization.length > headerMax) return null
  const { scheme, token } =
    /^(?<scheme>[A-Za-z]+) +(?<token>\w+)$/.exec(authorization)?.groups ?? {}
  if (token === undefined || scheme?.toLowerCase() !== 'bearer') return null
  return isKey(token) ? token : null
}

/** A key with its scheme takes 59 characters; the rest allows for spaces. */
const headerMax = 256

function isExpired({ expiresAt }: KeyRecord, now: number): boolean {
  return expiresAt !== null && now >= expiresAt
}

function apiKey({ id, workspace, scopes }: KeyRecord): ApiKey {
  return { id, workspace, scopes }
}
