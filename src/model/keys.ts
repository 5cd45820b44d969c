// API keys of workspaces, read from `keys.yml` and checked for duplicates across workspaces. Expiry is checked on use,
// not here.
import type { KeyRecord } from '../api/keys.ts'
import type { RawWorkspace } from '../content/raw.ts'
import type { Problems } from './problems.ts'
import { placeOf, type Reading, readFields, warnUnknownKeys } from './read-fields.ts'
import { readList } from './read-list.ts'
import { type KeyFields, keySchema, knownKeys } from './schema.ts'
import { withheldKey } from './withheld-keys.ts'

/** A key with the metadata for its owners. */
export interface StatedKey {
  readonly record: KeyRecord
  /** `YYYY-MM-DDTHH:MM:SS.sssZ`, like every date here. */
  readonly created: string
  readonly revoked: string | null
}

/** The part of a workspace that contains its keys. */
export type KeysSource = Pick<RawWorkspace, 'id' | 'keys'>

/**
 * Returns the keys of each workspace by its id, in file order.
 *
 * An id is unique in its workspace, a hash in all workspaces. Invalid entries are reported and left out.
 */
export function readKeys(
  workspaces: readonly KeysSource[],
  problems: Problems,
): ReadonlyMap<string, readonly StatedKey[]> {
  const hashes: Owners = new Map()
  return new Map(workspaces.map((raw) => [raw.id, readWorkspaceKeys(raw, hashes, problems)]))
}

/** First occurrence of each id or hash: `acme/keys.yml:3`. Grows. */
type Owners = Map<string, string>

function readWorkspaceKeys(
  { id: workspace, keys }: KeysSource,
  hashes: Owners,
  problems: Problems,
): readonly StatedKey[] {
  if (keys === undefined) return []
  const ids: Owners = new Map()
  return readList(keys, { name: 'keys', firstKey: 'id' }, problems).flatMap((reading) => {
    warnUnknownKeys(reading, knownKeys.key, problems, { withheld: withheldKey })
    const fields = readFields(keySchema, reading, problems)
    if (fields === undefined) return []
    const isIdFree = claim(fields.id, 'id', { reading, owners: ids, problems })
    const isHashFree = claim(fields.sha256, 'sha256', { reading, owners: hashes, problems })
    return isIdFree && isHashFree ? [statedKey(workspace, fields)] : []
  })
}

interface Claim {
  readonly reading: Reading
  readonly owners: Owners
  readonly problems: Problems
}

/** @returns false if another key has the value, which has been reported */
function claim(value: string, field: keyof typeof DUPLICATES, of: Claim): boolean {
  const { reading, owners, problems } = of
  const at = placeOf(reading, [field])
  const other = owners.get(value)
  if (other === undefined) {
    owners.set(value, `${reading.source.file}:${at.line}`)
    return true
  }
  const { code, hint } = DUPLICATES[field]
  const message = `This ${field} already belongs to the key at ${other}.`
  problems.report(reading.source, at, { code, message, hint })
  return false
}

const DUPLICATES = {
  id: { code: 'duplicate-identifier', hint: 'Give one of them another id.' },
  sha256: { code: 'duplicate-key', hint: 'Remove one; each workspace has its own keys.' },
} as const

function statedKey(workspace: string, fields: KeyFields): StatedKey {
  const { id, name, sha256, scopes, created, expires, revoked } = fields
  const expiresAt = expires === undefined ? null : Date.parse(expires)
  const isRevoked = revoked !== undefined
  return {
    record: { id, workspace, name, sha256, scopes, expiresAt, revoked: isRevoked },
    created,
    revoked: revoked ?? null,
  }
}
