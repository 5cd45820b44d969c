// Slugs and ids: validation, derivation from file names and text, and derived ids.
import { hash } from 'node:crypto'
import { reservedWorkspaces } from '../api/routes.ts'
import { fileStart } from '../diagnostics.ts'
import type { Reading } from './read-fields.ts'

/** Maximum length of a slug or id in bytes of UTF-8: with `.json` appended it is a valid file name on every system. */
export const identifierBytesMax = 200

/** Returns why a text is not a slug or id; null for letters and digits of any script, with `-`, `_` and `.` inside. */
export function identifierProblem(text: string): string | null {
  if (text === '') return 'is empty'
  if (text !== text.normalize('NFC')) return 'is not in Unicode normal form C'
  if (Buffer.byteLength(text) > identifierBytesMax)
    return `is longer than ${identifierBytesMax} bytes`
  const illegal = [...text].find((character) => !allowedCharacter.test(character))
  if (illegal !== undefined) return `has a character that is not allowed: ${display(illegal)}`
  if (!/^[\p{L}\p{Nd}]/u.test(text)) return 'does not begin with a letter or digit'
  if (!/[\p{L}\p{M}\p{Nd}]$/u.test(text)) return 'does not end with a letter or digit'
  if (text.includes('..')) return 'has two dots in a row'
  if (deviceName.test(text)) return 'is a device name on some systems'
  return null
}

/** Returns why a text cannot be the slug of an item, which is a path; null if it can. */
export function pathProblem(text: string): string | null {
  return text.split('/').map(identifierProblem).find(Boolean) ?? null
}

/** Returns why a name cannot be that of a workspace; null if it can. Some names are paths below v1. */
export function workspaceProblem(name: string): string | null {
  return isReserved(name) ? `is a path of the API: /v1/${foldCase(name)}` : identifierProblem(name)
}

/** Reports whether a name is the first segment of a path below v1, in any case. */
export function isReserved(name: string): boolean {
  return reservedWorkspaces.includes(foldCase(name))
}

