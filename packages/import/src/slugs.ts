// Gives every imported post a valid, unique slug.
import { foldCase, identifierBytesMax, identifierProblem, slugify } from 'quarry/authoring'
import type { Ledger } from './ledger.ts'
import { decoded } from './parts.ts'

/** A requested slug of a post. */
export interface SlugWish {
  /** As in the source. */
  readonly slug: string
  /** ISO 8601; distinguishes posts that share a slug. */
  readonly date?: string | undefined
  /** Location in the source, for the report. */
  readonly from: string
}

/** The slugs of one kind. Memory: one entry per slug. */
export class Slugs {
  readonly #taken = new Set<string>()
  readonly #report: Ledger

  constructor(report: Ledger) {
    this.#report = report
  }

  /**
   * Returns a slug that no other call has returned: the requested one if it is valid and free, else one derived from
   * it. A second post with the same slug gets its year, its date or a number as suffix, the first that is free.
   */
  claim({ slug, date, from }: SlugWish): string {
    const valid = validSlug(slug)
    if (valid !== slug)
      this.#report.add('changed', 'slug made valid', `${from} (${slug} → ${valid})`)
    for (const candidate of candidates(valid, [date?.slice(0, 4), date?.slice(0, 10)])) {
      if (!this.#take(candidate)) continue
      if (candidate !== valid)
        this.#report.add('changed', 'slug made unique', `${from} (${valid} → ${candidate})`)
      return candidate
    }
    throw new Error('The numbers ended.')
  }

  /**
   * Claims the alias for an old path or slug: its last segment, without `.html`.
   *
   * @returns undefined when it is no valid slug, or is taken. Claim all slugs before the first alias.
   */
  claimAlias(path: string): string | undefined {
    const alias = lastSegment(path)
    return identifierProblem(alias) === null && this.#take(alias) ? alias : undefined
  }

  /** Claims an id; undefined when it is invalid or taken. Claim all slugs before the first id. */
  claimId(id: string): string | undefined {
    return identifierProblem(id) === null && this.#take(id) ? id : undefined
  }

  #take(slug: string): boolean {
    const key = foldCase(slug)
    if (this.#taken.has(key)) return false
    this.#taken.add(key)
    return true
  }
}

/** The last segment of a path or URL, decoded and in NFC, without `.html`. */
export function lastSegment(path: string): string {
  const [plain = ''] = path.split(/[?#]/)
  const segment =
    plain
      .replace(/\/(index\.html?)?$/, '')
      .split('/')
      .at(-1) ?? ''
  return decoded(segment.replace(/\.html?$/, ''))
}

/** The text itself if it is a valid slug, else one derived from it; `post` when nothing remains. */
export function validSlug(text: string): string {
  if (identifierProblem(text) === null) return text
  const made = slugify(text)
  if (identifierProblem(made) === null) return made
  return made === '' ? 'post' : `${made}-post`
}

function* candidates(slug: string, suffixes: readonly (string | undefined)[]): Generator<string> {
  yield slug
  // Leaves room for the longest suffix within the maximum length.
  const isLong = Buffer.byteLength(slug) > identifierBytesMax - 20
  const base = isLong ? slugify(slug.slice(0, identifierBytesMax / 4 - 5)) : slug
  for (const suffix of suffixes) if (suffix !== undefined) yield `${base}-${suffix}`
  for (let number = 2; ; number++) yield `${base}-${number}`
}
