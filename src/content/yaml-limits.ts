// Limits of front matter in every language.
import type { Position } from '../diagnostics.ts'
import type { Problem } from './source.ts'
import { quoteExcerpt } from './source.ts'

/** Maximum nesting of collections. */
export const maxDepth = 20

/** The problem of deeper nesting. */
export const tooDeep: Problem = {
  code: 'yaml-too-deep',
  message: `Lists and maps are nested more than ${maxDepth} levels deep.`,
  hint: 'Flatten them.',
}

/** Returns the problem of a key, if any. @param entries earlier entries */
export function checkKey(
  name: string,
  entries: ReadonlyMap<string, { readonly keyAt: Position }>,
): Problem | undefined {
  if (forbiddenKeys.has(name)) return forbiddenKey(name)
  const first = entries.get(name)
  return first === undefined ? undefined : duplicateKey(name, first.keyAt)
}

const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

function forbiddenKey(name: string): Problem {
  const message = `"${name}" cannot be a key.`
  return { code: 'yaml-forbidden-key', message, hint: 'Give the key another name.' }
}

function duplicateKey(name: string, first: Position): Problem {
  const message = `The key ${quoteExcerpt(name)} is already on line ${first.line}.`
  return { code: 'yaml-duplicate-key', message, hint: 'Remove one of the two.' }
}
