// An API key as it is stored: its hash and permissions, never the key itself.
import { type ResourceKind, resourceKinds } from './resources.ts'

/** A permission of a key. */
export type Scope = `${ResourceKind | 'drafts'}:read`

/** Scopes of a key that names none, in a fixed order. */
export const defaultScopes: readonly Scope[] = resourceKinds.map((kind): Scope => `${kind}:read`)

/** Every scope, in a fixed order. */
export const allScopes: readonly Scope[] = [...defaultScopes, 'drafts:read']

/** Reports whether scopes are the default ones, in any order. */
export function areDefaultScopes(scopes: readonly Scope[]): boolean {
  return allScopes.every((scope) => scopes.includes(scope) === defaultScopes.includes(scope))
}

/** A key of a workspace. */
export interface KeyRecord {
  /** Public name, unique in its workspace. */
  readonly id: string
  readonly workspace: string
  readonly name: string
  /** SHA-256 of the whole key, lower-case hexadecimal. */
  readonly sha256: string
  readonly scopes: readonly Scope[]
  /** Milliseconds since 1970; null for never. */
  readonly expiresAt: number | null
  readonly revoked: boolean
}
