// Terms without a file, created from their names in posts. The most frequent spelling is the name.

import { compareCodePoints } from '../api/code-points.ts'
import type { Social, TermKind } from '../api/resources.ts'
import { oneLine, socialsOf, type WrittenAuthor } from './author-names.ts'
import { deriveId } from './identifier.ts'
import type { Problems } from './problems.ts'
import { placeOf, type Reading } from './read-fields.ts'
import type { AnyTerm } from './terms.ts'

/** A name in a post's front matter. */
export interface Place {
  readonly reading: Reading
  /** Path in the front matter, resolved to a position only for a problem. */
  readonly path: readonly PropertyKey[]
  readonly mention: Mention
}

/** Properties of a post that decide whether it adds to the terms it names. */
export interface Mention {
  readonly isDraft: boolean
  /** ISO 8601, UTC; undefined for a post that is published or has no date. */
  readonly scheduledFor: string | undefined
}

/** Singular of each kind, for messages. */
export const singular = { categories: 'category', tags: 'tag', authors: 'author' } as const

/** Creates a term with only a slug and a preliminary name. */
export function createdTerm(
  workspace: string,
  kind: TermKind,
  slug: string,
  name: string,
): CreatedTerm {
  return {
    id: deriveId(workspace, kind, slug),
    slug,
    name: oneLine(name),
    image: null,
    role: null,
    socials: [],
    bio: null,
    description: null,
  }
}

/** A created term. Its name and missing details are final only after all posts are read. */
export type CreatedTerm = { -readonly [key in keyof AnyTerm]: AnyTerm[key] }

/**
 * The terms that the posts of a workspace create, with their spellings.
 *
 * A scheduled post adds nothing to a term that a published post names: nothing may reveal it before its time. A term
 * that only scheduled posts name follows the earliest of them.
 */
export class CreatedTerms {
  readonly #created = new Map<AnyTerm, Mentions>()

  add(term: CreatedTerm, kind: TermKind): void {
    this.#created.set(term, { kind, spellings: new Map(), scheduled: undefined })
  }

  has(term: AnyTerm): boolean {
    return this.#created.has(term)
  }

  /**
   * Counts a mention of a term, if this set created it. The first mention of a detail is kept.
   *
   * @param isTyped false for a default category, which counts only if no post writes it
   */
  mention(term: AnyTerm, written: WrittenAuthor, place: Place, isTyped: boolean): void {
    const created = this.#created.get(term)
    const { isDraft, scheduledFor } = place.mention
    if (created === undefined || isDraft) return
    if (scheduledFor !== undefined) {
      const isFirst = created.scheduled === undefined || scheduledFor < created.scheduled.at
      if (isFirst) created.scheduled = { at: scheduledFor, written }
      return
    }
    const spelling = oneLine(written.name)
    const counted = created.spellings.get(spelling)
    if (counted === undefined) created.spellings.set(spelling, { count: isTyped ? 1 : 0, place })
    else if (isTyped) counted.count += 1
    complete(term, written)
  }

  /** Sets the final names of all terms, and warns once about each other spelling. */
  name(problems: Problems): void {
    for (const [term, { kind, spellings, scheduled }] of this.#created) {
      const created: CreatedTerm = term
      const [best, ...others] = [...spellings].sort(byFrequency)
      if (best === undefined) {
        if (scheduled !== undefined) complete(created, scheduled.written)
        created.name = oneLine(scheduled?.written.name ?? term.name)
        continue
      }
      created.name = best[0]
      for (const [spelling, { count, place }] of others) {
        if (count > 0) warn(problems, { kind, best, spelling, place })
      }
    }
  }
}

interface Mentions {
  readonly kind: TermKind
  /** Spellings in published posts. */
  readonly spellings: Spellings
  /** Spelling in the earliest scheduled post. */
  scheduled: { readonly at: string; readonly written: WrittenAuthor } | undefined
}

type Spellings = Map<string, { count: number; readonly place: Place }>
type Spelling = readonly [spelling: string, { readonly count: number; readonly place: Place }]

function byFrequency([a, { count }]: Spelling, [b, other]: Spelling): number {
  return other.count - count || compareCodePoints(a, b)
}

function complete(term: CreatedTerm, written: WrittenAuthor): void {
  term.image ??= written.image ?? null
  term.role ??= written.role ?? null
  term.bio ??= written.bio ?? null
  const socials: readonly Social[] = socialsOf(written)
  if (term.socials.length === 0) term.socials = socials
}

interface OtherSpelling {
  readonly kind: TermKind
  readonly best: Spelling
  readonly spelling: string
  readonly place: Place
}

function warn(problems: Problems, { kind, best, spelling, place }: OtherSpelling): void {
  const [name, { count }] = best
  const { reading, path } = place
  problems.report(reading.source, placeOf(reading, path), {
    code: 'differing-spelling',
    severity: 'warning',
    message: `${JSON.stringify(spelling)} is the ${singular[kind]} that is ${JSON.stringify(name)} elsewhere (${count === 1 ? 'once' : `${count} times`}).`,
    hint: `Use one spelling, or define the ${singular[kind]} in a file.`,
  })
}
