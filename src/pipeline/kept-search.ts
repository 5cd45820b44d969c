// What the cache holds of searches: the terms of each post, and what makes the next search of those of the last one.
// Knows nothing of how searches are made.
import type { Derive } from '../cache/derive.ts'
import { readStored } from '../cache/stored-bytes.ts'
import type { KnownPart } from '../emit/search-input.ts'

/** Where it is kept what is known of a workspace's search; it says itself of which posts. */
export function knownName(derive: Derive, workspace: string, part: KnownPart): string {
  return derive.keyOf(`known ${part}`, workspace)
}

/** Stands for the terms of all posts, in their order. */
export function nameOfAll(derive: Derive, keys: readonly string[]): string {
  return derive.keyOf('all terms', keys.join(''))
}

/** Stands for all that the terms of a post are made of. @param digest of its visible text */
export function termsKey(derive: Derive, title: string, digest: Uint8Array): string {
  const madeOf = [title, Buffer.from(digest).toString('hex')]
  return derive.keyOf('terms', JSON.stringify(madeOf))
}

/** Keys of the terms of each post, by workspace. */
export type WorkspaceKeys = readonly (readonly [workspace: string, keys: readonly string[]])[]

/** The keys of the last build, by workspace. */
export function lastKeys(derive: Derive): WorkspaceKeys {
  const kept = derive.find(derive.keyOf('searched', ''))
  if (kept === undefined) return []
  const all: Readonly<Record<string, string>> = JSON.parse(Buffer.from(readStored(kept)).toString())
  return Object.entries(all).map(([workspace, keys]) => [workspace, keys.match(/.{64}/g) ?? []])
}

export function keepKeys(derive: Derive, workspaces: WorkspaceKeys): void {
  const name = derive.keyOf('searched', '')
  const all = workspaces.map(([workspace, keys]) => [workspace, keys.join('')])
  const json = Buffer.from(JSON.stringify(Object.fromEntries(all)))
  const kept = derive.find(name)
  if (kept === undefined || Buffer.compare(readStored(kept), json) !== 0) derive.keep(name, json)
}
