// Records and scopes of keys, and the search for keys in texts.
import { isDocumentKind } from './documents.ts'
import { type ResourceKind, resourceKinds } from './resources.ts'

/** A permission of a key. */
export type Scope = `${ResourceKind | 'collections' | 'drafts'}:read`

/** Scopes of a key that names none, in a fixed order. */
export const defaultScopes: readonly Scope[] = [...resourceKinds, 'collections' as const].map(
  (kind): Scope => `${kind}:read`,
)

/** Every scope, in a fixed order. */
export const allScopes: readonly Scope[] = [...defaultScopes, 'drafts:read']

/** Reports whether scopes are the default ones, in any order. */
export function areDefaultScopes(scopes: readonly Scope[]): boolean {
  return allScopes.every((scope) => scopes.includes(scope) === defaultScopes.includes(scope))
}

/** Returns the scope that a kind of content needs. Images, custom fields and documents belong to posts. */
export function scopeOf(kind: string): Scope {
  const own = resourceKinds.find((name) => name === kind)
  if (own !== undefined) return `${own}:read`
  const isPublicKind = isDocumentKind(kind) || kind === 'media' || kind === 'fields'
  return isPublicKind ? 'posts:read' : 'collections:read'
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

/** Returns the offsets of texts that look like a key or its start: 16 characters make the rest easier to guess. */
export function findCleartextKeys(text: string): readonly number[] {
  return Array.from(text.matchAll(/qk_[0-9A-Za-z]{16,}/g), (match) => match.index)
}

/** Reports whether a text contains something that looks like an API key. */
export function hasCleartextKey(text: string): boolean {
  return findCleartextKeys(text).length > 0
}

/** Truncates every key in a text, however often its characters are percent-encoded. Cost: O(length). */
export function maskCleartextKeys(text: string): string {
  if (!/%|qk_/i.test(text)) return text
  const { decoded, starts } = decodeAll(text)
  let shown = ''
  let from = 0
  for (const { 0: key, index } of decoded.matchAll(/qk_[0-9A-Za-z]{16,}/gi)) {
    shown += `${text.slice(from, starts[index])}qk_…`
    from = starts[index + key.length] ?? text.length
  }
  return shown + text.slice(from)
}

/** Decodes until no percent-encoded byte is left. @returns the text, and the offset in `text` of each character */
function decodeAll(text: string) {
  const characters: string[] = []
  const starts: number[] = []
  for (let at = 0; at < text.length; at++) {
    characters.push(text.charAt(at))
    starts.push(at)
    // A decoded character may complete another triple. Each turn removes two characters, so all turns are O(length).
    while (characters.at(-3) === '%') {
      const code = characters.slice(-2).join('')
      if (!/^[0-9a-f]{2}$/i.test(code)) break
      characters.length -= 3
      characters.push(String.fromCharCode(Number.parseInt(code, 16)))
      starts.length -= 2
    }
  }
  return { decoded: characters.join(''), starts }
}
