// Keys in the environment: `QUARRY_KEYS` adds and revokes keys at run time, without a build. Errors never quote the
// input, which may contain a key in clear.
import { holdsClearKey } from '../api/clear-key.ts'
import { parseDate } from '../api/dates.ts'
import {
  allScopes,
  areDefaultScopes,
  defaultScopes,
  type KeyRecord,
  type Scope,
} from '../api/key-record.ts'
import { KeyringError } from './key-error.ts'

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
    else throw malformed(index + 1, 'adds a hash that an entry before it adds')
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
    throw malformed(number, "looks like a key in clear; the key's SHA-256 is wanted")
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
      throw malformed(number, 'has an option other than one each of scopes=…, expires=… and name=…')
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
    throw malformed(number, 'has an option with a % that begins no UTF-8')
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
  throw malformed(number, 'has an expiry that is no date of ISO 8601, such as 2027-01-01T00:00:00Z')
}

function malformed(number: number, what: string): KeyringError {
  return new KeyringError(`QUARRY_KEYS: entry ${number} ${what}.`)
}
