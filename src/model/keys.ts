// API keys of workspaces, read from `keys.yml` and checked for duplicates across workspaces. Expiry is checked on use,
// not here.
import * as z from 'zod'
import { allScopes, defaultScopes, type KeyRecord } from '../api/keys.ts'
import type { RawYaml } from '../content/raw.ts'
import type { Problems } from './problems.ts'
import { placeOf, type Reading, readFields, readList, warnUnknownKeys } from './read-fields.ts'
import { date, identifier, requiredText, text } from './schema.ts'
import { withheldKey } from './withheld-keys.ts'

/** A key with the metadata for its owners. */
export interface StatedKey {
  readonly record: KeyRecord
  /** `YYYY-MM-DDTHH:MM:SS.sssZ`, like every date here. */
  readonly created: string
  readonly revoked: string | null
}

const keySchema = z.object({
  id: identifier,
  name: requiredText.refine(
    (value) => !/\p{Cc}/u.test(value),
    'must not contain control characters',
  ),
  sha256: text.regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits in lower case'),
  scopes: z
    .array(
      z.enum(allScopes, `must be one of ${allScopes.join(', ')}`),
      'must be a list, such as [posts:read, tags:read]',
    )
    .min(1, `must name a scope; a key without scopes has ${defaultScopes.join(', ')}`)
    .default([...defaultScopes]),
  created: date,
  expires: date.optional(),
  revoked: date.optional(),
})

/**
 * Returns the keys of each workspace by its id, in file order.
 *
 * An id is unique in its workspace, a hash in all workspaces. Invalid entries are reported and left out.
 */
export function readKeys(
  workspaces: readonly { readonly id: string; readonly keys?: RawYaml | undefined }[],
  problems: Problems,
): ReadonlyMap<string, readonly StatedKey[]> {
  const hashes: Owners = new Map()
  return new Map(
    workspaces.map(({ id: workspace, keys }) => {
      const ids: Owners = new Map()
      const list = keys && readList(keys, { name: 'keys', firstKey: 'id' }, problems)
      const read = (list ?? []).flatMap((reading): readonly StatedKey[] => {
        warnUnknownKeys(reading, Object.keys(keySchema.shape), problems, { withheld: withheldKey })
        const fields = readFields(keySchema, reading, problems)
        if (fields === undefined) return []
        const { id, name, sha256, scopes, created, expires, revoked } = fields
        const isIdFree = claim(id, 'id', reading, ids, problems)
        const isHashFree = claim(sha256, 'sha256', reading, hashes, problems)
        if (!isIdFree || !isHashFree) return []
        const expiresAt = expires === undefined ? null : Date.parse(expires)
        const isRevoked = revoked !== undefined
        const record = { id, workspace, name, sha256, scopes, expiresAt, revoked: isRevoked }
        return [{ record, created, revoked: revoked ?? null }]
      })
      return [workspace, read]
    }),
  )
}

/** First occurrence of each id or hash: `acme/keys.yml:3`. Grows. */
type Owners = Map<string, string>

/** @returns false if another key has the value, which has been reported */
function claim(
  value: string,
  field: keyof typeof duplicates,
  reading: Reading,
  owners: Owners,
  problems: Problems,
): boolean {
  const at = placeOf(reading, [field])
  const other = owners.get(value)
  if (other === undefined) {
    owners.set(value, `${reading.source.file}:${at.line}`)
    return true
  }
  const message = `This ${field} already belongs to the key at ${other}.`
  problems.report(reading.source, at, { ...duplicates[field], message })
  return false
}

const duplicates = {
  id: { code: 'duplicate-identifier', hint: 'Give one of them another id.' },
  sha256: { code: 'duplicate-key', hint: 'Remove one; each workspace has its own keys.' },
} as const
