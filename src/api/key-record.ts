// An API key as it is kept: its hash and what it may do, never the key itself.
// Knows neither files nor requests.
import { type ResourceKind, resourceKinds } from './resources.ts'

/** The permissions of a key. */
export type Scope = `${ResourceKind | 'drafts'}:read`

/** The scopes of a key that names none, in one fixed order. */
export const defaultScopes: readonly Scope[] = resourceKinds.map((kind): Scope => `${kind}:read`)

/** Every scope, in one fixed order. */
export const allScopes: readonly Scope[] = [...defaultScopes, 'drafts:read']

/** True for the default scopes, in any order. */
export function areDefaultScopes(scopes: readonly Scope[]): boolean {
  return allScopes.every((scope) => scopes.includes(scope) === defaultScopes.includes(scope))
}

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
