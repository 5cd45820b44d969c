// An API key as it is kept: its hash and what it may do, never the key itself.
// Knows neither files nor requests.
import { type ResourceKind, resourceKinds } from './resources.ts'

/** The permissions of a key. */
export type Scope = `${ResourceKind}:read`

/** Every scope, in one fixed order. */
export const allScopes: readonly Scope[] = resourceKinds.map((kind): Scope => `${kind}:read`)

/** A key of a workspace. */
export interface KeyRecord {
  /** Public name, unique in its workspace. */
  readonly id: string
  readonly workspace: string
  readonly name: string
  /** SHA-256 of the whole key, hexadecimal, lower case. */
  readonly sha256: string
  readonly scopes: readonly Scope[]
  /** Milliseconds since 1970; null for never. */
  readonly expiresAt: number | null
  readonly revoked: boolean
}
