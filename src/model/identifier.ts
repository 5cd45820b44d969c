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
  const parts = text.split('/')
  if (parts.length > 1 && parts.includes('')) return 'has an empty part'
  return parts.map(identifierProblem).find(Boolean) ?? null
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

/** A resource that claims its names. */
interface Claimant {
  readonly reading: Reading
  readonly slug: string
  /** Absent to derive it. */
  readonly id?: string | undefined
  /** Former slugs. */
  readonly aliases?: readonly string[]
  /** True for a draft. @default false */
  readonly isHidden?: boolean
}

/** A claimed name. */
interface Owner {
  readonly claimant: Claimant
  readonly name: string
  readonly field: 'slug' | 'id' | 'alias'
  readonly path: readonly (string | number)[]
}

/** Returns how easily an owner gives up its name: a draft is first; a name from that of a file is last, because links contain it. */
function weakness({ claimant: { reading, isHidden }, field, path: [key] }: Owner): number {
  const stated = reading.fields.has(`${key}`) ? ['slug', 'id', 'alias'].indexOf(field) + 1 : 0
  return isHidden ? stated + 4 : stated
}

/** Claims the names of a resource. @returns its id; undefined if a name is taken, or an alias is its own slug, which has been reported */
export type Claim = (claimant: Claimant) => string | undefined

/** Returns a function that claims names in the namespace of one kind in one workspace. */
export function createClaim(workspace: string, kind: string): Claim {
  const owners = new Map<string, Owner>()
  const take = (owner: Owner): boolean => {
    const key = foldCase(owner.name)
    const other = owners.get(key) ?? owner
    const [kept, refused] = weakness(owner) < weakness(other) ? [owner, other] : [other, owner]
    owners.set(key, kept)
    // Slug and id of one resource may be equal. An alias of its own slug would redirect to itself.
    if (other === owner || (other.claimant === owner.claimant && owner.field !== 'alias'))
      return true
    const { claimant, field, name, path } = refused
    claimant.reading.report(path, {
      code: 'duplicate-identifier',
      message: `The ${field} "${name}" is taken by ${kept.claimant.reading.lineOf(kept.path)}.`,
      hint: `Slugs and ids of ${kind} must be unique, ignoring case; ${field === 'alias' ? 'remove the alias' : `set another \`${field}\``}.`,
    })
    return false
  }
  return (claimant) => {
    const { slug, id = deriveId(workspace, kind, slug), aliases = [] } = claimant
    const isSlugFree = take({ claimant, name: slug, field: 'slug', path: ['slug'] })
    // If the slug is taken, so is the derived id: one problem, reported once.
    const isIdFree =
      (claimant.id === undefined && !isSlugFree) ||
      take({ claimant, name: id, field: 'id', path: ['id'] })
    const areFree = aliases.map((name, at) => {
      const isRepeated = aliases.indexOf(name) !== at
      return isRepeated || take({ claimant, name, field: 'alias', path: ['aliases', at] })
    })
    return isSlugFree && isIdFree && !areFree.includes(false) ? id : undefined
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