/** Converts to lower case, with `-` for all but letters and digits. @returns unchecked; may be empty or a device name */
export function slugify(text: string): string {
  const words = text.normalize('NFKC').toLowerCase().normalize('NFC')
  const slug = words.replace(/['’]/gu, '').replace(/[^\p{L}\p{M}\p{Nd}]+/gu, '-')
  return truncate(slug.replace(/^[-\p{M}]+|-$/gu, ''))
}

/** Splits the name of a file or folder into the slug and the date, as typed. */
export function splitFileName(name: string): { readonly slug: string; readonly date?: string } {
  const match = /^(\d{4}-\d{2}-\d{2})-(.+)$/su.exec(name.normalize('NFC'))
  const [, date, slug] = match ?? []
  return date === undefined || slug === undefined ? { slug: name.normalize('NFC') } : { slug, date }
}

/** 80 bits of a SHA-256 in base32, the same on every machine. Collisions are reported as duplicate identifiers. */
export function deriveId(workspace: string, kind: string, slug: string): string {
  const digest = hash('sha256', `${workspace}\n${kind}\n${slug}`).slice(0, 20)
  const digits = BigInt(`0x${digest}`).toString(32).padStart(16, '0')
  return digits.replace(/./g, (digit) => base32[Number.parseInt(digit, 32)] ?? '')
}

/** Folds case (simple folding): equal for two names of the same file on a case-insensitive system. */
export function foldCase(identifier: string): string {
  // ASCII covers nearly all identifiers, at a twentieth of the cost.
  if (/^[\x20-\x7e]*$/.test(identifier)) return identifier.toLowerCase()
  const folded = Array.from(identifier, (character) => {
    const upper = character.toUpperCase()
    return ([...upper].length === 1 ? upper : character).toLowerCase()
  })
  return folded.join('').normalize('NFC')
}

const base32 = 'abcdefghijklmnopqrstuvwxyz234567'
const allowedCharacter = /^[\p{L}\p{M}\p{Nd}\-_.]$/u
const deviceName = /^(con|prn|aux|nul|clock\$|conin\$|conout\$|(com|lpt)[0-9¹²³])(\.|$)/iu

function display(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(character) ? `"${character}" (${name})` : name
}

/** Truncates at a code point so that the UTF-8 fits. */
function truncate(slug: string): string {
  let bytes = 0
  const fitting = Array.from(slug).filter((character) => {
    bytes += Buffer.byteLength(character)
    return bytes <= identifierBytesMax
  })
  return fitting.join('').replace(/-$/u, '')
}

/** A resource, and its field with an identifier. */
interface Owner {
  readonly reading: Reading
  readonly identifier: string
  readonly field: 'slug' | 'id' | 'alias'
  readonly path: readonly (string | number)[]
}

/** Returns how easily an owner gives up its identifier: that in the name of a file is last, because links contain it. */
function weakness({ reading, field, path: [key] }: Owner): number {
  return reading.fields.has(`${key}`) ? ['slug', 'id', 'alias'].indexOf(field) + 1 : 0
}

/** Claims names in the namespace of one kind in one workspace. */
export type Claim = (
  reading: Reading,
  slug: string,
  id: string | undefined,
  aliases?: readonly string[],
) => string | undefined

/**
 * Returns a function that claims the valid slug, the id, derived if it is not stated, and the former slugs of a resource.
 * It returns the id; undefined if a name is taken, or an alias is its own slug, which has been reported.
 */
export function createClaim(workspace: string, kind: string): Claim {
  const owners = new Map<string, Owner>()
  const take = (owner: Owner): boolean => {
    const key = foldCase(owner.identifier)
    const other = owners.get(key) ?? owner
    const [kept, refused] = weakness(owner) < weakness(other) ? [owner, other] : [other, owner]
    owners.set(key, kept)
    // Slug and id of one resource may be equal. An alias of its own slug would redirect to itself.
    if (other === owner || (other.reading === owner.reading && owner.field !== 'alias')) return true
    const { reading, field, identifier } = refused
    reading.report(refused.path, {
      code: 'duplicate-identifier',
      message: `The ${field} "${identifier}" is taken by ${kept.reading.lineOf(kept.path)}.`,
      hint: `Slugs and ids of ${kind} must be unique, ignoring case; set another \`${field}\`.`,
    })
    return false
  }
  return (reading, slug, id, aliases = []) => {
    const isSlugFree = take({ reading, identifier: slug, field: 'slug', path: ['slug'] })
    const own = id ?? deriveId(workspace, kind, slug)
    // If the slug is taken, so is the derived id: one problem, reported once.
    const isIdFree =
      (id === undefined && !isSlugFree) ||
      take({ reading, identifier: own, field: 'id', path: ['id'] })
    const areFree = aliases.map((identifier, at) => {
      const owner = { reading, identifier, field: 'alias', path: ['aliases', at] } as const
      return aliases.indexOf(identifier) !== at || take(owner)
    })
    return isSlugFree && isIdFree && !areFree.includes(false) ? own : undefined
  }
}

/** A slug that is not stated, and its source. */
export interface GivenSlug {
  readonly slug: string
  readonly source: "the file's name" | 'its name' | 'its title' | 'its key'
}

/** Returns a slug that is not stated; undefined if there is none or it is invalid, which has been reported. */
export function checkSlug(given: GivenSlug | undefined, reading: Reading): string | undefined {
  const { slug = '', source } = given ?? {}
  const problem = pathProblem(slug)
  if (given !== undefined && problem === null) return slug
  const isFile = source === "the file's name"
  const hint = isFile
    ? 'Rename the file or set `slug:` in its front matter.'
    : `Add \`slug: …\`${source === 'its title' ? ' or `title: …`' : ''} to the entry.`
  const message = given
    ? `\`slug\` ${JSON.stringify(slug)}, from ${source}, ${problem}.`
    : '`slug` is missing.'
  const code = given ? 'invalid-identifier' : 'missing-field'
  reading.report(isFile ? fileStart : reading.at, { code, message, hint })
  return undefined
}
