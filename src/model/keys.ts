// API keys of workspaces, read from `keys.yml` and checked for duplicates across workspaces. Expiry is checked on use,
// not here.
import * as z from 'zod'
import { allScopes, defaultScopes, type KeyRecord } from '../api/keys.ts'
import type { RawYaml } from '../content/raw.ts'
import type { Problems } from './problems.ts'
import { type Reading, readFields, readList, warnUnknownKeys } from './read-fields.ts'
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
  /** First occurrence of each id and hash: `acme/keys.yml:3`. */
  const owners = new Map<string, string>()
  const isFree = (value: string, field: keyof typeof duplicates, scope: string, read: Reading) => {
    const other = owners.get(`${scope}\0${value}`)
    const message = `This ${field} already belongs to the key at ${other}.`
    if (other !== undefined) read.report([field], { ...duplicates[field], message })
    else owners.set(`${scope}\0${value}`, `${read.file}:${read.placeOf([field]).line}`)
    return other === undefined
  }
  const readKey = (workspace: string, reading: Reading): readonly StatedKey[] => {
    warnUnknownKeys(reading, Object.keys(keySchema.shape), { withheld: withheldKey })
    const fields = readFields(keySchema, reading)
    if (fields === undefined) return []
    const { id, name, sha256, scopes, created, expires, revoked } = fields
    const isIdFree = isFree(id, 'id', workspace, reading)
    const isHashFree = isFree(sha256, 'sha256', '', reading)
    if (!isIdFree || !isHashFree) return []
    const expiresAt = expires === undefined ? null : Date.parse(expires)
    const isRevoked = revoked !== undefined
    const record = { id, workspace, name, sha256, scopes, expiresAt, revoked: isRevoked }
    return [{ record, created, revoked: revoked ?? null }]
  }
  return new Map(
    workspaces.map(({ id, keys }) => {
      const list = keys && readList(keys, keys.value, { name: 'keys', firstKey: 'id' }, problems)
      return [id, (list ?? []).flatMap((reading) => readKey(id, reading))]
    }),
  )
}

const duplicates = {
  id: { code: 'duplicate-identifier', hint: 'Give one of them another id.' },
  sha256: { code: 'duplicate-key', hint: 'Remove one; each workspace has its own keys.' },
} as const
