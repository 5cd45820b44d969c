// API keys as a function knows them: by hash alone, with what each may read and until when.
// Knows neither where the hashes are kept nor a key in clear for longer than one look-up.
import type { KeyRecord, Scope } from '../api/key-record.ts'
import { parseEnvironmentKeys } from './key-environment.ts'
import { KeyringError } from './key-error.ts'
import { hashKey, isKey } from './key-format.ts'

/** A key that was found valid. */
export interface ApiKey {
  /** Its public name, for limits and logs. */
  readonly id: string
  readonly workspace: string
  readonly scopes: readonly Scope[]
}

/** The keys of a site. */
export interface Keyring {
  /**
   * The key that an `Authorization` header names.
   *
   * @param authorization the header's value; null when there is none
   * @param now milliseconds since 1970
   * @returns null for a key that is missing, malformed, unknown, expired or revoked
   */
  find(authorization: string | null, now: number): ApiKey | null
}

/**
 * The keys of a build, with those that `QUARRY_KEYS` adds and without those that it revokes.
 *
 * A key that both name is what the build says: a key that the build limits or revokes is never widened.
 *
 * How long a look-up takes says nothing of the keys: what was sent is hashed whole before anything is compared,
 * and a hash that shares its first digits with a key's cannot be had by trying.
 *
 * @param records of all workspaces
 * @param environmentText the value of `QUARRY_KEYS`
 * @throws KeyringError when a hash stands twice or an entry of `QUARRY_KEYS` is malformed
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

/** By hash. */
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

/** The key in an `Authorization` header: one scheme, blanks, one key (RFC 6750 §2.1). Null for everything else. */
export function bearerKey(authorization: string | null): string | null {
  if (authorization === null || authorization.length > headerMax) return null
  const { scheme, token } =
    /^(?<scheme>[A-Za-z]+) +(?<token>\w+)$/.exec(authorization)?.groups ?? {}
  if (token === undefined || scheme?.toLowerCase() !== 'bearer') return null
  return isKey(token) ? token : null
}

/** A key takes 59 characters with its scheme; the others are room for blanks. */
const headerMax = 256

function isExpired({ expiresAt }: KeyRecord, now: number): boolean {
  return expiresAt !== null && now >= expiresAt
}

function apiKey({ id, workspace, scopes }: KeyRecord): ApiKey {
  return { id, workspace, scopes }
}
